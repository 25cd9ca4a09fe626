// SPDX-License-Identifier: Apache-2.0
//
// Operators that detach, move and miscount events.
#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

bool IsLocal(const RankIndex& index, EventId id) {
  return !id.none() && !id.nvshmem() && id.index() < index.view().event_count();
}

template <typename Keep>
std::vector<Site> TasksWhere(const RankIndex& index, const Keep& keep) {
  std::vector<Site> sites;
  for (const Site& site : TaskSites(index)) {
    if (keep(index.view().task(TaskId(site.a)))) sites.push_back(site);
  }
  return sites;
}

std::vector<Site> Triggers(const RankIndex& index) {
  return TasksWhere(index, [&index](const Task& task) {
    return IsLocal(index, task.trigger);
  });
}

std::vector<Site> Waits(const RankIndex& index) {
  return TasksWhere(index, [&index](const Task& task) {
    return IsLocal(index, task.dependent);
  });
}

// The event behind an event, or before the last one; 0 and 1 are the graph's.
std::uint32_t Neighbour(const RankIndex& index, std::uint32_t event) {
  return event + 1 < index.view().event_count() ? event + 1 : event - 1;
}

void FillMoveTrigger(const RankIndex& index, const Site& site, std::uint32_t,
                     Mutation& mutation) {
  mutation.task = site.a;
  mutation.event =
      Neighbour(index, index.view().task(TaskId(site.a)).trigger.index());
}

void FillMoveWait(const RankIndex& index, const Site& site, std::uint32_t,
                  Mutation& mutation) {
  mutation.task = site.a;
  mutation.event =
      Neighbour(index, index.view().task(TaskId(site.a)).dependent.index());
}

EventId Moved(EventId id, std::uint32_t event) {
  return EventId::Of(event, id.gpu());
}

void CountDown(const RankIndex& index, const Mutation& mutation,
               Overlay& overlay) {
  const EventId id = index.view().task(TaskId(*mutation.task)).trigger;
  if (!IsLocal(index, id)) return;
  Event& event = EditEvent(index, id.index(), overlay);
  if (event.num_triggers > 0) --event.num_triggers;
}

void DetachTrigger(const RankIndex& index, const Mutation& mutation,
                   Overlay& overlay) {
  EditTask(index, TaskOf(index, mutation), overlay).task.trigger = EventId();
}

void DetachTriggerRepaired(const RankIndex& index, const Mutation& mutation,
                           Overlay& overlay) {
  DetachTrigger(index, mutation, overlay);
  CountDown(index, mutation, overlay);
}

void DetachWait(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  EditTask(index, TaskOf(index, mutation), overlay).task.dependent = EventId();
}

void MoveTrigger(const RankIndex& index, const Mutation& mutation,
                 Overlay& overlay) {
  const std::uint32_t event = EventOf(index, mutation);
  EventId& trigger =
      EditTask(index, TaskOf(index, mutation), overlay).task.trigger;
  trigger = Moved(trigger, event);
}

void MoveTriggerRepaired(const RankIndex& index, const Mutation& mutation,
                         Overlay& overlay) {
  MoveTrigger(index, mutation, overlay);
  CountDown(index, mutation, overlay);
  ++EditEvent(index, *mutation.event, overlay).num_triggers;
}

void MoveWait(const RankIndex& index, const Mutation& mutation,
              Overlay& overlay) {
  const std::uint32_t event = EventOf(index, mutation);
  EventId& dependent =
      EditTask(index, TaskOf(index, mutation), overlay).task.dependent;
  dependent = Moved(dependent, event);
}

// Events that tasks trigger: one too many and one too few.
std::vector<Site> CountedEvents(const RankIndex& index) {
  std::vector<Site> sites;
  for (std::uint32_t i = 2; i < index.view().event_count(); ++i) {
    if (index.view().event(i).num_triggers > 0) sites.push_back({i, 0, 2});
  }
  return sites;
}

void FillMiscount(const RankIndex&, const Site& site, std::uint32_t k,
                  Mutation& mutation) {
  mutation.event = site.a;
  mutation.by = k == 0 ? 1 : -1;
}

void Miscount(const RankIndex& index, const Mutation& mutation,
              Overlay& overlay) {
  Event& event = EditEvent(index, EventOf(index, mutation), overlay);
  if (!mutation.by) Refuse(mutation, "expected by=NUMBER");
  event.num_triggers += static_cast<std::uint64_t>(*mutation.by);
}

}  // namespace

std::vector<OperatorRow> EventOperators() {
  constexpr Edits kEdits = Edits::kEvents;
  return {
      {{"detach-trigger", "let a task trigger nothing", kEdits,
        "starved tasks"},
       Triggers,
       FillTask,
       DetachTrigger},
      {{"detach-trigger-repaired",
        "let a task trigger nothing and repair the event's count", kEdits,
        "order that is lost"},
       Triggers,
       FillTask,
       DetachTriggerRepaired},
      {{"detach-wait", "let a task wait for nothing", kEdits,
        "order that is lost"},
       Waits,
       FillTask,
       DetachWait},
      {{"move-trigger", "let a task trigger another event", kEdits,
        "starved tasks, order that is lost"},
       Triggers,
       FillMoveTrigger,
       MoveTrigger},
      {{"move-trigger-repaired",
        "let a task trigger another event and repair both counts", kEdits,
        "order that is lost"},
       Triggers,
       FillMoveTrigger,
       MoveTriggerRepaired},
      {{"move-wait", "let a task wait for another event", kEdits,
        "order that is lost"},
       Waits,
       FillMoveWait,
       MoveWait},
      {{"miscount", "count one trigger of an event too many or too few", kEdits,
        "starved tasks, or order that is lost"},
       CountedEvents,
       FillMiscount,
       Miscount},
  };
}

}  // namespace graph_coverage
