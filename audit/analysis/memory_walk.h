// SPDX-License-Identifier: Apache-2.0
//
// The walk over all tasks in the order of their ids, which is the order of the
// program: who wrote each byte last, who read it since, and what of that
// nothing orders.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/analysis/happens_before.h"
#include "audit/analysis/memory.h"
#include "audit/analysis/order_groups.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

enum class RaceKind {
  kRead,   // a read that is not ordered after the write it should see
  kWrite,  // a write that is not ordered after a read or write before it
  // A read that is ordered after one of two writers of the same values, and
  // not after the other.
  kTwin,
};

// Two operators' tasks that touch the same bytes, unordered.
struct Race {
  RaceKind kind = RaceKind::kRead;
  TensorId tensor{};
  TaskId earlier{}, later{};  // the first pair met
  Access earlier_access, later_access;
  ByteRange bytes;             // that both touch
  std::vector<TaskId> laters;  // all later tasks of the two operators
};

// A read of bytes that nothing wrote before.
struct UnwrittenRead {
  TensorId tensor{};
  std::vector<TaskId> readers;
  Access access;  // of the first
  ByteRange bytes;
};

// A read of a region of which one part was written by a newer operator of a
// kind than the other.
struct StaleRead {
  TensorId tensor{};
  TaskId reader{};
  Access access;
  TaskId old_writer{}, new_writer{};
  ByteRange bytes;  // what is old
};

struct WalkOutcome {
  std::vector<Race> races;  // one for each kind, tensor and pair of operators
  std::vector<UnwrittenRead> unwritten;  // one a tensor
  std::vector<StaleRead> stale;          // one for each tensor and operator
};

// `only`: the tensors that are followed, by id; null: all.
WalkOutcome Walk(const View& view, const Accesses& accesses,
                 const Memory& memory, const OrderGroups& groups,
                 const EventGraph& events, const HappensBefore& order,
                 const std::vector<bool>* only = nullptr);

}  // namespace graph_coverage
