// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/error.h"

#include <fmt/format.h>

#include <utility>

#include "audit/artifacts/utf8.h"

namespace graph_coverage {

// Names and tokens of files come into these texts, and go to terminals.
InputError::InputError(Place place, const std::string& what)
    : std::runtime_error(Printable(what)), place_(std::move(place)) {}

InputError InputError::At(Place place, const std::string& found,
                          const std::string& expected) {
  const std::string what =
      fmt::format("{}:{}:{}: byte {}: found {}, expected {}", place.file,
                  place.line, place.column, place.byte, found, expected);
  return InputError(std::move(place), what);
}

InputError InputError::Of(const std::string& file, const std::string& problem) {
  return InputError(Place{file, 0, 0, 0}, file + ": " + problem);
}

}  // namespace graph_coverage
