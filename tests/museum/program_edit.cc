// SPDX-License-Identifier: Apache-2.0
#include "tests/museum/program_edit.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace graph_coverage::museum {
namespace {

using synthetic::Operator;
using synthetic::Program;
using synthetic::TensorRef;
using synthetic::Use;

bool Names(const Operator& op, TensorRef tensor) {
  const auto is = [tensor](const Use& use) { return use.tensor == tensor; };
  return std::any_of(op.inputs.begin(), op.inputs.end(), is) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), is);
}

[[noreturn]] void Nothing(const std::string& tensor) {
  throw std::invalid_argument("the program has no use of " + tensor);
}

}  // namespace

std::string InLayer(std::uint32_t layer, const std::string& name) {
  return "layer_" + std::to_string(layer) + "_" + name;
}

TensorRef Find(const Program& program, const std::string& name) {
  const std::vector<synthetic::Tensor>& tensors = program.tensors();
  for (std::uint32_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name == name) return TensorRef(i);
  }
  Nothing(name);
}

void EditUsers(Program& program, const std::string& tensor,
               const std::function<void(Operator&)>& change) {
  const TensorRef ref = Find(program, tensor);
  std::vector<Operator> operators = program.operators();
  bool changed = false;
  for (Operator& op : operators) {
    if (!Names(op, ref)) continue;
    change(op);
    changed = true;
  }
  if (!changed) Nothing(tensor);
  program.Replace(std::move(operators));
}

void InsertBehind(Program& program, const std::string& tensor, Operator op) {
  const TensorRef ref = Find(program, tensor);
  std::vector<Operator> operators = program.operators();
  const auto last =
      std::find_if(operators.rbegin(), operators.rend(),
                   [ref](const Operator& other) { return Names(other, ref); });
  if (last == operators.rend()) Nothing(tensor);
  operators.insert(last.base(), std::move(op));
  program.Replace(std::move(operators));
}

}  // namespace graph_coverage::museum
