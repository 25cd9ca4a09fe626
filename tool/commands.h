// SPDX-License-Identifier: Apache-2.0
//
// The commands of mk-graph-coverage-audit. Each returns its exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// A call that cannot be carried out as given: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int kExitPass = 0;
inline constexpr int kExitFail = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitFault = 3;
inline constexpr int kExitBaseline = 4;

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
  std::vector<std::string> require;
  std::string fail_on = "error";
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
  std::string runtime_header;
  std::string semantics;
  std::string format = "text";
  std::string output;
  unsigned jobs = 0;
};

int RunAudit(const AuditArguments& arguments);
// Runs a campaign, replays a mutant or merges results.
int RunMutate(const MutateArguments& arguments);
// Lists the rules.
int RunRules();
// Says what a rule is. Throws UsageError where there is none of that id.
int RunExplain(const std::string& rule);
// Writes the worked example's gendirs into a directory.
int RunDemo(const std::string& directory);
