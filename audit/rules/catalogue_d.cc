// SPDX-License-Identifier: Apache-2.0
//
// The words of group D: events.
#include "audit/rules/catalogue_groups.h"

namespace graph_coverage {

std::vector<RuleInfo> GroupD() {
  return {
      {"trigger-count", 'D', "an event demands another number of triggers",
       Severity::kError, Scope::kEvent, "each event but the first two",
       "Counters are compared with num_triggers. Demand too many and all that "
       "waits hangs; demand too few and it starts before its inputs are "
       "there, so the event orders nothing.",
       "Count each task that triggers the event once. Where an operator has "
       "two edges to the one it feeds, count its tasks, not the edges.",
       "Never: the kernel hangs or races.",
       "A join in DeepSeek-V3 counts edges: event 91 demands 4 triggers and 2 "
       "tasks trigger it."},
      {"starved-task", 'D', "a task can never run", Severity::kError,
       Scope::kTask, "each task",
       "The event protocol, run by itself, comes to a halt before all tasks "
       "ran or before the end event fired. The kernel has no time-out: it "
       "hangs without a message.",
       "Mend the event that holds the rest up.", "Never: the kernel hangs.",
       "One event of DeepSeek-V3 on 8 ranks starves 101,996 of 104,646 "
       "tasks."},
      {"event-range", 'D', "an event's range is not the tasks that wait for it",
       Severity::kError, Scope::kEvent, "each event of type 900, 901 or 902",
       "Range and dependent_event say the same twice. Where they differ, one "
       "of them is wrong, and which one the runtime follows depends on its "
       "version.",
       "Make the range the tasks that name the event.", "Never.",
       "The range was all there was before tasks named the event they wait "
       "for."},
      {"bad-event-id", 'D', "a task names an event that cannot be",
       Severity::kError, Scope::kTask, "each event that a task names",
       "The runtime checks no id: a wrong position reads past the counters, a "
       "wrong rank or tag signals another GPU, or nobody.",
       "Mend the id: tag, rank and position.", "Never.",
       "The NVSHMEM tag was missing on the waiting side of a public report."},
      {"no-trigger", 'D', "a task triggers nothing", Severity::kError,
       Scope::kTask, "each task but task 0",
       "Nothing can wait for the task, the end of the graph neither: what it "
       "writes may be read too early, or in the next iteration.",
       "Let it trigger the event of its readers, or the end.",
       "Never: even tasks without readers trigger the end.",
       "The id for \"no event\" has the tag's bits, so the runtime signals "
       "nobody and says nothing."},
      {"no-dependency", 'D', "a task waits for nothing and is not first",
       Severity::kError, Scope::kTask, "each task but tasks 0 and 1",
       "A task that waits for nothing runs when the graph starts, before its "
       "inputs are written. A first task that waits may never run.",
       "Give the task the event of what it reads.",
       "Never: list it in first_tasks if it is one.",
       "In all real graphs the tasks without an event are first_tasks."},
      {"event-cycle", 'D', "events wait for each other", Severity::kError,
       Scope::kEvent, "each event",
       "Each of the tasks waits for another of them: none ever runs.",
       "Point the task that closes the circle at another event.", "Never.",
       "A task graph is acyclic by construction; an edit is not."},
      {"queue-order", 'D', "a task is queued before one it waits for",
       Severity::kError, Scope::kEvent, "each event with triggers and waiters",
       "Workers take their tasks in the order of all_tasks and wait at the "
       "first that is not ready. A task that triggers an event must come "
       "before those that wait for it, or a worker can wait for a task that "
       "is queued behind its own.",
       "Put producers before consumers in all_tasks.",
       "Only with as many workers as tasks.",
       "It holds in each of 44 real graphs."},
      {"leaf-operation", 'D', "an operator that has readers ends the graph",
       Severity::kError, Scope::kOperator,
       "each operator whose tasks trigger the end",
       "The generator saw no reader of what the operator writes, so nothing "
       "waits for it: its readers race it, and so does the next layer that "
       "overwrites its inputs. It shows where a type writes through input "
       "slots only, where one of its kind ends the graph in every layer, or "
       "where others of its type with the same outputs are waited for.",
       "Give the generator the edge from the operator to its readers.",
       "When what it writes is read by the program alone.",
       "MLA_KV_GATHER_SM100 of DeepSeek-V3 writes contiguous_kv through input "
       "slot 3 in 61 layers, and nothing waits for it."},
      {"several-leaves", 'D', "more than one operator ends the graph",
       Severity::kNote, Scope::kOperator,
       "each operator whose tasks trigger the end",
       "A graph mostly ends in one operator, which all others feed. Another "
       "leaf may be an output, or an operator whose reader was forgotten.",
       "Nothing, if it is an output; else wire its reader.", "Always.",
       "Draft steps of DeepSeek-V3 end in several operators on purpose."},
  };
}

}  // namespace graph_coverage
