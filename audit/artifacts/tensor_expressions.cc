// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/tensor_expressions.h"

namespace graph_coverage {
namespace {

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() &&
         text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::optional<TensorSource> TensorExpressions::Source(
    CxxRange range, std::size_t statement) const {
  range = text_.WithoutCasts(range);
  if (range.empty()) return std::nullopt;
  const std::size_t at = range.begin;
  const CxxToken& first = tokens_[at];
  TensorSource source;
  source.kind = TensorSource::Kind::kAttached;
  if (first.IsNumber()) {
    std::size_t star = statement;
    while (star < at && !tokens_[star].Is("*")) ++star;
    if (range.size() > 1 || star == at || tokens_[at - 1].Is("=")) {
      return std::nullopt;
    }
    source.address = Integer(range, "an address of at most 64 bits");
    return source;
  }
  const CxxToken& second = tokens_[at + 1];
  if (first.Is("nvshmem_malloc") && second.Is("(")) {
    source.kind = TensorSource::Kind::kNvshmem;
    ReadSize({at + 2, text_.Partner(at + 1)}, source);
    ExpectEnd(text_.Behind(at + 1), range);
    return source;
  }
  if (first.Is("model_tensors") &&
      (second.Is("[") || (second.Is(".") && tokens_[at + 2].Is("at")))) {
    const std::size_t open = second.Is("[") ? at + 1 : at + 3;
    source.handed_in_as = QuotedName(open);
    ExpectEnd(text_.Behind(open), range);
    return source;
  }
  if (first.IsIdentifier() && EndsWith(first.text, "_tensors") &&
      second.Is("[") && tokens_[at + 2].IsNumber()) {
    if (!tokens_[at + 3].Is("]")) tokens_.Fail(at + 3, "]");
    ExpectEnd(at + 4, range);
    return source;
  }
  return std::nullopt;
}

std::string TensorExpressions::QuotedName(std::size_t open) const {
  if (!tokens_[open].Is("(") && !tokens_[open].Is("[")) {
    tokens_.Fail(open, "( and a tensor name in quotes");
  }
  const std::optional<std::string> name = StringValue(tokens_[open + 1]);
  if (!name || name->empty()) {
    tokens_.Fail(open + 1, "a tensor name in quotes");
  }
  if (text_.Partner(open) != open + 2) {
    tokens_.Fail(open + 2, tokens_[open].Is("(") ? ")" : "]");
  }
  return *name;
}

std::uint64_t TensorExpressions::Integer(CxxRange range,
                                         const std::string& expected) const {
  range = text_.WithoutCasts(range);
  const std::optional<std::uint64_t> value = IntegerValue(tokens_[range.begin]);
  if (value && range.size() == 1) return *value;
  tokens_.Fail(value && range.size() > 1 ? range.begin + 1 : range.begin,
               expected);
}

void TensorExpressions::ReadSize(CxxRange range, TensorSource& source) const {
  range = text_.WithoutCasts(range);
  if (range.size() == 1) source.bytes = IntegerValue(tokens_[range.begin]);
  if (!source.bytes) source.bad_size = range.begin;
}

void TensorExpressions::ExpectEnd(std::size_t at, CxxRange range) const {
  if (at < range.end) tokens_.Fail(at, "the end of the expression");
}

}  // namespace graph_coverage
