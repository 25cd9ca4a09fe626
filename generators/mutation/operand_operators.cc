// SPDX-License-Identifier: Apache-2.0
//
// Operators that drop, null and swap operands.
#include <algorithm>
#include <set>

#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

std::vector<Site> InputSites(const RankIndex& index) {
  return OperandSites(index, false);
}

std::vector<Site> OutputSites(const RankIndex& index) {
  return OperandSites(index, true);
}

template <typename T>
void EraseAt(std::size_t at, std::vector<T>* items) {
  items->erase(items->begin() + static_cast<std::ptrdiff_t>(at));
}

void Drop(const RankIndex& index, const Mutation& mutation, Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  EraseAt(slot, &EditTask(index, *mutation.task, overlay).inputs);
}

void DropOutput(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, true);
  EraseAt(slot, &EditTask(index, *mutation.task, overlay).outputs);
}

void Null(const RankIndex& index, const Mutation& mutation, Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  EditTask(index, *mutation.task, overlay).inputs[slot] =
      NullOperand(index, overlay);
}

// Tensors that some input names; a is the tensor.
std::vector<Site> ReadTensors(const RankIndex& index) {
  std::vector<Site> sites;
  for (std::uint32_t i = 0; i < index.view().tensor_count(); ++i) {
    if (index.view().IsNull(TensorId(i))) continue;
    for (const Reference& reference : index.view().references(TensorId(i))) {
      if (reference.output) continue;
      sites.push_back({i, 0, 1});
      break;
    }
  }
  return sites;
}

void FillTensor(const RankIndex& index, const Site& site, std::uint32_t,
                Mutation& mutation) {
  mutation.subject = index.view().tensor_name(TensorId(site.a));
}

void FillEverywhere(const RankIndex& index, const Site& site, std::uint32_t k,
                    Mutation& mutation) {
  FillTensor(index, site, k, mutation);
  mutation.rank.reset();
}

// Takes the tensor out of all inputs of the tasks of that layer, or of all.
void DropReaders(const RankIndex& index, const Mutation& mutation,
                 Overlay& overlay) {
  const TensorId tensor = TensorOf(index, mutation, mutation.subject);
  for (const Reference& reference : index.view().references(tensor)) {
    const auto task = static_cast<std::uint32_t>(Index(reference.task));
    if (reference.output) continue;
    if (mutation.layer && index.layer_of(task) != mutation.layer) continue;
    std::vector<Operand>& inputs = EditTask(index, task, overlay).inputs;
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                                [tensor](const Operand& operand) {
                                  return operand.tensor == tensor;
                                }),
                 inputs.end());
  }
}

// Tensors read in several layers, by layer: b is the layer.
std::vector<Site> LayersOfTensors(const RankIndex& index) {
  std::vector<Site> sites;
  for (const Site& read : ReadTensors(index)) {
    std::set<std::uint32_t> layers;
    for (const Reference& reference :
         index.view().references(TensorId(read.a))) {
      const auto layer =
          index.layer_of(static_cast<std::uint32_t>(Index(reference.task)));
      if (!reference.output && layer) layers.insert(*layer);
    }
    if (layers.size() < 2) continue;
    for (const std::uint32_t layer : layers) sites.push_back({read.a, layer});
  }
  return sites;
}

void FillLayer(const RankIndex& index, const Site& site, std::uint32_t k,
               Mutation& mutation) {
  FillTensor(index, site, k, mutation);
  mutation.layer = site.b;
}

// Input slots of the first task of each operator.
std::vector<Site> OperatorSlots(const RankIndex& index) {
  std::vector<Site> sites;
  for (const Site& site : InputSites(index)) {
    if (index.run_of(site.a).begin == site.a) sites.push_back(site);
  }
  return sites;
}

void EraseSlot(const RankIndex& index, std::uint32_t task, std::size_t slot,
               Overlay& overlay) {
  std::vector<Operand>& inputs = EditTask(index, task, overlay).inputs;
  if (slot < inputs.size()) EraseAt(slot, &inputs);
}

void DropSlot(const RankIndex& index, const Mutation& mutation,
              Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  const TaskRun run = index.run_of(*mutation.task);
  for (std::uint32_t task = run.begin; task < run.end; ++task) {
    EraseSlot(index, task, slot, overlay);
  }
}

// Input slots of the first task of each (type, variant).
std::vector<Site> TypeSlots(const RankIndex& index) {
  std::vector<Site> sites;
  for (const Site& site : OperatorSlots(index)) {
    if (index.tasks_like(site.a).front() == site.a) sites.push_back(site);
  }
  return sites;
}

void DropTypeSlot(const RankIndex& index, const Mutation& mutation,
                  Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  for (const std::uint32_t task : index.tasks_like(*mutation.task)) {
    EraseSlot(index, task, slot, overlay);
  }
}

// Pairs of different operands of one list; b is first << 16 | second.
std::vector<Site> Pairs(const RankIndex& index, bool output) {
  std::vector<Site> sites;
  for (const Site& site : TaskSites(index)) {
    const Task task = index.view().task(TaskId(site.a));
    const Span<Operand> operands = output ? task.outputs : task.inputs;
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      for (std::uint32_t j = i + 1; j < operands.size(); ++j) {
        if (operands[i] != operands[j]) sites.push_back({site.a, i << 16 | j});
      }
    }
  }
  return sites;
}

std::vector<Site> InputPairs(const RankIndex& index) {
  return Pairs(index, false);
}

std::vector<Site> OutputPairs(const RankIndex& index) {
  return Pairs(index, true);
}

void FillInputPair(const RankIndex& index, const Site& site, std::uint32_t k,
                   Mutation& mutation) {
  FillInput(index, {site.a, site.b >> 16}, k, mutation);
  mutation.with = site.b & 0xffff;
}

void FillOutputPair(const RankIndex& index, const Site& site, std::uint32_t k,
                    Mutation& mutation) {
  FillOutput(index, {site.a, site.b >> 16}, k, mutation);
  mutation.with = site.b & 0xffff;
}

void Swap(const RankIndex& index, const Mutation& mutation, bool output,
          Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, output);
  TaskEdit& edit = EditTask(index, *mutation.task, overlay);
  std::vector<Operand>& operands = output ? edit.outputs : edit.inputs;
  if (!mutation.with || *mutation.with >= operands.size()) {
    Refuse(mutation, "expected with=SLOT, another slot of the task");
  }
  std::swap(operands[slot], operands[*mutation.with]);
}

void SwapInputs(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  Swap(index, mutation, false, overlay);
}

void SwapOutputs(const RankIndex& index, const Mutation& mutation,
                 Overlay& overlay) {
  Swap(index, mutation, true, overlay);
}

}  // namespace

std::vector<OperatorRow> OperandOperators() {
  constexpr Edits kEdits = Edits::kOperands;
  return {
      {{"drop", "drop an input operand of a task", kEdits, "missing wiring"},
       InputSites,
       FillInput,
       Drop},
      {{"null", "set an input operand to \"nullptr\"", kEdits,
        "missing wiring"},
       InputSites,
       FillInput,
       Null},
      {{"drop-all", "drop every reader of a tensor on one rank", kEdits,
        "missing wiring", EditExtent::kModel},
       ReadTensors,
       FillTensor,
       DropReaders},
      {{"drop-everywhere", "drop every reader of a tensor on all ranks", kEdits,
        "missing wiring", EditExtent::kModel},
       ReadTensors,
       FillEverywhere,
       DropReaders},
      {{"drop-layer", "drop the readers of a tensor in one layer", kEdits,
        "a layer without its wiring", EditExtent::kLayer},
       LayersOfTensors,
       FillLayer,
       DropReaders},
      {{"drop-slot", "drop an input slot in all tasks of an operator", kEdits,
        "missing wiring", EditExtent::kOperator},
       OperatorSlots,
       FillInput,
       DropSlot},
      {{"drop-type-slot", "drop an input slot in all tasks of a type", kEdits,
        "missing wiring", EditExtent::kModel},
       TypeSlots,
       FillInput,
       DropTypeSlot},
      {{"swap", "swap two input operands of a task", kEdits, "wrong wiring"},
       InputPairs,
       FillInputPair,
       SwapInputs},
      {{"drop-output", "drop an output operand of a task", kEdits,
        "a result that is not written"},
       OutputSites,
       FillOutput,
       DropOutput},
      {{"swap-outputs", "swap two output operands of a task", kEdits,
        "wrong wiring"},
       OutputPairs,
       FillOutputPair,
       SwapOutputs},
  };
}

}  // namespace graph_coverage
