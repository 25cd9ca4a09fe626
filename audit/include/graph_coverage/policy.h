// SPDX-License-Identifier: Apache-2.0
//
// What the user wants of an audit: which tensors are critical, which findings
// are known and accepted, and how severe a rule is.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/ids.h"

namespace graph_coverage {

enum class Severity { kNote, kWarning, kError };
const char* ToString(Severity severity);  // "note", "warning", "error"
// The reverse; nothing where the text is none of the three.
std::optional<Severity> ParseSeverity(const std::string& text);

// Accepts findings on purpose. Patterns are globs: `*` any run, `?` any one.
struct Waiver {
  std::string rule = "*";
  std::string tensor = "*";  // a tensor, task type or event, as in the finding
  std::vector<std::uint32_t> layers;  // empty: all
  std::vector<RankId> ranks;          // empty: all
  std::string reason;                 // required
  // The last day on which it accepts anything, as "2027-03-31"; empty: it is
  // for good.
  std::string expires = {};
};

// Layers that differ from others on purpose. They are held against each other
// and not against the rest of the model.
struct LayerKind {
  std::vector<std::uint32_t> layers;
  std::string reason;       // required
  std::string prefix = {};  // "layer_"; empty: of any
};

struct Policy {
  // The tensors that must be consumed, as globs. Not given: every attached or
  // shuffled tensor that no task writes, runtime I/O buffers excepted.
  std::optional<std::vector<std::string>> critical;
  // Attached buffers that the runtime, not a task, reads or fills.
  std::vector<std::string> runtime_buffers = {
      "input_token", "output_token",    "all_tokens",
      "*_step",      "*_tokens_buffer", "*num_new_tokens"};
  // Tensors that must be declared (rule required-tensor-absent).
  std::vector<std::string> required;
  // The texts before a number that make it the number of a layer, such as
  // "layer_". Not given: those that number several tensors densely.
  std::optional<std::vector<std::string>> layer_prefixes;
  std::vector<LayerKind> layer_kinds;
  // A table of task semantics as JSON, in the form of the built-in one, whose
  // types add to it or replace its own; empty: none.
  std::string semantics;
  // Severities by rule id; `off` switches a rule off.
  std::map<std::string, Severity> severities;
  std::vector<std::string> off;
  std::vector<Waiver> waivers;
  // Rule groups ("A" to "F") for which "could not judge" is an input error.
  std::vector<std::string> require;
  // Findings of this severity or above fail the audit.
  Severity fail_on = Severity::kError;
  // The file that it was read from (policy_file.h); empty: none.
  std::string file;
  // The day of the audit, for waivers that expire, as "2027-03-31"; empty: the
  // system's, in UTC.
  std::string today;
};

// Whether the policy turns the rule off.
bool IsOff(const Policy& policy, std::string_view rule);

// Whether `name` matches the glob `pattern`, whole.
bool MatchesGlob(const std::string& pattern, const std::string& name);

// GoogleTest prints these types with one line each.
void PrintTo(Severity severity, std::ostream* out);
void PrintTo(const Waiver& waiver, std::ostream* out);
void PrintTo(const LayerKind& kind, std::ostream* out);
void PrintTo(const Policy& policy, std::ostream* out);

}  // namespace graph_coverage
