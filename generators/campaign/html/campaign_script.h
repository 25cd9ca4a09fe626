// SPDX-License-Identifier: Apache-2.0
//
// campaign.js, compiled in.
#pragma once

#include <string_view>

namespace graph_coverage {

extern const std::string_view kCampaignScript;

}  // namespace graph_coverage
