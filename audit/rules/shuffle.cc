// SPDX-License-Identifier: Apache-2.0
//
// shuffle-cover: the copies into a shuffled tensor tile it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

// False where the version does not say what is copied.
bool HasSource(const Copy& copy) {
  return !copy.source.empty() || copy.source_address != 0;
}

std::string SourceName(const Copy& copy) {
  return copy.source.empty() ? fmt::format("0x{:x}", copy.source_address)
                             : copy.source;
}

// What is wrong with the copies' extents; empty where they tile the tensor.
std::string CoverFault(const Declaration& declaration) {
  std::vector<Copy> copies = declaration.copies;
  if (copies.empty()) return "has no copies";
  std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) {
    return a.target_offset < b.target_offset;
  });
  const std::uint64_t pitch = copies.front().target_pitch;
  const std::uint64_t height = copies.front().height;
  std::uint64_t covered = 0;  // columns, in bytes
  for (const Copy& copy : copies) {
    const std::string name = SourceName(copy);
    if (copy.target_pitch != pitch) {
      return fmt::format(
          "has copies of different pitch: {} has {} bytes, "
          "others {}",
          name, copy.target_pitch, pitch);
    }
    if (copy.height != height) {
      return fmt::format(
          "has copies of different height: {} has {} rows, "
          "others {}",
          name, copy.height, height);
    }
    if (copy.target_offset > covered) {
      return fmt::format(
          "has a gap: bytes {} to {} of each row are not "
          "copied",
          covered, copy.target_offset);
    }
    if (copy.target_offset < covered) {
      return fmt::format(
          "has an overlap: {} starts at byte {} of the row, "
          "which is copied up to byte {}",
          name, copy.target_offset, covered);
    }
    if (copy.width > pitch - covered) {
      return fmt::format(
          "is passed: {} is {} bytes wide and {} are left of "
          "the row",
          name, copy.width, pitch - covered);
    }
    covered += copy.width;
  }
  if (covered != pitch) {
    return fmt::format("has a gap: bytes {} to {} of each row are not copied",
                       covered, pitch);
  }
  const std::uint64_t bytes = declaration.bytes.value_or(0);
  if (pitch == 0 || bytes % pitch != 0 || bytes / pitch != height) {
    return fmt::format("has {} bytes and the copies fill {} rows of {} bytes",
                       bytes, height, pitch);
  }
  return "";
}

// What is wrong with the copies' sources, seen over the whole rank.
std::string SourceFault(const FamilyName& family,
                        const Declaration& declaration,
                        const std::map<std::string, int>& uses) {
  for (const Copy& copy : declaration.copies) {
    if (!HasSource(copy)) continue;
    const int times = uses.at(SourceName(copy));
    if (times > 1) {
      return fmt::format("copies the source {}, which is copied {} times",
                         SourceName(copy), times);
    }
    const auto layer = LayerOnAxis(family.family, copy.source);
    if (layer && layer != family.layer) {
      return fmt::format("copies {}, a tensor of layer {}", copy.source,
                         *layer);
    }
  }
  return "";
}

}  // namespace

void JudgeShuffleCover(const RankContext& rank, Judgement& judgement) {
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    for (const Copy& copy : rank.view.declaration_at(i).copies) {
      if (HasSource(copy)) ++uses[SourceName(copy)];
    }
  }
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    const Declaration& declaration = rank.view.declaration_at(i);
    if (declaration.kind != TensorKind::kShuffled) continue;
    judgement.Judged();
    std::string fault = CoverFault(declaration);
    if (fault.empty()) {
      const TensorId tensor = rank.view.declared_tensor(i);
      fault =
          SourceFault(rank.analyses.families().of(tensor), declaration, uses);
    }
    if (fault.empty()) continue;
    Finding& finding = judgement.Add();
    finding.tensor = declaration.name;
    finding.places.push_back({rank.view.source_file(), declaration.line, 0, 0});
    for (const Copy& copy : declaration.copies) {
      finding.places.push_back({rank.view.source_file(), copy.line, 0, 0});
    }
    finding.found = fault;
    finding.expected =
        "copies of one height that fill each row once, each "
        "from a source of its own and of its own layer";
    finding.advice = "Mend the offsets, widths or sources of the copies";
  }
}

}  // namespace graph_coverage
