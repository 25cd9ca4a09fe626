// SPDX-License-Identifier: Apache-2.0
//
// A report: what an audit returns. Every output is written from it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

enum class Verdict {
  kPass,     // no finding of the severity that fails
  kFail,     // at least one
  kInvalid,  // nothing was audited: see Report::errors
};
// "pass", "fail", "invalid".
const char* ToString(Verdict verdict);

// How often the tasks of one layer read a tensor.
struct LayerReads {
  std::string layer;  // "layer_17"
  std::uint64_t input_refs = 0;

  friend bool operator==(const LayerReads& a, const LayerReads& b) {
    return a.layer == b.layer && a.input_refs == b.input_refs;
  }
};

// One declared tensor, on the ranks where its facts are the same.
struct TensorCoverage {
  std::string name;
  std::string family;  // the name, its layer number replaced by '#'
  TensorKind kind = TensorKind::kAttached;
  bool critical = false;
  // Whether a task reads it: by name, through an alias, or through a copy into
  // a shuffled tensor that is read.
  bool consumed = false;
  std::vector<RankId> ranks;
  std::uint64_t input_refs = 0;   // operands that read it
  std::uint64_t output_refs = 0;  // operands that write it
  // Ascending, as the task graph numbers them.
  std::vector<std::uint32_t> consumer_task_types;
  std::vector<std::uint32_t> producer_task_types;
  // The names of consumer_task_types, in their order: a number where a type
  // has none.
  std::vector<std::string> consumer_type_names;
  // Layers that read it, in the order of Report::layers. Tasks of no layer are
  // left out.
  std::vector<LayerReads> reads_by_layer;
  // Where the kernel source of the first of `ranks` declares it, from 1.
  std::uint32_t line = 0;
};

// What was read for one rank.
struct RankSummary {
  RankId rank{};
  std::string kernel_file;
  std::string graph_file;
  std::uint64_t tasks = 0;
  std::uint64_t operands = 0;
  std::uint64_t events = 0;
  std::uint64_t declarations = 0;
  std::uint64_t branches = 0;
  std::string type_binding;          // which way types got their names
  std::vector<std::string> remarks;  // unknown keys and the like
};

// What one rule did, over all ranks.
struct RuleOutcome {
  std::string rule;
  std::uint64_t judged = 0;
  // Why subjects could not be judged, and how many.
  std::map<std::string, std::uint64_t> could_not_judge;
};

struct WaivedFinding {
  Finding finding;
  std::string reason;
  std::string expires = {};  // the waiver's last day; empty: for good
};

// What the audit was asked to look at otherwise.
struct PolicySummary {
  std::string file;  // the policy file; empty: none
  std::vector<std::string> off;
  std::uint64_t waivers = 0;
  std::uint64_t layer_kinds = 0;
  std::string contract;  // the contract's file; empty: none
};

struct Report {
  std::string gendir;
  Verdict verdict = Verdict::kInvalid;
  Severity fail_on = Severity::kError;
  bool critical_list = false;  // critical tensors were named by the user
  PolicySummary policy;
  std::vector<InputError> errors;
  std::vector<RankSummary> ranks;
  std::map<std::uint32_t, std::string> type_names;  // number to name
  // "layer_0", … "mtp_step1": those that have weights of their own.
  std::vector<std::string> layers;
  std::vector<TensorCoverage> tensors;  // in the order of the source
  std::vector<RuleOutcome> rules;       // in the order of the catalogue
  std::vector<Finding> findings;        // worst first, then catalogue order
  std::vector<WaivedFinding> waived;

  // Findings of that severity, consequences not counted.
  std::uint64_t Count(Severity severity) const;

  // The finding of that id, be it waived or a consequence; null: none.
  const Finding* Find(std::string_view id) const;
};

// GoogleTest prints these types with one line each.
void PrintTo(Verdict verdict, std::ostream* out);
void PrintTo(const TensorCoverage& tensor, std::ostream* out);
void PrintTo(const RankSummary& summary, std::ostream* out);
void PrintTo(const RuleOutcome& outcome, std::ostream* out);
void PrintTo(const WaivedFinding& waived, std::ostream* out);
void PrintTo(const PolicySummary& policy, std::ostream* out);
void PrintTo(const Report& report, std::ostream* out);

}  // namespace graph_coverage
