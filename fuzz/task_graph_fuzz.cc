// SPDX-License-Identifier: Apache-2.0
//
// The reader of task graphs against nlohmann/json: both accept a text, and
// then say the same of it, or both refuse it. And against itself, reading in
// parts.
#include <nlohmann/json.hpp>
#include <optional>

#include "audit/artifacts/task_graph_reader.h"
#include "fuzz/plain_graph.h"
#include "fuzz/target.h"

namespace graph_coverage::fuzz {
namespace {

using Json = nlohmann::json;

Json Numbers(Span<std::int64_t> numbers) {
  Json list = Json::array();
  for (const std::int64_t number : numbers) list.push_back(number);
  return list;
}

Json Operands(const TaskGraph& graph, Span<Operand> operands) {
  Json list = Json::array();
  for (const Operand& operand : operands) {
    const Layout layout = graph.layout(operand.layout);
    Json said = {std::string(graph.tensor_name(operand.tensor)),
                 static_cast<std::uint16_t>(layout.data_type),
                 Numbers(layout.dims), Numbers(layout.strides)};
    if (!layout.has_offset) said.push_back("block");
    said.push_back(operand.offset);
    list.push_back(std::move(said));
  }
  return list;
}

// An absent event id and the word for "none" are one to the core.
Json EventIdText(EventId id) { return id.none() ? Json() : Json(id.raw()); }

// The same canonical form as the reference's.
std::string Describe(const TaskGraph& graph) {
  Json said = {Json::array(), Json::array(), Json::array()};
  for (std::size_t i = 0; i < graph.event_count(); ++i) {
    const Event& event = graph.event(i);
    said[0].push_back({static_cast<std::uint16_t>(event.type),
                       event.num_triggers, event.first_task, event.last_task});
  }
  for (std::size_t i = 0; i < graph.task_count(); ++i) {
    const Task task = graph.task(TaskId(i));
    const TaskMetadata& metadata = task.metadata;
    said[1].push_back({task.type, task.variant, EventIdText(task.dependent),
                       EventIdText(task.trigger), metadata.request_id,
                       metadata.kv_idx, metadata.merge_task_offset,
                       metadata.expert_offset, metadata.task_offset,
                       Operands(graph, task.inputs),
                       Operands(graph, task.outputs)});
  }
  for (const TaskId first : graph.first_tasks()) {
    said[2].push_back(Index(first));
  }
  return said.dump();
}

std::optional<TaskGraph> Read(std::string_view text, unsigned threads,
                              std::string* why_not) {
  constexpr std::uint64_t kLeastPart = 100;
  try {
    const auto source = OpenMemory("graph.json", text);
    return ReadTaskGraph(*source, threads, kLeastPart);
  } catch (const InputError& error) {
    *why_not = error.what();
    return std::nullopt;
  }
}

void Compare(std::string_view text) {
  std::string why_not;
  const std::optional<TaskGraph> graph = Read(text, 1, &why_not);
  std::string why_not_in_parts;
  const std::optional<TaskGraph> in_parts = Read(text, 3, &why_not_in_parts);
  if (why_not != why_not_in_parts) {
    Broken("in parts refused with other words: " + why_not_in_parts + "\nfor " +
           why_not);
  }
  if (graph && Describe(*graph) != Describe(*in_parts)) {
    Broken("in parts read " + Describe(*in_parts) + "\nfor " +
           Describe(*graph));
  }
  const PlainGraph plain = ReadPlainGraph(text);
  if (graph && !plain.accepted) {
    Broken("accepted what the reference refuses: " + plain.why_not);
  }
  if (!graph && plain.accepted) {
    Broken("refused what the reference accepts: " + why_not);
  }
  if (graph && Describe(*graph) != plain.said) {
    Broken("read " + Describe(*graph) + "\nfor " + plain.said);
  }
}

}  // namespace
}  // namespace graph_coverage::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  graph_coverage::fuzz::Compare(graph_coverage::fuzz::TextOf(data, size));
  return 0;
}
