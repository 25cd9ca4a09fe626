// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/branch_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "audit/artifacts/mentions.h"

namespace graph_coverage {
namespace {

using Kind = Argument::Kind;

// Arrays of slots. Those that stand in other structures too count only as
// members of the task description.
struct SlotArray {
  std::string_view name;
  Kind kind;
  bool of_task_only;
};
constexpr std::array<SlotArray, 6> kSlotArrays = {{
    {"input_ptrs", Kind::kInput, false},
    {"output_ptrs", Kind::kOutput, false},
    {"input_tma_desc_ptrs", Kind::kInput, false},
    {"output_tma_desc_ptrs", Kind::kOutput, false},
    {"inputs", Kind::kInput, true},
    {"outputs", Kind::kOutput, true},
}};

// Members of an operand that say what it is like, not where it lies.
constexpr std::array<std::string_view, 6> kShapeMembers = {
    "data_type", "num_dims", "dim", "dims", "stride", "strides"};

// Members of the task description that tell the tasks of an operator apart;
// all but the first are its own only before they became one union.
constexpr std::array<std::string_view, 7> kMetadataMembers = {
    "task_metadata",     "request_id",    "kv_idx",     "head_group",
    "merge_task_offset", "expert_offset", "task_offset"};

// Words before a parenthesis that make it no call.
constexpr std::array<std::string_view, 12> kNoCallee = {
    "if",      "for",      "while", "switch",  "return",   "sizeof",
    "alignof", "decltype", "catch", "alignas", "noexcept", "constexpr"};
constexpr std::array<std::string_view, 4> kCasts = {
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"};
// Words after which a name is used, not declared.
constexpr std::array<std::string_view, 7> kNoType = {
    "return", "else", "case", "goto", "new", "delete", "throw"};

template <std::size_t kSize>
bool IsOneOf(const CxxToken& token,
             const std::array<std::string_view, kSize>& words) {
  return token.IsIdentifier() &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

// Reads a branch in one pass from left to right. Every mention of a slot, of
// metadata or of the configuration is noted; an argument or an initialiser
// then is what its mentions say.
class BranchReader {
 public:
  BranchReader(const CxxBrackets& text, CxxRange code, Branch& branch)
      : text_(text), tokens_(text.tokens()), code_(code), branch_(branch) {}

  void Read() {
    frames_.emplace_back().expression = code_.begin;
    for (std::size_t i = code_.begin; i < code_.end;) i = Step(i);
    EndExpression(code_.end);
    for (const std::vector<Argument>& arguments : calls_) {
      branch_.arguments.insert(branch_.arguments.end(), arguments.begin(),
                               arguments.end());
    }
    Tidy(branch_.inputs);
    Tidy(branch_.outputs);
    branch_.body = Text(code_, /*as_written=*/false);
  }

 private:
  // A bracket that is open, or the branch itself.
  struct Frame {
    std::size_t expression = 0;       // where the present expression begins
    Mentions::Mark mark;              // when it began
    Mentions::Mark opened;            // when the bracket opened
    std::optional<std::size_t> call;  // whose arguments these are
    std::string_view declares;        // x in `T x(...)`
    std::string_view assigns;         // x in `x = ...`, while it lasts
    bool is_new = false;              // that was `T x = ...`
    bool is_constant = false;         // or `const T x = ...`
  };
  // A name that stands for something else.
  struct Local {
    enum class What { kValue, kTask, kInputs, kOutputs } what = What::kValue;
    Meaning meaning;
  };

  // Handles token i; gives the next token to look at.
  std::size_t Step(std::size_t i) {
    const CxxToken& token = tokens_[i];
    if (token.Is("<") && text_.Opens(i)) return text_.Behind(i);
    if (token.Is("(") || token.Is("[") || token.Is("{")) {
      Open(i);
    } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
      EndExpression(i);
      EndDeclaration();
      frames_.pop_back();
    } else if (token.Is(",") || token.Is(";")) {
      EndExpression(i);
      Begin(i + 1);
    } else if (token.Is("=")) {
      Assign(i);
    } else if (token.IsIdentifier()) {
      return Name(i);
    }
    return i + 1;
  }

  void Begin(std::size_t i) {
    frames_.back().expression = i;
    frames_.back().mark = mentions_.Now();
  }

  void Open(std::size_t i) {
    Frame frame;
    frame.expression = i + 1;
    frame.mark = frame.opened = mentions_.Now();
    if (tokens_[i].Is("(") && IsCall(i)) {
      frame.call = calls_.size();
      calls_.emplace_back();
    }
    if (!tokens_[i].Is("[") && i > code_.begin &&
        tokens_[i - 1].IsIdentifier() && IsDeclared(i - 1)) {
      frame.declares = tokens_[i - 1].text;
    }
    frames_.push_back(frame);
  }

  bool IsCall(std::size_t open) const {
    if (open == code_.begin) return false;
    const CxxToken& before = tokens_[open - 1];
    if (before.IsIdentifier()) return !IsOneOf(before, kNoCallee);
    const std::size_t partner = text_.Partner(open - 1);
    if (before.Is(">") && partner < open - 1) {
      return !IsOneOf(tokens_[partner - 1], kCasts);
    }
    // fn[2](x) is a call, [&](int x) is a lambda.
    return before.Is("]") && partner > code_.begin &&
           tokens_[partner - 1].IsIdentifier();
  }

  // Whether name i is declared where it stands: a type comes before it.
  bool IsDeclared(std::size_t i) const {
    if (i == code_.begin) return false;
    const CxxToken& before = tokens_[i - 1];
    if (before.IsIdentifier()) return !IsOneOf(before, kNoType);
    return before.Is("*") || before.Is("&") || before.Is("&&") ||
           (before.Is(">") && text_.Partner(i - 1) < i - 1);
  }

  void Assign(std::size_t i) {
    if (i == code_.begin || !tokens_[i - 1].IsIdentifier()) return;
    if (i - 1 > code_.begin &&
        (tokens_[i - 2].Is(".") || tokens_[i - 2].Is("->") ||
         tokens_[i - 2].Is("::"))) {
      return;
    }
    Frame& frame = frames_.back();
    frame.assigns = tokens_[i - 1].text;
    frame.is_new = IsDeclared(i - 1);
    frame.is_constant = false;
    const std::size_t first = std::max(frame.expression, i - std::min(i, 5ul));
    for (std::size_t p = first; p + 1 < i; ++p) {
      frame.is_constant |= tokens_[p].Is("const") || tokens_[p].Is("constexpr");
    }
    Begin(i + 1);
  }

  // The end of an argument or of an initialiser, before token i.
  void EndExpression(std::size_t i) {
    Frame& frame = frames_.back();
    const CxxRange range{frame.expression, i};
    if (!frame.assigns.empty()) {
      const Meaning meaning = MeaningOf(range, frame.mark);
      const bool may_change = !frame.is_constant && meaning.IsLiteral();
      Set(frame.assigns, may_change ? Meaning{} : meaning, frame.is_new);
      frame.assigns = {};
    }
    if (frame.call && !range.empty()) {
      const Meaning meaning = MeaningOf(range, frame.mark);
      calls_[*frame.call].push_back({meaning.kind, meaning.value,
                                     static_cast<std::uint32_t>(*frame.call),
                                     Text(range, /*as_written=*/true)});
    }
  }

  // `T x(…)` has ended: x is what stands in the parentheses.
  void EndDeclaration() {
    const Frame& frame = frames_.back();
    if (frame.declares.empty()) return;
    Set(frame.declares, MeaningOf({}, frame.opened), true);
  }

  // What the expression is about, given what was mentioned since `mark`.
  Meaning MeaningOf(CxxRange range, const Mentions::Mark& mark) const {
    if (const auto slot = mentions_.SlotSince(mark)) return *slot;
    const Meaning literal = LiteralOf(text_.WithoutCasts(range));
    return literal.IsLiteral() ? literal : mentions_.OtherSince(mark);
  }

  Meaning LiteralOf(CxxRange range) const {
    const bool negative = range.size() == 2 && tokens_[range.begin].Is("-");
    if (range.size() != (negative ? 2 : 1)) return {};
    const CxxToken& token = tokens_[range.end - 1];
    if (const auto value = IntegerValue(token)) {
      if (*value > std::numeric_limits<std::int64_t>::max()) return {};
      const auto number = static_cast<std::int64_t>(*value);
      return {Kind::kNumber, negative ? -number : number};
    }
    if (token.Is("true")) return {Kind::kBoolean, 1};
    if (token.Is("false")) return {Kind::kBoolean, 0};
    if (token.Is("nullptr") || token.Is("NULL")) return {Kind::kNull};
    const Local* const local = FindLocal(token);
    return local != nullptr && local->meaning.IsLiteral() ? local->meaning
                                                          : Meaning{};
  }

  // Name i means this from here on. Where it is assigned again, it means
  // something only if that is the same.
  void Set(std::string_view name, const Meaning& meaning, bool is_new) {
    const auto [at, added] = locals_.try_emplace(name, Local{{}, meaning});
    if (added) return;
    const bool same = at->second.meaning == meaning;
    at->second = {Local::What::kValue, is_new || same ? meaning : Meaning{}};
  }

  const Local* FindLocal(const CxxToken& name) const {
    if (!name.IsIdentifier()) return nullptr;
    const auto found = locals_.find(name.text);
    return found == locals_.end() ? nullptr : &found->second;
  }

  // Handles the name at i; gives the next token to look at.
  std::size_t Name(std::size_t i) {
    const CxxToken& token = tokens_[i];
    if (i > code_.begin) {
      if (tokens_[i - 1].Is(".") || tokens_[i - 1].Is("->")) return Member(i);
      if (tokens_[i - 1].Is("::")) return i + 1;
    }
    if (IsTask(i)) {
      Task(i);
    } else if (token.Is("runtime_config")) {
      mentions_.Add({Kind::kConfig});
      branch_.reads_runtime_tokens |=
          IsAccess(i + 1) && tokens_[i + 2].Is("tokens");
    } else if (const Local* local = FindLocal(token);
               local != nullptr && !tokens_[i + 1].Is("=")) {
      if (local->what == Local::What::kInputs) {
        return Slot(i, Kind::kInput, false);
      }
      if (local->what == Local::What::kOutputs) {
        return Slot(i, Kind::kOutput, false);
      }
      mentions_.Add(local->meaning);
    }
    return i + 1;
  }

  bool IsAccess(std::size_t i) const {
    return tokens_[i].Is(".") || tokens_[i].Is("->");
  }

  bool IsTask(std::size_t i) const {
    if (tokens_[i].Is("task_desc")) return true;
    const Local* const local = FindLocal(tokens_[i]);
    return local != nullptr && local->what == Local::What::kTask;
  }

  // Whether i is a member of the task description: task_desc->x, task_desc.x
  // or (*task_desc).x.
  bool IsOfTask(std::size_t i) const {
    if (i < code_.begin + 2) return false;
    if (!tokens_[i - 2].Is(")")) return IsTask(i - 2);
    const std::size_t open = text_.Partner(i - 2);
    return open + 3 == i - 2 && tokens_[open + 1].Is("*") && IsTask(open + 2);
  }

  std::size_t Member(std::size_t i) {
    const CxxToken& token = tokens_[i];
    for (const SlotArray& array : kSlotArrays) {
      if (token.Is(array.name) && (!array.of_task_only || IsOfTask(i))) {
        return Slot(i, array.kind, array.of_task_only);
      }
    }
    if (IsOneOf(token, kMetadataMembers) &&
        (token.Is(kMetadataMembers[0]) || IsOfTask(i))) {
      branch_.reads_task_metadata = true;
      mentions_.Add({Kind::kMetadata});
    }
    return i + 1;
  }

  // The task description itself: a step to a member, a comparison, another
  // name for it, or handed on whole.
  void Task(std::size_t i) {
    std::size_t next = i + 1;
    if (tokens_[next].Is(")") && i >= code_.begin + 2 &&
        tokens_[i - 1].Is("*") && tokens_[i - 2].Is("(")) {
      ++next;
    }
    if (IsAccess(next) || tokens_[next].Is("==") || tokens_[next].Is("!=")) {
      return;
    }
    if (GivesName(i)) return Rename({Local::What::kTask, {}});
    branch_.any_input = branch_.any_output = true;
    branch_.reads_task_metadata = true;
  }

  // Whether i ends what is assigned to a name, and nothing but a path to it
  // stands before: `x = task_desc`, `x = &task_desc->input_ptrs`.
  bool GivesName(std::size_t i) const {
    const Frame& frame = frames_.back();
    if (frame.assigns.empty() || i > frame.expression + 3) return false;
    for (std::size_t p = frame.expression; p < i; ++p) {
      const CxxToken& token = tokens_[p];
      if (!token.Is("*") && !token.Is("&") && !IsAccess(p) && !IsTask(p)) {
        return false;
      }
    }
    return tokens_[i + 1].Is(";") || tokens_[i + 1].Is(",");
  }
  void Rename(const Local& local) {
    locals_[frames_.back().assigns] = local;
    frames_.back().assigns = {};
  }

  // An array of slots at i, and what is done with it. `has_shape`: its
  // elements say more than where the operand lies.
  std::size_t Slot(std::size_t i, Kind kind, bool has_shape) {
    const bool input = kind == Kind::kInput;
    bool& any = input ? branch_.any_input : branch_.any_output;
    if (!tokens_[i + 1].Is("[")) {
      if (GivesName(i)) {
        Rename({input ? Local::What::kInputs : Local::What::kOutputs, {}});
      } else {
        any = true;
      }
      return i + 1;
    }
    const std::size_t close = text_.Partner(i + 1);
    const CxxRange subscript = text_.WithoutCasts({i + 2, close});
    const auto slot = subscript.size() == 1
                          ? IntegerValue(tokens_[subscript.begin])
                          : std::nullopt;
    if (!slot || *slot > std::numeric_limits<std::uint16_t>::max()) {
      any = true;
      return i + 1;
    }
    if (!has_shape || !IsAccess(close + 1) ||
        !IsOneOf(tokens_[close + 2], kShapeMembers)) {
      (input ? branch_.inputs : branch_.outputs)
          .push_back(static_cast<std::uint32_t>(*slot));
      mentions_.Add({kind, static_cast<std::int64_t>(*slot)});
    }
    return close + 1;
  }

  // The tokens of the range, with one space where there was some or between
  // all of them.
  std::string Text(CxxRange range, bool as_written) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (i > range.begin && (!as_written || tokens_[i].space_before)) {
        text += ' ';
      }
      text += tokens_[i].text;
    }
    return text;
  }

  static void Tidy(std::vector<std::uint32_t>& slots) {
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  }

  const CxxBrackets& text_;
  const CxxTokens& tokens_;
  CxxRange code_;
  Branch& branch_;
  std::vector<Frame> frames_;
  std::vector<std::vector<Argument>> calls_;  // in the order of their (
  std::unordered_map<std::string_view, Local> locals_;
  Mentions mentions_;
};

}  // namespace

void ReadBranch(const CxxBrackets& text, CxxRange code, Branch& branch) {
  BranchReader(text, code, branch).Read();
}

}  // namespace graph_coverage
