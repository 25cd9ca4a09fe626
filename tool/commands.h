// SPDX-License-Identifier: Apache-2.0
//
// The commands of mk-graph-coverage-audit. Each returns its exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "audit/artifacts/utf8.h"
#include "graph_coverage/gendir.h"
#include "graph_coverage/policy.h"

// A call that cannot be carried out as given: exit code 2.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& what)
      : std::runtime_error(graph_coverage::Printable(what)) {}
};

// The policy of a file, or where none is given the one beside the gendir.
graph_coverage::Policy PolicyOf(const graph_coverage::Gendir& gendir,
                                const std::string& file);

inline constexpr int kExitPass = 0;
inline constexpr int kExitFail = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitFault = 3;
inline constexpr int kExitBaseline = 4;

// What --format of `audit` takes.
inline constexpr std::string_view kAuditFormats[] = {"text",  "json",   "sarif",
                                                     "junit", "github", "html"};

// What `audit` was asked for; the command line says what each word means.
struct AuditArguments {
  std::vector<std::string> gendirs;
  std::vector<std::string> critical;
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> formats;
  std::string output;
  bool sarif_waived = false;
  std::string dot;
  std::string runtime_header;
  std::string semantics;
  std::string policy;
  std::string contract;
  std::vector<std::string> require;
  std::string fail_on;  // empty: as the policy says
  unsigned jobs = 0;
};

// What `mutate` was asked for.
struct MutateArguments {
  std::string gendir;
  std::vector<std::string> operators;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> sample;
  bool exhaustive = false;
  std::string replay;
  std::vector<std::string> merge;
  std::string results;
  std::optional<std::uint32_t> rank;
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> critical;
  std::vector<std::string> off;
  std::string policy;
  std::string runtime_header;
  std::string semantics;
  std::string format = "text";
  std::string output;
  unsigned jobs = 0;
};

// What `waivers` was asked for.
struct WaiversArguments {
  std::string gendir;
  std::string policy;
  std::string output;
};

// What `record` was asked for.
struct RecordArguments {
  std::string gendir;
  std::string output;
};

// What `diff` was asked for.
struct DiffArguments {
  std::string was;
  std::string is;
  bool ignore_type_names = false;
};

int RunAudit(const AuditArguments& arguments);
int RunWaivers(const WaiversArguments& arguments);
int RunRecord(const RecordArguments& arguments);
int RunDiff(const DiffArguments& arguments);
// Runs a campaign, replays a mutant or merges results.
int RunMutate(const MutateArguments& arguments);
// Lists the rules.
int RunRules();
// Says what a rule is. Precondition: there is one of that id.
int RunExplain(const std::string& rule);
// Writes the worked example's gendirs into a directory that is new or empty.
int RunDemo(const std::string& directory);
