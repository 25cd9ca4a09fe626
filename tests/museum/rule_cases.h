// SPDX-License-Identifier: Apache-2.0
//
// For each rule of the catalogue a fault that it must find, by name.
#pragma once

#include <string>
#include <vector>

#include "tests/museum/exhibit.h"

namespace graph_coverage::museum {

struct RuleCase {
  std::string rule;
  // What the finding says of the edit: a part of its line (see LinesOf), from
  // the rule's id on.
  std::string names;
  Specimen specimen;
  // Empty where no other rule finds anything as severe, so that without the
  // rule the fault goes unseen; else what is found beside it, and why.
  std::string beside = {};
};

// In the order of the catalogue.
const std::vector<RuleCase>& RuleCases();

// The rooms of the table.
std::vector<RuleCase> WiringCases();   // A, B and F
std::vector<RuleCase> SiblingCases();  // C
std::vector<RuleCase> OrderCases();    // D and E

// The specimen of an exhibit; throws std::invalid_argument where the museum
// has none of that name.
Specimen OfExhibit(const std::string& name);

}  // namespace graph_coverage::museum
