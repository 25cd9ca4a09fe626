// SPDX-License-Identifier: Apache-2.0
//
// Group A: where each rule fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Report AuditOf(SmallRank& rank, const Policy& policy = {}) {
  std::vector<Rank> ranks;
  ranks.push_back(rank.Build());
  AuditOptions options;
  options.policy = policy;
  // The ranks here are wired without regard to other groups.
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.group != 'A' && rule.group != 'F') {
      options.policy.off.emplace_back(rule.id);
    }
  }
  return AuditRanks("small", ranks, options);
}

// The messages of one rule's findings, each after its severity.
std::vector<std::string> Messages(const Report& report,
                                  const std::string& rule) {
  std::vector<std::string> messages;
  for (const Finding& finding : report.findings) {
    if (finding.rule != rule) continue;
    messages.push_back(std::string(ToString(finding.severity)) + ": " +
                       finding.message());
  }
  return messages;
}

constexpr std::uint32_t kNorm = 119;
constexpr std::uint32_t kLinear = 120;
constexpr std::uint32_t kInit = 200;

SmallRank Healthy() {
  SmallRank rank;
  rank.Attached("x").Attached("w").Attached("out").Scratch("h");
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0}, {0});
  rank.Task(kNorm, {"x", "w"}, {"h"}).Task(kLinear, {"h"}, {"out"});
  return rank;
}

TEST(GroupA, IsSilentOnAHealthyRank) {
  SmallRank rank = Healthy();
  const Report report = AuditOf(rank);
  EXPECT_EQ(report.verdict, Verdict::kPass);
  EXPECT_EQ(report.Count(Severity::kError), 0u);
  EXPECT_EQ(report.Count(Severity::kWarning), 0u);
  EXPECT_THAT(Messages(report, "write-only"),
              ElementsAre("note: out is attached and written, and no task "
                          "reads it. Nothing to do if the program reads it "
                          "afterwards."));
}

TEST(MissingWiring, NamesTheTensorThatNoTaskReads) {
  SmallRank rank = Healthy();
  rank.Attached("rope_cos");
  const Report report = AuditOf(rank);
  EXPECT_EQ(report.verdict, Verdict::kFail);
  EXPECT_THAT(Messages(report, "missing-wiring"),
              ElementsAre("error: rope_cos is attached and no task reads it; "
                          "expected at least one task that reads it. Wire it "
                          "into the task that should read it, or stop "
                          "attaching it."));
}

TEST(MissingWiring, FoldsLayersAndQuotesHealthySiblings) {
  SmallRank rank = Healthy();
  for (int i = 0; i < 6; ++i) {
    const std::string norm = "layer_" + std::to_string(i) + "_norm";
    rank.Attached(norm);
    if (i != 2 && i != 3) rank.Task(kNorm, {"x", norm}, {"h"});
  }
  const Report report = AuditOf(rank);
  ASSERT_THAT(Messages(report, "missing-wiring"),
              ElementsAre("error: layer_{2..3}_norm: each is attached and no "
                          "task reads it; expected at least one task that "
                          "reads it. Layers 0-1, 4-5 are read, in input slot "
                          "1 of TASK_RMS_NORM. Wire it into the task that "
                          "should read it, or stop attaching it."));
  const Finding& finding = report.findings.front();
  EXPECT_THAT(finding.members, ElementsAre("layer_2_norm", "layer_3_norm"));
  EXPECT_THAT(finding.layers, ElementsAre(2u, 3u));
  EXPECT_EQ(finding.count, 2u);
}

TEST(MissingWiring, TakesAReadThroughAnAlias) {
  SmallRank alias = Healthy();
  alias.Attached("w2").Alias("w1", "w2").Task(kNorm, {"x", "w1"}, {"h"});
  EXPECT_THAT(Messages(AuditOf(alias), "missing-wiring"), IsEmpty());

  SmallRank address = Healthy();
  address.AtAddress("tied", 4096).AtAddress("lm_head", 4096);
  address.Task(kNorm, {"x", "lm_head"}, {"h"});
  EXPECT_THAT(Messages(AuditOf(address), "missing-wiring"), IsEmpty());
}

TEST(MissingWiring, TakesACopyForAReadOnlyWhereTheShuffledTensorIsRead) {
  const std::vector<Copy> copies = {CopyOf("q", 0, 8, 16, 2),
                                    CopyOf("k", 8, 8, 16, 2)};
  SmallRank read = Healthy();
  read.Attached("q").Attached("k").Shuffled("qk", 32, copies);
  read.Task(kNorm, {"x", "qk"}, {"h"});
  EXPECT_THAT(Messages(AuditOf(read), "missing-wiring"), IsEmpty());

  SmallRank unread = Healthy();
  unread.Shuffled("qk", 32, copies);
  EXPECT_THAT(Messages(AuditOf(unread), "missing-wiring"),
              ElementsAre("error: qk is shuffled and no task reads it, nor so "
                          "its sources q, k; expected at least one task that "
                          "reads it. Wire it into the task that should read "
                          "it, or stop attaching it."));
}

TEST(MissingWiring, LeavesRuntimeBuffersToTheRuntime) {
  SmallRank rank = Healthy();
  rank.Attached("input_token").Attached("mtp_step");
  const Report report = AuditOf(rank);
  EXPECT_THAT(Messages(report, "missing-wiring"), IsEmpty());
  EXPECT_EQ(Messages(report, "unread-attached").size(), 2u);
  EXPECT_EQ(report.verdict, Verdict::kPass);
}

TEST(MissingWiring, HoldsAListToTheLetterAndWidensNothing) {
  Policy policy;
  policy.critical = {"out", "h*", "gone"};
  SmallRank rank = Healthy();
  rank.Attached("rope_cos");
  const Report report = AuditOf(rank, policy);
  // "out" is written; listed by name it must be read all the same.
  EXPECT_THAT(
      Messages(report, "missing-wiring"),
      ElementsAre("error: out is attached and no task reads it; expected at "
                  "least one task that reads it. Wire it into the task that "
                  "should read it, or stop attaching it.",
                  "note: gone is listed as critical and not declared. Check "
                  "the name; list it as required if it must be there."));
  EXPECT_EQ(Messages(report, "unread-attached").size(), 1u);
}

TEST(UndeclaredTensor, NamesTheTaskThatUsesIt) {
  SmallRank rank = Healthy();
  rank.Task(kNorm, {"x", "ghost"}, {"h"}).Task(kNorm, {"x", "nullptr"}, {"h"});
  const Report report = AuditOf(rank);
  EXPECT_THAT(Messages(report, "undeclared-tensor"),
              ElementsAre("error: ghost is named in input slot 1 of "
                          "TASK_RMS_NORM and the kernel source does not "
                          "declare it; expected all_tensors[\"…\"] in "
                          "kernel_0.cu. Attach it, or name the tensor that "
                          "was meant."));
}

TEST(RequiredTensorAbsent, SeesADeclarationThatIsGone) {
  Policy policy;
  policy.required = {"w", "rope_*"};
  SmallRank rank = Healthy();
  EXPECT_THAT(Messages(AuditOf(rank, policy), "required-tensor-absent"),
              ElementsAre("error: rope_* is required and not declared; "
                          "expected a declaration of it in the kernel source. "
                          "Attach it and wire it, or take it off the list of "
                          "required tensors."));
  SmallRank with = Healthy();
  with.Attached("rope_cos");
  EXPECT_THAT(Messages(AuditOf(with, policy), "required-tensor-absent"),
              IsEmpty());
}

TEST(WriteOnly, WarnsOfScratchThatNobodyReads) {
  SmallRank rank = Healthy();
  rank.Scratch("lost").Task(kNorm, {"x", "w"}, {"lost"});
  EXPECT_THAT(Messages(AuditOf(rank), "write-only"),
              testing::Contains("warning: lost is scratch and written, and no "
                                "task reads it; expected a task that reads "
                                "what is written. Wire its reader, or drop "
                                "the operator that writes it."));
}

TEST(WriteOnly, WarnsOfOneResultThatNobodyReadsInABufferThatIsRead) {
  SmallRank rank = Healthy();
  rank.Task(kNorm, {"x", "w"}, {"h"});
  EXPECT_THAT(
      Messages(AuditOf(rank), "write-only"),
      testing::Contains(testing::StartsWith(
          "warning: h holds a result, out0 of TASK_RMS_NORM, "
          "that no task reads before it is overwritten or the graph ends")));
  SmallRank read = Healthy();
  read.Task(kNorm, {"x", "w"}, {"h"}).Task(kLinear, {"h", "w"}, {"out"});
  EXPECT_THAT(Messages(AuditOf(read), "write-only"),
              testing::Not(testing::Contains(testing::HasSubstr(" h holds"))));
}

TEST(WriteOnly, WarnsOfABufferThatIsInitialisedForNobody) {
  const auto rank = [](const std::string& initialised) {
    SmallRank made = Healthy();
    made.Scratch("sum").Branch("TASK_TENSOR_INIT", {0}, {});
    made.Task(kInit, {initialised, "x"}, {"h"});
    made.Task(kNorm, {"x", "w"}, {"sum"}).Task(kLinear, {"sum", "w"}, {"out"});
    return made;
  };
  SmallRank wrong = rank("h");
  EXPECT_THAT(Messages(AuditOf(wrong), "write-only"),
              testing::Contains(testing::StartsWith(
                  "warning: h holds a result, in0 of TASK_TENSOR_INIT")));
  SmallRank right = rank("sum");
  EXPECT_THAT(Messages(AuditOf(right), "write-only"),
              testing::Not(testing::Contains(testing::HasSubstr("INIT"))));
}

TEST(WriteOnly, LeavesASlotThatNoBranchDereferences) {
  SmallRank rank;
  rank.Attached("x").Scratch("dummy").Branch("TASK_TENSOR_INIT", {0}, {});
  rank.Task(200, {"x"}, {"dummy"});
  EXPECT_THAT(Messages(AuditOf(rank), "write-only"), IsEmpty());
}

TEST(DeadScratch, IsOneLineForAll) {
  SmallRank rank = Healthy();
  rank.Scratch("lse").Scratch("spare");
  const Report report = AuditOf(rank);
  EXPECT_THAT(Messages(report, "dead-scratch"),
              ElementsAre("note: lse, spare: each is allocated, and no task "
                          "reads or writes it. Stop allocating it, if it is "
                          "not for a later feature."));
  EXPECT_EQ(report.findings.back().count, 2u);
}

struct CoverCase {
  std::vector<Copy> copies;
  const char* found;
};

TEST(ShuffleCover, SaysWhatTheCopiesLeaveOrDoTwice) {
  const CoverCase cases[] = {
      {{CopyOf("a", 0, 8, 16, 2), CopyOf("b", 8, 8, 16, 2)}, nullptr},
      {{}, "has no copies"},
      {{CopyOf("a", 0, 8, 16, 2)},
       "has a gap: bytes 8 to 16 of each row are not copied"},
      {{CopyOf("a", 0, 4, 16, 2), CopyOf("b", 8, 8, 16, 2)},
       "has a gap: bytes 4 to 8 of each row are not copied"},
      {{CopyOf("a", 0, 12, 16, 2), CopyOf("b", 8, 8, 16, 2)},
       "has an overlap: b starts at byte 8 of the row, which is copied up to "
       "byte 12"},
      {{CopyOf("a", 0, 8, 16, 2), CopyOf("b", 8, 12, 16, 2)},
       "is passed: b is 12 bytes wide and 8 are left of the row"},
      {{CopyOf("a", 0, 8, 16, 2), CopyOf("b", 8, 8, 16, 1)},
       "has copies of different height: b has 1 rows, others 2"},
      {{CopyOf("a", 0, 8, 16, 2), CopyOf("b", 8, 8, 32, 2)},
       "has copies of different pitch: b has 32 bytes, others 16"},
      {{CopyOf("a", 0, 8, 16, 1), CopyOf("b", 8, 8, 16, 1)},
       "has 32 bytes and the copies fill 1 rows of 16 bytes"},
      {{CopyOf("a", 0, 8, 16, 2), CopyOf("a", 8, 8, 16, 2)},
       "copies the source a, which is copied 2 times"},
  };
  for (const CoverCase& cover : cases) {
    SmallRank rank = Healthy();
    rank.Shuffled("s", 32, cover.copies).Task(kNorm, {"x", "s"}, {"h"});
    std::vector<std::string> found;
    for (const Finding& finding : AuditOf(rank).findings) {
      if (finding.rule == "shuffle-cover") found.push_back(finding.found);
    }
    if (cover.found == nullptr) {
      EXPECT_THAT(found, IsEmpty());
    } else {
      EXPECT_THAT(found, ElementsAre(cover.found));
    }
  }
}

TEST(ShuffleCover, SeesASourceOfAnotherLayer) {
  SmallRank rank = Healthy();
  for (int i = 0; i < 3; ++i) {
    const std::string layer = "layer_" + std::to_string(i);
    const std::string v = i == 1 ? "layer_2_v_old" : layer + "_v";
    rank.Shuffled(layer + "_qv", 32,
                  {CopyOf(layer + "_q", 0, 8, 16, 2), CopyOf(v, 8, 8, 16, 2)});
    rank.Task(kNorm, {"x", layer + "_qv"}, {"h"});
  }
  const Report report = AuditOf(rank);
  ASSERT_EQ(Messages(report, "shuffle-cover").size(), 1u);
  EXPECT_EQ(report.findings.front().tensor, "layer_1_qv");
  EXPECT_EQ(report.findings.front().found,
            "copies layer_2_v_old, a tensor of layer 2");
}

TEST(MissingRank, NamesTheRanksThatAreNotThere) {
  SmallRank rank = Healthy();
  rank.NumGpus(4);
  const Report report = AuditOf(rank);
  EXPECT_THAT(Messages(report, "missing-rank"),
              ElementsAre("note: 3 of 4 ranks have no files: "
                          "1-3; expected a kernel source and a task graph for "
                          "each rank. Audit all ranks: a fault of one rank "
                          "only is seen there."));
  SmallRank alone = Healthy();
  alone.NumGpus(1);
  EXPECT_THAT(Messages(AuditOf(alone), "missing-rank"), IsEmpty());
}

TEST(Policy, WaivesMovesAndSwitchesOff) {
  const auto report_of = [](const Policy& policy) {
    SmallRank rank = Healthy();
    rank.Attached("rope_cos").Attached("rope_sin");
    return AuditOf(rank, policy);
  };
  Policy waive;
  waive.waivers.push_back({"missing-wiring", "rope_*", {}, {}, "no rope here"});
  const Report waived = report_of(waive);
  EXPECT_EQ(waived.verdict, Verdict::kPass);
  EXPECT_EQ(waived.waived.size(), 2u);
  EXPECT_EQ(waived.waived.front().reason, "no rope here");

  Policy stale = waive;
  stale.waivers.push_back({"write-only", "nothing", {}, {}, "once true"});
  EXPECT_THAT(Messages(report_of(stale), "stale-waiver"),
              ElementsAre("error: nothing is waived for write-only and nothing "
                          "of it fails (\"once true\"); expected a finding "
                          "that the waiver accepts. Remove the waiver."));

  stale.off = {"stale-waiver"};
  EXPECT_EQ(report_of(stale).verdict, Verdict::kPass);
  stale.off.clear();
  stale.severities["stale-waiver"] = Severity::kWarning;
  EXPECT_EQ(report_of(stale).verdict, Verdict::kPass);
  EXPECT_EQ(report_of(stale).Count(Severity::kWarning), 1u);

  Policy softer;
  softer.severities["missing-wiring"] = Severity::kWarning;
  EXPECT_EQ(report_of(softer).verdict, Verdict::kPass);
  softer.fail_on = Severity::kWarning;
  EXPECT_EQ(report_of(softer).verdict, Verdict::kFail);

  Policy off;
  off.off = {"missing-wiring"};
  EXPECT_EQ(report_of(off).verdict, Verdict::kPass);
}

TEST(Policy, RefusesWhatItCannotMean) {
  Policy policy;
  policy.off = {"mising-wiring"};
  policy.waivers.push_back({"write-only", "h", {}, {}, ""});
  policy.require = {"Q"};
  SmallRank rank = Healthy();
  const Report report = AuditOf(rank, policy);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  std::vector<std::string> errors;
  for (const InputError& error : report.errors) errors.push_back(error.what());
  EXPECT_THAT(
      errors,
      ElementsAre("policy: there is no rule \"mising-wiring\"; the command "
                  "`rules` lists them",
                  "policy: the waiver of write-only for h has no reason; say "
                  "why it is accepted",
                  "policy: there is no rule group \"Q\" to require; groups are "
                  "single letters, from A on"));
}

TEST(Policy, RequiresThatAGroupIsJudged) {
  Policy policy;
  policy.require = {"A"};
  SmallRank rank = Healthy();
  const Report report = AuditOf(rank, policy);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_STREQ(report.errors[0].what(),
               "small: group A is required, and missing-rank could not judge "
               "1 subject: the kernel source does not say num_gpus");
}

}  // namespace
}  // namespace graph_coverage
