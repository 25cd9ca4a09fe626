// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory_walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "audit/analysis/walk_record.h"
#include "audit/analysis/walk_state.h"

namespace graph_coverage {
namespace {

constexpr std::uint32_t kNone = kNoEntry;

class Walker {
 public:
  Walker(const View& view, const Accesses& accesses, const Memory& memory,
         const OrderGroups& groups, const EventGraph& events,
         const HappensBefore& order)
      : view_(view),
        accesses_(accesses),
        memory_(memory),
        groups_(groups),
        events_(events),
        order_(order),
        record_(view, memory, groups, events, order),
        classes_(memory.class_count()),
        tiles_(accesses.tiles().size()),
        tensors_(view.tensor_count()),
        comes_before_(events.event_count(), kNone) {
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      tiles_[i].tensor = accesses.tiles()[i].tensor;
    }
  }

  WalkOutcome Run(const std::vector<bool>* only) {
    if (only == nullptr) {
      for (std::size_t i = 0; i < view_.task_count(); ++i) {
        Visit(TaskId(i), [](const Access&) { return true; });
      }
    } else {
      for (const TaskId task : TasksOf(*only)) {
        Visit(task, [&](const Access& access) {
          return (*only)[Index(tiles_[access.tile].tensor)];
        });
      }
    }
    return record_.Take();
  }

 private:
  // The tasks that name one of the tensors, ascending.
  std::vector<TaskId> TasksOf(const std::vector<bool>& tensors) const {
    std::vector<TaskId> tasks;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i]) continue;
      for (const Reference& reference : view_.references(TensorId(i))) {
        tasks.push_back(reference.task);
      }
    }
    std::sort(tasks.begin(), tasks.end());
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    return tasks;
  }

  template <typename Follows>
  void Visit(TaskId task, const Follows& follows) {
    const Span<Access> touched = accesses_.of(task);
    if (touched.empty()) return;
    // What comes before the task is what comes before the event, but for edges
    // of its own.
    waits_ = order_.HasOwnWaits(task) ? kNone : events_.dependent(task);
    Touch by{task, groups_.of(task), events_.trigger(task), 0, {}};
    for (const bool writes : {false, true}) {
      for (const Access& access : touched) {
        if (!(writes ? access.writes : access.reads) || !follows(access)) {
          continue;
        }
        by.access = access;
        by.time = ++time_;
        writes ? Write(by) : Read(by);
      }
    }
  }

  void Read(const Touch& by) {
    TileState& tile = tiles_[by.access.tile];
    TensorState& tensor = tensors_[Index(tile.tensor)];
    if (tile.read.time <= tensor.written || !tile.read.IsLike(by, waits_)) {
      if (CompareRead(by)) tile.read = Fine(by);
      tile.noted = by.time;
    }
    if (Append(by, tensor.written, &tile.readers)) {
      ++tile.reader_count;
      order_.Include(by.trigger, &tile.read_events);
    }
    tensor.read = by.time;
  }

  // Whether nothing is to be said of it.
  bool CompareRead(const Touch& by) {
    TileState& tile = tiles_[by.access.tile];
    bool fine = true;
    std::uint32_t long_ago = by.time;
    const Touch* newest = nullptr;
    const Touch* oldest = nullptr;
    std::uint32_t oldest_class = 0;
    for (const std::uint32_t region : memory_.classes(by.access.tile)) {
      ClassState& state = classes_[region];
      if (tile.noted <= state.written_since) {
        read_tiles_.Add(by.access.tile, &state.read_tiles);
      }
      long_ago = std::min(long_ago, state.replaced_since);
      if (state.writers == kNone) {
        if (!by.access.state) {
          record_.AddUnwritten(by, region);
          fine = false;
        }
        continue;
      }
      const Touch& writer = touches_[state.writers].entry;
      if (!writer.access.partial) {
        if (newest == nullptr || writer.group > newest->group) {
          newest = &writer;
        }
        if (oldest == nullptr || writer.group < oldest->group) {
          oldest = &writer;
          oldest_class = region;
        }
      }
      FindUnordered(state.writers, by);
      for (const Touch& touch : unordered_) {
        record_.AddReadRace(touch, by, region);
        fine = false;
      }
    }
    if (newest != nullptr && newest->group != oldest->group &&
        groups_.kind(newest->group) == groups_.kind(oldest->group)) {
      record_.AddStale(by, *oldest, *newest, oldest_class);
    }
    if (tile.reader_count >= tile.most_readers) DropReaders(long_ago, &tile);
    return fine;
  }

  // Drops readers that no class of the tile asks for any more.
  void DropReaders(std::uint32_t until, TileState* tile) {
    const std::size_t kept = touches_.Keep(
        &tile->readers,
        [until](const Touch& touch) { return touch.time > until; });
    tile->reader_count = static_cast<std::uint32_t>(kept);
    tile->most_readers = 2 * tile->reader_count + 16;
  }

  void Write(const Touch& by) {
    TileState& tile = tiles_[by.access.tile];
    TensorState& tensor = tensors_[Index(tile.tensor)];
    if (tensor.writer_group != by.group) {
      tensor.writer_group = by.group;
      tensor.writer_since = by.time;
    }
    if (tile.write.time > tensor.read &&
        tile.write.time >= tensor.writer_since &&
        tile.write.trigger == by.trigger && tile.write.IsLike(by, waits_)) {
      return;
    }
    bool fine = !by.access.partial;
    for (const std::uint32_t region : memory_.classes(by.access.tile)) {
      const bool in_order =
          by.access.partial ? WritePart(by, region) : WriteWhole(by, region);
      fine = fine && in_order;
    }
    if (fine) tile.write = Fine(by);
    tensor.written = by.time;
  }

  // Both give whether nothing is to be said of it. Which part is known when it
  // runs: other partial writers may differ.
  bool WritePart(const Touch& by, std::uint32_t region) {
    ClassState& state = classes_[region];
    bool fine = CompareWrite(state.writers, by, region);
    fine &= CompareReaders(state, state.written_since, by, region);
    if (state.writers == kNone) state.writer_group = by.group;
    Append(by, 0, &state.writers);
    return fine;
  }

  bool WriteWhole(const Touch& by, std::uint32_t region) {
    ClassState& state = classes_[region];
    if (state.writers == kNone || state.writer_group != by.group) {
      touches_.Clear(&state.replaced);
      std::swap(state.replaced, state.writers);
      read_tiles_.Clear(&state.read_tiles_before);
      std::swap(state.read_tiles_before, state.read_tiles);
      state.replaced_since = std::exchange(state.written_since, by.time);
      state.writer_group = by.group;
      state.fine_write = kNone;
    }
    bool fine = true;
    if (state.fine_write != waits_ || waits_ == kNone) {
      fine = CompareWrite(state.replaced, by, region);
      if (fine) state.fine_write = waits_;
    }
    fine &= CompareReaders(state, state.replaced_since, by, region);
    Append(by, 0, &state.writers);
    return fine;
  }

  bool Before(const Touch& earlier, const Touch& later) {
    if (waits_ == kNone || earlier.trigger == kNone) {
      return order_.Before(earlier.task, later.task);
    }
    std::uint32_t& known = comes_before_[earlier.trigger];
    if (known == waits_) return true;
    if (!order_.EventBefore(earlier.trigger, waits_)) {
      return order_.Before(earlier.task, later.task);
    }
    known = waits_;
    return true;
  }

  // Finds the touches of the list that do not come before the task, from the
  // oldest; those of its siblings are left out.
  void FindUnordered(std::uint32_t list, const Touch& by) {
    unordered_.clear();
    for (std::uint32_t at = list; at != kNone; at = touches_[at].earlier) {
      const Touch& touch = touches_[at].entry;
      if (touch.group != by.group && !Before(touch, by)) {
        unordered_.push_back(touch);
      }
    }
    std::reverse(unordered_.begin(), unordered_.end());
  }

  // Whether the task comes after all of the list.
  bool CompareWrite(std::uint32_t list, const Touch& by, std::uint32_t region) {
    FindUnordered(list, by);
    return AddWriteRaces(by, region);
  }

  // Whether the task comes after all who read the class since.
  bool CompareReaders(const ClassState& state, std::uint32_t since,
                      const Touch& by, std::uint32_t region) {
    unordered_.clear();
    for (std::uint32_t list : {state.read_tiles, state.read_tiles_before}) {
      for (; list != kNone; list = read_tiles_[list].earlier) {
        FindUnorderedReaders(read_tiles_[list].entry, since, by);
      }
    }
    if (unordered_.empty()) return true;
    const auto older = [](const Touch& a, const Touch& b) {
      return a.time < b.time;
    };
    std::sort(unordered_.begin(), unordered_.end(), older);
    return AddWriteRaces(by, region);
  }

  void FindUnorderedReaders(std::uint32_t tile, std::uint32_t since,
                            const Touch& by) {
    TileState& state = tiles_[tile];
    auto& ordered = state.ordered;
    if (ordered.waits != waits_ || ordered.group != by.group ||
        since < ordered.after || since > ordered.until || waits_ == kNone) {
      ordered = {by.group, waits_, since, since};
    }
    std::uint32_t at = state.readers;
    if (at == kNone || touches_[at].entry.time <= ordered.until) return;
    if (waits_ != kNone && order_.AllComeBefore(state.read_events, waits_)) {
      ordered.until = by.time;
      return;
    }
    const std::size_t before = unordered_.size();
    for (; at != kNone; at = touches_[at].earlier) {
      const Touch& touch = touches_[at].entry;
      if (touch.time <= ordered.until) break;
      if (touch.group != by.group && !Before(touch, by)) {
        unordered_.push_back(touch);
      }
    }
    if (unordered_.size() == before) ordered.until = by.time;
  }

  // One for each that is unordered; whether there is none.
  bool AddWriteRaces(const Touch& by, std::uint32_t region) {
    bool fine = true;
    for (const Touch& touch : unordered_) {
      if (touch.access.partial && by.access.partial) continue;
      record_.AddWriteRace(touch, by, region);
      fine = false;
    }
    return fine;
  }

  // Adds to a list, of which only what came after `since` counts, if need be;
  // gives whether it was.
  bool Append(const Touch& by, std::uint32_t since, std::uint32_t* list) {
    // A sibling that triggers the same event is as good as this one. To look
    // for one far back would cost more than to compare with both.
    constexpr int kLookBack = 3;
    std::uint32_t at = *list;
    for (int i = 0; i < kLookBack && at != kNone; ++i) {
      const Touch& touch = touches_[at].entry;
      if (touch.group != by.group || touch.time <= since) break;
      if (touch.trigger == by.trigger) return false;
      at = touches_[at].earlier;
    }
    touches_.Add(by, list);
    return true;
  }

  FineAccess Fine(const Touch& by) const {
    return {by.time,    by.group,       waits_,
            by.trigger, by.access.slot, by.access.output};
  }

  const View& view_;
  const Accesses& accesses_;
  const Memory& memory_;
  const OrderGroups& groups_;
  const EventGraph& events_;
  const HappensBefore& order_;
  WalkRecord record_;
  std::vector<ClassState> classes_;
  std::vector<TileState> tiles_;
  std::vector<TensorState> tensors_;
  std::uint32_t time_ = 0;
  std::uint32_t waits_ = kNone;  // of the task that is visited
  Lists<Touch> touches_;
  Lists<std::uint32_t> read_tiles_;
  // By event: one that comes after it, the last that was asked for.
  std::vector<std::uint32_t> comes_before_;
  std::vector<Touch> unordered_;  // kept for its room
};

}  // namespace

WalkOutcome Walk(const View& view, const Accesses& accesses,
                 const Memory& memory, const OrderGroups& groups,
                 const EventGraph& events, const HappensBefore& order,
                 const std::vector<bool>* only) {
  return Walker(view, accesses, memory, groups, events, order).Run(only);
}

}  // namespace graph_coverage
