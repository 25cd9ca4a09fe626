// SPDX-License-Identifier: Apache-2.0
//
// The page itself: page.html with its style, its scripts and its data in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace graph_coverage {

// A page that needs nothing else. `script` draws it, after page.js, from
// `data`, which can hold any text: no part of it becomes markup.
std::string MakePage(std::string_view title, std::string_view script,
                     const nlohmann::ordered_json& data);

}  // namespace graph_coverage
