// SPDX-License-Identifier: Apache-2.0
//
// Operators that edit the kernel source: declarations and the dispatch chain.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "audit/artifacts/branch_reader.h"
#include "audit/artifacts/cxx_brackets.h"
#include "audit/artifacts/cxx_tokens.h"
#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

std::vector<Site> Declarations(const RankIndex& index) {
  std::vector<Site> sites;
  for (std::uint32_t i = 0; i < index.view().declaration_count(); ++i) {
    sites.push_back({i});
  }
  return sites;
}

void FillDeclaration(const RankIndex& index, const Site& site, std::uint32_t,
                     Mutation& mutation) {
  mutation.subject = index.view().declaration_at(site.a).name;
}

void RemoveDeclaration(const RankIndex& index, const Mutation& mutation,
                       Overlay& overlay) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < index.view().declaration_count(); ++i) {
    if (index.view().declaration_at(i).name != mutation.subject) {
      left.push_back(i);
    }
  }
  if (left.size() == index.view().declaration_count()) {
    Refuse(mutation, "the rank declares no such tensor");
  }
  overlay.declaration_order = std::move(left);
}

// Token [begin, end) of a body whose tokens have one space between.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Calls visit(token, its place, the token before, the one before that).
template <typename Visit>
void EachToken(const std::string& body, const Visit& visit) {
  std::string_view before;
  std::string_view earlier;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find(' ', begin), body.size());
    const std::string_view token =
        std::string_view(body).substr(begin, end - begin);
    visit(token, Piece{begin, end}, before, earlier);
    earlier = std::exchange(before, token);
    begin = end + 1;
  }
}

bool IsOperandArray(std::string_view token) {
  return token == "input_ptrs" || token == "output_ptrs" ||
         token == "input_tma_desc_ptrs" || token == "output_tma_desc_ptrs" ||
         token == "inputs" || token == "outputs";
}

// The subscripts of operand arrays.
std::vector<Piece> Slots(const std::string& body) {
  std::vector<Piece> places;
  EachToken(body, [&places](std::string_view token, Piece place,
                            std::string_view before, std::string_view earlier) {
    if (before != "[" || !IsOperandArray(earlier)) return;
    if (token.find_first_not_of("0123456789") == std::string_view::npos &&
        token.size() < 4) {
      places.push_back(place);
    }
  });
  return places;
}

std::string TurnedAround(const std::string& literal) {
  static const std::map<std::string, std::string> others = {
      {"true", "false"}, {"false", "true"}, {"1", "0"}, {"0", "1"}};
  const auto found = others.find(literal);
  return found == others.end() ? "" : found->second;
}

// The switches of attention: two literals in a row as arguments right before
// an operand. What other literals mean, template arguments among them, a
// source does not say.
std::vector<Piece> Switches(const std::string& body) {
  constexpr std::string_view kOperand = " , task_desc ";
  std::vector<Piece> places;
  Piece literal;  // the last one met
  EachToken(body, [&](std::string_view token, Piece place,
                      std::string_view before, std::string_view earlier) {
    if (TurnedAround(std::string(token)).empty()) return;
    const Piece first = std::exchange(literal, place);
    if (before != "," || TurnedAround(std::string(earlier)).empty()) return;
    if (body.compare(place.end, kOperand.size(), kOperand) != 0) return;
    places.push_back(first);
    places.push_back(place);
  });
  return places;
}

std::vector<Site> PlacesIn(const RankIndex& index,
                           std::vector<Piece> (*find)(const std::string&)) {
  std::vector<Site> sites;
  for (std::uint32_t i = 0; i < index.view().branch_count(); ++i) {
    const auto count = find(index.view().branch(i).body).size();
    if (count > 0) sites.push_back({i, 0, static_cast<std::uint32_t>(count)});
  }
  return sites;
}

std::vector<Site> SlotSites(const RankIndex& index) {
  return PlacesIn(index, Slots);
}

std::vector<Site> SwitchSites(const RankIndex& index) {
  return PlacesIn(index, Switches);
}

std::vector<Site> BranchSites(const RankIndex& index) {
  std::vector<Site> sites;
  // A chain without branches would be another thing.
  if (index.view().branch_count() < 2) return sites;
  for (std::uint32_t i = 0; i < index.view().branch_count(); ++i) {
    sites.push_back({i});
  }
  return sites;
}

void FillBranch(const RankIndex& index, const Site& site, std::uint32_t,
                Mutation& mutation) {
  mutation.branch = site.a;
  mutation.subject = index.view().branch(site.a).type;
}

void FillPlaceInBranch(const RankIndex& index, const Site& site,
                       std::uint32_t k, Mutation& mutation) {
  FillBranch(index, site, k, mutation);
  mutation.at = k;
}

const Branch& BranchOf(const RankIndex& index, const Mutation& mutation) {
  if (!mutation.branch || *mutation.branch >= index.view().branch_count()) {
    Refuse(mutation, "the chain has no such branch");
  }
  const Branch& branch = index.view().branch(*mutation.branch);
  if (branch.type != mutation.subject) {
    Refuse(mutation, "the branch is of " + branch.type);
  }
  return branch;
}

// The branch with another body, read as it would be from a file.
Branch WithBody(const Branch& branch, const std::string& body) {
  const CxxTokens tokens(body, "branch");
  const CxxBrackets brackets(tokens);
  Branch changed;
  changed.type = branch.type;
  changed.variant = branch.variant;
  changed.line = branch.line;
  ReadBranch(brackets, {0, tokens.size()}, changed);
  return changed;
}

template <typename Change>
void ChangeToken(const RankIndex& index, const Mutation& mutation,
                 std::vector<Piece> (*find)(const std::string&),
                 const Change& change, Overlay& overlay) {
  const Branch& branch = BranchOf(index, mutation);
  const std::vector<Piece> places = find(branch.body);
  if (!mutation.at || *mutation.at >= places.size()) {
    Refuse(mutation, "the branch has no such place");
  }
  const Piece place = places[*mutation.at];
  std::string body = branch.body;
  const std::string token = body.substr(place.begin, place.end - place.begin);
  body.replace(place.begin, token.size(), change(token));
  overlay.branches[*mutation.branch] = WithBody(branch, body);
}

void ChangeSlot(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  ChangeToken(
      index, mutation, Slots,
      [](const std::string& token) {
        return std::to_string(std::stoul(token) + 1);
      },
      overlay);
}

void TurnSwitch(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  ChangeToken(index, mutation, Switches, TurnedAround, overlay);
}

void DropBranch(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  BranchOf(index, mutation);
  overlay.dropped_branches = {*mutation.branch};
}

}  // namespace

std::vector<OperatorRow> SourceOperators() {
  constexpr Edits kEdits = Edits::kSource;
  return {
      {{"remove-declaration", "remove the declaration of a tensor", kEdits,
        "undeclared or absent tensors"},
       Declarations,
       FillDeclaration,
       RemoveDeclaration},
      {{"branch-slot", "dereference the next slot in a branch", kEdits,
        "a kernel that reads another operand"},
       SlotSites,
       FillPlaceInBranch,
       ChangeSlot},
      {{"branch-switch", "turn the switch of qk-norm or rope around", kEdits,
        "a kernel that leaves an operand out, or uses one that is not there"},
       SwitchSites,
       FillPlaceInBranch,
       TurnSwitch},
      {{"drop-branch", "drop a branch of the dispatch chain", kEdits,
        "tasks that do nothing"},
       BranchSites,
       FillBranch,
       DropBranch},
  };
}

}  // namespace graph_coverage
