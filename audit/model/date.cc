// SPDX-License-Identifier: Apache-2.0
#include "audit/model/date.h"

#include <fmt/format.h>

#include <chrono>

namespace graph_coverage {
namespace {

constexpr std::string_view kForm = "0000-00-00";

}  // namespace

bool IsDate(std::string_view text) {
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  const auto number = [text](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) value = 10 * value + (c - '0');
    return value;
  };
  return std::chrono::year_month_day(
             std::chrono::year(number(0, 4)),
             std::chrono::month(static_cast<unsigned>(number(5, 2))),
             std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

std::string SystemDate() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace graph_coverage
