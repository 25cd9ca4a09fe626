// SPDX-License-Identifier: Apache-2.0
//
// How GoogleTest prints the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "audit/model/one_line.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {
namespace {

const char* ToString(Argument::Kind kind) {
  switch (kind) {
    case Argument::Kind::kInput:
      return "input slot";
    case Argument::Kind::kOutput:
      return "output slot";
    case Argument::Kind::kBoolean:
      return "boolean";
    case Argument::Kind::kNumber:
      return "number";
    case Argument::Kind::kNull:
      return "null";
    case Argument::Kind::kMetadata:
      return "task metadata";
    case Argument::Kind::kConfig:
      return "runtime config";
    case Argument::Kind::kOther:
      return "expression";
  }
  return "unknown";
}

const char* ToString(EventType type) {
  switch (type) {
    case EventType::kEmpty:
      return "EMPTY";
    case EventType::kLaunchTasks:
      return "LAUNCH_TASKS";
    case EventType::kLaunchMassiveTasks:
      return "LAUNCH_MASSIVE_TASKS";
    case EventType::kLaunchDependentTasks:
      return "LAUNCH_DEPENDENT_TASKS";
    case EventType::kEndOfTaskGraph:
      return "END_OF_TASK_GRAPH";
    case EventType::kTermination:
      return "TERMINATION";
    case EventType::kInvalid:
      return "INVALID";
  }
  return nullptr;  // a number of a newer version
}

}  // namespace

void PrintTo(TensorKind kind, std::ostream* out) { *out << ToString(kind); }

void PrintTo(const Copy& copy, std::ostream* out) {
  const std::string source = copy.source.empty()
                                 ? fmt::format("{:#x}", copy.source_address)
                                 : copy.source;
  *out << fmt::format("copy of {} to byte {}: {} of {}, line {}", source,
                      copy.target_offset, Counted(copy.height, "row"),
                      Counted(copy.width, "byte"), copy.line);
}

void PrintTo(const Declaration& declaration, std::ostream* out) {
  *out << fmt::format("{} {}", ToString(declaration.kind), declaration.name);
  if (!declaration.alias_of.empty()) {
    *out << " of " << declaration.alias_of;
  }
  if (declaration.bytes) {
    *out << ", " << Counted(*declaration.bytes, "byte");
  }
  if (!declaration.copies.empty()) {
    *out << ", " << Counted(declaration.copies.size(), "copy", "copies");
  }
  *out << ", line " << declaration.line;
}

void PrintTo(const Argument& argument, std::ostream* out) {
  *out << ToString(argument.kind) << ": " << OneLine(argument.text);
}

void PrintTo(const Branch& branch, std::ostream* out) {
  *out << fmt::format(
      "{} variant {}: reads slots [{}], writes slots [{}]"
      ", line {}",
      branch.type, branch.variant, fmt::join(branch.inputs, ", "),
      fmt::join(branch.outputs, ", "), branch.line);
}

void PrintTo(const KernelSource& source, std::ostream* out) {
  *out << fmt::format("{}: {}, {}", source.file,
                      Counted(source.declarations.size(), "declaration"),
                      Counted(source.branches.size(), "branch", "branches"));
}

void PrintTo(const Reference& reference, std::ostream* out) {
  *out << fmt::format("task {} {} slot {}", Index(reference.task),
                      reference.output ? "output" : "input", reference.slot);
}

void PrintTo(const Rank& rank, std::ostream* out) {
  *out << fmt::format("rank {}: {}, {}", Index(rank.id()),
                      Counted(rank.graph().task_count(), "task"),
                      Counted(rank.tensor_count(), "tensor"));
}

void PrintTo(DataType type, std::ostream* out) { *out << ToString(type); }

void PrintTo(const Layout& layout, std::ostream* out) {
  *out << fmt::format("{} dims [{}] strides [{}]", ToString(layout.data_type),
                      fmt::join(layout.dims, ", "),
                      fmt::join(layout.strides, ", "));
}

void PrintTo(const Operand& operand, std::ostream* out) {
  *out << fmt::format("tensor {}, layout {}, offset {}", Index(operand.tensor),
                      Index(operand.layout), operand.offset);
}

void PrintTo(const TaskMetadata& metadata, std::ostream* out) {
  const char* separator = "";
  const auto print = [&](TaskMetadata::Key key, const char* name,
                         std::int32_t value) {
    if ((metadata.keys & key) == 0) return;
    *out << separator << name << ' ' << value;
    separator = ", ";
  };
  print(TaskMetadata::kRequestId, "request_id", metadata.request_id);
  print(TaskMetadata::kKvIdx, "kv_idx", metadata.kv_idx);
  print(TaskMetadata::kMergeTaskOffset, "merge_task_offset",
        metadata.merge_task_offset);
  print(TaskMetadata::kExpertOffset, "expert_offset", metadata.expert_offset);
  print(TaskMetadata::kTaskOffset, "task_offset", metadata.task_offset);
  if (metadata.keys == 0) *out << "no metadata";
}

void PrintTo(const Task& task, std::ostream* out) {
  *out << fmt::format("type {} variant {}, {}, {}, waits for ", task.type,
                      task.variant, Counted(task.inputs.size(), "input"),
                      Counted(task.outputs.size(), "output"))
       << task.dependent << ", triggers " << task.trigger << ", ";
  PrintTo(task.metadata, out);
}

void PrintTo(EventType type, std::ostream* out) {
  if (const char* name = ToString(type)) {
    *out << name;
  } else {
    *out << "event type " << static_cast<unsigned>(type);
  }
}

void PrintTo(const Event& event, std::ostream* out) {
  PrintTo(event.type, out);
  *out << fmt::format(", {}, tasks [{}, {})",
                      Counted(event.num_triggers, "trigger"), event.first_task,
                      event.last_task);
}

void PrintTo(const GraphFormat& format, std::ostream* out) {
  *out << fmt::format("event {}{}{}",
                      format.event_objects ? "objects" : "integers",
                      format.dependent_event ? ", dependent_event" : "",
                      format.variant_id ? ", variant_id" : "");
  if (!format.unknown_keys.empty()) {
    *out << fmt::format(", unknown keys {}",
                        fmt::join(format.unknown_keys, ", "));
  }
}

void PrintTo(const TaskGraph& graph, std::ostream* out) {
  *out << fmt::format("{}: {}, {}, {}", graph.file(),
                      Counted(graph.task_count(), "task"),
                      Counted(graph.operand_count(), "operand"),
                      Counted(graph.event_count(), "event"));
}

void PrintTo(TypeBinding::Method method, std::ostream* out) {
  switch (method) {
    case TypeBinding::Method::kHeader:
      *out << "by header";
      return;
    case TypeBinding::Method::kTable:
      *out << "by table";
      return;
    case TypeBinding::Method::kOrder:
      *out << "by order";
      return;
    case TypeBinding::Method::kAmbiguous:
      *out << "ambiguous";
      return;
    case TypeBinding::Method::kNone:
      *out << "none";
      return;
  }
}

void PrintTo(const TypeBinding& binding, std::ostream* out) {
  *out << "type names ";
  PrintTo(binding.method(), out);
  if (!binding.explanation().empty()) {
    *out << ": " << OneLine(binding.explanation());
  }
}

void PrintTo(const View& view, std::ostream* out) {
  *out << fmt::format("view of rank {}: {}, {}", Index(view.rank()),
                      Counted(view.task_count(), "task"),
                      Counted(view.tensor_count(), "tensor"));
}

}  // namespace graph_coverage
