// SPDX-License-Identifier: Apache-2.0
//
// A deliberately simple reading of artifacts, for judging the builder: plain
// JSON, regular expressions, and no code of the project.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/gendir.h"

namespace graph_coverage::synthetic {

struct NaiveOperand {
  std::string name;
  std::int64_t type = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;

  bool null() const { return name == "nullptr"; }
  std::int64_t element() const;
  // [first, last) of every contiguous run of bytes.
  std::vector<std::pair<std::int64_t, std::int64_t>> Runs() const;
};

struct NaiveEventId {
  std::uint64_t raw = 0;
  bool none() const { return raw == 0x7ffffffffffffffe; }
  std::size_t index() const { return raw & 0xffffffff; }
  std::size_t gpu() const { return raw >> 32 & 0xffff; }
  bool remote() const { return raw >> 48 == 0x1e00; }
};

struct NaiveTask {
  std::int64_t type = 0;
  std::int64_t variant = 0;
  std::int64_t request_id = -1;
  std::int64_t expert_offset = -1;
  NaiveEventId dependent;
  NaiveEventId trigger;
  std::vector<NaiveOperand> inputs;
  std::vector<NaiveOperand> outputs;
};

struct NaiveEvent {
  std::int64_t type = 0;
  std::uint64_t triggers = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

// One branch of the dispatch chain.
struct NaiveBranch {
  std::string type;
  std::int64_t variant = 0;
  std::string text;
};

struct NaiveRank {
  std::vector<NaiveTask> tasks;
  std::vector<NaiveEvent> events;
  std::vector<std::size_t> first_tasks;
  std::string source;
  std::string graph;
  std::vector<std::string> declared;          // all_tensors
  std::map<std::string, std::int64_t> bytes;  // of allocated tensors
  std::vector<NaiveBranch> branches;
  std::map<std::int64_t, std::string> type_names;  // by order

  std::string TypeOf(const NaiveTask& task) const;
};

const std::string& ContentOf(const Gendir& gendir, const std::string& file);

// Reads one rank's files. Throws where they are not what is expected.
NaiveRank ReadNaively(const std::string& source, const std::string& graph);

}  // namespace graph_coverage::synthetic
