// SPDX-License-Identifier: Apache-2.0
//
// A tiny model of several layers, made without files, that a test can alter
// task by task before it is built. Unaltered, no rule has anything to say.
//
//   TinyModel model;
//   model.alter = [](TinyTask& task) {
//     if (task.is("attention", 3)) task.inputs[5].name = "sin_table";
//   };
//   Rank rank = model.Build();
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/model/rank.h"

namespace graph_coverage {

struct TinyTile {
  std::string name;
  std::vector<std::int64_t> dims;
  DataType data_type = DataType::kBf16;
  std::int64_t offset = 0;
};

struct TinyTask {
  std::string op;  // "embedding", "norm", "qkv", "attention", "o_proj", "final"
  std::uint32_t layer = 0;
  std::uint32_t tile = 0;  // of TinyModel::tiles
  std::uint32_t type = 0;
  std::uint32_t variant = 0;
  std::vector<TinyTile> inputs;
  std::vector<TinyTile> outputs;
  bool dropped = false;

  bool is(const std::string& name) const { return op == name; }
  bool is(const std::string& name, std::uint32_t of_layer) const {
    return op == name && layer == of_layer;
  }
};

struct TinyModel {
  std::uint32_t rank = 0;
  std::uint32_t num_gpus = 1;
  std::uint32_t layers = 10;
  std::uint32_t tiles = 8;
  bool collective = true;  // sum over ranks where there are several

  std::function<void(TinyTask&)> alter;
  std::function<void(Declaration&)> alter_declaration;
  std::function<void(std::vector<Branch>&)> alter_branches;

  Rank Build() const;
};

// The line of a tensor's declaration in the source of the model.
std::optional<std::uint32_t> LineOf(const Rank& rank, const std::string& name);

}  // namespace graph_coverage
