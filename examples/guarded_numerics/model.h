// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the model: three layers, small enough to run on a CPU in
// milliseconds. The program that makes the gendirs and the tests agree on them.
#pragma once

#include <cstdint>

namespace guarded_numerics {

inline constexpr std::int64_t kLayers = 3;
inline constexpr std::int64_t kHidden = 64;
inline constexpr std::int64_t kIntermediate = 128;
inline constexpr std::int64_t kVocabulary = 64;
inline constexpr std::int64_t kHeads = 4;
inline constexpr std::int64_t kQueryRank = 64;
inline constexpr std::int64_t kLatent = 32;       // columns of a cached latent
inline constexpr std::int64_t kRopeColumns = 32;  // rotated, after the latent
inline constexpr std::int64_t kSplits = 2;  // tasks that share the cache's rows
inline constexpr std::int64_t kContext = 144;    // tokens that fit the cache
inline constexpr std::int64_t kPositions = 256;  // rows of the rope tables

}  // namespace guarded_numerics
