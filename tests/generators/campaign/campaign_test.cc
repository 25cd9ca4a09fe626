// SPDX-License-Identifier: Apache-2.0
//
// Campaigns on a small healthy model, and on one that has a fault.
#include "graph_coverage/campaign/campaign.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "generators/campaign/mutant_auditor.h"
#include "generators/campaign/plan.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Json = nlohmann::json;

Gendir Toy() {
  return synthetic::MakeGendir(synthetic::BuildModel(synthetic::Toy()), "toy");
}

// The toy with one tensor that no task reads any more.
Gendir Faulty() {
  const std::vector<Rank> ranks = ReadRanks(Toy());
  const MutationSpace space(ranks.front());
  const MutationSites& sites = space.Sites("drop-all");
  for (std::size_t i = 0; i < sites.count(); ++i) {
    const Overlay overlay = space.Apply(sites.at(i));
    const View mutant(ranks.front(), overlay);
    for (const Finding& finding : AuditViews("faulty", {mutant}).findings) {
      if (finding.rule == "missing-wiring") {
        return MakeMutant("faulty", {mutant});
      }
    }
  }
  throw std::logic_error("no drop is missing wiring");
}

CampaignOptions Of(std::vector<std::string> operators) {
  CampaignOptions options;
  options.operators = std::move(operators);
  return options;
}

// All rules that see one dropped edge of a toy.
CampaignOptions Blind() {
  CampaignOptions options = Of({"drop"});
  options.sample = 12;
  options.audit.policy.off = {"operand-shape", "missing-operand",
                              "ignored-operand", "layer-gap"};
  return options;
}

std::vector<Mutant> Listed(const CampaignResult& result, Outcome outcome) {
  std::vector<Mutant> mutants;
  for (const OperatorResult& op : result.operators) {
    for (const Mutant& mutant : op.mutants) {
      if (mutant.outcome == outcome) mutants.push_back(mutant);
    }
  }
  return mutants;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = ::testing::TempDir() + "campaignXXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

TEST(Campaign, CatchesEveryDroppedEdgeOfTheToy) {
  const CampaignResult result = RunCampaign(Toy(), Of({"drop", "null"}));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.baseline.verdict, Verdict::kPass);
  const std::vector<Rank> ranks = ReadRanks(Toy());
  const MutationSpace space(ranks.front());
  ASSERT_THAT(result.operators, SizeIs(2));
  EXPECT_EQ(result.operators[0].counts.caught, space.Sites("drop").count());
  EXPECT_EQ(result.operators[1].counts.caught, space.Sites("null").count());
  EXPECT_EQ(result.counts().total(), result.counts().caught);
  EXPECT_TRUE(result.passed());
}

TEST(Campaign, TellsSurvivorsWithWhatWasEdited) {
  const CampaignResult result = RunCampaign(Toy(), Blind());
  EXPECT_FALSE(result.passed());
  const std::vector<Mutant> survivors = Listed(result, Outcome::kSurvived);
  ASSERT_THAT(survivors, Not(IsEmpty()));
  EXPECT_EQ(survivors.size(), result.counts().survived);
  for (const Mutant& survivor : survivors) {
    const Mutation mutation = ParseMutation(survivor.id);
    EXPECT_THAT(survivor.before, HasSubstr(mutation.subject));
    EXPECT_NE(survivor.before, survivor.after);
    EXPECT_THAT(
        WriteCampaignText(result),
        HasSubstr("mk-graph-coverage-audit mutate toy --replay " + survivor.id +
                  " --off operand-shape,missing-operand,"
                  "ignored-operand,layer-gap\n"));
  }
}

TEST(Campaign, ReplayGivesTheVerdictOfTheCampaign) {
  const CampaignResult result = RunCampaign(Toy(), Blind());
  const std::string id = Listed(result, Outcome::kSurvived).front().id;
  const Replay blind = ReplayMutant(Toy(), id, Blind());
  EXPECT_EQ(blind.mutant.outcome, Outcome::kSurvived);
  EXPECT_THAT(blind.findings, IsEmpty());
  const Replay seeing = ReplayMutant(Toy(), id);
  EXPECT_EQ(seeing.mutant.outcome, Outcome::kCaught);
  EXPECT_THAT(seeing.findings,
              Contains(Field(&Finding::rule, "missing-operand")));
}

TEST(Campaign, ReplayRefusesWhatTheGendirDoesNotHave) {
  EXPECT_THAT(ReplayMutant(Toy(), "drop:rank=0:task=2:in=0:nobody").errors,
              SizeIs(1));
  EXPECT_THAT(ReplayMutant(Toy(), "control:rank=7").errors, SizeIs(1));
  EXPECT_THAT(ReplayMutant(Toy(), "drap:rank=0").errors, SizeIs(1));
}

TEST(Campaign, BenignEditsAreEquivalent) {
  std::vector<std::string> benign;
  for (const MutationOperator& row : MutationOperators()) {
    if (row.benign()) benign.emplace_back(row.id);
  }
  const CampaignResult result = RunCampaign(Toy(), Of(benign));
  EXPECT_GT(result.counts().equivalent, 0u);
  EXPECT_EQ(result.counts().equivalent, result.counts().total());
  EXPECT_TRUE(result.passed());
  for (const Mutant& mutant : Listed(result, Outcome::kEquivalent)) {
    EXPECT_THAT(mutant.reason, Not(IsEmpty()));
  }
}

TEST(Campaign, HoldsMutantsAgainstAFaultyBaseline) {
  CampaignOptions options = Of({"control", "drop"});
  const CampaignResult result = RunCampaign(Faulty(), options);
  EXPECT_EQ(result.baseline.verdict, Verdict::kFail);
  EXPECT_GE(result.baseline.errors, 1u);
  EXPECT_THAT(result.baseline.findings, Contains(HasSubstr("missing-wiring")));
  EXPECT_EQ(result.counts().oracle_gap, 0u);
  EXPECT_EQ(result.counts().equivalent, 1u);
  EXPECT_GT(result.counts().caught, 0u);
}

// What the fault hides is not caught by the fault.
TEST(Campaign, FindingsOfTheBaselineAreNoCatch) {
  CampaignOptions options = Of({"shift-tile"});
  options.exhaustive = true;
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.id != "missing-wiring" && rule.id != "stale-waiver") {
      options.audit.policy.off.emplace_back(rule.id);
    }
  }
  const CampaignResult result = RunCampaign(Faulty(), options);
  EXPECT_EQ(result.baseline.verdict, Verdict::kFail);
  EXPECT_EQ(result.counts().caught, 0u);
  EXPECT_GT(result.counts().survived, 0u);
}

TEST(Campaign, AnErrorIsNoCatch) {
  const std::vector<Rank> ranks = ReadRanks(Toy());
  std::deque<MutationSpace> spaces;
  spaces.emplace_back(ranks.front());
  const MutantAuditor auditor(ranks, spaces, {});
  const Mutant mutant =
      auditor.Judge(ParseMutation("drop:rank=0:task=2:in=0:nobody"),
                    MutantAuditor::Until::kFirstRule, true);
  EXPECT_EQ(mutant.outcome, Outcome::kError);
  EXPECT_THAT(mutant.reason, HasSubstr("nobody"));
}

TEST(Campaign, NothingToJudgeIsAnError) {
  synthetic::ModelConfig model = synthetic::Toy();
  model.layers = 1;
  const CampaignResult result =
      RunCampaign(synthetic::MakeGendir(synthetic::BuildModel(model), "one"),
                  Of({"rename-layers"}));
  EXPECT_THAT(result.errors, SizeIs(1));
  EXPECT_EQ(result.counts().total(), 0u);
  EXPECT_FALSE(result.passed());
}

TEST(Campaign, RefusesWhatDoesNotExist) {
  EXPECT_THAT(RunCampaign(Toy(), Of({"drap"})).errors, SizeIs(1));
  EXPECT_THAT(RunCampaign("/nowhere").errors, SizeIs(1));
  CampaignOptions options;
  options.rank = RankId(7);
  EXPECT_THAT(RunCampaign(Toy(), options).errors, SizeIs(1));
}

TEST(Campaign, AsksForTheSameMutantsForOneSeed) {
  EXPECT_EQ(Draw(10, 1000, 1, "drop"), Draw(10, 1000, 1, "drop"));
  EXPECT_NE(Draw(10, 1000, 1, "drop"), Draw(10, 1000, 2, "drop"));
  EXPECT_NE(Draw(10, 1000, 1, "drop"), Draw(10, 1000, 1, "null"));
  EXPECT_THAT(Draw(10, 1000, 1, "drop"), Each(::testing::Lt(1000u)));
  EXPECT_THAT(Draw(10, 1000, 1, "drop"), SizeIs(10));
  EXPECT_THAT(Draw(10, 3, 1, "drop"), ElementsAre(0, 1, 2));
  EXPECT_THAT(Draw(10, 0, 1, "drop"), IsEmpty());
}

TEST(Campaign, IsTheSameForAnyNumberOfJobs) {
  CampaignOptions options;
  options.sample = 2;
  options.jobs = 1;
  const std::string one = WriteCampaignJson(RunCampaign(Toy(), options));
  options.jobs = 3;
  EXPECT_EQ(WriteCampaignJson(RunCampaign(Toy(), options)), one);
}

TEST(Campaign, ShardsMergeToTheWhole) {
  const TemporaryFolder folder;
  CampaignOptions options = Of({"swap", "rewire", "control"});
  options.sample = 10;
  const CampaignResult whole = RunCampaign(Toy(), options);
  std::vector<std::string> files;
  std::uint64_t judged = 0;
  for (std::uint32_t i = 0; i < 3; ++i) {
    options.shard = {i, 3};
    options.results = folder.file(std::to_string(i));
    files.push_back(options.results);
    judged += RunCampaign(Toy(), options).counts().total();
  }
  EXPECT_EQ(judged, whole.counts().total());
  EXPECT_EQ(WriteCampaignJson(MergeCampaign(files)), WriteCampaignJson(whole));

  const CampaignResult partial = MergeCampaign({files[0], files[2]});
  EXPECT_THAT(partial.errors, SizeIs(1));
  EXPECT_FALSE(partial.passed());
  EXPECT_THAT(MergeCampaign({files[0], files[0]}).errors, SizeIs(1));
  EXPECT_THAT(MergeCampaign({folder.file("none")}).errors, SizeIs(1));
}

std::string Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Campaign, GoesOnWhereItWasBrokenOff) {
  const TemporaryFolder folder;
  CampaignOptions options = Of({"swap", "shift-tile"});
  options.sample = 12;
  options.jobs = 1;
  options.results = folder.file("results");
  const std::string whole = WriteCampaignJson(RunCampaign(Toy(), options));
  const std::string written = Read(options.results);

  // In the middle of the last line but one.
  const std::size_t end = written.rfind('\n', written.size() - 2);
  std::ofstream(options.results, std::ios::binary)
      << written.substr(0, end - 9);
  CampaignProgress progress;
  options.progress = &progress;
  EXPECT_EQ(WriteCampaignJson(RunCampaign(Toy(), options)), whole);
  EXPECT_EQ(progress.judged, progress.mutants);
  EXPECT_EQ(progress.mutants, 24u);
  EXPECT_EQ(progress.resumed, 16u);
  EXPECT_EQ(Read(options.results), written);
}

TEST(Campaign, TakesNoOtherCampaignsResults) {
  const TemporaryFolder folder;
  CampaignOptions options = Of({"swap"});
  options.sample = 2;
  options.results = folder.file("results");
  EXPECT_THAT(RunCampaign(Toy(), options).errors, IsEmpty());
  EXPECT_THAT(RunCampaign(Faulty(), options).errors, SizeIs(1));
  options.seed = 2;
  EXPECT_THAT(RunCampaign(Toy(), options).errors, SizeIs(1));
  std::ofstream(options.results) << "{}\n";
  EXPECT_THAT(RunCampaign(Toy(), options).errors, SizeIs(1));
}

TEST(Campaign, SaysWhatRulesCaughtAlone) {
  CampaignOptions options = Of({"drop"});
  options.sample = 30;
  const OperatorResult op = RunCampaign(Toy(), options).operators.front();
  EXPECT_EQ(op.without_shape_rules.of, op.counts.caught);
  EXPECT_GE(op.rules.at("missing-operand"), op.counts.caught / 2);
  std::uint64_t alone = 0;
  for (const auto& [rule, count] : op.alone) {
    EXPECT_LE(count, op.rules.at(rule));
    alone += count;
  }
  EXPECT_LE(alone, op.counts.caught);
}

TEST(CampaignScore, IsNeverRoundedUp) {
  EXPECT_EQ(ToString(Score{461'605, 461'606}), "461,605 of 461,606 (99.99 %)");
  EXPECT_EQ(ToString(Score{3, 3}), "3 of 3 (100.00 %)");
  EXPECT_EQ(ToString(Score{0, 0}), "0 of 0");
}

TEST(CampaignOutput, JsonHasWhatItPromises) {
  const CampaignResult result = RunCampaign(Toy(), Blind());
  const Json json = Json::parse(WriteCampaignJson(result));
  EXPECT_EQ(json["baseline"]["verdict"], "pass");
  EXPECT_EQ(json["counts"]["survived"], result.counts().survived);
  for (const char* key : {"caught", "equivalent", "oracle_gap", "error"}) {
    EXPECT_TRUE(json["counts"].contains(key)) << key;
  }
  EXPECT_EQ(json["by_operator"][0]["operator"], "drop");
  EXPECT_EQ(json["survivors"].size(), result.counts().survived);
  EXPECT_TRUE(json["survivors"][0].contains("replay"));
}

TEST(CampaignOutput, ViewersGetEveryMutantThatIsKept) {
  CampaignOptions options = Blind();
  options.keep_caught = true;
  const CampaignResult result = RunCampaign(Toy(), options);
  const Json json = Json::parse(WriteCampaignElements(result));
  const Json& file = json["files"]["drop"];
  EXPECT_EQ(file["mutants"].size(), result.counts().total());
  const std::string source = file["source"];
  EXPECT_EQ(static_cast<std::uint64_t>(
                std::count(source.begin(), source.end(), '\n')),
            result.counts().total());
  const std::string xml = WriteCampaignJunit(result);
  std::uint64_t cases = 0;
  for (std::size_t at = 0; (at = xml.find("<testcase ", at)) != xml.npos; ++at)
    ++cases;
  EXPECT_EQ(cases, result.counts().total());
}

}  // namespace
}  // namespace graph_coverage
