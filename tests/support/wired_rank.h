// SPDX-License-Identifier: Apache-2.0
//
// Small ranks with events for tests: open to any edit before they are built.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/model/rank.h"

namespace graph_coverage {

// An operand: a tile of a tensor.
struct Tile {
  // All of a tensor of 8 bf16.
  Tile(const char* name) : tensor(name) {}  // NOLINT: implicit for lists
  Tile(std::string name, std::int64_t at, std::vector<std::int64_t> shape,
       std::vector<std::int64_t> steps)
      : tensor(std::move(name)),
        offset(at),
        dims(std::move(shape)),
        strides(std::move(steps)) {}

  std::string tensor;
  std::int64_t offset = 0;  // bytes
  std::vector<std::int64_t> dims = {8};
  std::vector<std::int64_t> strides = {1};
  DataType data_type = DataType::kBf16;
};

struct WiredTask {
  std::uint32_t type = 0;
  std::vector<Tile> inputs;
  std::vector<Tile> outputs;
  EventId dependent;
  EventId trigger;
  std::int32_t request_id = -1;
};

class WiredRank {
 public:
  // What a task waits for or triggers: an event by number from 2 on, or these.
  static constexpr std::uint32_t kNothing = 0xffff0000;
  static constexpr std::uint32_t kEnd = 0xffff0001;

  // Tasks 0 and 1 are there.
  explicit WiredRank(std::uint32_t rank = 0);

  WiredRank& Attached(const std::string& name);
  WiredRank& Scratch(const std::string& name, std::uint64_t bytes = 16);
  WiredRank& Nvshmem(const std::string& name, std::uint64_t bytes);
  // A branch for variant 0 of a type, in the order of the chain.
  WiredRank& Branch(const std::string& type,
                    const std::vector<std::uint32_t>& inputs,
                    const std::vector<std::uint32_t>& outputs,
                    bool metadata = false);
  // Adds a task; the first is task 2.
  WiredRank& Task(std::uint32_t type, const std::vector<Tile>& inputs,
                  const std::vector<Tile>& outputs, std::uint32_t waits,
                  std::uint32_t triggers, std::int32_t request_id = -1);
  // Makes the events of the tasks, anew after edits: counts and ranges fit, and
  // the end is last.
  WiredRank& Wire();

  Rank Build() const;

  RankId id;
  KernelSource source;
  std::vector<WiredTask> tasks;
  std::vector<Event> events;
  std::vector<TaskId> first_tasks;

 private:
  Declaration& Declare(const std::string& name, TensorKind kind);

  std::uint32_t end_ = kEnd;  // the end event's number since the last Wire
};

}  // namespace graph_coverage
