// SPDX-License-Identifier: Apache-2.0
//
// What the JSON output of a campaign and its page say alike.
#pragma once

#include <nlohmann/json.hpp>

#include "graph_coverage/campaign/campaign_result.h"

namespace graph_coverage {

// The gendir, what was asked for, the baseline, counts and scores.
nlohmann::ordered_json CampaignSummaryJson(const CampaignResult& result);

// An operator with its counts and the rules that caught its mutants.
nlohmann::ordered_json CampaignOperatorJson(const OperatorResult& op);

}  // namespace graph_coverage
