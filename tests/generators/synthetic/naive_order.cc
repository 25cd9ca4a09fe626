// SPDX-License-Identifier: Apache-2.0
#include "tests/generators/synthetic/naive_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace graph_coverage::synthetic {
namespace {

class Faults {
 public:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    if (count_++ < 5) {
      text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
    }
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  int count_ = 0;
};

bool IsPut(const std::string& type) {
  return type == "TASK_NVSHMEM_ALLGATHER_STRIDED_PUT";
}

// By task: the tasks that must come before it, as a bitmap.
std::vector<std::vector<bool>> Ancestors(const NaiveRank& rank) {
  const std::size_t n = rank.tasks.size();
  std::vector<std::vector<std::size_t>> triggering(rank.events.size());
  for (std::size_t t = 0; t < n; ++t) {
    const NaiveEventId id = rank.tasks[t].trigger;
    if (!id.none()) triggering[id.index()].push_back(t);
  }
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  // Ids are topological; EventFaults() says so where they are not. So all that
  // trigger an event are done when the first that waits for it is looked at.
  std::map<std::size_t, std::vector<bool>> by_event;
  for (std::size_t t = 0; t < n; ++t) {
    const NaiveEventId id = rank.tasks[t].dependent;
    if (id.none()) continue;
    const auto [entry, fresh] =
        by_event.try_emplace(id.index(), std::vector<bool>(n, false));
    std::vector<bool>& all = entry->second;
    for (const std::size_t p : triggering[id.index()]) {
      for (std::size_t q = 0; fresh && q < p; ++q) {
        if (before[p][q]) all[q] = true;
      }
      all[p] = true;
    }
    before[t] = all;
  }
  return before;
}

using Run = std::pair<std::int64_t, std::int64_t>;

struct Access {
  std::size_t task;
  std::size_t op;
  bool write;
  std::vector<Run> runs;
};

// Runs are sorted, so one walk along both is enough.
bool Meet(const Access& a, const Access& b) {
  for (std::size_t i = 0, j = 0; i < a.runs.size() && j < b.runs.size();) {
    if (a.runs[i].second <= b.runs[j].first) {
      ++i;
    } else if (b.runs[j].second <= a.runs[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

// Input slots a kernel writes, and slots that no kernel touches.
bool WritesInput(const std::string& type, std::size_t slot) {
  if (type.find("ATTENTION") != std::string::npos ||
      type.find("ATTN") != std::string::npos) {
    return slot == 1 || slot == 2;
  }
  if (type == "TASK_MLA_KV_GATHER_SM100") return slot == 2 || slot == 3;
  if (type == "TASK_TENSOR_INIT") return slot == 0;
  return type == "TASK_MTP_PREPARE_VERIFY" && slot == 2;
}
bool ReadsInput(const std::string& type, std::size_t slot) {
  if (type == "TASK_TENSOR_INIT") return false;
  return type != "TASK_MLA_KV_GATHER_SM100" || slot != 3;
}

// Runs of tasks of one type, variant and tensor names: operators.
std::vector<std::size_t> OperatorsOf(const NaiveRank& rank) {
  std::vector<std::size_t> ops(rank.tasks.size(), 0);
  const auto key = [&](const NaiveTask& task) {
    std::string text = fmt::format("{}/{}", task.type, task.variant);
    for (const auto* list : {&task.inputs, &task.outputs}) {
      text += ";";
      for (const NaiveOperand& operand : *list) text += operand.name + ",";
    }
    return text;
  };
  for (std::size_t t = 1; t < ops.size(); ++t) {
    const bool same = key(rank.tasks[t]) == key(rank.tasks[t - 1]);
    ops[t] = ops[t - 1] + (same ? 0 : 1);
  }
  return ops;
}

bool ReadsMetadata(const NaiveRank& rank, const NaiveTask& task) {
  for (const NaiveBranch& branch : rank.branches) {
    if (branch.type == rank.TypeOf(task) && branch.variant == task.variant) {
      return branch.text.find("task_metadata") != std::string::npos;
    }
  }
  return false;
}

std::map<std::string, std::vector<Access>> AccessesOf(const NaiveRank& rank) {
  const std::vector<std::size_t> ops = OperatorsOf(rank);
  std::map<std::string, std::vector<Access>> accesses;
  for (std::size_t t = 0; t < rank.tasks.size(); ++t) {
    const NaiveTask& task = rank.tasks[t];
    const std::string type = rank.TypeOf(task);
    for (std::size_t s = 0; s < task.inputs.size(); ++s) {
      const NaiveOperand& operand = task.inputs[s];
      if (operand.null()) continue;
      if (ReadsInput(type, s)) {
        accesses[operand.name].push_back({t, ops[t], false, operand.Runs()});
      }
      if (WritesInput(type, s)) {
        accesses[operand.name].push_back({t, ops[t], true, operand.Runs()});
      }
    }
    if (type == "TASK_TENSOR_INIT") continue;
    for (NaiveOperand operand : task.outputs) {
      if (IsPut(type)) {  // by symmetry: the other rank fills every slot here
        operand.offset %= operand.strides[0] * operand.element();
      }
      accesses[operand.name].push_back({t, ops[t], true, operand.Runs()});
    }
  }
  return accesses;
}

void CheckWritten(const std::string& name, const std::vector<Access>& list,
                  const std::vector<std::vector<bool>>& before,
                  Faults& faults) {
  for (const Access& read : list) {
    if (read.write) continue;
    std::vector<Run> written;
    for (const Access& write : list) {
      if (!write.write || !before[read.task][write.task]) continue;
      written.insert(written.end(), write.runs.begin(), write.runs.end());
    }
    std::sort(written.begin(), written.end());
    std::size_t at = 0;
    for (const auto& [first, last] : read.runs) {
      std::int64_t byte = first;  // the first that is not yet accounted for
      while (at < written.size() && written[at].second <= byte) ++at;
      for (std::size_t i = at; i < written.size() && written[i].first <= byte;
           ++i) {
        byte = std::max(byte, written[i].second);
      }
      if (byte < last) {
        faults.Add("task {} reads byte {} of {}, which nothing wrote before",
                   read.task, byte, name);
        break;
      }
    }
  }
}

}  // namespace

std::string EventFaults(const NaiveRank& rank) {
  Faults faults;
  const std::size_t n = rank.tasks.size();
  std::vector<std::vector<std::size_t>> triggering(rank.events.size());
  std::vector<std::vector<std::size_t>> waiting(rank.events.size());
  std::vector<std::size_t> first;
  for (std::size_t t = 0; t < n; ++t) {
    const NaiveTask& task = rank.tasks[t];
    if (!task.trigger.none()) triggering.at(task.trigger.index()).push_back(t);
    if (!task.dependent.none()) {
      waiting.at(task.dependent.index()).push_back(t);
    } else if (t > 1) {
      first.push_back(t);
    }
    if (t > 0 && task.trigger.none()) faults.Add("task {} triggers nothing", t);
  }
  if (first != rank.first_tasks)
    faults.Add("first_tasks is not what waits not");
  if (rank.tasks.at(0).type != 0 || rank.tasks.at(1).type != 10) {
    faults.Add("tasks 0 and 1 are not the ones they must be");
  }
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const NaiveEvent& event = rank.events[e];
    if (e > 0 && triggering[e].size() != event.triggers) {
      faults.Add("event {} wants {} triggers and gets {}", e, event.triggers,
                 triggering[e].size());
    }
    if (e < 2 || e + 1 == rank.events.size()) continue;
    std::vector<std::size_t> range;
    for (std::size_t t = event.first; t < event.last; ++t) range.push_back(t);
    if (range.empty() || range != waiting[e]) {
      faults.Add("event {} is not for the tasks that wait for it", e);
    } else if (triggering[e].back() >= range.front()) {
      faults.Add("event {} is waited for before it is triggered", e);
    }
  }
  if (rank.events.front().type != 911 || rank.events.back().type != 910) {
    faults.Add("the first event is not the end or the last not the finish");
  }

  // Run the protocol: any task whose event has fired may run.
  std::vector<std::uint64_t> counts(rank.events.size(), 0);
  std::vector<bool> done(n, false);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t t = 1; t < n; ++t) {
      const NaiveEventId id = rank.tasks[t].dependent;
      if (done[t] ||
          (!id.none() && counts[id.index()] < rank.events[id.index()].triggers))
        continue;
      done[t] = moved = true;
      if (!rank.tasks[t].trigger.none())
        ++counts[rank.tasks[t].trigger.index()];
    }
  }
  const auto ran = std::count(done.begin(), done.end(), true);
  if (static_cast<std::size_t>(ran) + 1 != n ||
      counts.back() != rank.events.back().triggers) {
    faults.Add("a run of the protocol does not end");
  }
  return faults.Take();
}

std::string MemoryFaults(const NaiveRank& rank) {
  Faults faults;
  const auto before = Ancestors(rank);
  for (const auto& [name, list] : AccessesOf(rank)) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        const Access& a = list[i];
        const Access& b = list[j];
        if ((!a.write && !b.write) || a.task == b.task || !Meet(a, b)) continue;
        if (a.op == b.op && ReadsMetadata(rank, rank.tasks[a.task])) continue;
        if (!before[b.task][a.task] && !before[a.task][b.task]) {
          faults.Add("tasks {} and {} both touch {}, one writing, unordered",
                     a.task, b.task, name);
        }
      }
    }
    if (rank.bytes.count(name) > 0 &&
        rank.source.find("reinterpret_cast<void *>(" + name + " +") ==
            std::string::npos) {
      CheckWritten(name, list, before, faults);
    }
  }
  return faults.Take();
}

std::string OperandFaults(const NaiveRank& rank) {
  Faults faults;
  const std::set<std::string> declared(rank.declared.begin(),
                                       rank.declared.end());
  std::set<std::string> read;
  for (std::size_t t = 0; t < rank.tasks.size(); ++t) {
    const NaiveTask& task = rank.tasks[t];
    const std::string type = rank.TypeOf(task);
    for (const NaiveOperand& operand : task.inputs) read.insert(operand.name);
    for (const auto* list : {&task.inputs, &task.outputs}) {
      for (const NaiveOperand& operand : *list) {
        if (declared.count(operand.name) == 0) {
          faults.Add("task {} names {}, which is not declared", t,
                     operand.name);
        }
        const auto bytes = rank.bytes.find(operand.name);
        if (bytes == rank.bytes.end() || operand.null()) continue;
        std::int64_t end = operand.offset + operand.element();
        for (std::size_t d = IsPut(type) ? 1 : 0; d < operand.dims.size();
             ++d) {
          end += (operand.dims[d] - 1) * operand.strides[d] * operand.element();
        }
        if (operand.offset < 0 || end > bytes->second) {
          faults.Add("task {} reaches byte {} of {}, which has {}", t, end,
                     operand.name, bytes->second);
        }
      }
    }
    if (t < 2 || rank.branches.empty()) continue;
    const auto branch = std::find_if(
        rank.branches.begin(), rank.branches.end(), [&](const auto& candidate) {
          return candidate.type == type && candidate.variant == task.variant;
        });
    if (branch == rank.branches.end()) {
      faults.Add("task {} of {}/{} has no branch", t, type, task.variant);
      continue;
    }
    for (std::size_t s = 0; s < task.inputs.size() + 3; ++s) {
      const auto names = [&](const std::string& text) {
        return branch->text.find(text) != std::string::npos;
      };
      const bool used = names(fmt::format("input_ptrs[{}]", s)) ||
                        names(fmt::format("input_tma_desc_ptrs[{}]", s)) ||
                        names(fmt::format("inputs[{}].base_ptr", s));
      const bool may_ignore =
          type == "TASK_TENSOR_INIT" ||
          (type.find("WITH_RESIDUAL") != std::string::npos && s >= 2);
      if (used && s >= task.inputs.size()) {
        faults.Add("the branch of task {} wants input {}", t, s);
      }
      if (!used && s < task.inputs.size() && !may_ignore) {
        faults.Add("the branch of task {} ignores input {}", t, s);
      }
    }
  }
  for (const std::string& name : rank.declared) {
    if (read.count(name) > 0 || name == "nullptr") continue;
    if (name == "output_token" || name.rfind("mtp_", 0) == 0) continue;
    faults.Add("nothing reads {}", name);
  }
  return faults.Take();
}

}  // namespace graph_coverage::synthetic
