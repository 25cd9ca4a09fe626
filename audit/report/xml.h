// SPDX-License-Identifier: Apache-2.0
//
// Text in XML.
#pragma once

#include <string>
#include <string_view>

namespace graph_coverage {

// `text` as it stands in an attribute's value or between tags: markup is
// escaped, and what XML cannot hold, control characters above all, is shown as
// \xNN.
std::string XmlEscaped(std::string_view text);

}  // namespace graph_coverage
