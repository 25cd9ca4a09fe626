// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/type_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/kernel_source_reader.h"
#include "audit/artifacts/task_graph_reader.h"
#include "audit/model/task_type_tables.h"
#include "audit/model/type_alignment.h"
#include "tests/audit/artifacts/error_of.h"
#include "tests/audit/model/graph_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Method = TypeBinding::Method;

TEST(TypeBinding, NamesTheFirstTasksInAnyCase) {
  const TypeBinding none;
  EXPECT_EQ(none.method(), Method::kNone);
  EXPECT_EQ(none.Name(0), "TASK_TERMINATE");
  EXPECT_EQ(none.Name(10), "TASK_BEGIN_TASK_GRAPH");
  EXPECT_EQ(none.Name(296), "type 296");
  EXPECT_THAT(none.Names(296), IsEmpty());
}

TEST(TypeBinding, TakesTheBuiltInTableWhereItHasEverything) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {278, 0, 5, 0}}),
      SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1),
                BranchOf("TASK_SILU_MUL", 0, 1, 1),
                BranchOf("TASK_MLA_KV_GATHER_SM100", 0, 5, 0)}));
  EXPECT_EQ(binding.method(), Method::kTable);
  EXPECT_EQ(binding.explanation(),
            "types are named by the built-in table of 2025-07 to 2026-07, "
            "which has all of them");
  EXPECT_EQ(binding.Name(101), "TASK_EMBEDDING");
  EXPECT_EQ(binding.Name(278), "TASK_MLA_KV_GATHER_SM100");
  EXPECT_EQ(binding.Name(118), "TASK_SILU_MUL");
}

TEST(TypeBinding, NamesATypeThatHasNoBranchByTheTable) {
  const TypeBinding binding =
      TypeBinding::Bind(GraphOf({{101, 0, 2, 1}, {118, 0, 1, 1}}),
                        SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1)}));
  EXPECT_EQ(binding.method(), Method::kTable);
  EXPECT_EQ(binding.Name(118), "TASK_SILU_MUL");
}

TEST(TypeBinding, TakesTheTableOfAnotherVersion) {
  const TypeBinding second = TypeBinding::Bind(
      GraphOf({{244, 0, 2, 1}, {281, 0, 2, 1}}),
      SourceOf({BranchOf("TASK_LINEAR_SM100_V2", 0, 2, 1),
                BranchOf("TASK_RMS_NORM_HOPPER_V2", 0, 2, 1)}));
  EXPECT_EQ(second.method(), Method::kTable);
  EXPECT_EQ(second.explanation(),
            "types are named by the built-in table of the second runtime, "
            "which has all of them");
  EXPECT_EQ(second.Name(281), "TASK_RMS_NORM_HOPPER_V2");
}

TEST(TypeBinding, TakesTheOrderForNamesOfAFork) {
  // 278 and 296 are other types here than in the table.
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {278, 0, 7, 1}, {296, 0, 3, 1}}),
      SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1),
                BranchOf("TASK_KV_CACHE_GATHER", 0, 7, 1),
                BranchOf("TASK_Q_ROPE_APPLY", 0, 3, 1)}));
  EXPECT_EQ(binding.method(), Method::kOrder);
  EXPECT_EQ(binding.explanation(),
            "types are named by the order of the dispatch chain, variants and "
            "operand counts: 3 types, 3 branch names; one way fits");
  EXPECT_EQ(binding.Name(278), "TASK_KV_CACHE_GATHER");
  EXPECT_EQ(binding.Name(296), "TASK_Q_ROPE_APPLY");
}

TEST(TypeBinding, TakesTheOrderWhereAForkHasRenumberedKnownNames) {
  // In the table 252 is TASK_LINEAR_WITH_RESIDUAL_SM100, 253 TASK_LINEAR_SM100.
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{251, 0, 3, 1}, {252, 0, 2, 1}}),
      SourceOf({BranchOf("TASK_LINEAR_WITH_RESIDUAL_SM100", 0, 3, 1),
                BranchOf("TASK_LINEAR_SM100", 0, 2, 1)}));
  EXPECT_EQ(binding.method(), Method::kOrder);
  EXPECT_EQ(binding.Name(251), "TASK_LINEAR_WITH_RESIDUAL_SM100");
  EXPECT_EQ(binding.Name(252), "TASK_LINEAR_SM100");
}

TEST(TypeBinding, TakesTheOrderWhereTheTableDoesNotAscend) {
  const TypeBinding binding =
      TypeBinding::Bind(GraphOf({{101, 0, 1, 1}, {118, 0, 2, 1}}),
                        SourceOf({BranchOf("TASK_SILU_MUL", 0, 1, 1),
                                  BranchOf("TASK_EMBEDDING", 0, 2, 1)}));
  EXPECT_EQ(binding.method(), Method::kOrder);
  EXPECT_EQ(binding.Name(101), "TASK_SILU_MUL");
}

TEST(TypeBinding, StaysWithTheOrderWhenOneTypeLosesAnOperand) {
  const TypeBinding binding =
      TypeBinding::Bind(GraphOf({{101, 0, 1, 1}, {296, 0, 3, 1}}),
                        SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1),
                                  BranchOf("TASK_Q_ROPE_APPLY", 0, 3, 1)}));
  EXPECT_EQ(binding.method(), Method::kOrder);
  EXPECT_EQ(binding.explanation(),
            "types are named by the order of the dispatch chain, variants and "
            "operand counts: 2 types, 2 branch names; one way fits, but the "
            "tasks of type 101 do not fit TASK_EMBEDDING");
  EXPECT_EQ(binding.Name(101), "TASK_EMBEDDING");
}

TEST(TypeBinding, LeavesATypeNamelessThatHasNoBranchInAFork) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {200, 0, 7, 1}, {296, 0, 3, 1}}),
      SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1),
                BranchOf("TASK_Q_ROPE_APPLY", 0, 3, 1)}));
  EXPECT_EQ(binding.method(), Method::kOrder);
  EXPECT_EQ(binding.explanation(),
            "types are named by the order of the dispatch chain, variants and "
            "operand counts: 3 types, 2 branch names; one way fits, but type "
            "200 has no branch");
  EXPECT_EQ(binding.Name(200), "type 200");
  EXPECT_EQ(binding.Name(296), "TASK_Q_ROPE_APPLY");
}

TEST(TypeBinding, KeepsAllNamesWhereSeveralWaysFit) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {296, 0, 5, 1}}),
      SourceOf({BranchOf("TASK_A", 0, 2, 1), BranchOf("TASK_B", 0, 2, 1),
                BranchOf("TASK_C", 0, 5, 1)}));
  EXPECT_EQ(binding.method(), Method::kAmbiguous);
  EXPECT_EQ(binding.explanation(),
            "types are named by the order of the dispatch chain, variants and "
            "operand counts: 2 types, 3 branch names; several ways fit, 1 type "
            "may have more than one name");
  EXPECT_THAT(binding.Names(101), ElementsAre("TASK_A", "TASK_B"));
  EXPECT_EQ(binding.Name(101), "type 101");
  EXPECT_EQ(binding.Name(296), "TASK_C");
}

TEST(TypeBinding, SaysThatNoWayFits) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {200, 0, 2, 1}, {201, 0, 2, 1}}),
      SourceOf({BranchOf("TASK_A", 0, 2, 1)}));
  EXPECT_EQ(binding.method(), Method::kNone);
  EXPECT_EQ(binding.explanation(),
            "types have no names: no built-in table has all types and branch "
            "names, and 3 types do not fit 1 branch name in order");
  EXPECT_EQ(binding.Name(101), "type 101");
}

TEST(TypeBinding, SaysThatThereIsNoDispatch) {
  const TypeBinding binding =
      TypeBinding::Bind(GraphOf({{101, 0, 2, 1}}), KernelSource{});
  EXPECT_EQ(binding.method(), Method::kNone);
  EXPECT_EQ(binding.explanation(),
            "types have no names: there is no dispatch chain");
  EXPECT_EQ(binding.Name(101), "type 101");
}

TEST(TypeBinding, PrefersAHeader) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {118, 0, 1, 1}}),
      SourceOf({BranchOf("TASK_EMBEDDING", 0, 2, 1),
                BranchOf("TASK_SILU_MUL", 0, 1, 1)}),
      "enum TaskType { TASK_TERMINATE, TASK_SILU_MUL = 101, TASK_END = 118, "
      "TASK_EMBEDDING = 118 };",
      "runtime_header.h");
  EXPECT_EQ(binding.method(), Method::kHeader);
  EXPECT_EQ(binding.explanation(), "types are named by runtime_header.h");
  EXPECT_EQ(binding.Name(101), "TASK_SILU_MUL");
  EXPECT_THAT(binding.Names(118), ElementsAre("TASK_EMBEDDING"));
  EXPECT_EQ(binding.Name(0), "TASK_TERMINATE");
}

TEST(TypeBinding, SaysWhichTypesAHeaderLacks) {
  const TypeBinding binding = TypeBinding::Bind(
      GraphOf({{101, 0, 2, 1}, {296, 0, 1, 1}, {297, 0, 1, 1}}), KernelSource{},
      "enum TaskType { TASK_EMBEDDING = 101 };", "fork/runtime_header.h");
  EXPECT_EQ(binding.explanation(),
            "types are named by fork/runtime_header.h, which has no type 296, "
            "297");
  EXPECT_EQ(binding.Name(101), "TASK_EMBEDDING");
  EXPECT_EQ(binding.Name(296), "type 296");
}

TEST(TypeBinding, RejectsAHeaderWithoutTheEnum) {
  EXPECT_EQ(ErrorOf([] {
              TypeBinding::Bind(GraphOf({}), KernelSource{}, "int x;", "x.h");
            }),
            "x.h: no enum TaskType: expected the generator's "
            "runtime_header.h");
}

TEST(TaskTypeTables, HaveNoNumberTwice) {
  for (const TaskTypeTable& table : TaskTypeTables()) {
    std::set<std::uint32_t> numbers;
    for (const auto& [name, number] : table.numbers) {
      EXPECT_TRUE(numbers.insert(number).second)
          << table.version << " " << name << " " << number;
      EXPECT_EQ(name.substr(0, 5), "TASK_");
    }
    EXPECT_GT(numbers.size(), 50u);
  }
}

// On every real case the table and the order must say the same.
TEST(TypeBindingField, TableAndOrderAgreeOnEveryCase) {
  const char* const folder = std::getenv("GRAPH_COVERAGE_FIELD_DIR");
  if (folder == nullptr) GTEST_SKIP() << "GRAPH_COVERAGE_FIELD_DIR is not set";
  constexpr std::size_t kQuick = 30'000'000;  // bytes of task graph
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path file = entry.path() / "task_graph_0.json";
    if (std::filesystem::file_size(file) > kQuick) continue;
    SCOPED_TRACE(entry.path());
    const auto bytes = OpenFile(file);
    const TaskGraph graph = ReadTaskGraph(*bytes);
    const auto text = OpenFile(entry.path() / "kernel_0.cu");
    const KernelSource source =
        ReadKernelSource(ReadAll(*text, kQuick), "kernel_0.cu");
    const TypeBinding binding = TypeBinding::Bind(graph, source);
    EXPECT_EQ(binding.method(), Method::kTable);

    const std::vector<TypeUse> types = TypesOf(graph);
    const std::vector<NameUse> names = NamesOf(source.branches);
    const auto order = AlignByOrder(types, names);
    ASSERT_TRUE(order);
    EXPECT_TRUE(order->unique);
    EXPECT_EQ(order->misfits, 0u);
    EXPECT_EQ(order->nameless, 0u);
    for (std::size_t i = 0; i < types.size(); ++i) {
      EXPECT_EQ(binding.Name(types[i].type),
                names[order->names[i].front()].name);
    }
    ++cases;
  }
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace graph_coverage
