// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/dispatch_reader.h"

#include <limits>
#include <optional>
#include <string>

#include "audit/artifacts/branch_reader.h"

namespace graph_coverage {
namespace {

class DispatchReader {
 public:
  explicit DispatchReader(const CxxBrackets& text)
      : text_(text), tokens_(text.tokens()) {}

  std::vector<Branch> Read(CxxRange body) {
    std::optional<std::size_t> other_use;  // of the task type
    std::size_t i = body.begin;
    while (i < body.end) {
      if (tokens_[i].Is("task_type") && !other_use) other_use = i;
      std::size_t open = i + 1;
      if (tokens_[open].Is("constexpr")) ++open;
      if (!tokens_[i].Is("if") || !tokens_[open].Is("(")) {
        ++i;
        continue;
      }
      const CxxRange condition{open + 1, text_.Partner(open)};
      if (!ComparesTaskType(condition)) {
        i = open + 1;
        continue;
      }
      Branch branch;
      branch.line = tokens_[i].line;
      ReadCondition(condition, branch);
      const CxxRange code = StatementAt(condition.end + 1, body.end);
      ReadBranch(text_, code, branch);
      branches_.push_back(std::move(branch));
      i = code.end;
    }
    if (branches_.empty() && other_use) {
      tokens_.Fail(*other_use,
                   "a chain of `if (task_desc->task_type == TASK_... && "
                   "task_desc->variant_id == ...)`");
    }
    return std::move(branches_);
  }

 private:
  bool ComparesTaskType(CxxRange condition) const {
    for (std::size_t i = condition.begin; i < condition.end; ++i) {
      if (!tokens_[i].Is("task_type")) continue;
      std::size_t right = i + 1;
      while (right < condition.end && tokens_[right].Is(")")) ++right;
      // The start of the operand: back over a->b, a.b and parentheses.
      std::size_t left = i;
      while (left > condition.begin &&
             (tokens_[left - 1].IsIdentifier() || tokens_[left - 1].Is(".") ||
              tokens_[left - 1].Is("->") || tokens_[left - 1].Is("*") ||
              tokens_[left - 1].Is("(") || tokens_[left - 1].Is(")"))) {
        --left;
      }
      if (tokens_[right].Is("==") ||
          (left > condition.begin && tokens_[left - 1].Is("=="))) {
        return true;
      }
    }
    return false;
  }

  // TYPE, or TYPE && VARIANT in either order, each within parentheses or not.
  void ReadCondition(CxxRange condition, Branch& branch) const {
    std::optional<std::size_t> variant;
    std::vector<CxxRange> parts{condition};
    while (!parts.empty()) {
      const CxxRange part = text_.WithoutCasts(parts.back());
      parts.pop_back();
      const std::vector<CxxRange> conjuncts = text_.Split(part, "&&");
      if (conjuncts.size() > 1) {
        parts.insert(parts.end(), conjuncts.begin(), conjuncts.end());
        continue;
      }
      if (const std::size_t either = text_.Find(part, "||");
          either != part.end) {
        FailCondition({either, part.end});
      }
      const std::size_t equals = text_.Find(part, "==");
      if (part.empty() || equals == part.end) FailCondition(part);
      CxxRange member = text_.WithoutCasts({part.begin, equals});
      CxxRange value = text_.WithoutCasts({equals + 1, part.end});
      if (!IsMember(member)) std::swap(member, value);
      if (!IsMember(member) || value.empty()) FailCondition(part);
      if (tokens_[member.end - 1].Is("task_type")) {
        if (!branch.type.empty()) FailCondition(part);
        branch.type = TypeName(value);
      } else {
        if (variant) FailCondition(part);
        variant = value.begin;
        const auto number = value.size() == 1
                                ? IntegerValue(tokens_[value.begin])
                                : std::nullopt;
        if (!number || *number > std::numeric_limits<std::uint32_t>::max()) {
          tokens_.Fail(value.begin, "the number of a variant");
        }
        branch.variant = static_cast<std::uint32_t>(*number);
      }
    }
  }

  // …->task_type, …->variant_id
  bool IsMember(CxxRange range) const {
    if (range.empty()) return false;
    const CxxToken& last = tokens_[range.end - 1];
    return last.Is("task_type") || last.Is("variant_id");
  }

  // TASK_X, runtime::TASK_X
  std::string TypeName(CxxRange range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool is_name = (i - range.begin) % 2 == 0;
      if (is_name ? !tokens_[i].IsIdentifier() : !tokens_[i].Is("::")) {
        tokens_.Fail(i, "the name of a task type");
      }
    }
    if (!tokens_[range.end - 1].IsIdentifier()) {
      tokens_.Fail(range.end, "the name of a task type");
    }
    return std::string(tokens_[range.end - 1].text);
  }

  [[noreturn]] void FailCondition(CxxRange part) const {
    tokens_.Fail(part.begin,
                 "task_type and variant_id, each compared once with ==, and "
                 "nothing else in the condition of a branch");
  }

  // A block without its braces, or one statement.
  CxxRange StatementAt(std::size_t begin, std::size_t limit) const {
    if (tokens_[begin].Is("{")) return {begin + 1, text_.Partner(begin)};
    const std::size_t end = text_.Find({begin, limit}, ";");
    return {begin, std::min(end + 1, limit)};
  }

  const CxxBrackets& text_;
  const CxxTokens& tokens_;
  std::vector<Branch> branches_;
};

}  // namespace

std::vector<Branch> ReadDispatch(const CxxBrackets& text, CxxRange body) {
  return DispatchReader(text).Read(body);
}

}  // namespace graph_coverage
