// SPDX-License-Identifier: Apache-2.0
//
// How exhibits edit a program before it is written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::museum {

// "layer_2_q_norm"
std::string InLayer(std::uint32_t layer, const std::string& name);

// The tensor of that name; throws std::invalid_argument where there is none.
synthetic::TensorRef Find(const synthetic::Program& program,
                          const std::string& name);

// Changes every operator that names the tensor; throws where none does.
void EditUsers(synthetic::Program& program, const std::string& tensor,
               const std::function<void(synthetic::Operator&)>& change);

// Appends an operator right behind the last one that names the tensor.
void InsertBehind(synthetic::Program& program, const std::string& tensor,
                  synthetic::Operator op);

}  // namespace graph_coverage::museum
