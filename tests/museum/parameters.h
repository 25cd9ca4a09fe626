// SPDX-License-Identifier: Apache-2.0
//
// Exhibits as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/museum/exhibit.h"

namespace graph_coverage::museum {

template <typename Keep>
std::vector<const Exhibit*> ExhibitsWhere(const Keep& keep) {
  std::vector<const Exhibit*> kept;
  for (const Exhibit& exhibit : Exhibits()) {
    if (keep(exhibit)) kept.push_back(&exhibit);
  }
  return kept;
}

inline std::string NameOf(
    const ::testing::TestParamInfo<const Exhibit*>& info) {
  std::string name = info.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace graph_coverage::museum
