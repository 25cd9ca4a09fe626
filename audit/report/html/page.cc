// SPDX-License-Identifier: Apache-2.0
#include "audit/report/html/page.h"

#include <nlohmann/json.hpp>

#include "audit/artifacts/utf8.h"
#include "audit/report/html/page_text.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

// JSON in which no tag, comment or end of a script can begin.
std::string Embedded(const Json& data) {
  const std::string text =
      PrintableJson(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string MakePage(std::string_view title, std::string_view script,
                     const Json& data) {
  std::string page;
  // Each mark of page.html once, in the order of the text.
  std::string_view rest = kPageHtml;
  const auto put = [&page, &rest](std::string_view mark,
                                  std::string_view text) {
    const std::size_t at = rest.find(mark);
    page += rest.substr(0, at);
    page += text;
    rest.remove_prefix(at + mark.size());
  };
  put("{{title}}", title);
  put("{{style}}", kPageCss);
  put("{{data}}", Embedded(data));
  put("{{script}}", kPageScript);
  put("{{script}}", script);
  page += rest;
  return page;
}

}  // namespace graph_coverage
