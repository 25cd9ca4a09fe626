// SPDX-License-Identifier: Apache-2.0
#include "audit/report/colour.h"

#include <fmt/format.h>

namespace graph_coverage {

Colour ColourOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Colour::kRed;
    case Severity::kWarning:
      return Colour::kYellow;
    case Severity::kNote:
      return Colour::kBlue;
  }
  return Colour::kRed;
}

std::string Painted(const std::string& word, Colour colour, bool colours) {
  if (!colours) return word;
  return fmt::format("\x1b[1;{}m{}\x1b[0m", static_cast<int>(colour), word);
}

}  // namespace graph_coverage
