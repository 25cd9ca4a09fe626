// SPDX-License-Identifier: Apache-2.0
//
// The catalogue as SARIF has it.
#pragma once

#include <nlohmann/json.hpp>

namespace graph_coverage {

// The reportingDescriptor of each rule, in the order of the catalogue.
nlohmann::ordered_json SarifRules();

}  // namespace graph_coverage
