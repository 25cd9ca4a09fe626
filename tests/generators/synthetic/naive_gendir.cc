// SPDX-License-Identifier: Apache-2.0
#include "tests/generators/synthetic/naive_gendir.h"

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

namespace graph_coverage::synthetic {
namespace {

using nlohmann::json;

NaiveEventId EventIdOf(const json& task, const char* key) {
  if (!task.contains(key)) return {0x7ffffffffffffffe};
  const json& id = task.at(key);
  if (!id.is_object()) return {id.get<std::uint64_t>()};
  return {id.at("event_pos").get<std::uint64_t>() |
          id.at("gpu_offset").get<std::uint64_t>() << 32 |
          (id.at("is_nvshmem").get<bool>() ? 0x1e00000000000000 : 0)};
}

std::vector<NaiveOperand> OperandsOf(const json& list) {
  std::vector<NaiveOperand> operands;
  if (list.is_null()) return operands;
  for (const json& item : list) {
    NaiveOperand operand;
    operand.name = item.at("base_ptr");
    operand.type = item.at("data_type");
    operand.offset = item.value("offset", std::int64_t{0});
    operand.dims = item.at("dims").get<std::vector<std::int64_t>>();
    operand.strides = item.at("strides").get<std::vector<std::int64_t>>();
    operands.push_back(operand);
  }
  return operands;
}

void ReadGraph(NaiveRank& rank) {
  const json graph = json::parse(rank.graph);
  for (const json& item : graph.at("all_tasks")) {
    NaiveTask task;
    task.type = item.at("task_type");
    task.variant = item.value("variant_id", std::int64_t{0});
    task.request_id = item.value("request_id", std::int64_t{-1});
    task.expert_offset = item.value("expert_offset", std::int64_t{-1});
    task.dependent = EventIdOf(item, "dependent_event");
    task.trigger = EventIdOf(item, "trigger_event");
    task.inputs = OperandsOf(item.at("inputs"));
    task.outputs = OperandsOf(item.at("outputs"));
    rank.tasks.push_back(task);
  }
  for (const json& item : graph.at("all_events")) {
    rank.events.push_back({item.at("event_type"), item.at("num_triggers"),
                           item.at("first_task_id"), item.at("last_task_id")});
  }
  rank.first_tasks = graph.at("first_tasks").get<std::vector<std::size_t>>();
  // In the oldest version events say which tasks they launch.
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const NaiveEvent& event = rank.events[e];
    if (event.type != 901 && event.type != 902) continue;
    for (std::size_t t = event.first; t < event.last && e > 1; ++t) {
      rank.tasks.at(t).dependent = {e};
    }
  }
}

void ReadSource(NaiveRank& rank) {
  const std::string& text = rank.source;
  const auto each = [&](const std::string& pattern, auto&& action) {
    const std::regex regex(pattern);
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end;
         it != end; ++it) {
      action(*it);
    }
  };
  each(R"re(all_tensors\["(\w+)"\] = )re",
       [&](const std::smatch& match) { rank.declared.push_back(match[1]); });
  each(R"(cudaMalloc\(&(\w+), (\d+)\))", [&](const std::smatch& match) {
    rank.bytes[match[1]] = std::stoll(match[2]);
  });
  each(R"((\w+) = nvshmem_malloc\((\d+)\))", [&](const std::smatch& match) {
    rank.bytes[match[1]] = std::stoll(match[2]);
  });
  each(R"(task_type == (TASK_\w+) && task_desc(?:->|\.)variant_id == (\d+)\))",
       [&](const std::smatch& match) {
         const auto begin = static_cast<std::size_t>(match.position(0));
         const std::size_t end = text.find("\n  }\n", begin);
         rank.branches.push_back(
             {match[1], std::stoll(match[2]), text.substr(begin, end - begin)});
       });

  // The chain is in the order of the numbers.
  std::vector<std::string> names;
  for (const NaiveBranch& branch : rank.branches) {
    if (names.empty() || names.back() != branch.type) {
      names.push_back(branch.type);
    }
  }
  std::set<std::int64_t> types;
  for (const NaiveTask& task : rank.tasks) types.insert(task.type);
  types.erase(0);
  types.erase(10);
  if (names.empty()) return;
  if (names.size() != types.size()) {
    throw std::runtime_error("the chain does not fit the graph");
  }
  std::size_t i = 0;
  for (const std::int64_t type : types) rank.type_names[type] = names[i++];
}

}  // namespace

std::int64_t NaiveOperand::element() const {
  switch (type) {
    case 930:
      return 1;
    case 940:
    case 941:
      return 2;
    case 950:
    case 955:
    case 956:
      return 4;
    case 965:
      return 8;
    default:
      throw std::runtime_error("a data type of no known size");
  }
}

std::vector<std::pair<std::int64_t, std::int64_t>> NaiveOperand::Runs() const {
  std::vector<std::int64_t> starts = {offset};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::int64_t> next;
    for (const std::int64_t start : starts) {
      for (std::int64_t i = 0; i < dims[d]; ++i) {
        next.push_back(start + i * strides[d] * element());
      }
    }
    starts = std::move(next);
  }
  std::sort(starts.begin(), starts.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for (const std::int64_t start : starts) {
    if (!runs.empty() && runs.back().second == start) {
      runs.back().second += element();
    } else {
      runs.emplace_back(start, start + element());
    }
  }
  return runs;
}

std::string NaiveRank::TypeOf(const NaiveTask& task) const {
  const auto found = type_names.find(task.type);
  return found == type_names.end() ? "" : found->second;
}

const std::string& ContentOf(const Gendir& gendir, const std::string& file) {
  for (const MemoryFile& held : gendir.files()) {
    if (held.name == file) return held.content;
  }
  throw std::runtime_error("no file " + file);
}

NaiveRank ReadNaively(const std::string& source, const std::string& graph) {
  NaiveRank rank;
  rank.source = source;
  rank.graph = graph;
  ReadGraph(rank);
  ReadSource(rank);
  return rank;
}

}  // namespace graph_coverage::synthetic
