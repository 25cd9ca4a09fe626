// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/mutation/mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace graph_coverage {
namespace {

using Number = std::optional<std::uint32_t> Mutation::*;
constexpr std::pair<std::string_view, Number> kNumbers[] = {
    {"task", &Mutation::task},     {"layer", &Mutation::layer},
    {"in", &Mutation::in},         {"out", &Mutation::out},
    {"with", &Mutation::with},     {"event", &Mutation::event},
    {"branch", &Mutation::branch}, {"at", &Mutation::at},
};

bool NeedsEscape(char c) {
  return c == '%' || c == ':' || c == '=' || static_cast<unsigned char>(c) < 33;
}

std::string Escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    text += NeedsEscape(c)
                ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                : std::string(1, c);
  }
  return text;
}

[[noreturn]] void Fail(std::string_view id, const std::string& why) {
  throw std::invalid_argument(fmt::format("mutation \"{}\": {}", id, why));
}

template <typename T>
T ParseNumber(std::string_view id, std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) {
    Fail(id, fmt::format("\"{}\" is no number that fits", text));
  }
  return value;
}

std::string Unescaped(std::string_view id, std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      name += text[i];
      continue;
    }
    if (i + 2 >= text.size()) Fail(id, "% wants two hexadecimal digits");
    name += static_cast<char>(
        ParseNumber<unsigned char>(id, text.substr(i + 1, 2), 16));
    i += 2;
  }
  return name;
}

void ParseField(std::string_view id, std::string_view key,
                std::string_view value, Mutation* mutation) {
  const auto once = [&](bool set) {
    if (set) Fail(id, fmt::format("{} is given twice", key));
  };
  if (key == "to") {
    once(!mutation->to.empty());
    mutation->to = Unescaped(id, value);
    return;
  }
  if (key == "by") {
    once(mutation->by.has_value());
    mutation->by = ParseNumber<std::int64_t>(id, value);
    return;
  }
  for (const auto& [name, field] : kNumbers) {
    if (name != key) continue;
    once((mutation->*field).has_value());
    mutation->*field = ParseNumber<std::uint32_t>(id, value);
    return;
  }
  Fail(id, fmt::format("there is no field \"{}\"", key));
}

}  // namespace

bool operator==(const Mutation& a, const Mutation& b) {
  return ToString(a) == ToString(b);
}

std::string ToString(const Mutation& mutation) {
  std::string text = mutation.op + ":rank=";
  text += mutation.rank ? std::to_string(Index(*mutation.rank)) : "all";
  for (const auto& [name, field] : kNumbers) {
    if (mutation.*field)
      text += fmt::format(":{}={}", name, *(mutation.*field));
  }
  if (mutation.by) text += fmt::format(":by={}", *mutation.by);
  if (!mutation.to.empty()) text += ":to=" + Escaped(mutation.to);
  if (!mutation.subject.empty()) text += ":" + Escaped(mutation.subject);
  return text;
}

Mutation ParseMutation(std::string_view id) {
  Mutation mutation;
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= id.size();) {
    const std::size_t end = std::min(id.find(':', begin), id.size());
    parts.push_back(id.substr(begin, end - begin));
    begin = end + 1;
  }
  mutation.op = parts[0];
  if (FindMutationOperator(mutation.op) == nullptr) {
    Fail(id, fmt::format("there is no operator \"{}\"", mutation.op));
  }
  if (parts.size() < 2 || parts[1].substr(0, 5) != "rank=") {
    Fail(id, "expected rank=NUMBER or rank=all behind the operator");
  }
  const std::string_view rank = parts[1].substr(5);
  if (rank != "all")
    mutation.rank = RankId(ParseNumber<std::uint32_t>(id, rank));
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals != std::string_view::npos) {
      ParseField(id, parts[i].substr(0, equals), parts[i].substr(equals + 1),
                 &mutation);
    } else if (i + 1 == parts.size()) {
      mutation.subject = Unescaped(id, parts[i]);
    } else {
      Fail(id, fmt::format("expected FIELD=VALUE, not \"{}\"", parts[i]));
    }
  }
  return mutation;
}

const char* ToString(Edits edits) {
  switch (edits) {
    case Edits::kNothing:
      return "nothing";
    case Edits::kOperands:
      return "operands";
    case Edits::kTasks:
      return "tasks";
    case Edits::kEvents:
      return "events";
    case Edits::kTiles:
      return "tiles";
    case Edits::kSource:
      return "kernel source";
  }
  return "";
}

const char* ToString(EditExtent extent) {
  switch (extent) {
    case EditExtent::kPlace:
      return "one place";
    case EditExtent::kOperator:
      return "a whole operator";
    case EditExtent::kLayer:
      return "a whole layer";
    case EditExtent::kModel:
      return "the whole model";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, const Mutation& mutation) {
  return out << ToString(mutation);
}

}  // namespace graph_coverage
