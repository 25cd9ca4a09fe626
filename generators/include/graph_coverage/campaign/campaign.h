// SPDX-License-Identifier: Apache-2.0
//
// A campaign: many mutants of a gendir, audited, to see what the audit sees.
//
//   const CampaignResult result = RunCampaign("build/gendir");
//   std::cout << WriteCampaignText(result);
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/campaign/campaign_result.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/gendir.h"
#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// How far a campaign is. May be looked at from another thread while it runs.
struct CampaignProgress {
  std::atomic<std::uint64_t> mutants{0};  // to be judged, this shard's
  std::atomic<std::uint64_t> judged{0};   // done, those read back among them
  std::atomic<std::uint64_t> resumed{0};  // read back from the results file
};

// One of several processes that share a campaign.
struct Shard {
  std::uint32_t index = 0;
  std::uint32_t total = 1;
};
// What GoogleTest's sharding protocol says: GTEST_TOTAL_SHARDS and
// GTEST_SHARD_INDEX; the whole where they are not set. Touches
// GTEST_SHARD_STATUS_FILE. Throws std::invalid_argument where they make no
// sense.
Shard ShardFromEnvironment();

struct CampaignOptions {
  // How baseline and mutants are audited: the policy, the ranks that are read.
  AuditOptions audit;
  // Ids of mutation operators; empty: all of the table.
  std::vector<std::string> operators;
  // The rank that is edited; not given: each in turn.
  std::optional<RankId> rank;
  // Mutants an operator, drawn by `seed`; not given: all of `drop` and `null`,
  // 100 of each other operator. `exhaustive`: all of every operator.
  std::optional<std::uint64_t> sample;
  bool exhaustive = false;
  std::uint64_t seed = 1;
  unsigned jobs = 0;  // mutants judged at a time; 0: one a core
  Shard shard;
  // Path of a results file: what it holds of this campaign is not judged again,
  // what is judged is added. Empty: none.
  std::string results;
  // Lists the mutants that were caught, too.
  bool keep_caught = false;
  CampaignProgress* progress = nullptr;  // null: nobody looks
};

// Audits the gendir, then its mutants. Where an operator is run in full, a
// verdict stops at the first rule that catches; sampled mutants are audited by
// all rules. Never throws for bad input: the result's `errors` say what it was.
CampaignResult RunCampaign(const Gendir& gendir,
                           const CampaignOptions& options = {});

// Brings the results files of a campaign's shards together. What is missing,
// doubled or of another campaign is among the result's errors.
CampaignResult MergeCampaign(const std::vector<std::string>& files);

// One mutant, audited by all rules, with what the audit found in it and not in
// the gendir.
struct Replay {
  Mutant mutant;
  std::vector<Finding> findings;
  std::vector<InputError> errors;
};
Replay ReplayMutant(const Gendir& gendir, const std::string& id,
                    const CampaignOptions& options = {});

}  // namespace graph_coverage
