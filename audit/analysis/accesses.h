// SPDX-License-Identifier: Apache-2.0
//
// What each task reads and writes: the semantics table, masked by the slots
// that the branch really dereferences.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/runs.h"
#include "audit/analysis/type_semantics.h"
#include "graph_coverage/internal/large_pages.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// What a (type, variant) does with its slots.
struct SlotUse {
  bool known = false;     // the semantics table has the type
  bool branch = false;    // the dispatch chain has a branch
  bool metadata = false;  // which may tell its tasks apart by task_metadata
  // Bits by slot: inputs at 0, outputs at 1.
  std::uint64_t reads[2] = {0, 0};
  std::uint64_t writes[2] = {0, 0};
  std::uint64_t state[2] = {0, 0};
  std::uint64_t partial[2] = {0, 0};
  std::uint64_t accumulates[2] = {0, 0};
  std::uint64_t remote[2] = {0, 0};
};

// A tile of a tensor that some operand names.
struct TileId {
  TensorId tensor{};
  LayoutId layout{};
  std::int64_t offset = 0;

  friend bool operator==(const TileId& a, const TileId& b) {
    return a.tensor == b.tensor && a.layout == b.layout && a.offset == b.offset;
  }
};

struct Access {
  std::uint32_t tile = 0;  // position in Accesses::tiles()
  std::uint16_t slot = 0;
  bool output : 1 = false;
  bool reads : 1 = false;
  bool writes : 1 = false;
  bool state : 1 = false;
  bool partial : 1 = false;
  bool accumulates : 1 = false;
  bool remote : 1 = false;
};

// Only of tensors whose order can matter: those that a task writes, and the
// kernel's own memory. Tiles that cannot be trusted are left out with their
// tensors, and named.
class Accesses {
 public:
  Accesses(const View& view, const Runs& runs, const TypeSemantics& semantics);

  const SlotUse& use(std::uint32_t type, std::uint32_t variant) const {
    return uses_.at({type, variant});
  }
  Span<Access> of(TaskId task) const {
    return {accesses_.data() + first_[Index(task)],
            first_[Index(task) + 1] - first_[Index(task)]};
  }
  const std::vector<TileId>& tiles() const { return tiles_; }
  // Whether a type adds to what is in some slot.
  bool any_accumulates() const;
  // Whether a task writes the tile on another rank.
  bool remote(std::uint32_t tile) const { return remote_[tile]; }
  bool written(TensorId tensor) const { return written_[Index(tensor)]; }
  // Tensors left out, and why.
  const std::map<TensorId, std::string>& untrusted() const {
    return untrusted_;
  }

 private:
  void FindTracked(const View& view, const Runs& runs);
  void Collect(const View& view, const Runs& runs);
  void FindUntrusted(const View& view);

  std::map<std::pair<std::uint32_t, std::uint32_t>, SlotUse> uses_;
  std::vector<bool> written_;  // by tensor
  std::vector<bool> tracked_;  // by tensor
  std::map<TensorId, std::string> untrusted_;
  std::vector<TileId> tiles_;
  std::vector<bool> remote_;  // by tile
  std::vector<Access, LargePages<Access>> accesses_;
  std::vector<std::uint32_t> first_;  // by task
};

// Whether all ranks have the tensor for each other to write. What a type that
// is not known does with it, it may do on another rank.
bool IsSymmetric(const View& view, TensorId tensor);

// Whether the kernel allocates it for results of its own: scratch, or symmetric
// memory.
bool IsOwnMemory(TensorKind kind);
bool IsOwnMemory(const View& view, TensorId tensor);

// Why a layout cannot be trusted as a set of bytes; empty where it can.
std::string Distrust(const Layout& layout);

}  // namespace graph_coverage
