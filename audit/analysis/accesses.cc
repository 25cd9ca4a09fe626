// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/accesses.h"

#include <algorithm>
#include <optional>

#include "audit/analysis/tiles.h"

namespace graph_coverage {
namespace {

// Where each tile is in a list of tiles: a table with open addressing, for it
// is asked for nearly every operand.
class TileTable {
 public:
  explicit TileTable(std::vector<TileId>* tiles)
      : tiles_(tiles), slots_(kLeast, kEmpty) {}

  // The position of the tile, which is added where it is new.
  std::uint32_t Add(const TileId& tile) {
    std::uint32_t& slot = Find(tile);
    if (slot != kEmpty) return slot;
    const auto position = static_cast<std::uint32_t>(tiles_->size());
    slot = position;
    tiles_->push_back(tile);
    if (2 * tiles_->size() > slots_.size()) Grow();
    return position;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;
  static constexpr std::size_t kLeast = 1024;  // a power of two

  static std::size_t HashOf(const TileId& tile) {
    std::uint64_t hash = Index(tile.tensor) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ Index(tile.layout)) * 0xff51afd7ed558ccdu;
    hash =
        (hash ^ static_cast<std::uint64_t>(tile.offset)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 32);
  }

  std::uint32_t& Find(const TileId& tile) {
    std::size_t at = HashOf(tile) & (slots_.size() - 1);
    while (slots_[at] != kEmpty && !((*tiles_)[slots_[at]] == tile)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }

  void Grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::uint32_t i = 0; i < tiles_->size(); ++i) Find((*tiles_)[i]) = i;
  }

  std::vector<TileId>* tiles_;
  std::vector<std::uint32_t> slots_;
};

std::uint64_t Bit(std::size_t slot) {
  return slot < SlotSet::kMost ? std::uint64_t{1} << slot : 0;
}

bool Has(const std::uint64_t (&bits)[2], bool output, std::size_t slot) {
  return (bits[output ? 1 : 0] & Bit(slot)) != 0;
}

SlotUse UseOf(const View& view, const TypeSemantics& semantics,
              const Task& task) {
  const TaskSemantics* known = semantics.Find(task.type);
  const std::vector<const Branch*> branches =
      view.BranchesOf(task.type, task.variant);
  SlotUse use;
  use.known = known != nullptr;
  use.branch = !branches.empty();
  use.metadata = std::any_of(
      branches.begin(), branches.end(),
      [](const Branch* branch) { return branch->reads_task_metadata; });
  // Of an unknown type all inputs are read and all outputs written, however
  // many a task has.
  const SlotSet reads =
      known ? known->reads : SlotSet::First(SlotSet::kMost, 0);
  const SlotSet writes =
      known ? known->writes : SlotSet::First(0, SlotSet::kMost);
  for (std::uint32_t slot = 0; slot < SlotSet::kMost; ++slot) {
    for (const bool output : {false, true}) {
      const Slot of{output, slot};
      const bool touched =
          branches.empty() ||
          std::any_of(branches.begin(), branches.end(),
                      [&of](const Branch* branch) {
                        return of.output ? branch->DereferencesOutput(of.index)
                                         : branch->DereferencesInput(of.index);
                      });
      if (!touched) continue;
      const int side = output ? 1 : 0;
      if (reads.has(of)) use.reads[side] |= Bit(slot);
      if (writes.has(of)) use.writes[side] |= Bit(slot);
      if (known == nullptr) continue;
      if (known->state.has(of)) use.state[side] |= Bit(slot);
      if (known->partial.has(of)) use.partial[side] |= Bit(slot);
      if (known->accumulates.has(of)) use.accumulates[side] |= Bit(slot);
      if (known->remote.has(of)) use.remote[side] |= Bit(slot);
    }
  }
  return use;
}

// Calls `visit(operand, slot, output)` for each operand that is a tensor.
template <typename Visit>
void ForEachOperand(const View& view, const Task& task, const Visit& visit) {
  for (const bool output : {false, true}) {
    const Span<Operand> operands = output ? task.outputs : task.inputs;
    for (std::size_t slot = 0; slot < operands.size(); ++slot) {
      if (!view.IsNull(operands[slot].tensor)) {
        visit(operands[slot], slot, output);
      }
    }
  }
}

}  // namespace

bool IsSymmetric(const View& view, TensorId tensor) {
  const Declaration* declaration = view.declaration(tensor);
  return declaration != nullptr && declaration->kind == TensorKind::kNvshmem;
}

bool IsOwnMemory(TensorKind kind) {
  return kind == TensorKind::kScratch || kind == TensorKind::kNvshmem;
}

bool IsOwnMemory(const View& view, TensorId tensor) {
  const Declaration* declaration = view.declaration(tensor);
  return declaration != nullptr && IsOwnMemory(declaration->kind);
}

std::string Distrust(const Layout& layout) {
  const TileShape shape = ShapeOf(layout);
  if (!layout.has_offset) return "its tiles have no offsets";
  if (shape.element == 0) return "the size of its elements is not known";
  if (shape.empty) return "a tile of it is empty";
  if (shape.overlaps_itself) return "a tile of it overlaps itself";
  if (shape.malformed) return "dims and strides of a tile of it do not fit";
  return "";
}

Accesses::Accesses(const View& view, const Runs& runs,
                   const TypeSemantics& semantics)
    : written_(view.tensor_count()), tracked_(view.tensor_count()) {
  runs.EachStretch([&](TaskId first, std::uint32_t) {
    const Task task = view.task(first);
    const auto [at, added] = uses_.try_emplace({task.type, task.variant});
    if (added) at->second = UseOf(view, semantics, task);
  });
  FindTracked(view, runs);
  Collect(view, runs);
  FindUntrusted(view);
}

bool Accesses::any_accumulates() const {
  return std::any_of(uses_.begin(), uses_.end(), [](const auto& use) {
    return (use.second.accumulates[0] | use.second.accumulates[1]) != 0;
  });
}

void Accesses::FindTracked(const View& view, const Runs& runs) {
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    tracked_[i] = IsOwnMemory(view, TensorId(i));
  }
  runs.EachStretch([&](TaskId first, std::uint32_t) {
    const Task task = view.task(first);
    const SlotUse& slots = use(task.type, task.variant);
    ForEachOperand(
        view, task, [&](const Operand& operand, std::size_t slot, bool output) {
          if (Has(slots.writes, output, slot)) {
            written_[Index(operand.tensor)] = true;
          }
          if (!slots.known && IsSymmetric(view, operand.tensor)) {
            untrusted_.emplace(operand.tensor,
                               "a task type that is not known may use it on "
                               "another rank");
          }
        });
  });
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    if (written_[i]) tracked_[i] = true;
  }
}

void Accesses::Collect(const View& view, const Runs& runs) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    if (tracked_[i]) count += view.references(TensorId(i)).size();
  }
  accesses_.reserve(count);
  first_.reserve(view.task_count() + 1);
  TileTable table(&tiles_);
  // The accesses of a stretch's newest task: the next has the same but for the
  // tiles, and often those, too.
  std::vector<Access> newest;
  std::vector<std::uint32_t> remote;
  runs.EachStretch([&](TaskId first, std::uint32_t tasks) {
    newest.clear();
    const Task front = view.task(first);
    const SlotUse& slots = use(front.type, front.variant);
    ForEachOperand(view, front,
                   [&](const Operand& operand, std::size_t slot, bool output) {
                     if (!tracked_[Index(operand.tensor)]) return;
                     Access access;
                     access.reads = Has(slots.reads, output, slot);
                     access.writes = Has(slots.writes, output, slot);
                     if (!access.reads && !access.writes) return;
                     access.slot = static_cast<std::uint16_t>(slot);
                     access.output = output;
                     access.state = Has(slots.state, output, slot);
                     access.partial = Has(slots.partial, output, slot);
                     access.accumulates = Has(slots.accumulates, output, slot);
                     access.remote = Has(slots.remote, output, slot);
                     access.tile = table.Add(
                         {operand.tensor, operand.layout, operand.offset});
                     newest.push_back(access);
                   });
    for (std::uint32_t i = 0; i < tasks; ++i) {
      first_.push_back(static_cast<std::uint32_t>(accesses_.size()));
      const Task task =
          view.task(TaskId(static_cast<std::uint32_t>(first) + i));
      for (Access& access : newest) {
        const Operand& operand =
            (access.output ? task.outputs : task.inputs)[access.slot];
        const TileId tile{operand.tensor, operand.layout, operand.offset};
        if (!(tiles_[access.tile] == tile)) access.tile = table.Add(tile);
        if (access.remote) remote.push_back(access.tile);
        accesses_.push_back(access);
      }
    }
  });
  first_.push_back(static_cast<std::uint32_t>(accesses_.size()));
  remote_.assign(tiles_.size(), false);
  for (const std::uint32_t tile : remote) remote_[tile] = true;
}

void Accesses::FindUntrusted(const View& view) {
  std::vector<std::optional<std::string>> distrust;  // by layout
  for (const TileId& tile : tiles_) {
    if (distrust.size() <= Index(tile.layout)) {
      distrust.resize(Index(tile.layout) + 1);
    }
    std::optional<std::string>& reason = distrust[Index(tile.layout)];
    if (!reason) reason = Distrust(view.layout(tile.layout));
    if (!reason->empty()) untrusted_.emplace(tile.tensor, *reason);
    if (tile.offset < 0) {
      untrusted_.emplace(tile.tensor, "a tile of it lies before it");
    }
  }
}

}  // namespace graph_coverage
