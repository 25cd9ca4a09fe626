// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/variants.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "generators/synthetic/task_types.h"
#include "generators/synthetic/tiling.h"

namespace graph_coverage::synthetic {
namespace {

// What a branch is compiled for, as numbers.
std::vector<std::int64_t> ShapeOf(const Program& program, const Operator& op) {
  std::vector<std::int64_t> shape;
  for (const std::vector<Use>* uses : {&op.inputs, &op.outputs}) {
    shape.push_back(static_cast<std::int64_t>(uses->size()));
    for (const Use& use : *uses) {
      if (use.tensor == kNoTensor) {
        shape.push_back(-1);
        continue;
      }
      const Tensor& tensor = program.tensor(use.tensor);
      const std::vector<std::int64_t> dims = TileDims(program, op, use);
      shape.push_back(static_cast<std::int64_t>(tensor.data_type));
      shape.push_back(static_cast<std::int64_t>(dims.size()));
      shape.insert(shape.end(), dims.begin(), dims.end());
    }
  }
  return shape;
}

}  // namespace

Variants FindVariants(const Program& program) {
  Variants result;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::uint32_t>
      known;
  std::map<std::string, std::uint32_t> count;
  const std::vector<Operator>& ops = program.operators();
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const auto [entry, fresh] = known.try_emplace(
        {ops[i].type, ShapeOf(program, ops[i])}, count[ops[i].type]);
    if (fresh) {
      result.all.push_back({ops[i].type, NumberOf(program, ops[i].type),
                            count[ops[i].type]++, i});
    }
    result.of.push_back(entry->second);
  }
  std::stable_sort(result.all.begin(), result.all.end(),
                   [](const Variant& a, const Variant& b) {
                     return std::tie(a.number, a.variant) <
                            std::tie(b.number, b.variant);
                   });
  return result;
}

}  // namespace graph_coverage::synthetic
