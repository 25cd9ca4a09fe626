// SPDX-License-Identifier: Apache-2.0
//
// A megakernel on the CPU: reads a gendir, allocates the tensors that its
// kernel source declares, and runs the tasks of its task graph, one kernel
// after the other. It does what the artifacts say, wired well or not.
#pragma once

#include <graph_coverage/model/view.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dispatch.h"
#include "tile.h"

namespace guarded_numerics {

class Megakernel {
 public:
  // Reads rank 0 of the gendir. Throws graph_coverage::InputError where it
  // cannot be read, and std::runtime_error where it cannot be run: a task type
  // without a kernel, a task ahead of what it waits for, an operand that does
  // not lie within its tensor.
  explicit Megakernel(const std::string& gendir);

  // Tiles refer to the tensors.
  Megakernel(const Megakernel&) = delete;
  Megakernel& operator=(const Megakernel&) = delete;

  // Runs all tasks, in the order of their ids.
  void Launch(const Step& step);

  // A tensor of the kernel source, zeros at first. One that no task names has
  // no bytes: no kernel would see them.
  struct Tensor {
    bool attached = false;  // the program fills it
    int readers = 0;        // operands that tasks read it through
    std::vector<std::byte> bytes;
    Tile whole;  // as a matrix, its rows as long as those of its tiles
  };
  // Throws std::out_of_range where there is no such tensor.
  const Tensor& tensor(const std::string& name) const {
    return tensors_.at(name);
  }
  const std::map<std::string, Tensor>& tensors() const { return tensors_; }

 private:
  struct Planned {
    Kernel kernel = nullptr;
    Work work;
  };

  void Allocate(const graph_coverage::View& view);
  void Plan(const graph_coverage::View& view);
  Tile TileOf(const graph_coverage::View& view,
              const graph_coverage::Operand& operand) const;

  std::map<std::string, Tensor> tensors_;
  std::vector<Planned> plan_;
};

}  // namespace guarded_numerics
