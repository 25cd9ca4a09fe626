// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory_walk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "audit/analysis/order.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {
namespace {

constexpr std::int64_t kElements = 6;

// Tasks of three types in a chain of events, now and then broken, that read and
// write tiles of one scratch tensor.
WiredRank RandomTasks(int most) {
  WiredRank rank;
  rank.Scratch("s", 2 * kElements);
  const auto tile = [] {
    const auto first = *rc::gen::inRange<std::int64_t>(0, kElements);
    const auto size = *rc::gen::inRange<std::int64_t>(1, kElements - first + 1);
    return Tile("s", 2 * first, {size}, {1});
  };
  std::uint32_t event = 2;
  const auto tasks = *rc::gen::inRange(1, most);
  for (int i = 0; i < tasks; ++i) {
    const auto type = *rc::gen::inRange(100u, 103u);
    const auto waits = *rc::gen::inRange(1u, event);
    if (*rc::gen::inRange(0, 2) == 0) ++event;
    std::vector<Tile> inputs, outputs;
    if (*rc::gen::inRange(0, 3) > 0) inputs.push_back(tile());
    if (*rc::gen::inRange(0, 3) > 0) outputs.push_back(tile());
    rank.Task(type, inputs, outputs, waits == 1 ? WiredRank::kNothing : waits,
              event);
  }
  return rank.Wire();
}

using Pair = std::tuple<bool, std::uint32_t, std::uint32_t>;  // read, groups

struct Naive {
  std::set<Pair> races;
  std::set<std::size_t> unwritten_readers;
};

// Byte by byte and pair by pair, without classes and without shortcuts.
Naive NaiveWalk(const WiredRank& wired, const OrderGroups& groups,
                const HappensBefore& order) {
  Naive naive;
  const auto covers = [](const Tile& tile, std::int64_t byte) {
    return tile.offset <= byte && byte < tile.offset + 2 * tile.dims[0];
  };
  for (std::int64_t byte = 0; byte < 2 * kElements; ++byte) {
    std::vector<std::size_t> writers, readers, before;
    const auto check = [&](const std::vector<std::size_t>& earlier,
                           std::size_t task, bool read) {
      for (const std::size_t other : earlier) {
        const std::uint32_t a = groups.of(TaskId(other));
        const std::uint32_t b = groups.of(TaskId(task));
        if (a != b && !order.Before(TaskId(other), TaskId(task))) {
          naive.races.insert({read, a, b});
        }
      }
    };
    for (std::size_t task = 2; task < wired.tasks.size(); ++task) {
      for (const Tile& tile : wired.tasks[task].inputs) {
        if (!covers(tile, byte)) continue;
        if (writers.empty()) naive.unwritten_readers.insert(task);
        check(writers, task, true);
        readers.push_back(task);
      }
      for (const Tile& tile : wired.tasks[task].outputs) {
        if (!covers(tile, byte)) continue;
        if (writers.empty() ||
            groups.of(TaskId(writers.front())) != groups.of(TaskId(task))) {
          before = writers;
          before.insert(before.end(), readers.begin(), readers.end());
          writers.clear();
          readers.clear();
        }
        check(before, task, false);
        check(readers, task, false);
        writers.push_back(task);
      }
    }
  }
  return naive;
}

void CompareWithNaiveWalk(const WiredRank& wired) {
  const Rank rank = wired.Build();
  const View view(rank);
  Analyses analyses(view);
  Order& order = analyses.order();
  const Naive naive = NaiveWalk(wired, order.groups(), order.before());
  std::set<Pair> races;
  for (const Race& race : order.walk().races) {
    races.insert({race.kind != RaceKind::kWrite,
                  order.groups().of(race.earlier),
                  order.groups().of(race.later)});
    RC_ASSERT(!order.before().Before(race.earlier, race.later));
  }
  RC_ASSERT(races == naive.races);
  std::set<std::size_t> readers;
  for (const UnwrittenRead& read : order.walk().unwritten) {
    for (const TaskId task : read.readers) readers.insert(Index(task));
  }
  RC_ASSERT(readers == naive.unwritten_readers);
}

RC_GTEST_PROP(MemoryWalk, FindsWhatANaiveWalkFinds, ()) {
  CompareWithNaiveWalk(RandomTasks(12));
}

// So long that what was read long ago is forgotten.
RC_GTEST_PROP(MemoryWalk, FindsItInLongPrograms, ()) {
  CompareWithNaiveWalk(RandomTasks(120));
}

TEST(MemoryWalk, ComparesAWriterWithWhoReadSinceItsSibling) {
  WiredRank wired;
  wired.Scratch("s", 4);
  const Tile tile("s", 0, {2}, {1});
  wired.Task(102, {}, {}, WiredRank::kNothing, 2);
  wired.Task(100, {}, {tile}, 2, 3);
  wired.Task(101, {tile}, {}, 2, 4);
  wired.Task(100, {}, {tile}, 2, 3);
  wired.Wire();
  const Rank rank = wired.Build();
  const View view(rank);
  Analyses analyses(view);
  std::vector<RaceKind> kinds;
  for (const Race& race : analyses.order().walk().races) {
    kinds.push_back(race.kind);
  }
  EXPECT_EQ(kinds, (std::vector{RaceKind::kRead, RaceKind::kWrite}));
}

RC_GTEST_PROP(OrderGroups, AreUnorderedTasksOfOneKind, ()) {
  const WiredRank wired = RandomTasks(12);
  const Rank rank = wired.Build();
  const View view(rank);
  Analyses analyses(view);
  Order& order = analyses.order();
  std::map<std::tuple<std::uint32_t, std::size_t, std::size_t>,
           std::vector<std::size_t>>
      newest;
  for (std::size_t i = 2; i < wired.tasks.size(); ++i) {
    const WiredTask& task = wired.tasks[i];
    std::vector<std::size_t>& group =
        newest[{task.type, task.inputs.size(), task.outputs.size()}];
    bool fresh = group.empty();
    for (const std::size_t other : group) {
      fresh = fresh || order.before().Before(TaskId(other), TaskId(i));
    }
    if (fresh) {
      RC_ASSERT(order.groups().tasks(order.groups().of(TaskId(i))).front() ==
                TaskId(i));
      group.clear();
    } else {
      RC_ASSERT(order.groups().of(TaskId(i)) ==
                order.groups().of(TaskId(group.front())));
    }
    group.push_back(i);
  }
}

}  // namespace
}  // namespace graph_coverage
