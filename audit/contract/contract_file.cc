// SPDX-License-Identifier: Apache-2.0
//
// Contracts as files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "audit/analysis/families.h"
#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/json_document.h"
#include "audit/artifacts/utf8.h"
#include "graph_coverage/contract.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kMaxContractBytes = std::size_t{4} << 20;
// Layers and ranks over all lines; the largest of each is kMostInRanges.
constexpr std::size_t kMostNumbers = std::size_t{1} << 20;
constexpr std::uint64_t kMostCount = INT64_MAX;

// The lists of a contract's lines.
struct LineList {
  const char* key;
  ContractSubject subject;
};
constexpr std::array<LineList, 3> kLineLists = {
    {{"tensors", ContractSubject::kTensor},
     {"task_types", ContractSubject::kTaskType},
     {"branches", ContractSubject::kBranch}}};

std::string RanksText(const std::vector<RankId>& ranks) {
  std::vector<std::uint32_t> numbers;
  for (const RankId rank : ranks) {
    numbers.push_back(static_cast<std::uint32_t>(rank));
  }
  return RangesText(numbers);
}

Json FactJson(const ContractFact& fact) {
  if (fact.text.empty()) return fact.count;
  if (fact.count == 0) return fact.text;
  return Json::array({fact.count, fact.text});
}

Json LineJson(const ContractLine& line, const std::vector<RankId>& ranks) {
  Json json;
  json["name"] = line.name;
  if (line.ranks != ranks) json["ranks"] = RanksText(line.ranks);
  if (!line.prefix.empty()) json["in"] = line.prefix;
  if (!line.layers.empty()) json["layers"] = RangesText(line.layers);
  // What it is comes before who uses it.
  for (const bool slots : {false, true}) {
    for (const auto& [key, fact] : line.facts) {
      if ((key.find('.') != std::string::npos) == slots) {
        json[key] = FactJson(fact);
      }
    }
  }
  return json;
}

// On one line, with a blank after each comma and colon.
std::string OneLineOf(const Json& object) {
  std::string text;
  const auto dump = [](const Json& value) {
    return PrintableJson(
        value.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  for (const auto& [key, value] : object.items()) {
    text += text.empty() ? "{" : ", ";
    text += dump(key) + ": ";
    text += value.is_array()
                ? fmt::format("[{}, {}]", dump(value[0]), dump(value[1]))
                : dump(value);
  }
  return text + "}";
}

class ContractReader {
 public:
  ContractReader(const std::string& file, std::string_view text)
      : in_(file, text, JsonDocument::Form::kPlain) {
    contract_.file = file;
  }

  Contract Read() {
    const JsonValue& root = in_.root();
    const std::vector<JsonMember>& members =
        in_.Object(root, "a contract, an object");
    std::vector<std::string> keys = {"contract", "ranks"};
    for (const LineList& list : kLineLists) keys.emplace_back(list.key);
    for (const JsonMember& member : members) {
      if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
        in_.FailUnknownKey(member, "a contract", keys);
      }
    }
    const JsonValue& version = Require(root, "contract", "its version");
    if (in_.Number(version, "a version", kMostCount) != kVersion) {
      in_.Fail(version,
               fmt::format("version {}; record the contract again", kVersion));
    }
    contract_.ranks = Ranks(Require(root, "ranks", "the ranks recorded"));
    for (const LineList& list : kLineLists) {
      const JsonValue& lines = Require(root, list.key, "a list of lines");
      for (const JsonValue& line : in_.Array(lines, "a list of lines")) {
        contract_.lines.push_back(ReadLine(list.subject, line));
      }
    }
    return std::move(contract_);
  }

 private:
  const JsonValue& Require(const JsonValue& object, const std::string& key,
                           const std::string& what) {
    const JsonValue* value = JsonDocument::Find(object, key);
    if (value == nullptr) {
      in_.FailAt(object.byte, fmt::format("no key \"{}\"", key), what);
    }
    return *value;
  }

  ContractLine ReadLine(ContractSubject subject, const JsonValue& value) {
    ContractLine line;
    line.subject = subject;
    line.ranks = contract_.ranks;
    for (const JsonMember& member : in_.Object(value, "a line, an object")) {
      if (member.key == "name") {
        line.name = in_.Text(member.value, "a name");
      } else if (member.key == "ranks") {
        line.ranks = Ranks(member.value);
      } else if (member.key == "in") {
        line.prefix = in_.Text(member.value, "the text before a layer");
      } else if (member.key == "layers") {
        line.layers = Numbers(member.value);
      } else {
        line.facts[member.key] = ReadFact(member.value);
      }
    }
    if (line.name.empty()) {
      in_.FailAt(value.byte, "a line without \"name\"", "what it is about");
    }
    return line;
  }

  ContractFact ReadFact(const JsonValue& value) {
    const std::string expected = "a count, a text, or [count, text]";
    if (value.kind == JsonValue::Kind::kString) return {0, value.text};
    if (value.kind == JsonValue::Kind::kInteger) {
      return {in_.Number(value, expected, kMostCount), ""};
    }
    const std::vector<JsonValue>& parts = in_.Array(value, expected);
    if (parts.size() != 2) in_.Fail(value, expected);
    return {in_.Number(parts[0], expected, kMostCount),
            in_.Text(parts[1], expected)};
  }

  std::vector<RankId> Ranks(const JsonValue& value) {
    std::vector<RankId> ranks;
    for (const std::uint32_t number : Numbers(value)) {
      ranks.push_back(RankId(number));
    }
    return ranks;
  }

  std::vector<std::uint32_t> Numbers(const JsonValue& value) {
    const std::string expected = "ascending numbers such as \"0-2, 5\"";
    const auto numbers = ParseRanges(in_.Text(value, expected));
    if (!numbers || !std::is_sorted(numbers->begin(), numbers->end())) {
      in_.Fail(value, expected);
    }
    numbers_read_ += numbers->size();
    if (numbers_read_ > kMostNumbers) {
      in_.Fail(value, fmt::format("at most {} layers and ranks in a contract",
                                  kMostNumbers));
    }
    return *numbers;
  }

  const JsonDocument in_;
  Contract contract_;
  std::size_t numbers_read_ = 0;
};

// Throws where the file would have more than is read of one.
void RequireReadable(const Contract& contract) {
  std::size_t numbers = contract.ranks.size();
  for (const ContractLine& line : contract.lines) {
    if (!line.layers.empty() && line.layers.back() > kMostInRanges) {
      throw InputError::Of(
          contract.file,
          fmt::format("cannot be recorded: layer {} of {}, and a contract "
                      "holds layers up to {}",
                      line.layers.back(), Quoted(line.name), kMostInRanges));
    }
    numbers += line.layers.size();
    if (line.ranks != contract.ranks) numbers += line.ranks.size();
  }
  if (numbers > kMostNumbers) {
    throw InputError::Of(
        contract.file,
        fmt::format("cannot be recorded: {} layers and ranks over all lines, "
                    "and a contract holds at most {}",
                    numbers, kMostNumbers));
  }
}

}  // namespace

std::string WriteContract(const Contract& contract) {
  RequireReadable(contract);
  std::string text = fmt::format("{{\n  \"contract\": {},\n  \"ranks\": \"{}\"",
                                 kVersion, RanksText(contract.ranks));
  for (const LineList& list : kLineLists) {
    std::string lines;
    for (const ContractLine& line : contract.lines) {
      if (line.subject != list.subject) continue;
      lines += lines.empty() ? "\n    " : ",\n    ";
      lines += OneLineOf(LineJson(line, contract.ranks));
    }
    text += fmt::format(",\n  \"{}\": [{}\n  ]", list.key, lines);
  }
  text += "\n}\n";
  if (text.size() > kMaxContractBytes) {
    throw InputError::Of(
        contract.file,
        fmt::format("cannot be recorded: its contract would have {} bytes, and "
                    "{} are the most that is read of one",
                    text.size(), kMaxContractBytes));
  }
  return text;
}

Contract ParseContract(std::string_view text, const std::string& file) {
  return ContractReader(file, text).Read();
}

Contract ReadContract(const std::string& path) {
  return ParseContract(ReadAll(*OpenFile(path), kMaxContractBytes), path);
}

}  // namespace graph_coverage
