// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

namespace graph_coverage {
namespace {

constexpr std::uint64_t kSampled = 100;  // mutants of an operator
// Chunks are what is written to a results file, and judged again where a run
// is broken off: a mutant of a sample takes far longer than most of a full run.
constexpr std::uint64_t kExhaustiveChunk = 2048;
constexpr std::uint64_t kSampledChunk = 4;

bool RunsInFull(const MutationOperator& info, const CampaignOptions& options) {
  if (options.exhaustive) return true;
  return !options.sample && (info.id == "drop" || info.id == "null");
}

}  // namespace

std::vector<std::uint64_t> Draw(std::uint64_t count, std::uint64_t below,
                                std::uint64_t seed, std::string_view name) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(seed),
                                      static_cast<std::uint32_t>(seed >> 32)};
  for (const char c : name) words.push_back(static_cast<unsigned char>(c));
  std::seed_seq sequence(words.begin(), words.end());
  std::mt19937_64 random(sequence);
  // Floyd's way: each subset of that size is equally likely.
  std::set<std::uint64_t> drawn;
  for (std::uint64_t i = below - std::min(count, below); i < below; ++i) {
    const std::uint64_t number = random() % (i + 1);
    drawn.insert(drawn.count(number) == 0 ? number : i);
  }
  return {drawn.begin(), drawn.end()};
}

Plan::Plan(const std::vector<Rank>& ranks, const CampaignOptions& options) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    spaces_.emplace_back(ranks[i]);
    if (!options.rank || *options.rank == ranks[i].id()) edited_.push_back(i);
  }
  if (edited_.empty()) {
    throw std::invalid_argument(fmt::format(
        "rank {} is to be edited, and is not among those that are read",
        Index(options.rank.value_or(RankId{}))));
  }
  for (const std::string& id : options.operators) {
    if (FindMutationOperator(id) == nullptr) {
      throw std::invalid_argument(
          fmt::format("there is no mutation operator \"{}\"", id));
    }
  }
  for (const MutationOperator& info : MutationOperators()) {
    if (!options.operators.empty() &&
        std::find(options.operators.begin(), options.operators.end(),
                  info.id) == options.operators.end()) {
      continue;
    }
    PlannedOperator planned;
    planned.info = &info;
    for (const std::size_t rank : edited_) {
      planned.places += PlacesOn(info, rank);
    }
    planned.exhaustive = RunsInFull(info, options);
    if (!planned.exhaustive) {
      planned.drawn = Draw(options.sample.value_or(kSampled), planned.places,
                           options.seed, info.id);
    }
    const std::uint64_t step =
        planned.exhaustive ? kExhaustiveChunk : kSampledChunk;
    for (std::uint64_t i = 0; i < planned.chosen(); i += step) {
      chunks_.push_back(
          {operators_.size(), i, std::min(i + step, planned.chosen())});
    }
    operators_.push_back(std::move(planned));
  }
}

std::uint64_t Plan::PlacesOn(const MutationOperator& info,
                             std::size_t rank) const {
  const MutationSites& sites = spaces_[rank].Sites(info.id);
  // Edits of all ranks are listed by each of them.
  const bool of_all = sites.count() > 0 && !sites.at(0).rank;
  return of_all && rank != edited_.front() ? 0 : sites.count();
}

Mutation Plan::MutationAt(std::size_t op, std::uint64_t i) const {
  std::uint64_t place = operators_[op].place(i);
  for (const std::size_t rank : edited_) {
    const std::uint64_t count = PlacesOn(*operators_[op].info, rank);
    if (place < count) {
      return spaces_[rank].Sites(operators_[op].info->id).at(place);
    }
    place -= count;
  }
  throw std::logic_error("a mutant that was not planned");
}

}  // namespace graph_coverage
