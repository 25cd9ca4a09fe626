// SPDX-License-Identifier: Apache-2.0
#include "tests/support/field.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace graph_coverage::test_support {
namespace {

constexpr const char* kVariable = "GRAPH_COVERAGE_FIELD_DIR";

std::string FieldFolder() {
  const char* folder = std::getenv(kVariable);
  return folder == nullptr ? "" : folder;
}

std::string GraphOf(const std::string& folder, std::uint32_t rank) {
  return folder + "/task_graph_" + std::to_string(rank) + ".json";
}

// Sanitizers make an audit ten times as dear, and large cases show them no code
// that small ones do not.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uintmax_t kLargestGraph = std::uintmax_t{4} << 20;  // bytes
#else
constexpr std::uintmax_t kLargestGraph = ~std::uintmax_t{0};
#endif

bool IsTooLarge(const std::string& folder) {
  std::error_code absent;
  const std::uintmax_t bytes =
      std::filesystem::file_size(GraphOf(folder, 0), absent);
  return !absent && bytes > kLargestGraph;
}

}  // namespace

std::optional<std::string> FieldCase(const std::string& name) {
  const std::string root = FieldFolder();
  const std::string folder = root + "/" + name;
  if (root.empty() || !std::filesystem::is_directory(folder)) return {};
  if (IsTooLarge(folder)) return {};
  return folder;
}

std::string NoFieldCase(const std::string& name) {
  const std::string root = FieldFolder();
  if (root.empty()) {
    return std::string(kVariable) +
           " is not set: it names the folder of unpacked field cases";
  }
  if (IsTooLarge(root + "/" + name)) {
    return "the field case " + name + " is too large for a sanitized build";
  }
  return "the field case " + name + " is not unpacked in " + root;
}

std::vector<RankId> FieldRanks(const std::string& folder) {
  constexpr std::uint32_t kMostRanks = 64;
  std::vector<RankId> ranks;
  for (std::uint32_t rank = 0; rank < kMostRanks; ++rank) {
    if (std::filesystem::exists(GraphOf(folder, rank))) {
      ranks.push_back(RankId{rank});
    }
  }
  return ranks;
}

}  // namespace graph_coverage::test_support
