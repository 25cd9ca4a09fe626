// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/finding.h"

namespace graph_coverage {

std::string Finding::message() const {
  std::string text = !tensor.empty()      ? tensor
                     : !task_type.empty() ? task_type
                     : event              ? "event " + std::to_string(*event)
                                          : "";
  if (!text.empty()) text += members.size() > 1 ? ": each " : " ";
  text += found;
  if (!expected.empty()) text += "; expected " + expected;
  text += ".";
  if (!siblings.empty()) text += " " + siblings + ".";
  if (!advice.empty()) text += " " + advice + ".";
  return text;
}

}  // namespace graph_coverage
