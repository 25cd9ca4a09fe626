// SPDX-License-Identifier: Apache-2.0
//
// From a rank to the facts of a contract, and from facts to its lines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/contract/facts.h"
#include "audit/read.h"
#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

// Fingerprints: equal for equal content on every machine.
constexpr std::uint64_t kSeed = 0xcbf29ce484222325;

std::uint64_t Mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

std::uint64_t Mixed(std::uint64_t hash, std::string_view text) {
  hash = Mixed(hash, text.size());
  for (const char c : text) hash = Mixed(hash, static_cast<unsigned char>(c));
  return hash;
}

std::string Fingerprint(std::uint64_t hash) {
  return fmt::format("{:08x}", static_cast<std::uint32_t>(hash ^ hash >> 32));
}

// A number of things and a sum over them that knows no order.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  void Add(std::uint64_t hash) {
    ++count;
    sum += Mixed(kSeed, hash);
  }
  ContractFact fact() const { return {count, Fingerprint(sum)}; }
};

class Recorder {
 public:
  explicit Recorder(const RankContext& rank)
      : rank_(rank),
        view_(rank.view),
        families_(rank.analyses.families()),
        layers_(rank.analyses.layers()),
        runs_(rank.analyses.runs()) {}

  RankFacts Record() {
    RecordDeclarations();
    RecordOperands();
    RecordEvents();
    RecordBranches();
    return std::move(facts_);
  }

 private:
  static FactsKey Key(ContractSubject subject, std::string name) {
    return {subject, std::move(name), "", std::nullopt};
  }

  // Of a tensor that the tasks of a section use.
  FactsKey KeyOf(TensorId tensor, std::optional<Section> section) const {
    const FamilyName& name = families_.of(tensor);
    FactsKey key = Key(ContractSubject::kTensor, name.family);
    if (name.layer) {
      key.layer = name.layer;
    } else if (section) {
      InSection(*section, &key);
    }
    return key;
  }

  void InSection(Section section, FactsKey* key) const {
    key->prefix = std::string(layers_.axes()[section.axis]);
    key->layer = section.layer;
  }

  // The family of any name: what copies name need not be declared.
  FamilyName FamilyOf(const std::string& name) const {
    if (const auto tensor = view_.FindTensor(name)) {
      return families_.of(*tensor);
    }
    for (const std::string_view axis : layers_.axes()) {
      std::string family = std::string(axis) + '#';
      const auto layer = LayerOnAxis(family, name);
      if (!layer) continue;
      const std::size_t digits =
          name.find_first_not_of("0123456789", axis.size());
      if (digits != std::string::npos) family += name.substr(digits);
      return {family, layer};
    }
    return {name, std::nullopt};
  }

  void RecordDeclarations() {
    for (std::size_t i = 0; i < view_.declaration_count(); ++i) {
      const Declaration& declaration = view_.declaration_at(i);
      ContractFacts& facts =
          facts_[KeyOf(view_.declared_tensor(i), std::nullopt)];
      facts["kind"].text = ToString(declaration.kind);
      if (declaration.bytes) facts["bytes"].count = *declaration.bytes;
      if (!declaration.alias_of.empty()) {
        facts["alias_of"].text = FamilyOf(declaration.alias_of).family;
      }
      if (!declaration.copies.empty()) RecordCopies(declaration, &facts);
    }
  }

  void RecordCopies(const Declaration& declaration,
                    ContractFacts* facts) const {
    constexpr std::size_t kMostNamed = 4;
    const auto own_layer = FamilyOf(declaration.name).layer;
    Tally copies;
    std::set<std::string> sources;
    for (const Copy& copy : declaration.copies) {
      const auto [source, layer] = FamilyOf(copy.source);
      std::uint64_t hash = Mixed(kSeed, source);
      // Of its own layer, of another, or of none.
      hash = Mixed(hash, layer ? layer == own_layer ? 2u : 1u : 0u);
      for (const std::uint64_t extent :
           {copy.target_offset, copy.target_pitch, copy.source_pitch,
            copy.width, copy.height}) {
        hash = Mixed(hash, extent);
      }
      copies.Add(hash);
      if (!source.empty()) sources.insert(source);
    }
    (*facts)["copies"] = copies.fact();
    if (!sources.empty() && sources.size() <= kMostNamed) {
      (*facts)["sources"].text = fmt::format("{}", fmt::join(sources, ", "));
    }
  }

  // What the operands of each tensor, and the tasks of each type, are.
  void RecordOperands() {
    std::map<FactsKey, std::map<std::string, Tally>> tallies;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::optional<Section> section = layers_.of_run(i);
      const Task first = runs_.task(i);
      const std::string type = view_.TypeName(first.type);
      FactsKey key = Key(ContractSubject::kTaskType, type);
      if (section) InSection(*section, &key);
      facts_[key]["tasks"].count += runs_[i].count;
      for (const bool output : {false, true}) {
        const Span<Operand> operands = output ? first.outputs : first.inputs;
        for (std::uint32_t slot = 0; slot < operands.size(); ++slot) {
          if (view_.IsNull(operands[slot].tensor)) continue;
          Tally& tally =
              tallies[KeyOf(operands[slot].tensor, section)]
                     [fmt::format("{}.{}", type, ToString(Slot{output, slot}))];
          AddTiles(runs_[i], Slot{output, slot}, &tally);
        }
      }
    }
    for (const auto& [key, slots] : tallies) {
      for (const auto& [slot, tally] : slots) facts_[key][slot] = tally.fact();
    }
  }

  void AddTiles(const Run& run, Slot slot, Tally* tally) {
    const std::uint32_t first = static_cast<std::uint32_t>(run.first);
    const TaskSemantics* semantics =
        rank_.analyses.semantics().Find(view_.task(run.first).type);
    // Where a put writes says which rank it is on.
    const bool remote = semantics != nullptr && semantics->remote.has(slot);
    for (std::uint32_t i = first; i < first + run.count; ++i) {
      const Task task = view_.task(TaskId(i));
      const Operand& operand =
          slot.output ? task.outputs[slot.index] : task.inputs[slot.index];
      const std::uint64_t at =
          remote ? 0 : static_cast<std::uint64_t>(operand.offset);
      tally->Add(Mixed(HashOf(operand.layout), at));
    }
  }

  std::uint64_t HashOf(LayoutId id) {
    const auto [at, is_new] = layouts_.try_emplace(id, kSeed);
    if (is_new) {
      const Layout layout = view_.layout(id);
      std::uint64_t& hash = at->second;
      hash = Mixed(hash, static_cast<std::uint64_t>(layout.data_type));
      for (const Span<std::int64_t>& extents : {layout.dims, layout.strides}) {
        hash = Mixed(hash, extents.size());
        for (const std::int64_t extent : extents) {
          hash = Mixed(hash, static_cast<std::uint64_t>(extent));
        }
      }
    }
    return at->second;
  }

  // The events that tasks of each type trigger or wait for: by how many tasks
  // of which types, and what they count.
  void RecordEvents() {
    struct Users {
      Tally triggers, waits;
      std::set<std::string> types;
    };
    std::vector<Users> users(view_.event_count());
    const auto add = [&](EventId id, bool trigger, const std::string& type) {
      if (id.none() || id.index() >= users.size()) return;
      Users& event = users[id.index()];
      (trigger ? event.triggers : event.waits)
          .Add(Mixed(Mixed(kSeed, type), id.nvshmem()));
      event.types.insert(type);
    };
    for (std::uint32_t i = 0; i < view_.task_count(); ++i) {
      const Task task = view_.task(TaskId(i));
      if (task.type == kTerminateType || task.type == kBeginType) continue;
      const std::string type = view_.TypeName(task.type);
      add(task.trigger, true, type);
      add(task.dependent, false, type);
    }
    std::map<std::string, Tally> events;
    for (std::size_t i = 0; i < users.size(); ++i) {
      const Event event = view_.event(i);
      std::uint64_t hash = Mixed(kSeed, static_cast<std::uint64_t>(event.type));
      for (const std::uint64_t part :
           {event.num_triggers, users[i].triggers.sum, users[i].waits.sum}) {
        hash = Mixed(hash, part);
      }
      for (const std::string& type : users[i].types) events[type].Add(hash);
    }
    for (const auto& [type, tally] : events) {
      facts_[Key(ContractSubject::kTaskType, type)]["events"] = tally.fact();
    }
  }

  void RecordBranches() {
    for (std::size_t i = 0; i < view_.branch_count(); ++i) {
      const Branch& branch = view_.branch(i);
      ContractFacts& facts =
          facts_[Key(ContractSubject::kBranch,
                     fmt::format("{} {}", branch.type, branch.variant))];
      std::vector<std::string> slots;
      for (const std::uint32_t slot : branch.inputs) {
        slots.push_back(ToString(Slot{false, slot}));
      }
      for (const std::uint32_t slot : branch.outputs) {
        slots.push_back(ToString(Slot{true, slot}));
      }
      facts["slots"].text = fmt::format("{}", fmt::join(slots, " "));
      facts["code"].text = Fingerprint(Mixed(kSeed, branch.body));
    }
  }

  const RankContext& rank_;
  const View& view_;
  const Families& families_;
  const Layers& layers_;
  const Runs& runs_;
  std::map<LayoutId, std::uint64_t> layouts_;
  RankFacts facts_;
};

// Facts as one text: equal where the facts are.
std::string TextOf(const ContractFacts& facts) {
  std::string text;
  for (const auto& [key, fact] : facts) {
    text += fmt::format("{}:{}:{}:{}:{};", key.size(), key, fact.count,
                        fact.text.size(), fact.text);
  }
  return text;
}

}  // namespace

RankFacts FactsOf(const RankContext& rank) { return Recorder(rank).Record(); }

Contract FoldFacts(const std::string& file,
                   const std::map<RankId, RankFacts>& ranks) {
  Contract contract;
  contract.file = file;
  struct Shared {
    std::vector<RankId> ranks;
    const ContractFacts* facts = nullptr;
  };
  std::map<FactsKey, std::map<std::string, Shared>> by_key;
  for (const auto& [rank, all] : ranks) {
    contract.ranks.push_back(rank);
    for (const auto& [key, facts] : all) {
      Shared& shared = by_key[key][TextOf(facts)];
      shared.ranks.push_back(rank);
      shared.facts = &facts;
    }
  }
  // The layers of one subject that share ranks and facts become one line.
  using LineKey = std::tuple<ContractSubject, std::string, std::string, bool,
                             std::vector<RankId>, std::string>;
  std::map<LineKey, std::size_t> lines;
  for (const auto& [key, variants] : by_key) {
    for (const auto& [text, shared] : variants) {
      const auto [at, is_new] =
          lines.try_emplace({key.subject, key.name, key.prefix,
                             key.layer.has_value(), shared.ranks, text},
                            contract.lines.size());
      if (is_new) {
        contract.lines.push_back({key.subject,
                                  key.name,
                                  shared.ranks,
                                  key.prefix,
                                  {},
                                  *shared.facts});
      }
      if (key.layer) contract.lines[at->second].layers.push_back(*key.layer);
    }
  }
  return contract;
}

RankFacts UnfoldFacts(const Contract& contract, RankId rank) {
  RankFacts unfolded;
  for (const ContractLine& line : contract.lines) {
    if (!std::binary_search(line.ranks.begin(), line.ranks.end(), rank)) {
      continue;
    }
    FactsKey key{line.subject, line.name, line.prefix, std::nullopt};
    if (line.layers.empty()) unfolded[key] = line.facts;
    for (const std::uint32_t layer : line.layers) {
      key.layer = layer;
      unfolded[key] = line.facts;
    }
  }
  return unfolded;
}

Contract RecordContract(const Gendir& gendir, const AuditOptions& given) {
  AuditOptions options = given;
  options.policy = PolicyFor(gendir, given.policy);
  const std::vector<Rank> ranks = ReadRanks(gendir, options);
  const SemanticsTable semantics = ReadSemantics(options);
  std::map<RankId, RankFacts> facts;
  for (const Rank& rank : ranks) {
    const View view(rank);
    Analyses analyses(view, semantics, {}, options.policy.layer_prefixes);
    facts[rank.id()] = FactsOf({view, analyses, options.policy});
  }
  return FoldFacts(gendir.name(), facts);
}

}  // namespace graph_coverage
