// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/dependencies.h"

#include <algorithm>

namespace graph_coverage::synthetic {
namespace {

struct Access {
  std::uint32_t op;
  const Use* use;
};

// What has happened to a tensor so far.
struct History {
  std::vector<Access> writers;   // since and with the last write
  std::vector<Access> readers;   // since the last write
  std::vector<Access> orderers;  // operands that only order, since then
};

bool WritesInput(const Operator& op, std::size_t slot) {
  return std::find(op.written_inputs.begin(), op.written_inputs.end(), slot) !=
         op.written_inputs.end();
}

}  // namespace

std::vector<std::vector<Dependency>> FindDependencies(const Program& program) {
  const std::vector<Operator>& ops = program.operators();
  std::vector<std::vector<Dependency>> result(ops.size());
  std::vector<History> histories(program.tensors().size());

  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Operator& op = ops[i];
    std::vector<Dependency>& needs = result[i];
    const auto follow = [&](const std::vector<Access>& earlier,
                            const Use& use) {
      for (const Access& access : earlier) {
        if (access.op != i) needs.push_back({access.op, access.use, &use});
      }
    };
    const auto read = [&](const Use& use) {
      History& history = histories[Index(use.tensor)];
      follow(history.writers, use);
      follow(history.orderers, use);
    };
    const auto write = [&](const Use& use) {
      History& history = histories[Index(use.tensor)];
      follow(history.writers, use);
      follow(history.readers, use);
    };

    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
      const Use& use = op.inputs[slot];
      if (use.tensor == kNoTensor) continue;
      read(use);
      if (WritesInput(op, slot)) write(use);
    }
    for (const Use& use : op.outputs) {
      if (use.tensor != kNoTensor && !use.order_only) write(use);
    }

    // Only now: an operator that reads and writes a tensor is no dependency
    // of itself.
    for (const Use& use : op.inputs) {
      if (use.tensor == kNoTensor || use.order_only) continue;
      histories[Index(use.tensor)].readers.push_back({i, &use});
    }
    const auto wrote = [&](const Use& use) {
      History& history = histories[Index(use.tensor)];
      if (use.order_only) {
        history.orderers.push_back({i, &use});
        return;
      }
      history = {{{i, &use}}, {}, {}};
    };
    for (const std::uint32_t slot : op.written_inputs) wrote(op.inputs[slot]);
    for (const Use& use : op.outputs) {
      if (use.tensor != kNoTensor) wrote(use);
    }
  }
  return result;
}

}  // namespace graph_coverage::synthetic
