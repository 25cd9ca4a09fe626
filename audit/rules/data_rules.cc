// SPDX-License-Identifier: Apache-2.0
//
// Rules about what lies in memory when it is read: uninitialised-read,
// uninitialised-accumulator, stale-tile, dtype-mismatch.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"
#include "audit/rules/race_findings.h"

namespace graph_coverage {
namespace {

std::string SlotText(const RankContext& rank, TaskId task,
                     const Access& access) {
  return fmt::format("{} slot {} of {}", access.output ? "output" : "input",
                     access.slot,
                     rank.view.TypeName(rank.view.task(task).type));
}

std::string BytesText(const ByteRange& bytes) {
  return fmt::format("bytes {} to {}", bytes.first, bytes.last);
}

Finding& AddForTensor(const RankContext& rank, TensorId tensor,
                      Judgement& judgement) {
  Finding& finding = judgement.Add();
  finding.tensor = rank.view.tensor_name(tensor);
  const Declaration* declaration = rank.view.declaration(tensor);
  if (declaration != nullptr) {
    finding.places.push_back(
        {rank.view.source_file(), declaration->line, 0, 0});
  }
  return finding;
}

// Whether a task of a type that the semantics table lacks names the tensor as
// an input: it may write it there.
bool MayBeWrittenUnseen(const RankContext& rank, TensorId tensor) {
  const Accesses& accesses = rank.analyses.order().accesses();
  for (const Reference& reference : rank.view.references(tensor)) {
    const Task task = rank.view.task(reference.task);
    if (!reference.output && !accesses.use(task.type, task.variant).known) {
      return true;
    }
  }
  return false;
}

// The classes that some task writes without adding to what is there.
std::vector<bool> InitialisedClasses(const RankContext& rank) {
  Order& order = rank.analyses.order();
  std::vector<bool> tiles(order.accesses().tiles().size());
  for (std::size_t i = 0; i < rank.view.task_count(); ++i) {
    for (const Access& access : order.accesses().of(TaskId(i))) {
      if (access.writes && !access.accumulates) tiles[access.tile] = true;
    }
  }
  std::vector<bool> classes(order.memory().class_count());
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile) {
    if (!tiles[tile]) continue;
    for (const std::uint32_t region : order.memory().classes(tile)) {
      classes[region] = true;
    }
  }
  return classes;
}

// Whether a tensor has tiles of different data types; mostly none has.
bool HasSeveralTypes(const std::vector<TileId>& tiles,
                     const std::vector<DataType>& type_of,
                     std::size_t tensors) {
  std::vector<std::optional<DataType>> first(tensors);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    std::optional<DataType>& type = first[Index(tiles[i].tensor)];
    if (!type) type = type_of[i];
    if (*type != type_of[i]) return true;
  }
  return false;
}

// Who touches a tensor as which data type.
struct Typed {
  DataType type = DataType::kUnknown;
  TaskId task{};
  Access access;
};

}  // namespace

void JudgeUninitialisedRead(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  Order& order = rank.analyses.order();
  judgement.Judged(order.memory().class_count());
  SayWhatIsLeftOut(rank, judgement);
  for (const UnwrittenRead& read : order.walk().unwritten) {
    if (MayBeWrittenUnseen(rank, read.tensor)) {
      judgement.CouldNotJudge(
          "a type that the semantics table lacks may write the tensor in an "
          "input slot");
      continue;
    }
    Finding& finding = AddForTensor(rank, read.tensor, judgement);
    finding.tasks = RangesOf(read.readers);
    const bool ever = order.accesses().written(read.tensor);
    finding.found = fmt::format(
        "is read in {} and {}", SlotText(rank, read.readers[0], read.access),
        ever ? fmt::format("nothing wrote {} before", BytesText(read.bytes))
             : "no task writes it");
    finding.expected = "that what is read was written";
    finding.advice = "Wire the operator that fills it, or fill it first";
  }
}

void JudgeUninitialisedAccumulator(const RankContext& rank,
                                   Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  Order& order = rank.analyses.order();
  if (!order.accesses().any_accumulates()) return;
  const std::vector<bool> initialised = InitialisedClasses(rank);
  std::map<TensorId, std::size_t> found;
  for (std::size_t i = 0; i < rank.view.task_count(); ++i) {
    for (const Access& access : order.accesses().of(TaskId(i))) {
      if (!access.accumulates) continue;
      const TensorId tensor = order.accesses().tiles()[access.tile].tensor;
      if (!IsOwnMemory(rank.view, tensor)) continue;
      judgement.Judged();
      for (const std::uint32_t region : order.memory().classes(access.tile)) {
        if (initialised[region]) continue;
        const auto [at, added] =
            found.emplace(tensor, judgement.findings().size());
        if (added) {
          Finding& finding = AddForTensor(rank, tensor, judgement);
          finding.found =
              fmt::format("is added to in {} and nothing initialises {}",
                          SlotText(rank, TaskId(i), access),
                          BytesText(order.memory().bytes(region)));
          finding.expected = "a task that writes it before the sum";
          finding.advice = "Zero it, or write the residual to it first";
        }
        judgement.findings()[at->second].tasks.push_back(
            {TaskId(i), TaskId(i)});
        break;
      }
    }
  }
}

void JudgeStaleTile(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  Order& order = rank.analyses.order();
  judgement.Judged(order.groups().count());
  SayWhatIsLeftOut(rank, judgement);
  for (const StaleRead& read : order.walk().stale) {
    Finding& finding = AddForTensor(rank, read.tensor, judgement);
    finding.tasks = {{read.old_writer, read.old_writer},
                     {read.new_writer, read.new_writer},
                     {read.reader, read.reader}};
    finding.found = fmt::format(
        "is read in {} by task {} after a new operator wrote it in part: {} "
        "are still of task {}, the rest of task {}",
        SlotText(rank, read.reader, read.access), Index(read.reader),
        BytesText(read.bytes), Index(read.old_writer), Index(read.new_writer));
    finding.expected = "tiles of one operator that cover what is read";
    finding.advice = "Add the tiles that are missing, or mend their offsets";
  }
}

void JudgeDtypeMismatch(const RankContext& rank, Judgement& judgement) {
  Order& order = rank.analyses.order();
  const Accesses& accesses = order.accesses();
  std::vector<DataType> type_of;  // by tile
  for (const TileId& tile : accesses.tiles()) {
    type_of.push_back(rank.view.layout(tile.layout).data_type);
  }
  if (!HasSeveralTypes(accesses.tiles(), type_of, rank.view.tensor_count())) {
    for (std::size_t i = 0; i < rank.view.tensor_count(); ++i) {
      if (accesses.written(TensorId(i))) judgement.Judged();
    }
    return;
  }
  std::vector<std::optional<Typed>> writer_of(rank.view.tensor_count());
  const auto for_each = [&](bool writes, const auto& visit) {
    for (std::size_t i = 0; i < rank.view.task_count(); ++i) {
      for (const Access& access : accesses.of(TaskId(i))) {
        if (writes != access.writes) continue;
        visit(accesses.tiles()[access.tile].tensor,
              Typed{type_of[access.tile], TaskId(i), access});
      }
    }
  };
  std::map<TensorId, std::size_t> found;
  const auto compare = [&](TensorId tensor, const Typed& use) {
    const std::optional<Typed>& writer = writer_of[Index(tensor)];
    if (!writer || writer->type == use.type) return;
    const auto [at, added] = found.emplace(tensor, judgement.findings().size());
    if (added) {
      Finding& finding = AddForTensor(rank, tensor, judgement);
      finding.found = fmt::format(
          "is written as {} in {} and {} as {} in {}", ToString(writer->type),
          SlotText(rank, writer->task, writer->access),
          use.access.writes ? "also" : "read", ToString(use.type),
          SlotText(rank, use.task, use.access));
      finding.expected = "one data type for all that touch it";
      finding.advice = "Give the operand the type of the tensor";
      finding.tasks = {{writer->task, writer->task}};
    }
    judgement.findings()[at->second].tasks.push_back({use.task, use.task});
  };
  for_each(true, [&](TensorId tensor, const Typed& use) {
    std::optional<Typed>& writer = writer_of[Index(tensor)];
    if (writer) {
      compare(tensor, use);
    } else {
      writer = use;
      judgement.Judged();
    }
  });
  for_each(false, compare);
}

}  // namespace graph_coverage
