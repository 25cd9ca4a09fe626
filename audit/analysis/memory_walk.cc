// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory_walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "audit/analysis/walk_record.h"

namespace graph_coverage {
namespace {

constexpr std::uint32_t kNone = EventGraph::kNone;

// Many short lists in one vector, each from its newest entry back. To forget a
// list costs nothing, and its room is not used again.
template <typename Entry>
class Lists {
 public:
  struct Node {
    Entry entry;
    std::uint32_t earlier = kNone;
  };

  void Add(const Entry& entry, std::uint32_t* newest) {
    nodes_.push_back({entry, *newest});
    *newest = static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const Node& operator[](std::uint32_t at) const { return nodes_[at]; }

 private:
  std::vector<Node> nodes_;
};

// Lists are named by their newest entry; kNone: empty. Writers are of the
// newest group, and partial ones.
struct ClassState {
  std::uint32_t writers = kNone;
  std::uint32_t writer_group = 0;
  std::uint32_t replaced = kNone;   // writers that these must come after
  std::uint32_t written_since = 0;  // the time of the first of the writers
  std::uint32_t replaced_since = 0;
  // The last event that a writer waited for when it came after all it replaced,
  // so that siblings need not be compared again.
  std::uint32_t fine_write = kNone;
  // Tiles read since the writers, and before them, since those they replaced.
  std::uint32_t read_tiles = kNone;
  std::uint32_t read_tiles_before = kNone;
};

// An access that was found in order: one like it is, too, as long as nothing
// else happens to the tensor.
struct FineAccess {
  std::uint32_t time = 0;
  std::uint32_t group = 0;
  std::uint32_t waits = kNone;
  std::uint32_t trigger = 0;
  std::uint16_t slot = 0;
  bool output = false;

  bool IsLike(const Touch& touch, std::uint32_t waits_for) const {
    return waits != kNone && waits == waits_for && group == touch.group &&
           slot == touch.access.slot && output == touch.access.output;
  }
};

struct TileState {
  std::uint32_t readers = kNone;
  std::uint32_t noted = 0;  // when its classes last learnt that it is read
  FineAccess read, write;
  // Readers in (after, until] come before what waits for the event, its own
  // siblings left out.
  struct {
    std::uint32_t group = 0, waits = kNone, after = 0, until = 0;
  } ordered;
};

struct TensorState {
  std::uint32_t read = 0;     // when, last
  std::uint32_t written = 0;  // when, last
  std::uint32_t writer_group = kNone;
  std::uint32_t writer_since = 0;  // since when only this group writes
};

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
        tensors_(view.tensor_count()) {}

  WalkOutcome Run(const std::vector<bool>* only) {
    if (only == nullptr) {
      for (std::size_t i = 0; i < view_.task_count(); ++i) {
        Visit(TaskId(i), [](const Access&) { return true; });
      }
    } else {
      for (const TaskId task : TasksOf(*only)) {
        Visit(task, [&](const Access& access) {
          return (*only)[Index(accesses_.tiles()[access.tile].tensor)];
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
    for (const Access& access : touched) {
      if (access.reads && follows(access)) Read(TouchOf(task, access));
    }
    for (const Access& access : touched) {
      if (access.writes && follows(access)) Write(TouchOf(task, access));
    }
  }

  Touch TouchOf(TaskId task, const Access& access) {
    return {task, groups_.of(task), events_.trigger(task), ++time_, access};
  }

  // The event that decides what comes before the task; kNone: no event does.
  std::uint32_t WaitsOf(TaskId task) const {
    return order_.HasOwnWaits(task) ? kNone : events_.dependent(task);
  }

  TensorState& TensorOf(const Access& access) {
    return tensors_[Index(accesses_.tiles()[access.tile].tensor)];
  }

  void Read(const Touch& by) {
    TileState& tile = tiles_[by.access.tile];
    TensorState& tensor = TensorOf(by.access);
    const std::uint32_t waits = WaitsOf(by.task);
    if (tile.read.time <= tensor.written || !tile.read.IsLike(by, waits)) {
      if (CompareRead(by)) tile.read = Fine(by, waits);
      tile.noted = by.time;
    }
    Append(by, tensor.written, &tile.readers);
    tensor.read = by.time;
  }

  // Whether nothing is to be said of it.
  bool CompareRead(const Touch& by) {
    const TileState& tile = tiles_[by.access.tile];
    bool fine = true;
    const Touch* newest = nullptr;
    const Touch* oldest = nullptr;
    std::uint32_t oldest_class = 0;
    for (const std::uint32_t region : memory_.classes(by.access.tile)) {
      ClassState& state = classes_[region];
      if (tile.noted <= state.written_since) {
        read_tiles_.Add(by.access.tile, &state.read_tiles);
      }
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
    return fine;
  }

  void Write(const Touch& by) {
    TileState& tile = tiles_[by.access.tile];
    TensorState& tensor = TensorOf(by.access);
    const std::uint32_t waits = WaitsOf(by.task);
    if (tensor.writer_group != by.group) {
      tensor.writer_group = by.group;
      tensor.writer_since = by.time;
    }
    if (tile.write.time > tensor.read &&
        tile.write.time >= tensor.writer_since &&
        tile.write.trigger == by.trigger && tile.write.IsLike(by, waits)) {
      return;
    }
    bool fine = !by.access.partial;
    for (const std::uint32_t region : memory_.classes(by.access.tile)) {
      const bool in_order = by.access.partial ? WritePart(by, region)
                                              : WriteWhole(by, waits, region);
      fine = fine && in_order;
    }
    if (fine) tile.write = Fine(by, waits);
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

  bool WriteWhole(const Touch& by, std::uint32_t waits, std::uint32_t region) {
    ClassState& state = classes_[region];
    if (state.writers == kNone || state.writer_group != by.group) {
      state.replaced = std::exchange(state.writers, kNone);
      state.writer_group = by.group;
      state.replaced_since = std::exchange(state.written_since, by.time);
      state.fine_write = kNone;
      state.read_tiles_before = std::exchange(state.read_tiles, kNone);
    }
    bool fine = true;
    if (state.fine_write != waits || waits == kNone) {
      fine = CompareWrite(state.replaced, by, region);
      if (fine) state.fine_write = waits;
    }
    fine &= CompareReaders(state, state.replaced_since, by, region);
    Append(by, 0, &state.writers);
    return fine;
  }

  // Finds the touches of the list that do not come before the task, from the
  // oldest; those of its siblings are left out.
  void FindUnordered(std::uint32_t list, const Touch& by) {
    unordered_.clear();
    for (std::uint32_t at = list; at != kNone; at = touches_[at].earlier) {
      const Touch& touch = touches_[at].entry;
      if (touch.group != by.group && !order_.Before(touch.task, by.task)) {
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
    const std::uint32_t waits = WaitsOf(by.task);
    if (ordered.waits != waits || ordered.group != by.group ||
        since < ordered.after || since > ordered.until || waits == kNone) {
      ordered = {by.group, waits, since, since};
    }
    const std::size_t before = unordered_.size();
    std::uint32_t at = state.readers;
    for (; at != kNone; at = touches_[at].earlier) {
      const Touch& touch = touches_[at].entry;
      if (touch.time <= ordered.until) break;
      if (touch.group != by.group && !order_.Before(touch.task, by.task)) {
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

  // Adds to a list, of which only what came after `since` counts.
  void Append(const Touch& by, std::uint32_t since, std::uint32_t* list) {
    // A sibling that triggers the same event is as good as this one. To look
    // for one far back would cost more than to compare with both.
    constexpr int kLookBack = 3;
    std::uint32_t at = *list;
    for (int i = 0; i < kLookBack && at != kNone; ++i) {
      const Touch& touch = touches_[at].entry;
      if (touch.group != by.group || touch.time <= since) break;
      if (touch.trigger == by.trigger) return;
      at = touches_[at].earlier;
    }
    touches_.Add(by, list);
  }

  static FineAccess Fine(const Touch& by, std::uint32_t waits) {
    return {by.time,    by.group,       waits,
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
  Lists<Touch> touches_;
  Lists<std::uint32_t> read_tiles_;
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
