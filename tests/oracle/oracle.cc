// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/oracle.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace oracle {
namespace {

using nlohmann::json;

struct Copied {
  std::string source, target;  // a tensor's name, a variable
};

// What the source text says.
struct Source {
  std::map<std::string, std::string> variable_of;  // by declared name
  std::map<std::string, std::string> kind_of;      // by variable
  std::map<std::string, std::string> address_of;   // by variable
  std::map<std::string, std::string> alias_of;     // by declared name
  std::vector<Copied> copies;
};

std::string Between(const std::string& text, const std::string& left,
                    const std::string& right, std::size_t from = 0) {
  const std::size_t begin = text.find(left, from);
  if (begin == std::string::npos) return "";
  const std::size_t start = begin + left.size();
  const std::size_t end = text.find(right, start);
  return end == std::string::npos ? "" : text.substr(start, end - start);
}

void ReadVariable(const std::string& line, Source* source) {
  const bool is_char = line.rfind("char *", 0) == 0;
  if (!is_char && line.rfind("void *", 0) != 0) return;
  const std::size_t end = line.find_first_of(" ;=", 6);
  if (end == std::string::npos) return;
  const std::string name = line.substr(6, end - 6);
  const bool assigned = line.find('=') != std::string::npos;
  if (line.find("nvshmem_malloc") != std::string::npos) {
    source->kind_of[name] = "nvshmem";
  } else if (assigned) {
    source->kind_of[name] = "attached";
    source->address_of[name] = Between(line, "(char*)(0x", ")");
  } else {
    source->kind_of[name] = is_char ? "shuffled" : "scratch";
  }
}

void ReadRegistration(const std::string& line, Source* source) {
  if (line.rfind("all_tensors[\"", 0) != 0) return;
  const std::string name = Between(line, "all_tensors[\"", "\"]");
  const std::string value = Between(line, "] = ", ";");
  if (name == "nullptr") return;
  const std::string of = Between(value, "all_tensors[\"", "\"]");
  if (of.empty()) {
    source->variable_of[name] = value;
  } else {
    source->alias_of[name] = of;
  }
}

Source ReadSource(const std::string& text) {
  Source source;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos) continue;
    line.erase(0, start);
    ReadVariable(line, &source);
    ReadRegistration(line, &source);
  }
  for (std::size_t at = text.find("cudaMemcpy2DAsync(");
       at != std::string::npos; at = text.find("cudaMemcpy2DAsync(", at + 1)) {
    const std::string call = text.substr(at, text.find(';', at) - at);
    source.copies.push_back({Between(call, "model_tensors.at(\"", "\")"),
                             Between(call, "reinterpret_cast<void *>(", " +")});
  }
  return source;
}

std::set<std::string> Named(const json& graph, const char* list) {
  std::set<std::string> names;
  for (const json& task : graph.at("all_tasks")) {
    if (!task.contains(list)) continue;
    for (const json& operand : task.at(list)) {
      names.insert(operand.at("base_ptr").get<std::string>());
    }
  }
  return names;
}

// Adds to a set of tensors all other names of the same memory.
void AddOtherNames(const Source& source, std::set<std::string>* names) {
  for (std::size_t before = 0; before != names->size();) {
    before = names->size();
    for (const auto& [name, of] : source.alias_of) {
      if (names->count(name) != 0) names->insert(of);
      if (names->count(of) != 0) names->insert(name);
    }
    std::set<std::string> addresses;
    const auto address = [&source](const std::string& variable) {
      const auto found = source.address_of.find(variable);
      return found == source.address_of.end() ? "" : found->second;
    };
    for (const auto& [name, variable] : source.variable_of) {
      if (names->count(name) != 0) addresses.insert(address(variable));
    }
    addresses.erase("");
    for (const auto& [name, variable] : source.variable_of) {
      if (addresses.count(address(variable)) != 0) names->insert(name);
    }
  }
}

std::set<std::string> Declared(const Source& source) {
  std::set<std::string> names;
  for (const auto& [name, variable] : source.variable_of) names.insert(name);
  for (const auto& [name, of] : source.alias_of) names.insert(name);
  return names;
}

std::set<std::string> ConsumedBy(const Source& source, const json& graph) {
  std::set<std::string> read = Named(graph, "inputs");
  AddOtherNames(source, &read);
  std::set<std::string> copied;
  for (const auto& [name, variable] : source.variable_of) {
    if (read.count(name) == 0) continue;
    for (const Copied& copy : source.copies) {
      if (copy.target == variable) copied.insert(copy.source);
    }
  }
  read.insert(copied.begin(), copied.end());
  AddOtherNames(source, &read);
  std::set<std::string> consumed;
  for (const std::string& name : Declared(source)) {
    if (read.count(name) != 0) consumed.insert(name);
  }
  return consumed;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool IsRuntimeBuffer(const std::string& name) {
  return name == "input_token" || name == "output_token" ||
         name == "all_tokens" || EndsWith(name, "_step") ||
         EndsWith(name, "_tokens_buffer") || EndsWith(name, "num_new_tokens");
}

std::multiset<std::string> NamesOf(const json& task, const char* list) {
  std::multiset<std::string> names;
  if (!task.contains(list)) return names;
  for (const json& operand : task.at(list)) {
    names.insert(operand.at("base_ptr").get<std::string>());
  }
  return names;
}

// Keeps the keys that some version has.
void StripKeys(json* value) {
  static const std::set<std::string> kKnown = {"all_events",
                                               "all_tasks",
                                               "base_ptr",
                                               "bx",
                                               "by",
                                               "bz",
                                               "data_type",
                                               "dependent_event",
                                               "dims",
                                               "event_pos",
                                               "event_type",
                                               "expert_offset",
                                               "first_task_id",
                                               "first_tasks",
                                               "gpu_offset",
                                               "inputs",
                                               "is_nvshmem",
                                               "kv_idx",
                                               "last_task_id",
                                               "merge_task_offset",
                                               "num_triggers",
                                               "offset",
                                               "outputs",
                                               "request_id",
                                               "strides",
                                               "task_offset",
                                               "task_type",
                                               "trigger_event",
                                               "variant_id"};
  if (value->is_object()) {
    for (auto it = value->begin(); it != value->end();) {
      it = kKnown.count(it.key()) == 0 ? value->erase(it) : std::next(it);
    }
  }
  if (value->is_structured()) {
    for (json& part : *value) StripKeys(&part);
  }
}

std::string WithoutBlanks(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t') kept += c;
  }
  return kept;
}

}  // namespace

std::set<std::string> Consumed(const Artifacts& rank) {
  return ConsumedBy(ReadSource(rank.source), json::parse(rank.graph));
}

std::set<std::string> Missing(const Artifacts& rank) {
  const Source source = ReadSource(rank.source);
  const json graph = json::parse(rank.graph);
  const std::set<std::string> consumed = ConsumedBy(source, graph);
  std::set<std::string> written = Named(graph, "outputs");
  AddOtherNames(source, &written);
  std::set<std::string> missing;
  for (const auto& [name, variable] : source.variable_of) {
    const auto kind = source.kind_of.find(variable);
    if (kind == source.kind_of.end()) {
      throw std::runtime_error("no declaration of " + variable);
    }
    if (kind->second != "attached" && kind->second != "shuffled") continue;
    if (consumed.count(name) == 0 && written.count(name) == 0 &&
        !IsRuntimeBuffer(name)) {
      missing.insert(name);
    }
  }
  return missing;
}

std::set<std::string> LostAllReaders(const Artifacts& before,
                                     const Artifacts& after) {
  const std::set<std::string> had = Consumed(before);
  const std::set<std::string> has = Consumed(after);
  std::set<std::string> lost;
  std::set_difference(had.begin(), had.end(), has.begin(), has.end(),
                      std::inserter(lost, lost.end()));
  return lost;
}

std::vector<Edge> LostEdges(const Artifacts& before, const Artifacts& after) {
  const json old_tasks = json::parse(before.graph).at("all_tasks");
  const json new_tasks = json::parse(after.graph).at("all_tasks");
  if (old_tasks.size() != new_tasks.size()) {
    throw std::invalid_argument("the number of tasks has changed");
  }
  std::vector<Edge> lost;
  for (std::size_t i = 0; i < old_tasks.size(); ++i) {
    for (const char* list : {"inputs", "outputs"}) {
      std::multiset<std::string> names = NamesOf(old_tasks[i], list);
      for (const std::string& name : NamesOf(new_tasks[i], list)) {
        const auto at = names.find(name);
        if (at != names.end()) names.erase(at);
      }
      for (const std::string& name : names) lost.emplace_back(i, list, name);
    }
  }
  return lost;
}

bool Changed(const Artifacts& before, const Artifacts& after) {
  if (WithoutBlanks(before.source) != WithoutBlanks(after.source)) return true;
  json old_graph = json::parse(before.graph);
  json new_graph = json::parse(after.graph);
  StripKeys(&old_graph);
  StripKeys(&new_graph);
  return old_graph != new_graph;
}

}  // namespace oracle
