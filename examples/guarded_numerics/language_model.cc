// SPDX-License-Identifier: Apache-2.0
#include "language_model.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <string_view>

#include "model.h"

namespace guarded_numerics {
namespace {

bool EndsWith(std::string_view name, std::string_view end) {
  return name.size() >= end.size() &&
         name.substr(name.size() - end.size()) == end;
}

// Numbers of mean 0 and variance 1, the same for the same name and seed.
class Noise {
 public:
  Noise(const std::string& name, std::uint32_t seed) {
    std::vector<std::uint32_t> parts(name.begin(), name.end());
    parts.push_back(seed);
    std::seed_seq sequence(parts.begin(), parts.end());
    engine_.seed(sequence);
  }
  // Even between -sqrt(3) and sqrt(3).
  float Next() {
    const double even = static_cast<double>(engine_()) / engine_.max();
    return static_cast<float>((2 * even - 1) * std::sqrt(3.0));
  }

 private:
  std::mt19937 engine_;
};

// How large weights are, where that is not what keeps a linear layer's outputs
// as large as its inputs. Queries and keys are larger, which makes attention
// sharp, and so is what attention adds to the text beside the rest.
struct Gain {
  std::string_view name;
  float gain;
};
constexpr Gain kGains[] = {
    {"_q_b_proj", 3},
    {"_kv_a_rope", 6},
    {"_o_proj", 3},
    {"_down_proj", 0.1F},
};

float GainOf(const std::string& name) {
  for (const Gain& gain : kGains) {
    if (EndsWith(name, gain.name)) return gain.gain;
  }
  return 1;
}

template <typename Value>
void Fill(const Tile& tile, Value value) {
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    for (std::int64_t column = 0; column < tile.columns; ++column) {
      tile.Set(row, column, static_cast<float>(value(row, column)));
    }
  }
}

void FillScales(const Tile& tile) {
  constexpr std::int64_t kEighths = 0x7c7c7c7c;  // four exponents of 2^-3
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    for (std::int64_t column = 0; column < tile.columns; ++column) {
      tile.SetInteger(row, column, kEighths);
    }
  }
}

}  // namespace

double RopeAngle(std::int64_t position, std::int64_t pair) {
  constexpr double kBase = 10000;
  const double share = 2.0 * static_cast<double>(pair) / kRopeColumns;
  return static_cast<double>(position) * std::pow(kBase, -share);
}

void FillWeights(const Megakernel& megakernel, std::uint32_t seed) {
  constexpr std::int64_t kPairs = kRopeColumns / 2;
  for (const auto& [name, tensor] : megakernel.tensors()) {
    const Tile& tile = tensor.whole;
    if (!tensor.attached || EndsWith(name, "_token") ||
        EndsWith(name, "_cache")) {
      continue;
    }
    Noise noise(name, seed);
    if (EndsWith(name, "_scale")) {
      FillScales(tile);
    } else if (name == "rope_cos") {
      Fill(tile, [](std::int64_t position, std::int64_t column) {
        return std::cos(RopeAngle(position, column % kPairs));
      });
    } else if (name == "rope_sin") {
      Fill(tile, [](std::int64_t position, std::int64_t column) {
        return std::sin(RopeAngle(position, column % kPairs));
      });
    } else if (name.find("norm") != std::string::npos) {
      Fill(tile, [&](auto, auto) { return 1 + 0.1F * noise.Next(); });
    } else if (name == "embed_tokens") {
      Fill(tile, [&](auto, auto) { return noise.Next(); });
    } else {
      float size = GainOf(name) / std::sqrt(static_cast<float>(tile.columns));
      if (tile.type == DataType::kFp8) size *= 8;  // the scales are eighths
      Fill(tile, [&](auto, auto) { return size * noise.Next(); });
    }
  }
}

LanguageModel::LanguageModel(const std::string& gendir, std::uint32_t seed)
    : megakernel_(gendir) {
  FillWeights(megakernel_, seed);
}

void LanguageModel::Decode(std::int64_t token, std::int64_t position) {
  if (decoded_ == kContext || position < 0 || position >= kPositions) {
    throw std::out_of_range("the cache is full, or there is no position " +
                            std::to_string(position));
  }
  megakernel_.tensor("input_token").whole.SetInteger(0, 0, token);
  megakernel_.Launch({decoded_++, position});
}

void LanguageModel::Read(const Tokens& prompt, const Positions& positions) {
  decoded_ = 0;  // later rows of the cache are not looked at
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    Decode(prompt[i], positions.at(i));
  }
}

Tokens LanguageModel::Write(std::int64_t count, std::int64_t position) {
  Tokens text;
  for (std::int64_t i = 0; i < count; ++i) {
    text.push_back(megakernel_.tensor("output_token").whole.GetInteger(0, 0));
    Decode(text.back(), position + i);
  }
  return text;
}

int LanguageModel::Readers(const std::string& tensor) const {
  return megakernel_.tensor(tensor).readers;
}

std::vector<double> LanguageModel::Logits() const {
  return megakernel_.tensor("lm_head_out").whole.Values();
}

}  // namespace guarded_numerics
