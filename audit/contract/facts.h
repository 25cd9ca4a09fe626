// SPDX-License-Identifier: Apache-2.0
//
// The facts that a contract records, one by one: a contract's lines are these,
// folded over layers and ranks.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/rules/rule.h"
#include "graph_coverage/contract.h"

namespace graph_coverage {

// What facts are about. A tensor of a layer is its family and its layer; what
// is of no layer has its uses apart by the layer that uses it, and the prefix
// that says which layers those are.
struct FactsKey {
  ContractSubject subject = ContractSubject::kTensor;
  std::string name;
  std::string prefix;
  std::optional<std::uint32_t> layer;

  friend auto operator<=>(const FactsKey&, const FactsKey&) = default;
};

using RankFacts = std::map<FactsKey, ContractFacts>;

RankFacts FactsOf(const RankContext& rank);

// `file` is where they come from.
Contract FoldFacts(const std::string& file,
                   const std::map<RankId, RankFacts>& ranks);

// The facts of one rank of a contract.
RankFacts UnfoldFacts(const Contract& contract, RankId rank);

// The rule contract-drift: what the audited ranks have otherwise than recorded.
void JudgeContractDrift(const GendirContext& gendir, const Contract& contract,
                        Judgement& judgement);

}  // namespace graph_coverage
