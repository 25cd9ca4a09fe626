// SPDX-License-Identifier: Apache-2.0
#include <rapidjson/error/en.h>
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "bench/engines/counter.h"

namespace graph_coverage::bench {
namespace {

struct RapidjsonHandler
    : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, RapidjsonHandler> {
  explicit RapidjsonHandler(OperandCounter& target) : counter(target) {}

  bool Key(const char* text, rapidjson::SizeType size, bool) {
    counter.Key({text, size});
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    counter.String({text, size});
    return true;
  }

  OperandCounter& counter;
};

}  // namespace

void CountWithRapidJson(const char* file, OperandCounter& counter) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(
      std::fopen(file, "rb"), std::fclose);
  if (!in) throw std::runtime_error("cannot open the file");
  std::array<char, std::size_t{64} << 10> window;
  rapidjson::FileReadStream stream(in.get(), window.data(), window.size());
  RapidjsonHandler handler(counter);
  rapidjson::Reader reader;
  // Full validation, as the project's reader does it.
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseValidateEncodingFlag |
                   rapidjson::kParseFullPrecisionFlag>(stream, handler);
  if (!result) {
    throw std::runtime_error(rapidjson::GetParseError_En(result.Code()));
  }
}

}  // namespace graph_coverage::bench
