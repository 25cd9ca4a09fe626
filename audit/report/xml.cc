// SPDX-License-Identifier: Apache-2.0
#include "audit/report/xml.h"

#include "audit/artifacts/utf8.h"

namespace graph_coverage {

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
    // U+FFFE and U+FFFF are characters of UTF-8 and none of XML.
    for (const std::string_view code : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
      if (std::string_view(escaped).ends_with(code)) {
        escaped.resize(escaped.size() - code.size());
        escaped +=
            code == "\xef\xbf\xbe" ? "\\xef\\xbf\\xbe" : "\\xef\\xbf\\xbf";
      }
    }
  }
  return escaped;
}

}  // namespace graph_coverage
