// SPDX-License-Identifier: Apache-2.0
//
// A contract: the recorded coverage of a good build, one for all ranks, folded
// over layers, by the names of task types. It is a file to be reviewed and kept
// beside the sources; docs/contract.md explains it.
//
//   WriteContract(RecordContract("build/gendir"))      a file's text
//   Differences(ReadContract("coverage.contract.json"),
//               RecordContract("build/gendir"))        what has changed since
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/gendir.h"
#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// What one line of a contract is about.
enum class ContractSubject { kTensor, kTaskType, kBranch };
// "tensor", "task type", "branch".
const char* ToString(ContractSubject subject);

// One recorded fact: a count of operands or tasks with a fingerprint of their
// tiles or events, or a text alone.
struct ContractFact {
  std::uint64_t count = 0;  // 0: no count
  std::string text;

  friend bool operator==(const ContractFact& a, const ContractFact& b) {
    return a.count == b.count && a.text == b.text;
  }
  friend bool operator!=(const ContractFact& a, const ContractFact& b) {
    return !(a == b);
  }
};
using ContractFacts = std::map<std::string, ContractFact>;

// The facts of one tensor, task type or branch, on the ranks and in the layers
// where they are the same.
struct ContractLine {
  ContractSubject subject = ContractSubject::kTensor;
  // A tensor's family ("layer_#_q_norm"), a task type, a branch
  // ("TASK_RMS_NORM 0").
  std::string name;
  std::vector<RankId> ranks;  // ascending
  // The layers that it is of, or where it is used if it is of none; empty: not
  // in a layer.
  std::string prefix;                 // "layer_"
  std::vector<std::uint32_t> layers;  // ascending
  ContractFacts facts;
};

struct Contract {
  std::string file;  // where it was read or recorded from
  std::vector<RankId> ranks;
  std::vector<ContractLine> lines;
};

// Records a gendir's coverage. Throws InputError where it cannot be read.
Contract RecordContract(const Gendir& gendir, const AuditOptions& options = {});

// The contract as a file's text: JSON, the same bytes for the same coverage.
// Throws InputError where it is larger than what is read back: a layer above
// 65,535, more than 1,048,576 layers and ranks over all lines, 4 MiB.
std::string WriteContract(const Contract& contract);

// Reads it back. Throws InputError, with file, line and column, where it cannot
// be read or is no contract.
Contract ReadContract(const std::string& path);
// The same of a text; `file` is its name in errors.
Contract ParseContract(std::string_view text, const std::string& file);

// What differs of one tensor family, task type or branch.
struct ContractDifference {
  ContractSubject subject = ContractSubject::kTensor;
  std::string name;                   // "layer_{3,17}_q_norm"
  std::vector<RankId> ranks;          // ascending
  std::vector<std::uint32_t> layers;  // ascending; empty: not in a layer
  // The lines' facts that differ: "layer 17: 8 refs by TASK_X.in3, were 16".
  std::vector<std::string> changes;
};

struct DiffOptions {
  // Leaves out what is said by the names of task types: slots are compared
  // without them, and task types and branches not at all. For builds of one
  // model for different targets.
  bool ignore_type_names = false;
};

// What `is` has otherwise than `was`, on the ranks that both have: tensors,
// task types, branches, each in the order of their names.
std::vector<ContractDifference> Differences(const Contract& was,
                                            const Contract& is,
                                            const DiffOptions& options = {});

// The differences for people: counts, then a line each. Empty where both are
// alike.
std::string WriteDiff(const Contract& was, const Contract& is,
                      const DiffOptions& options = {});

// GoogleTest prints these types with one line each.
void PrintTo(const ContractFact& fact, std::ostream* out);
void PrintTo(const ContractLine& line, std::ostream* out);
void PrintTo(const Contract& contract, std::ostream* out);
void PrintTo(const ContractDifference& difference, std::ostream* out);

}  // namespace graph_coverage
