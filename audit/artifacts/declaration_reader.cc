// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/declaration_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "audit/artifacts/tensor_expressions.h"

namespace graph_coverage {
namespace {

constexpr std::string_view kNullName = "nullptr";

class DeclarationReader {
 public:
  explicit DeclarationReader(const CxxBrackets& text)
      : text_(text), tokens_(text.tokens()), read_(text) {}

  Declarations Read(CxxRange body) {
    blocks_.push_back(body.begin);
    std::size_t at = body.begin;
    while (at < body.end) {
      const CxxToken& token = tokens_[at];
      if (token.Is("{")) {
        blocks_.push_back(at++);
      } else if (token.Is("}")) {
        blocks_.pop_back();
        ++at;
      } else if (token.Is(";")) {
        ++at;
      } else {
        const std::size_t end = StatementEnd({at, body.end});
        ReadStatement({at, end});
        at = end;
      }
    }
    return Finish();
  }

 private:
  // A variable that holds, or may come to hold, a tensor. A tensor that is
  // registered without one has a variable of its own here.
  struct Variable {
    std::size_t token = 0;  // where it is declared
    std::size_t block = 0;  // in which braces
    TensorSource source;
    std::vector<Copy> copies;
    bool is_copied = false;            // a source of copies
    std::optional<std::size_t> index;  // of its first registration

    bool Is(TensorSource::Kind kind) const { return source.kind == kind; }
  };
  struct Registration {
    std::string name;
    std::size_t token = 0;                // its name, quoted
    Variable* variable = nullptr;         // or
    std::optional<std::size_t> alias_of;  // the registration it repeats
  };

  // A statement ends before its ';' or before the braces of a block.
  std::size_t StatementEnd(CxxRange range) const {
    std::size_t i = range.begin;
    while (i < range.end && !tokens_[i].Is(";") && !tokens_[i].Is("{") &&
           !tokens_[i].Is("}")) {
      i = text_.Behind(i);
    }
    return std::min(i, range.end);
  }

  // The statement behind `if (…)`, `else` and the like.
  CxxRange WithoutControl(CxxRange statement) const {
    while (!statement.empty()) {
      const CxxToken& first = tokens_[statement.begin];
      if (first.Is("else") || first.Is("do")) {
        ++statement.begin;
      } else if ((first.Is("if") || first.Is("for") || first.Is("while")) &&
                 tokens_[statement.begin + 1].Is("(")) {
        statement.begin = text_.Behind(statement.begin + 1);
      } else {
        break;
      }
    }
    return statement;
  }

  void ReadStatement(CxxRange statement) {
    bool done = false;
    for (std::size_t i = statement.begin; i < statement.end; ++i) {
      const CxxToken& token = tokens_[i];
      if (!token.IsIdentifier()) continue;
      if (token.Is("num_gpus")) ReadNumGpus(i);
      if (!tokens_[i + 1].Is("(")) continue;
      if (token.Is("cudaMalloc")) {
        ReadAllocation(i);
        done = true;
      } else if (token.text.substr(0, 10) == "cudaMemcpy") {
        ReadCopy(i);
        done = true;
      }
    }
    statement = WithoutControl(statement);
    if (statement.empty()) return;
    if (done) return CheckNoRegistration(statement);
    const std::size_t at = statement.begin;
    if (IsRegistration(at)) return ReadRegistration(statement);
    if (tokens_[at].IsIdentifier() && tokens_[at + 1].Is(".") &&
        tokens_[at + 2].Is("base_ptr") && tokens_[at + 3].Is("=")) {
      tokens_.Fail(at,
                   "the tasks in a task graph file: tasks written as C++ "
                   "statements cannot be audited, generate them as JSON");
    }
    if (ReadVariable(statement)) return;
    CheckNoRegistration(statement);
    CheckNoCopy(statement);
  }

  bool IsRegistration(std::size_t i) const {
    return tokens_[i].Is("all_tensors") && tokens_[i + 1].Is("[");
  }

  // What is not read must not hold a registration, as it does where a ; is
  // missing.
  void CheckNoRegistration(CxxRange statement) const {
    for (std::size_t i = statement.begin; i < statement.end; ++i) {
      if (IsRegistration(i) && tokens_[text_.Behind(i + 1)].Is("=")) {
        tokens_.Fail(i, "; and a registration as a statement of its own");
      }
    }
  }

  // Nor may it fill an allocated tensor from an attached one.
  void CheckNoCopy(CxxRange statement) const {
    std::optional<std::size_t> source;
    bool has_target = false;
    for (std::size_t i = statement.begin; i < statement.end; ++i) {
      if (tokens_[i].Is("model_tensors")) source = i;
      const Variable* const variable = Find({i, i + 1});
      has_target |=
          variable != nullptr && variable->Is(TensorSource::Kind::kAllocated);
    }
    if (source && has_target) {
      tokens_.Fail(*source, "cudaMemcpy2D or cudaMemcpy2DAsync to copy it");
    }
  }

  // assert(num_gpus = 8), assert(num_gpus == 8), int num_gpus = 8
  void ReadNumGpus(std::size_t at) {
    if (!tokens_[at + 1].Is("=") && !tokens_[at + 1].Is("==")) return;
    const bool asserted =
        tokens_[at - 1].Is("(") && at > 1 && tokens_[at - 2].Is("assert");
    if (!asserted && !tokens_[at - 1].IsIdentifier()) return;
    if (!tokens_[at + 2].IsNumber() || result_.num_gpus) return;
    const std::uint64_t value = IntegerValue(tokens_[at + 2]).value_or(0);
    if (value == 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      tokens_.Fail(at + 2, "a number of GPUs");
    }
    result_.num_gpus = static_cast<std::uint32_t>(value);
  }

  // `T *x;`, `T *x = SOURCE;`, `auto x = SOURCE;`, `x = SOURCE;`. False for
  // other statements, though `T *x = …;` declares x.
  bool ReadVariable(CxxRange statement) {
    const std::size_t equals = text_.Find(statement, "=");
    const std::size_t name = equals - 1;
    if (name < statement.begin || !tokens_[name].IsIdentifier()) return false;
    const bool is_pointer = name > statement.begin && tokens_[name - 1].Is("*");
    const bool declares = is_pointer || (name > statement.begin &&
                                         tokens_[name - 1].IsIdentifier());
    if (!declares &&
        (name > statement.begin || !variables_.count(tokens_[name].text))) {
      return false;
    }
    std::optional<TensorSource> source;
    if (equals < statement.end) {
      source = read_.Source({equals + 1, statement.end}, statement.begin);
    }
    if (!source && !is_pointer) return false;
    Variable& variable =
        declares ? Declare(name) : *variables_.at(tokens_[name].text);
    if (!source) return equals == statement.end;
    if (!variable.Is(TensorSource::Kind::kNone)) {
      tokens_.Fail(name, AlreadyATensor(variable));
    }
    variable.source = std::move(*source);
    return true;
  }

  Variable& Declare(std::size_t name) {
    Variable*& variable = variables_[tokens_[name].text];
    if (variable != nullptr && variable->block == blocks_.back()) {
      tokens_.Fail(
          name, fmt::format("another name: {} is declared in line {}",
                            tokens_[name].text, tokens_[variable->token].line));
    }
    variable = &pool_.emplace_back();
    variable->token = name;
    variable->block = blocks_.back();
    return *variable;
  }

  Variable* Find(CxxRange name) const {
    if (name.empty()) return nullptr;
    const auto found = variables_.find(tokens_[name.begin].text);
    return found == variables_.end() ? nullptr : found->second;
  }

  std::string AlreadyATensor(const Variable& variable) const {
    return fmt::format("no second tensor in {}, which has one since line {}",
                       tokens_[variable.token].text,
                       tokens_[variable.token].line);
  }

  // cudaMalloc(&x, BYTES)
  void ReadAllocation(std::size_t at) {
    const std::vector<CxxRange> arguments =
        text_.Split({at + 2, text_.Partner(at + 1)}, ",");
    if (arguments.empty()) return;
    const CxxRange target = text_.WithoutCasts(arguments[0]);
    if (target.size() != 2 || !tokens_[target.begin].Is("&") ||
        !tokens_[target.begin + 1].IsIdentifier()) {
      return;  // not into a variable
    }
    Variable* const found = Find({target.begin + 1, target.end});
    Variable& variable = found != nullptr ? *found : Declare(target.begin + 1);
    if (!variable.Is(TensorSource::Kind::kNone)) {
      tokens_.Fail(at, AlreadyATensor(variable));
    }
    variable.source.kind = TensorSource::Kind::kAllocated;
    if (arguments.size() > 1) {
      read_.ReadSize(arguments[1], variable.source);
    } else {
      variable.source.bad_size = text_.Partner(at + 1);
    }
  }

  // cudaMemcpy2D[Async](TARGET + OFFSET, PITCH, SOURCE, PITCH, WIDTH, HEIGHT,
  // KIND). Other copies are errors only where they touch a tensor.
  void ReadCopy(std::size_t at) {
    const std::vector<CxxRange> arguments =
        text_.Split({at + 2, text_.Partner(at + 1)}, ",");
    const bool two_dimensional =
        tokens_[at].Is("cudaMemcpy2D") || tokens_[at].Is("cudaMemcpy2DAsync");
    const CxxRange target =
        arguments.empty() ? CxxRange{} : text_.WithoutCasts(arguments[0]);
    Variable* const variable = Find(target);
    if (!two_dimensional) {
      if (variable == nullptr || variable->Is(TensorSource::Kind::kNone)) {
        return;
      }
      tokens_.Fail(at, fmt::format("cudaMemcpy2D or cudaMemcpy2DAsync, to copy "
                                   "into {}",
                                   tokens_[target.begin].text));
    }
    if (arguments.size() < 7) {
      tokens_.Fail(text_.Partner(at + 1),
                   fmt::format("7 arguments of {}, here are {}",
                               tokens_[at].text, arguments.size()));
    }
    if (variable == nullptr || (!variable->Is(TensorSource::Kind::kAllocated) &&
                                !variable->Is(TensorSource::Kind::kNvshmem))) {
      tokens_.Fail(target.begin, "a variable allocated before");
    }
    Copy copy;
    copy.line = tokens_[at].line;
    if (target.size() > 1) {
      if (!tokens_[target.begin + 1].Is("+")) {
        tokens_.Fail(target.begin + 1, "+ and an offset in bytes");
      }
      copy.target_offset =
          read_.Integer({target.begin + 2, target.end}, "an offset in bytes");
    }
    copy.target_pitch =
        read_.Integer(arguments[1], "the target's pitch in bytes");
    ReadCopySource(arguments[2], copy);
    copy.source_pitch =
        read_.Integer(arguments[3], "the source's pitch in bytes");
    copy.width = read_.Integer(arguments[4], "a width in bytes");
    copy.height = read_.Integer(arguments[5], "a number of rows");
    variable->copies.push_back(std::move(copy));
  }

  void ReadCopySource(CxxRange range, Copy& copy) {
    if (const auto source = read_.Source(range, range.begin);
        source && source->kind == TensorSource::Kind::kAttached) {
      copy.source = source->handed_in_as;
      copy.source_address = source->address.value_or(0);
      return;
    }
    const CxxRange bare = text_.WithoutCasts(range);
    Variable* const variable = bare.size() == 1 ? Find(bare) : nullptr;
    if (variable == nullptr || !variable->Is(TensorSource::Kind::kAttached)) {
      tokens_.Fail(range.begin, "an attached tensor to copy from");
    }
    variable->is_copied = true;
    copy.source = variable->source.handed_in_as.empty()
                      ? std::string(tokens_[bare.begin].text)
                      : variable->source.handed_in_as;
    copy.source_address = variable->source.address.value_or(0);
  }

  // all_tensors["NAME"] = variable | all_tensors["OTHER"] | SOURCE | nullptr
  void ReadRegistration(CxxRange statement) {
    const std::size_t open = statement.begin + 1;
    const std::size_t quoted = open + 1;
    const std::string name = read_.QuotedName(open);
    const std::size_t equals = text_.Behind(open);
    if (!tokens_[equals].Is("=")) tokens_.Fail(equals, "= and a tensor");
    const CxxRange value = text_.WithoutCasts({equals + 1, statement.end});
    if (value.empty()) tokens_.Fail(statement.end, "a tensor");
    const CxxToken& first = tokens_[value.begin];
    if (name == kNullName) {
      if (!first.Is("nullptr") || value.size() > 1) {
        tokens_.Fail(value.begin, "nullptr, which that name stands for");
      }
      return;
    }
    if (const auto found = by_name_.find(name); found != by_name_.end()) {
      tokens_.Fail(quoted, fmt::format("another name: {} is registered in "
                                       "line {}",
                                       tokens_[quoted].text,
                                       LineOf(registrations_[found->second])));
    }
    Registration registration{name, quoted, nullptr, std::nullopt};
    if (first.Is("all_tensors") && tokens_[value.begin + 1].Is("[")) {
      const std::string other = read_.QuotedName(value.begin + 1);
      read_.ExpectEnd(text_.Behind(value.begin + 1), value);
      const auto found = by_name_.find(other);
      if (found == by_name_.end()) {
        tokens_.Fail(value.begin + 2, "the name of a tensor registered before");
      }
      registration.alias_of = Root(found->second);
    } else if (auto source = read_.Source(value, statement.begin)) {
      registration.variable = &pool_.emplace_back();
      registration.variable->token = statement.begin;
      registration.variable->source = std::move(*source);
    } else {
      Variable* const variable = value.size() == 1 ? Find(value) : nullptr;
      if (variable == nullptr || variable->Is(TensorSource::Kind::kNone)) {
        tokens_.Fail(value.begin,
                     "a variable that is attached or allocated before");
      }
      registration.alias_of = variable->index;
      registration.variable = variable;
    }
    if (registration.variable != nullptr && !registration.alias_of) {
      if (const auto bad_size = registration.variable->source.bad_size) {
        tokens_.Fail(*bad_size, "a size in bytes of at most 64 bits");
      }
      registration.variable->index = registrations_.size();
    }
    by_name_.emplace(name, registrations_.size());
    registrations_.push_back(std::move(registration));
  }

  std::size_t Root(std::size_t index) const {
    return registrations_[index].alias_of.value_or(index);
  }
  std::uint32_t LineOf(const Registration& registration) const {
    return tokens_[registration.token].line;
  }

  Declarations Finish() {
    for (const Variable& variable : pool_) {
      if (!variable.index && !variable.is_copied &&
          (variable.Is(TensorSource::Kind::kAttached) ||
           !variable.copies.empty())) {
        const std::string_view name = tokens_[variable.token].text;
        tokens_.Fail(
            variable.token,
            fmt::format("all_tensors[\"{}\"] = {}; after it", name, name));
      }
    }
    for (const Registration& registration : registrations_) {
      Declaration declaration;
      declaration.name = registration.name;
      declaration.line = LineOf(registration);
      if (registration.alias_of) {
        declaration.kind = TensorKind::kAlias;
        declaration.alias_of = registrations_[*registration.alias_of].name;
      } else {
        Variable& variable = *registration.variable;
        declaration.kind = KindOf(variable);
        declaration.bytes = variable.source.bytes;
        declaration.address = variable.source.address;
        declaration.copies = std::move(variable.copies);
        declaration.line = tokens_[variable.token].line;
      }
      result_.tensors.push_back(std::move(declaration));
    }
    return std::move(result_);
  }

  static TensorKind KindOf(const Variable& variable) {
    if (!variable.copies.empty()) return TensorKind::kShuffled;
    switch (variable.source.kind) {
      case TensorSource::Kind::kAllocated:
        return TensorKind::kScratch;
      case TensorSource::Kind::kNvshmem:
        return TensorKind::kNvshmem;
      default:
        return TensorKind::kAttached;
    }
  }

  const CxxBrackets& text_;
  const CxxTokens& tokens_;
  const TensorExpressions read_;
  Declarations result_;
  std::vector<std::size_t> blocks_;  // the braces around the statement
  std::deque<Variable> pool_;
  std::unordered_map<std::string_view, Variable*> variables_;  // in sight
  std::vector<Registration> registrations_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace

Declarations ReadDeclarations(const CxxBrackets& text, CxxRange body) {
  return DeclarationReader(text).Read(body);
}

}  // namespace graph_coverage
