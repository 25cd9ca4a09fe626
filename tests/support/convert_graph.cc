// SPDX-License-Identifier: Apache-2.0
//
// Task graphs: a pass over the tasks and one over the events of a DOM.
#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/convert_parts.h"

namespace graph_coverage::test_support {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kNoEvent = 0x7ffffffffffffffe;
constexpr std::uint64_t kNvshmemTag = 0x1e00000000000000;
constexpr const char* kSides[] = {"inputs", "outputs"};

// Calls `visit` with each operand of the task.
template <typename Visit>
void ForEachOperand(Json& task, Visit visit) {
  for (const char* side : kSides) {
    if (!task.contains(side) || task[side].is_null()) continue;
    for (Json& operand : task[side]) visit(operand);
  }
}

void Drop(Json& task, std::initializer_list<const char*> keys) {
  for (const char* key : keys) task.erase(key);
}

void DropMetadata(Json& task) {
  Drop(task, {"request_id", "kv_idx", "merge_task_offset", "expert_offset",
              "task_offset"});
}

void RefuseNull(Json& task) {
  ForEachOperand(task, [](const Json& operand) {
    if (operand.at("base_ptr") == "nullptr") {
      throw std::invalid_argument("an absent operand has no form before F4");
    }
  });
}

// F0 to F2 write an event reference as an object; the reserved value for "no
// event" remains a number.
Json EventObject(const Json& word) {
  const auto id = word.get<std::uint64_t>();
  if (id == kNoEvent) return word;
  return {{"gpu_offset", id >> 32 & 0xffff},
          {"event_pos", id & 0xffffffff},
          {"is_nvshmem", (id & kNvshmemTag) == kNvshmemTag}};
}

// Before `dependent_event` an event launched its range of tasks. Throws where
// the tasks that wait for an event are not its range.
void LaunchByRange(Json& graph) {
  std::map<std::uint64_t, std::set<std::uint64_t>> waiters;
  std::uint64_t id = 0;
  for (Json& task : graph["all_tasks"]) {
    const auto event = task.at("dependent_event").get<std::uint64_t>();
    if (event != kNoEvent) waiters[event & 0xffffffff].insert(id);
    task.erase("dependent_event");
    ++id;
  }
  std::uint64_t index = 0;
  for (Json& event : graph["all_events"]) {
    const std::set<std::uint64_t>& waiting = waiters[index++];
    if (event.at("event_type") != 900) continue;
    const auto first = event.at("first_task_id").get<std::uint64_t>();
    const auto last = event.at("last_task_id").get<std::uint64_t>();
    const bool is_range = !waiting.empty() && *waiting.begin() == first &&
                          *waiting.rbegin() + 1 == last &&
                          waiting.size() == last - first;
    if (!is_range) {
      throw std::invalid_argument("an event's waiters are no range of tasks");
    }
    event["event_type"] = 901;
  }
}

// X2 knows tiles by block indices. Which ones they were is lost; tiles of a
// tensor get the same index exactly where they had the same offset.
void UseBlockIndices(Json& graph) {
  std::map<std::string, std::map<std::int64_t, std::int64_t>> blocks;
  for (Json& task : graph["all_tasks"]) {
    ForEachOperand(task, [&blocks](const Json& operand) {
      blocks[operand.at("base_ptr")][operand.at("offset")] = 0;
    });
  }
  for (auto& [name, block_of] : blocks) {
    std::int64_t next = 0;
    for (auto& [offset, block] : block_of) block = next++;
  }
  for (Json& task : graph["all_tasks"]) {
    ForEachOperand(task, [&blocks](Json& operand) {
      operand["bx"] = blocks[operand.at("base_ptr")][operand.at("offset")];
      operand["by"] = 0;
      operand["bz"] = 0;
      operand.erase("offset");
    });
  }
}

// Reverses the keys of all objects.
Json Reversed(const Json& value) {
  if (value.is_array()) {
    Json items = Json::array();
    for (const Json& item : value) items.push_back(Reversed(item));
    return items;
  }
  if (!value.is_object()) return value;
  Json members = Json::object();
  for (auto it = value.rbegin(); it != value.rend(); ++it) {
    members[it.key()] = Reversed(it.value());
  }
  return members;
}

void ConvertTask(Json& task, Form form) {
  switch (form) {
    case Form::kF0:
    case Form::kF2:
      RefuseNull(task);
      DropMetadata(task);
      for (const char* key : {"trigger_event", "dependent_event"}) {
        if (task.contains(key)) task[key] = EventObject(task[key]);
      }
      if (form == Form::kF0) task.erase("variant_id");
      break;
    case Form::kF4:
      DropMetadata(task);
      break;
    case Form::kF9:
      task.erase("task_offset");
      break;
    case Form::kF13:
      task["smem_alignment"] = 128;
      task["smem_regions"] = {{{"offset", 0}, {"size", 16384}}};
      break;
    case Form::kX1:
      task["is_tail_task"] = false;
      break;
    case Form::kReordered:
      for (const char* side : kSides) {
        if (task[side].is_null()) task[side] = Json::array();
      }
      break;
    case Form::kAbsentKeys:
      for (const char* side : kSides) {
        if (task[side].is_null()) task.erase(side);
      }
      if (task.at("variant_id") == 0) task.erase("variant_id");
      break;
    case Form::kUnknownKeys:
      task["colour"] = {{"name", "blue \"\\u00e9\\n"}, {"weights", {1.5e3}}};
      ForEachOperand(task, [](Json& operand) { operand["swizzle"] = nullptr; });
      break;
    default:
      break;
  }
}

}  // namespace

std::string ConvertGraph(const std::string& json, Form form) {
  constexpr int kIndent = 2;  // as the generator writes
  Json graph = Json::parse(json);
  if (form == Form::kF0) LaunchByRange(graph);
  if (form == Form::kX2) UseBlockIndices(graph);
  for (Json& task : graph["all_tasks"]) ConvertTask(task, form);
  if (form == Form::kUnknownKeys) {
    graph["generator"] = {{"version", {1, 2, 3}}, {"dirty", true}};
    for (Json& event : graph["all_events"]) event["label"] = "";
  }
  if (form == Form::kReordered) return Reversed(graph).dump();
  return graph.dump(kIndent) + "\n";
}

}  // namespace graph_coverage::test_support
