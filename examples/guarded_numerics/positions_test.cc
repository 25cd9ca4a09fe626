// SPDX-License-Identifier: Apache-2.0
//
// What the kernels make together: a language model that runs the task graph.
// Does it know where a token stands? Nothing here asks which gendir it is; what
// is expected follows from how often the tasks read the rope tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "language_model.h"
#include "model.h"
#include "numbers.h"

namespace guarded_numerics {
namespace {

constexpr std::uint32_t kSeeds = 16;   // each makes weights of its own
constexpr std::int64_t kLength = 128;  // tokens to write

const Tokens kPrompt = {17, 11, 22, 7, 20, 28, 3, 5};
const Positions kInOrder = {0, 1, 2, 3, 4, 5, 6, 7};
const Positions kPermuted = {5, 2, 6, 0, 3, 1, 4, 7};
constexpr std::int64_t kNext = 8;  // the position after the prompt

std::string Gendir() { return std::getenv("GRAPH_COVERAGE_GENDIR"); }

bool KnowsPositions(const LanguageModel& model) {
  return model.Readers("rope_cos") > 0 && model.Readers("rope_sin") > 0;
}

// The number of tokens that the end of a text repeats at least three times; 0
// where it does not repeat itself.
std::size_t Period(const Tokens& text) {
  for (std::size_t period = 1; 3 * period <= text.size(); ++period) {
    const auto tail = static_cast<std::ptrdiff_t>(3 * period);
    if (std::equal(text.end() - tail + static_cast<std::ptrdiff_t>(period),
                   text.end(), text.end() - tail)) {
      return period;
    }
  }
  return 0;
}

std::string Listed(const std::vector<std::int64_t>& numbers) {
  std::string list;
  for (const std::int64_t number : numbers) {
    list += (list.empty() ? "" : " ") + std::to_string(number);
  }
  return list;
}

void Tell(const std::string& line) { std::printf("  | %s\n", line.c_str()); }

TEST(Positions, ChangeTheLogitsOnlyIfTasksReadTheRopeTables) {
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    LanguageModel model(Gendir(), seed);
    model.Read(kPrompt, kInOrder);
    const auto in_order = model.Logits();
    model.Read(kPrompt, kPermuted);
    const double change = RelL2(model.Logits(), in_order);
    if (seed == 1) {
      Tell("Tasks read rope_cos " + std::to_string(model.Readers("rope_cos")) +
           " times and rope_sin " + std::to_string(model.Readers("rope_sin")) +
           " times.");
      Tell("The prompt at positions " + Listed(kInOrder) + ", then at " +
           Listed(kPermuted) + ":");
      Tell("the logits differ by relL2 " + std::to_string(change) + ".");
      Tell(change > 0 ? "The model knows where its tokens stand."
                      : "The model cannot tell where a token stands.");
    }
    if (KnowsPositions(model)) {
      EXPECT_GT(change, 0.1) << "seed " << seed;
    } else {
      EXPECT_EQ(change, 0) << "seed " << seed;
    }
  }
}

TEST(Positions, ChangeTheTextOnlyIfTasksReadTheRopeTables) {
  constexpr std::int64_t kShort = 16;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    LanguageModel model(Gendir(), seed);
    model.Read(kPrompt, kInOrder);
    const Tokens in_order = model.Write(kShort, kNext);
    model.Read(kPrompt, kPermuted);
    const Tokens permuted = model.Write(kShort, kNext);
    if (seed == 1) {
      Tell("It writes " + Listed(in_order));
      Tell("     then " + Listed(permuted));
    }
    EXPECT_EQ(in_order != permuted, KnowsPositions(model)) << "seed " << seed;
  }
}

// What the user of the broken model sees.
TEST(Generation, RepeatsItselfIfNoTaskReadsTheRopeTables) {
  std::uint32_t repeating = 0;
  bool knows_positions = false;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    LanguageModel model(Gendir(), seed);
    model.Read(kPrompt, kInOrder);
    const Tokens text = model.Write(kLength, kNext);
    if (Period(text) > 0) ++repeating;
    knows_positions = KnowsPositions(model);
    if (seed == 1) {
      Tell("Of " + std::to_string(kLength) + " tokens it writes, the last are");
      Tell("… " + Listed({text.end() - 16, text.end()}));
    }
  }
  Tell(std::to_string(repeating) + " of " + std::to_string(kSeeds) +
       " models, each with weights of its own, end in a loop.");
  // Which of them do depends on the last bits of sums; how many hardly does.
  if (knows_positions) {
    EXPECT_LE(repeating, kSeeds / 4);
  } else {
    EXPECT_GT(repeating, kSeeds / 2);
  }
}

}  // namespace
}  // namespace guarded_numerics
