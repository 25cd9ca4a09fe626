// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/engines/counter.h"

namespace graph_coverage::bench {
namespace {

using Json = nlohmann::json;

struct NlohmannHandler : nlohmann::json_sax<Json> {
  explicit NlohmannHandler(OperandCounter& target) : counter(target) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool key(string_t& text) override {
    counter.Key(text);
    return true;
  }
  bool string(string_t& text) override {
    counter.String(text);
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const Json::exception& error) override {
    throw std::runtime_error(error.what());
  }

  OperandCounter& counter;
};

}  // namespace

void CountWithNlohmann(const char* file, OperandCounter& counter) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(
      std::fopen(file, "rb"), std::fclose);
  if (!in) throw std::runtime_error("cannot open the file");
  NlohmannHandler handler(counter);
  Json::sax_parse(in.get(), &handler);
}

}  // namespace graph_coverage::bench
