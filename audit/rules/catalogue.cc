// SPDX-License-Identifier: Apache-2.0
//
// The words of the catalogue, a group after the other.
#include "graph_coverage/catalogue.h"

#include <algorithm>

#include "audit/rules/catalogue_groups.h"

namespace graph_coverage {

const char* ToString(Scope scope) {
  switch (scope) {
    case Scope::kDeclaration:
      return "declaration";
    case Scope::kTask:
      return "task";
    case Scope::kBranch:
      return "branch";
    case Scope::kLayer:
      return "layer";
    case Scope::kOperator:
      return "operator";
    case Scope::kEvent:
      return "event";
    case Scope::kRegion:
      return "region";
    case Scope::kRanks:
      return "ranks";
    case Scope::kGendir:
      return "gendir";
  }
  return "unknown";
}

namespace {

std::vector<RuleInfo> GroupA() {
  return {
      {"missing-wiring", 'A', "a critical tensor is read by no task",
       Severity::kError, Scope::kDeclaration, "each critical tensor",
       "The kernel computes without the tensor: every task is right by itself "
       "and the model is wrong. With rope tables unread, attention is blind to "
       "positions and the text stays fluent.",
       "Pass the tensor to the layer call that should read it and generate "
       "again. If the model does not need it, stop attaching it.",
       "When a tensor is attached for a feature that this build leaves out on "
       "purpose.",
       "On GLM-5.1, and on DeepSeek-V3 as shipped, rope_cos and rope_sin are "
       "attached and read by no task."},
      {"unread-attached", 'A', "an attached tensor is read by no task",
       Severity::kWarning, Scope::kDeclaration,
       "each attached tensor that is not critical and that no task writes",
       "A tensor that is handed in and never read is memory wasted at best, "
       "and "
       "a wire forgotten at worst.",
       "Wire it, or stop attaching it.",
       "When the program or the runtime, not a task, reads the buffer.",
       "Prompt lookup attaches input_token, which the runtime fills and no "
       "task reads."},
      {"undeclared-tensor", 'A', "a task names a tensor nothing declares",
       Severity::kError, Scope::kDeclaration,
       "each tensor that an operand names",
       "The kernel looks the name up in all_tensors when it starts and finds "
       "nothing: it stops, or reads from a null address.",
       "Attach or allocate the tensor, or correct the operand's name.",
       "Never: the kernel cannot run.",
       "The generator resolves base_ptr through all_tensors."},
      {"required-tensor-absent", 'A', "a required tensor is not declared",
       Severity::kError, Scope::kDeclaration,
       "each name that the policy requires",
       "A tensor whose declaration is gone cannot be missed by the other "
       "rules: deleting the declaration of an unread tensor silences "
       "missing-wiring.",
       "Attach the tensor and wire it, or take it off the list.",
       "When the model no longer has the tensor; mend the list instead.",
       "Mutation: removing a declaration survives every rule that has no list "
       "to hold the source against."},
      {"write-only", 'A', "a tensor is written and read by no task",
       Severity::kWarning, Scope::kDeclaration,
       "each tensor that a task writes",
       "What an operator computes is lost: its reader was forgotten or reads "
       "another buffer. So is one result of several in a buffer, if nothing "
       "reads it before the next. Attached tensors are the program's outputs, "
       "so for them it is a note. A slot that no branch dereferences is not "
       "written.",
       "Wire the reader, or drop the operator.",
       "When the tensor is kept for debugging.",
       "The draft step of DeepSeek-V3 writes mtp_new_position, "
       "mtp_final_output and mtp_accept_num_new, and nothing reads them."},
      {"dead-scratch", 'A', "scratch memory is neither read nor written",
       Severity::kNote, Scope::kDeclaration, "each scratch tensor",
       "Memory is allocated for nothing; now and then it is the trace of an "
       "operator that was dropped.",
       "Stop allocating it.", "Always: every real model has two to five.",
       "Qwen3 and DeepSeek-V3 allocate buffers for features that a build "
       "leaves out.",
       true},
      {"shuffle-cover", 'A', "the copies into a shuffled tensor do not tile it",
       Severity::kError, Scope::kDeclaration, "each shuffled tensor",
       "Rows of a fused weight that no copy fills hold garbage; rows copied "
       "twice, or from another layer's source, hold the wrong weight.",
       "Mend the offsets, widths or sources of the copies.",
       "Never: the tensor's contents are wrong.",
       "In 2,552 copies of 15 real builds each row is filled exactly once, "
       "with equal heights, and each source is used once."},
      {"missing-rank", 'A', "the gendir has fewer ranks than the source says",
       Severity::kNote, Scope::kGendir, "each rank of num_gpus",
       "A fault that only one rank has is seen only in that rank's files.",
       "Give the gendir all ranks' files, or leave it if one rank is enough.",
       "When one rank is audited on purpose.",
       "Every kernel source says num_gpus."},
  };
}

std::vector<RuleInfo> GroupF() {
  return {
      {"contract-drift", 'F', "the coverage is not as recorded",
       Severity::kError, Scope::kGendir, "each line of the contract",
       "A build that was good had other coverage: an operand, a tile or the "
       "code of a branch has changed since. It sees what is alike in every "
       "layer and rank, which no comparison of siblings can.",
       "Mend the build; or, where the change is meant, record the contract "
       "again and have it reviewed.",
       "When one known difference must be lived with until the contract is "
       "recorded again.",
       "A generator's change that drops the same operand in all layers."},
      {"stale-waiver", 'F', "a waiver accepts nothing", Severity::kError,
       Scope::kGendir, "each waiver of the policy",
       "A waiver that no longer matches hides the next fault of its kind.",
       "Remove the waiver, or narrow it to what still fails.",
       "Never: remove the waiver.",
       "Layers whose norms went unread on purpose were wired later, and the "
       "waiver stayed."},
      {"expired-waiver", 'F', "a waiver has expired", Severity::kError,
       Scope::kGendir, "each waiver of the policy that has an expiry date",
       "What was to be kept for now is kept still: somebody meant to mend it "
       "by that day.",
       "Mend what it accepted and remove the waiver, or decide anew until when "
       "it may stay.",
       "Never: decide anew.",
       "Waivers that were meant for a week and stayed for years."},
  };
}

}  // namespace

const std::vector<RuleInfo>& Catalogue() {
  static const std::vector<RuleInfo> rules = [] {
    std::vector<RuleInfo> all;
    for (const auto group : {GroupA, GroupB, GroupC, GroupD, GroupE, GroupF}) {
      for (const RuleInfo& rule : group()) all.push_back(rule);
    }
    return all;
  }();
  return rules;
}

const RuleInfo* FindRule(std::string_view id) {
  const auto& rules = Catalogue();
  const auto at =
      std::find_if(rules.begin(), rules.end(),
                   [id](const RuleInfo& rule) { return rule.id == id; });
  return at == rules.end() ? nullptr : &*at;
}

}  // namespace graph_coverage
