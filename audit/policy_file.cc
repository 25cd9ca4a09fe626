// SPDX-License-Identifier: Apache-2.0
//
// Reads policy files and finds them.
#include "graph_coverage/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "audit/analysis/families.h"
#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/json_document.h"
#include "audit/model/date.h"
#include "audit/model/task_semantics.h"
#include "audit/policy_check.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPolicyBytes = std::size_t{1} << 20;
constexpr std::size_t kMostNumbers = std::size_t{1} << 20;

std::vector<std::string> RuleIds() {
  std::vector<std::string> ids;
  for (const RuleInfo& rule : Catalogue()) ids.emplace_back(rule.id);
  return ids;
}

class PolicyReader {
 public:
  PolicyReader(const std::string& file, std::string_view text)
      : in_(file, text, JsonDocument::Form::kWithComments) {
    policy_.file = file;
  }

  Policy Read() {
    using Reader = void (PolicyReader::*)(const JsonValue&);
    const std::map<std::string, Reader> readers = {
        {"$schema", &PolicyReader::ReadSchema},
        {"critical", &PolicyReader::ReadCritical},
        {"runtime_buffers", &PolicyReader::ReadRuntimeBuffers},
        {"required", &PolicyReader::ReadRequired},
        {"layer_prefixes", &PolicyReader::ReadLayerPrefixes},
        {"layer_kinds", &PolicyReader::ReadLayerKinds},
        {"semantics", &PolicyReader::ReadSemantics},
        {"severities", &PolicyReader::ReadSeverities},
        {"require", &PolicyReader::ReadRequire},
        {"fail_on", &PolicyReader::ReadFailOn},
        {"waivers", &PolicyReader::ReadWaivers},
    };
    for (const JsonMember& member :
         in_.Object(in_.root(), "a policy, an object")) {
      const auto reader = readers.find(member.key);
      if (reader == readers.end()) {
        std::vector<std::string> keys;
        for (const auto& [key, read] : readers) keys.push_back(key);
        in_.FailUnknownKey(member, "a policy", keys);
      }
      (this->*reader->second)(member.value);
    }
    return std::move(policy_);
  }

 private:
  void ReadSchema(const JsonValue& value) { in_.Text(value, "an address"); }
  void ReadCritical(const JsonValue& value) { policy_.critical = Globs(value); }
  void ReadRuntimeBuffers(const JsonValue& value) {
    policy_.runtime_buffers = Globs(value);
  }
  void ReadRequired(const JsonValue& value) { policy_.required = Globs(value); }
  void ReadLayerPrefixes(const JsonValue& value) {
    policy_.layer_prefixes = NonEmpty(value, "a list of texts before a number");
  }

  void ReadSemantics(const JsonValue& value) {
    SemanticsTable::Read(in_, value);
    policy_.semantics = in_.Source(value);
  }

  void ReadSeverities(const JsonValue& value) {
    const std::string levels = "\"error\", \"warning\", \"note\" or \"off\"";
    for (const JsonMember& member : in_.Object(value, "severities by rule")) {
      if (FindRule(member.key) == nullptr) {
        in_.FailAt(member.byte, fmt::format("\"{}\"", member.key),
                   "a rule" + DidYouMean(member.key, RuleIds()));
      }
      const std::string& level = in_.Text(member.value, levels);
      if (level == "off") {
        policy_.off.push_back(member.key);
        continue;
      }
      const std::optional<Severity> severity = ParseSeverity(level);
      if (!severity) {
        in_.Fail(member.value, levels + DidYouMean(level, {"error", "warning",
                                                           "note", "off"}));
      }
      policy_.severities[member.key] = *severity;
    }
  }

  void ReadRequire(const JsonValue& value) {
    const std::string expected = "a rule group, a letter from A on";
    for (const JsonValue& item : in_.Array(value, "a list of rule groups")) {
      const std::string& group = in_.Text(item, expected);
      if (!IsRuleGroup(group)) in_.Fail(item, expected);
      policy_.require.push_back(group);
    }
  }

  void ReadFailOn(const JsonValue& value) {
    const std::string levels = "\"error\", \"warning\" or \"note\"";
    const std::string& level = in_.Text(value, levels);
    const std::optional<Severity> severity = ParseSeverity(level);
    if (!severity) {
      in_.Fail(value, levels + DidYouMean(level, {"error", "warning", "note"}));
    }
    policy_.fail_on = *severity;
  }

  void ReadLayerKinds(const JsonValue& value) {
    for (const JsonValue& item : in_.Array(value, "a list of kinds")) {
      LayerKind kind;
      for (const JsonMember& member : in_.Object(item, "a kind of layers")) {
        if (member.key == "layers") {
          kind.layers = Numbers(member.value, "layers");
        } else if (member.key == "prefix") {
          kind.prefix = in_.Text(member.value, "the text before the number");
        } else if (member.key == "reason") {
          kind.reason = Reason(member.value);
        } else {
          in_.FailUnknownKey(member, "a kind of layers",
                             {"layers", "prefix", "reason"});
        }
      }
      RequireReason(item, "a kind of layers", kind.reason);
      if (kind.layers.empty()) {
        in_.FailAt(item.byte, "a kind of layers without \"layers\"",
                   "the numbers of its layers");
      }
      policy_.layer_kinds.push_back(std::move(kind));
    }
  }

  void ReadWaivers(const JsonValue& value) {
    for (const JsonValue& item : in_.Array(value, "a list of waivers")) {
      Waiver waiver;
      for (const JsonMember& member : in_.Object(item, "a waiver")) {
        ReadWaiverMember(member, &waiver);
      }
      RequireReason(item, "a waiver", waiver.reason);
      policy_.waivers.push_back(std::move(waiver));
    }
  }

  void ReadWaiverMember(const JsonMember& member, Waiver* waiver) {
    const JsonValue& value = member.value;
    if (member.key == "rule") {
      waiver->rule = in_.Text(value, "a rule, or a pattern of rules");
      if (!NamesRules(waiver->rule)) {
        in_.Fail(value, "a rule" + DidYouMean(waiver->rule, RuleIds()));
      }
    } else if (member.key == "tensor") {
      waiver->tensor = in_.Text(value, "a tensor, task type or event");
    } else if (member.key == "layers") {
      waiver->layers = Numbers(value, "layers");
    } else if (member.key == "ranks") {
      for (const std::uint32_t rank : Numbers(value, "ranks")) {
        waiver->ranks.push_back(RankId(rank));
      }
    } else if (member.key == "reason") {
      waiver->reason = Reason(value);
    } else if (member.key == "expires") {
      const std::string day = "a day such as \"2027-03-31\"";
      waiver->expires = in_.Text(value, day);
      if (!IsDate(waiver->expires)) in_.Fail(value, day);
    } else {
      in_.FailUnknownKey(
          member, "a waiver",
          {"rule", "tensor", "layers", "ranks", "reason", "expires"});
    }
  }

  std::string Reason(const JsonValue& value) {
    const std::string expected = "a reason, in words";
    const std::string& reason = in_.Text(value, expected);
    if (IsBlank(reason)) in_.Fail(value, expected);
    return reason;
  }

  void RequireReason(const JsonValue& item, const std::string& what,
                     const std::string& reason) {
    if (!reason.empty()) return;
    in_.FailAt(item.byte, what + " without \"reason\"", "why it is accepted");
  }

  std::vector<std::string> Globs(const JsonValue& value) {
    return NonEmpty(value, "a list of names or patterns");
  }

  std::vector<std::string> NonEmpty(const JsonValue& value,
                                    const std::string& expected) {
    for (const JsonValue& item : in_.Array(value, expected)) {
      if (in_.Text(item, expected).empty()) in_.Fail(item, expected);
    }
    return in_.Texts(value, expected);
  }

  // [0, "3-60"] as numbers, ascending.
  std::vector<std::uint32_t> Numbers(const JsonValue& value,
                                     const std::string& what) {
    const std::string expected =
        fmt::format("a list of {} such as [0, \"3-60\"], of at most {}", what,
                    kMostInRanges);
    std::vector<std::uint32_t> numbers;
    for (const JsonValue& item : in_.Array(value, expected)) {
      if (item.kind == JsonValue::Kind::kInteger) {
        numbers.push_back(static_cast<std::uint32_t>(
            in_.Number(item, expected, kMostInRanges)));
        continue;
      }
      const auto range = ParseRanges(in_.Text(item, expected));
      if (!range) in_.Fail(item, expected);
      numbers_read_ += range->size();
      if (numbers_read_ > kMostNumbers) {
        in_.Fail(item, fmt::format("at most {} layers and ranks in a policy",
                                   kMostNumbers));
      }
      numbers.insert(numbers.end(), range->begin(), range->end());
    }
    if (numbers.empty()) in_.Fail(value, expected);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

  const JsonDocument in_;
  Policy policy_;
  std::size_t numbers_read_ = 0;  // by ranges
};

// Whether nothing of the policy is set. The bindings name each member, so that
// a new one does not compile until it is added here.
bool SaysNothing(const Policy& policy) {
  const auto& [critical, runtime_buffers, required, layer_prefixes, layer_kinds,
               semantics, severities, off, waivers, require, fail_on, file,
               today] = policy;
  const Policy unset;
  return !critical && runtime_buffers == unset.runtime_buffers &&
         required.empty() && !layer_prefixes && layer_kinds.empty() &&
         semantics.empty() && severities.empty() && off.empty() &&
         waivers.empty() && require.empty() && fail_on == unset.fail_on &&
         file.empty() && today.empty();
}

}  // namespace

Policy ParsePolicy(std::string_view text, const std::string& file) {
  return PolicyReader(file, text).Read();
}

Policy ReadPolicy(const std::string& path) {
  return ParsePolicy(ReadAll(*OpenFile(path), kMaxPolicyBytes), path);
}

std::string FindPolicyFile(const Gendir& gendir) {
  if (gendir.in_memory()) return "";
  std::error_code error;
  const fs::path directory(gendir.name());
  // The directory that holds it, whatever links and dots its name has.
  const fs::path parent = fs::canonical(directory, error).parent_path();
  if (error) return "";
  for (const fs::path& folder : {directory, parent}) {
    const fs::path file = folder / kPolicyFileName;
    if (fs::exists(file, error)) return file.string();
  }
  return "";
}

Policy PolicyFor(const Gendir& gendir, const Policy& policy) {
  if (gendir.is_null()) {
    throw InputError::Of(gendir.name(),
                         "the gendir is a null pointer: is the environment "
                         "variable that names it set?");
  }
  if (!SaysNothing(policy)) return policy;
  const std::string file = FindPolicyFile(gendir);
  return file.empty() ? policy : ReadPolicy(file);
}

}  // namespace graph_coverage
