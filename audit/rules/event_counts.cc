// SPDX-License-Identifier: Apache-2.0
//
// Rules about what events demand: trigger-count, starved-task. Starved tasks
// hang under the counts whose mend lets them run, races under those whose mend
// orders them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/event_protocol.h"
#include "audit/analysis/order.h"
#include "audit/model/one_line.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/race_findings.h"

namespace graph_coverage {
namespace {

// Events that demand a wrong number in the same way.
struct WrongCount {
  std::string found;
  std::string siblings;
  std::vector<std::uint32_t> events;
};

bool IsWrong(const EventGraph& graph, std::uint32_t event) {
  return graph.triggers(event) != graph.demands(event);
}

std::string CountText(const View& view, const EventGraph& graph,
                      std::uint32_t event) {
  const std::uint64_t demands = graph.demands(event);
  const std::uint64_t triggers = graph.triggers(event);
  std::string text = fmt::format(
      "demands {}, {} {} it", Counted(demands, "trigger"),
      Counted(triggers, "task"), triggers == 1 ? "triggers" : "trigger");
  if (graph.remote_coming(event) > 0) {
    text +=
        fmt::format(", {} of them on other ranks", graph.remote_coming(event));
  }
  if (!graph.triggering(event).empty()) {
    text += fmt::format(" ({})", TypesOf(view, graph.triggering(event)));
  }
  const Span<TaskId> waiting = graph.waiting(event);
  const std::string waiters =
      waiting.empty() ? "what comes after" : TypesOf(view, waiting);
  return text + (demands > triggers
                     ? fmt::format(": {} waits for ever", waiters)
                     : fmt::format(": {} does not wait for all of them and "
                                   "nothing is ordered by it",
                                   waiters));
}

// How many events with a waiter of the same type are as they should be.
std::string HealthySiblings(const View& view, const EventGraph& graph,
                            std::uint32_t event) {
  if (graph.waiting(event).empty()) return "";
  const auto type_of = [&](std::uint32_t e) {
    return view.task(graph.waiting(e)[0]).type;
  };
  std::uint64_t healthy = 0;
  for (std::uint32_t e = 0; e < graph.event_count(); ++e) {
    if (graph.waiting(e).empty() || type_of(e) != type_of(event)) continue;
    if (!IsWrong(graph, e)) ++healthy;
  }
  if (healthy == 0) return "";
  return fmt::format("{} that {} waits for {} right", Counted(healthy, "event"),
                     view.TypeName(type_of(event)),
                     healthy == 1 ? "is" : "are");
}

std::vector<WrongCount> WrongCounts(const RankContext& rank) {
  const View& view = rank.view;
  const EventGraph& graph = rank.analyses.order().events();
  std::vector<WrongCount> wrong;
  std::map<std::pair<std::string, std::string>, std::size_t> position;
  // Event 0 is the termination, event 1 the start.
  for (std::uint32_t event = 2; event < graph.event_count(); ++event) {
    if (!IsWrong(graph, event)) continue;
    std::string found = CountText(view, graph, event);
    std::string siblings = HealthySiblings(view, graph, event);
    const auto [at, added] =
        position.emplace(std::pair(found, siblings), wrong.size());
    if (added) wrong.push_back({std::move(found), std::move(siblings), {}});
    wrong[at->second].events.push_back(event);
  }
  return wrong;
}

// Starved tasks that one mend frees, or that none does.
struct Starvation {
  std::uint64_t tasks = 0;
  bool end = false;  // the end event, too
  std::vector<std::uint32_t> stuck;
  std::vector<TaskRange> ranges;
  std::size_t root = 0;  // of the wrong counts; their number: none
};

Starvation Difference(const ProtocolOutcome& before,
                      const ProtocolOutcome& after, std::size_t root) {
  Starvation starvation;
  starvation.root = root;
  starvation.end = !before.ended && after.ended;
  for (std::size_t i = 1; i < before.ran.size(); ++i) {
    if (before.ran[i] || !after.ran[i]) continue;
    ++starvation.tasks;
    if (!starvation.ranges.empty() &&
        Index(starvation.ranges.back().last) + 1 == i) {
      starvation.ranges.back().last = TaskId(i);
    } else {
      starvation.ranges.push_back({TaskId(i), TaskId(i)});
    }
  }
  return starvation;
}

// Parts the starved tasks by the count that starves them: the counts are
// mended one after the other, and each time the graph runs again.
std::vector<Starvation> Starvations(const RankContext& rank,
                                    const std::vector<WrongCount>& wrong) {
  const EventGraph& graph = rank.analyses.order().events();
  std::vector<std::uint64_t> demands = graph.demands();
  ProtocolOutcome now = rank.analyses.order().protocol();
  std::vector<Starvation> starvations;
  const auto add = [&](const ProtocolOutcome& after, std::size_t root) {
    Starvation starvation = Difference(now, after, root);
    if (starvation.tasks == 0 && !starvation.end) return;
    for (const std::uint32_t event : now.stuck) {
      if (root == wrong.size() ||
          std::binary_search(wrong[root].events.begin(),
                             wrong[root].events.end(), event)) {
        starvation.stuck.push_back(event);
      }
    }
    starvations.push_back(std::move(starvation));
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (now.starved == 0 && now.ended) break;
    for (const std::uint32_t event : wrong[i].events) {
      demands[event] = graph.triggers(event);
    }
    ProtocolOutcome mended = RunProtocol(rank.view, graph, demands);
    add(mended, i);
    now = std::move(mended);
  }
  ProtocolOutcome all;
  all.ran.assign(graph.task_count(), true);
  add(all, wrong.size());
  return starvations;
}

void Fill(const RankContext& rank, const Starvation& starvation,
          Finding& finding) {
  finding.rule = "starved-task";
  finding.count = std::max<std::uint64_t>(starvation.tasks, 1);
  finding.tasks = starvation.ranges;
  finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
  if (!starvation.stuck.empty()) finding.event = starvation.stuck.front();
  const std::string cascade =
      starvation.tasks == 0
          ? "the graph never ends"
          : fmt::format("{} never run{}", Counted(starvation.tasks, "task"),
                        starvation.end ? " and the graph never ends" : "");
  if (starvation.stuck.empty()) {
    finding.found = cascade;
  } else {
    finding.found =
        "never fires, though every task that triggers it runs: " + cascade;
  }
  finding.expected = "that every task runs and the end event fires";
  finding.advice =
      "The kernel hangs without a message: mend the event that holds it up";
}

}  // namespace

void JudgeTriggerCount(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  const EventGraph& graph = rank.analyses.order().events();
  judgement.Judged(graph.event_count() -
                   std::min<std::size_t>(graph.event_count(), 2));
  const std::vector<WrongCount> wrong = WrongCounts(rank);
  if (wrong.empty()) return;
  std::vector<Starvation> starvations;
  if (!IsOff(rank.policy, "starved-task"))
    starvations = Starvations(rank, wrong);
  const std::vector<CountRoot>& short_counts =
      rank.analyses.order().race_roots().counts;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Finding& finding = judgement.Add();
    finding.event = wrong[i].events.front();
    finding.count = wrong[i].events.size();
    finding.found = wrong[i].found;
    finding.expected = "as many triggers as tasks that trigger it";
    finding.siblings = wrong[i].siblings;
    finding.advice =
        "Let the generator count each task that triggers the event once; a "
        "join must count tasks, not edges";
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    for (const std::uint32_t event : wrong[i].events) {
      for (const TaskRange& range : RangesOf(graph.triggering(event))) {
        finding.tasks.push_back(range);
      }
    }
    for (const Starvation& starvation : starvations) {
      if (starvation.root != i) continue;
      Fill(rank, starvation, finding.consequences.emplace_back());
    }
    for (const CountRoot& root : short_counts) {
      if (std::binary_search(wrong[i].events.begin(), wrong[i].events.end(),
                             root.events.front())) {
        AddConsequences(rank, root.races, &finding);
      }
    }
  }
}

void JudgeStarvedTask(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  judgement.Judged(rank.view.task_count());
  const std::vector<WrongCount> wrong = WrongCounts(rank);
  const bool has_roots = !IsOff(rank.policy, "trigger-count");
  for (const Starvation& starvation : Starvations(rank, wrong)) {
    if (has_roots && starvation.root < wrong.size()) continue;
    Fill(rank, starvation, judgement.Add());
  }
}

}  // namespace graph_coverage
