// SPDX-License-Identifier: Apache-2.0
//
// The job that each engine does here: walk a task graph and count the operands
// of each tensor. The libraries build no model, so their time is their own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace graph_coverage::bench {

// Told of keys and strings in the order of the file.
class OperandCounter {
 public:
  void Key(std::string_view key) { next_is_name_ = key == "base_ptr"; }
  void String(std::string_view text) {
    if (!next_is_name_) return;
    next_is_name_ = false;
    const auto it = counts_.find(text);
    if (it != counts_.end()) {
      ++it->second;
    } else {
      counts_.emplace(text, 1);
    }
  }

  const std::map<std::string, std::uint64_t, std::less<>>& counts() const {
    return counts_;
  }

 private:
  bool next_is_name_ = false;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

// Each throws std::runtime_error where the file cannot be read or parsed.
// The last two are the project's own: its scanner at the same job, and its
// reader, which builds the model first.
void CountWithNlohmann(const char* file, OperandCounter& counter);
void CountWithRapidJson(const char* file, OperandCounter& counter);
void CountWithScanner(const char* file, OperandCounter& counter);
void CountWithReader(const char* file, OperandCounter& counter);

}  // namespace graph_coverage::bench
