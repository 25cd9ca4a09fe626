// SPDX-License-Identifier: Apache-2.0
//
// The program around the megakernel: makes up weights, feeds tokens, and takes
// the likeliest next one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "megakernel.h"

namespace guarded_numerics {

// Fills the attached tensors with weights drawn by tensor name and seed, and
// the rope tables with the cosines and sines of their positions' angles.
void FillWeights(const Megakernel& megakernel, std::uint32_t seed);

// The angle by which pair `pair` of the rotated columns is turned at a
// position.
double RopeAngle(std::int64_t position, std::int64_t pair);

using Tokens = std::vector<std::int64_t>;
using Positions = std::vector<std::int64_t>;

class LanguageModel {
 public:
  LanguageModel(const std::string& gendir, std::uint32_t seed);

  // Starts again with an empty cache, and decodes the prompt. Token i arrives
  // as the i-th and is said to stand at positions[i].
  void Read(const Tokens& prompt, const Positions& positions);

  // Continues with the likeliest tokens. The first stands at `position`.
  Tokens Write(std::int64_t count, std::int64_t position);

  // Of the token after the last one that was decoded.
  std::vector<double> Logits() const;

  // How often the tasks of the megakernel read a tensor.
  int Readers(const std::string& tensor) const;

 private:
  void Decode(std::int64_t token, std::int64_t position);

  Megakernel megakernel_;
  std::int64_t decoded_ = 0;
};

}  // namespace guarded_numerics
