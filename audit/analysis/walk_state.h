// SPDX-License-Identifier: Apache-2.0
//
// What a walk over the tasks knows of tensors, tiles and classes as it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "audit/analysis/walk_record.h"

namespace graph_coverage {

// No entry of a list, or no event.
inline constexpr std::uint32_t kNoEntry = EventGraph::kNone;

// Many short lists in one vector, each from its newest entry back. A list is
// named by its newest entry; kNoEntry: empty.
template <typename Entry>
class Lists {
 public:
  struct Node {
    Entry entry;
    std::uint32_t earlier = kNoEntry;
  };

  const Node& operator[](std::uint32_t at) const { return nodes_[at]; }

  void Add(const Entry& entry, std::uint32_t* newest) {
    std::uint32_t at = free_;
    if (at == kNoEntry) {
      at = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({});
    } else {
      free_ = nodes_[at].earlier;
    }
    nodes_[at] = {entry, *newest};
    *newest = at;
  }

  // Leaves the newest entries, as long as they are wanted; gives how many. The
  // room of the others is used again.
  template <typename Wanted>
  std::size_t Keep(std::uint32_t* newest, const Wanted& wanted) {
    std::size_t kept = 0;
    std::uint32_t* last = newest;
    for (; *last != kNoEntry && wanted(nodes_[*last].entry); ++kept) {
      last = &nodes_[*last].earlier;
    }
    std::uint32_t at = std::exchange(*last, kNoEntry);
    while (at != kNoEntry) {
      const std::uint32_t earlier = std::exchange(nodes_[at].earlier, free_);
      free_ = std::exchange(at, earlier);
    }
    return kept;
  }

  void Clear(std::uint32_t* newest) {
    Keep(newest, [](const Entry&) { return false; });
  }

 private:
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNoEntry;  // a list of nodes to use again
};

// Writers are of the newest group, and partial ones.
struct ClassState {
  std::uint32_t writers = kNoEntry;
  std::uint32_t writer_group = 0;
  std::uint32_t replaced = kNoEntry;  // writers that these must come after
  std::uint32_t written_since = 0;    // the time of the first of the writers
  std::uint32_t replaced_since = 0;
  // The last event that a writer waited for when it came after all it replaced,
  // so that siblings need not be compared again.
  std::uint32_t fine_write = kNoEntry;
  // Tiles read since the writers, and before them, since those they replaced.
  std::uint32_t read_tiles = kNoEntry;
  std::uint32_t read_tiles_before = kNoEntry;
};

// An access that was found in order: one like it is, too, as long as nothing
// else happens to the tensor.
struct FineAccess {
  std::uint32_t time = 0;
  std::uint32_t group = 0;
  std::uint32_t waits = kNoEntry;
  std::uint32_t trigger = 0;
  std::uint16_t slot = 0;
  bool output = false;

  bool IsLike(const Touch& touch, std::uint32_t waits_for) const {
    return waits != kNoEntry && waits == waits_for && group == touch.group &&
           slot == touch.access.slot && output == touch.access.output;
  }
};

struct TileState {
  TensorId tensor{};
  FineAccess read, write;
  std::uint32_t noted = 0;  // when its classes last learnt that it is read
  std::uint32_t readers = kNoEntry;
  EventRange read_events;  // that its readers trigger, and have triggered
  std::uint32_t reader_count = 0;
  std::uint32_t most_readers = 16;  // before those of long ago are dropped
  // Readers in (after, until] come before what waits for the event, its own
  // siblings left out.
  struct {
    std::uint32_t group = 0, waits = kNoEntry, after = 0, until = 0;
  } ordered;
};

struct TensorState {
  std::uint32_t read = 0;     // when, last
  std::uint32_t written = 0;  // when, last
  std::uint32_t writer_group = kNoEntry;
  std::uint32_t writer_since = 0;  // since when only this group writes
};

}  // namespace graph_coverage
