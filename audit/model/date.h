// SPDX-License-Identifier: Apache-2.0
//
// Calendar days as text, "2027-03-31": such texts sort as the days do.
#pragma once

#include <string>
#include <string_view>

namespace graph_coverage {

bool IsDate(std::string_view text);

// The system's day, in UTC.
std::string SystemDate();

}  // namespace graph_coverage
