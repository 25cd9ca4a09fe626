// SPDX-License-Identifier: Apache-2.0
//
// Would the audit notice if a layer of our models lost one of its norms? Not
// on one model, but on whatever we may build next.
#include <gmock/gmock.h>
#include <graph_coverage/audit.h>
#include <graph_coverage/matchers.h>
#include <graph_coverage/mutation/mutation_space.h>
#include <graph_coverage/rapidcheck/generators.h>
#include <graph_coverage/rapidcheck/property.h>
#include <graph_coverage/synthetic/model.h>
#include <graph_coverage/synthetic/write.h>
#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace {

namespace synthetic = graph_coverage::synthetic;
using graph_coverage::Mutation;
using graph_coverage::MutationSpace;
using graph_coverage::Rank;
using graph_coverage::View;
using ::testing::Not;

// What our builder script makes: grouped attention with norms of q and k.
struct OurModel {
  std::int64_t layers;
  std::int64_t batch;
  std::int64_t kv_heads;

  Rank Make() const {
    synthetic::ModelConfig model;
    model.kernels = synthetic::ModelConfig::Kernels::kHopper;
    model.layers = layers;
    model.batch = batch;
    model.grouped->kv_heads = kv_heads;
    model.grouped->heads = 2 * kv_heads;
    model.grouped->qk_norm = true;
    return graph_coverage::ReadRanks(
        synthetic::MakeGendir(synthetic::BuildModel(model), "ours"))[0];
  }
};

std::ostream& operator<<(std::ostream& out, const OurModel& model) {
  return out << model.layers << " layers, batch " << model.batch << ", "
             << model.kv_heads << " key heads";
}

// 1, 2 or 4. Ranges shrink towards their start.
rc::Gen<std::int64_t> SmallPower() {
  return rc::gen::map(rc::gen::inRange(0, 3),
                      [](int power) { return std::int64_t{1} << power; });
}

rc::Gen<OurModel> OurModels() {
  return rc::gen::build<OurModel>(
      rc::gen::set(&OurModel::layers, rc::gen::inRange<std::int64_t>(1, 6)),
      rc::gen::set(&OurModel::batch, SmallPower()),
      rc::gen::set(&OurModel::kv_heads, SmallPower()));
}

// All mutants of which one task does not read its q or k norm any more.
std::vector<Mutation> DroppedNorms(const MutationSpace& space) {
  std::vector<Mutation> dropped;
  const auto& drops = space.Sites("drop");
  for (std::size_t i = 0; i < drops.count(); ++i) {
    const Mutation drop = drops.at(i);
    const std::string& tensor = drop.subject;
    if (tensor.find("_q_norm") != std::string::npos ||
        tensor.find("_k_norm") != std::string::npos) {
      dropped.push_back(drop);
    }
  }
  return dropped;
}

TEST(OurModels, AreClean) {
  graph_coverage::CheckProperty([] {
    const OurModel model = *OurModels();
    EXPECT_THAT(graph_coverage::AuditRanks("healthy", {model.Make()}),
                graph_coverage::IsClean());
  });
}

TEST(OurModels, FailTheAuditWithoutANorm) {
  graph_coverage::CheckProperty([] {
    const OurModel model = *OurModels();
    const MutationSpace space(model.Make());
    const Mutation drop = *rc::gen::elementOf(DroppedNorms(space));
    const auto overlay = space.Apply(drop);
    const auto report =
        graph_coverage::AuditViews("mutant", {View(space.rank(), overlay)});
    EXPECT_THAT(report, Not(graph_coverage::IsClean()));
  });
}

}  // namespace
