// SPDX-License-Identifier: Apache-2.0
//
// What a campaign returns, and how it is written. Every output is a function
// of the result, the same bytes for the same result.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/error.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

enum class Outcome {
  kCaught,      // a new finding, warning or error, names the edit
  kSurvived,    // none does
  kEquivalent,  // none does, and none should: Mutant::reason
  kOracleGap,   // one does, though nothing changed that an audit should mind
  kError,       // judging it failed; that is no catch
};
// "caught", "survived", "equivalent", "oracle-gap", "error".
const char* ToString(Outcome outcome);

struct Mutant {
  std::string id;
  Outcome outcome = Outcome::kSurvived;
  // Rules that caught it, in the order of the catalogue; one of them where the
  // verdict stopped at the first.
  std::vector<std::string> rules;
  std::string reason;  // why it is equivalent, or what failed; may be empty
  std::string before;  // a line each: what the edit changed
  std::string after;
};

struct OutcomeCounts {
  std::uint64_t caught = 0;
  std::uint64_t survived = 0;
  std::uint64_t equivalent = 0;
  std::uint64_t oracle_gap = 0;
  std::uint64_t error = 0;

  std::uint64_t total() const {
    return caught + survived + equivalent + oracle_gap + error;
  }
  OutcomeCounts& operator+=(const OutcomeCounts& other);
};

// Mutants that should be caught, and those that were. Equivalent ones and
// oracle gaps do not count, errors count as not caught.
struct Score {
  std::uint64_t caught = 0;
  std::uint64_t of = 0;
};

struct OperatorResult {
  std::string op;
  std::uint64_t places = 0;  // mutants that there are
  std::uint64_t chosen = 0;  // those that the campaign judges
  OutcomeCounts counts;
  // How many each rule caught; where verdicts stop at the first rule, it was
  // that.
  std::map<std::string, std::uint64_t> rules;
  // Of those audited by all rules, how many no other rule caught.
  std::map<std::string, std::uint64_t> alone;
  // Of those audited by all rules: what is caught with operand-shape,
  // missing-operand and null-dereferenced off.
  Score without_shape_rules;
  // In the order of the artifacts: all but the caught; those, too, if kept.
  std::vector<Mutant> mutants;
};

struct Baseline {
  Verdict verdict = Verdict::kInvalid;
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t notes = 0;
  std::vector<std::string> findings;  // messages of warnings and errors
};

struct CampaignResult {
  std::string gendir;
  std::vector<InputError> errors;  // nothing was judged, or not all
  Baseline baseline;
  std::uint64_t seed = 0;
  std::vector<std::string> off;           // rules that are switched off
  std::vector<std::string> arguments;     // that a replay repeats
  std::vector<OperatorResult> operators;  // in the order of the table

  OutcomeCounts counts() const;
  Score all_rules() const;
  Score without_shape_rules() const;
  // Edits of a whole operator, layer or model.
  Score whole() const;
  // Mutants that were neither caught nor equivalent.
  bool passed() const;
};

// "161,605 of 161,606 (99.99 %)": never rounded up.
std::string ToString(const Score& score);

// The command that judges one mutant again, for a shell.
std::string ReplayCommand(const CampaignResult& result, const Mutant& mutant);

// For people: scores, a line an operator, the rules, every survivor.
std::string WriteCampaignText(const CampaignResult& result);
// For machines: docs/mutation.md describes the form.
std::string WriteCampaignJson(const CampaignResult& result);
// The mutation-testing-elements report schema, for its viewers.
std::string WriteCampaignElements(const CampaignResult& result);
// One testsuite an operator, one testcase a mutant.
std::string WriteCampaignJunit(const CampaignResult& result);

// A page for a browser that needs nothing else: the operators by rules, the
// survivors. Of each operator and outcome it lists the first 200 mutants.
std::string WriteCampaignHtml(const CampaignResult& result);

// GoogleTest prints these types with one line each.
void PrintTo(Outcome outcome, std::ostream* out);
void PrintTo(const Mutant& mutant, std::ostream* out);
void PrintTo(const OutcomeCounts& counts, std::ostream* out);
void PrintTo(const Score& score, std::ostream* out);
void PrintTo(const CampaignResult& result, std::ostream* out);

}  // namespace graph_coverage
