// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "audit/analysis/event_cycles.h"
#include "tests/audit/analysis/random_events.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> DemandsOf(const EventGraph& graph) {
  std::vector<std::uint64_t> demands;
  for (std::uint32_t e = 0; e < graph.event_count(); ++e) {
    demands.push_back(graph.demands(e));
  }
  return demands;
}

ProtocolOutcome Simulated(const WiredRank& wired) {
  const Rank rank = wired.Build();
  const View view(rank);
  const EventGraph graph(view, {});
  return RunProtocol(view, graph, DemandsOf(graph));
}

// The protocol as its description says it: try each task, again and again.
std::set<std::size_t> NaiveRun(const WiredRank& wired) {
  std::set<std::size_t> ran = {1};
  std::set<std::size_t> launched = {1};
  bool moved = true;
  while (moved) {
    moved = false;
    const auto count = [&](std::size_t event) {
      return static_cast<std::uint64_t>(
          std::count_if(ran.begin(), ran.end(), [&](std::size_t task) {
            return !wired.tasks[task].trigger.none() &&
                   wired.tasks[task].trigger.index() == event;
          }));
    };
    for (std::size_t e = 0; e < wired.events.size(); ++e) {
      const Event& event = wired.events[e];
      const bool launches = event.type == EventType::kLaunchTasks ||
                            event.type == EventType::kLaunchMassiveTasks ||
                            event.type == EventType::kLaunchDependentTasks;
      if (!launches || event.num_triggers == 0 ||
          count(e) < event.num_triggers) {
        continue;
      }
      for (std::size_t task = event.first_task;
           task < std::min<std::size_t>(event.last_task, wired.tasks.size());
           ++task) {
        launched.insert(task);
      }
    }
    for (const std::size_t task : launched) {
      const EventId wanted = wired.tasks[task].dependent;
      if (wanted.none() ||
          count(wanted.index()) >= wired.events[wanted.index()].num_triggers) {
        moved = ran.insert(task).second || moved;
      }
    }
  }
  return ran;
}

RC_GTEST_PROP(EventProtocol, RunsTheTasksThatANaiveRunRuns, ()) {
  const WiredRank wired = RandomEvents();
  const std::set<std::size_t> naive = NaiveRun(wired);
  const ProtocolOutcome outcome = Simulated(wired);
  std::set<std::size_t> ran;
  for (std::size_t i = 0; i < outcome.ran.size(); ++i) {
    if (outcome.ran[i]) ran.insert(i);
  }
  RC_ASSERT(ran == naive);
  RC_ASSERT(outcome.starved + ran.size() - ran.count(0) + 1 ==
            wired.tasks.size());
}

RC_GTEST_PROP(EventCycles, AreWhatReachesItself, ()) {
  const WiredRank wired = RandomEvents();
  const Rank rank = wired.Build();
  const View view(rank);
  const EventGraph graph(view, {});
  const std::size_t n = graph.event_count();
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
  for (const WiredTask& task : wired.tasks) {
    if (task.dependent.none() || task.trigger.none()) continue;
    reaches[task.dependent.index()][task.trigger.index()] = true;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
      }
    }
  }
  std::set<std::vector<std::uint32_t>> naive;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> cycle;
    for (std::uint32_t j = 0; j < n; ++j) {
      if (reaches[i][j] && reaches[j][i]) cycle.push_back(j);
    }
    if (!cycle.empty()) naive.insert(cycle);
  }
  const auto found = EventCycles(graph);
  RC_ASSERT(std::set(found.begin(), found.end()) == naive);
  // In order: what an event waits for comes first, but for cycles.
  const std::vector<std::uint32_t> order =
      EventsInOrder(EventOrder(n, EventEdges(graph))).events;
  RC_ASSERT(order.size() == n);
  std::vector<std::size_t> position(n);
  for (std::size_t i = 0; i < n; ++i) position[order[i]] = i;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (reaches[i][j] && !reaches[j][i]) RC_ASSERT(position[i] < position[j]);
    }
  }
}

TEST(EventProtocol, NamesTheEventThatHoldsTheRestUp) {
  WiredRank wired;
  wired.Task(100, {}, {}, WiredRank::kNothing, 2)
      .Task(101, {}, {}, 2, 3)
      .Task(102, {}, {}, 3, WiredRank::kEnd)
      .Wire();
  EXPECT_TRUE(Simulated(wired).ended);
  EXPECT_EQ(Simulated(wired).starved, 0u);

  wired.events[3].num_triggers = 2;
  const ProtocolOutcome outcome = Simulated(wired);
  EXPECT_FALSE(outcome.ended);
  EXPECT_EQ(outcome.starved, 1u);
  EXPECT_THAT(outcome.stuck, ElementsAre(3u));
}

TEST(EventGraph, CountsWhatOtherRanksTrigger) {
  const auto rank_of = [](std::uint32_t id, int puts) {
    WiredRank wired(id);
    for (int i = 0; i < puts; ++i) {
      wired.Task(100, {}, {}, WiredRank::kNothing, 2);
    }
    wired.Task(101, {}, {}, 2, WiredRank::kEnd).Wire();
    for (int i = 0; i < puts; ++i) {
      wired.tasks[static_cast<std::size_t>(2 + i)].trigger =
          EventId::Of(2, static_cast<std::uint16_t>(1 - id), true);
    }
    return wired.Build();
  };
  const Rank zero = rank_of(0, 2);
  const Rank one = rank_of(1, 3);
  const View view_zero(zero);
  const View view_one(one);
  // Alone a rank is taken to do as its peers do.
  EXPECT_EQ(EventGraph(view_zero, {}).triggers(2), 2u);
  EXPECT_EQ(EventGraph(view_zero, {&view_zero, &view_one}).triggers(2), 3u);
  EXPECT_EQ(EventGraph(view_one, {&view_zero, &view_one}).triggers(2), 2u);
}

}  // namespace
}  // namespace graph_coverage
