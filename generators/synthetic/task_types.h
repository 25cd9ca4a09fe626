// SPDX-License-Identifier: Apache-2.0
//
// The task types that the builder can write: how they are numbered and what
// their branch of the dispatch chain passes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

struct TaskType {
  std::string_view name;
  std::uint32_t number;
  // The arguments of the branch's call, in order, a word each:
  //   iN oN    input or output slot N by pointer
  //   tN uN    input or output slot N by TMA descriptor
  //   rN       input slot N on rank 0, nullptr above (residual, bias)
  //   norm     whether slot 3 holds a tensor; rope: whether slot 5 does
  //   m.F      task_metadata.F;  c.F: runtime_config.F
  //   first    whether this is rank 0, asked at run time
  // anything else stands as it is. Slots that an operator lacks are left out.
  std::string_view arguments;
};

// The type of that name, or null.
const TaskType* FindTaskType(std::string_view name);

// Whether a type's tasks write to another rank and trigger an event there.
bool IsRemote(std::string_view type);

// The number of a type: the program's own, else today's. Throws
// std::invalid_argument where neither knows it.
std::uint32_t NumberOf(const Program& program, const std::string& type);

// The argument words of an operator's branch; made from its slots where the
// table has no such type.
std::string ArgumentsOf(const Operator& op);

}  // namespace graph_coverage::synthetic
