// SPDX-License-Identifier: Apache-2.0
//
// What the rules cost beside reading.
//
// usage: bench_rules [--rank N] [--each] GENDIR
//        bench_rules --synthetic
//
// Reads the gendir and audits it, one job, in turn, and prints the least CPU
// time of each, their ratio, and the most heap that the audit had in use above
// the graph. --each: also what each rule took, with the analyses that it was
// the first to ask for. --synthetic: the same for one rank of a synthetic
// DeepSeek-V3 with 1, 2, 5 and 10 times its layers, in a temporary directory.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/rules/rule.h"
#include "bench/rules/heap.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tool/heap.h"

namespace graph_coverage::bench {
namespace {

// CPU time, so that other load on the machine counts for little.
template <typename Work>
double SecondsOf(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double Megabytes(std::ptrdiff_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

struct Cost {
  double read = 1e9, rules = 1e9;  // seconds
  std::size_t tasks = 0;
  std::ptrdiff_t heap = 0;  // bytes, above the graph
};

Cost Measure(const std::string& gendir, const AuditOptions& options,
             int rounds) {
  Cost cost;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Rank> ranks;
    cost.read = std::min(
        cost.read, SecondsOf([&] { ranks = ReadRanks(gendir, options); }));
    cost.rules = std::min(
        cost.rules, SecondsOf([&] { AuditRanks(gendir, ranks, options); }));
    if (round == 0) {
      const HeapCount heap;
      AuditRanks(gendir, ranks, options);
      cost.heap = heap.peak();
    }
    cost.tasks = 0;
    for (const Rank& rank : ranks) cost.tasks += rank.graph().task_count();
  }
  return cost;
}

void Print(const std::string& what, const Cost& cost) {
  std::printf(
      "%s: %zu tasks, read %.3f s, rules %.3f s (%.3f of reading), "
      "%.1f MB above the graph\n",
      what.c_str(), cost.tasks, cost.read, cost.rules, cost.rules / cost.read,
      Megabytes(cost.heap));
}

// Each rule by itself, on the first rank or on all.
void PrintEach(const std::string& gendir, const AuditOptions& options) {
  const std::vector<Rank> ranks = ReadRanks(gendir, options);
  const std::vector<View> views(ranks.begin(), ranks.end());
  std::vector<const View*> peers;
  for (const View& view : views) peers.push_back(&view);
  if (options.ranks) peers.clear();
  std::vector<std::unique_ptr<Analyses>> analyses;
  std::vector<RankContext> contexts;
  std::vector<RankId> ids;
  for (const View& view : views) {
    analyses.push_back(
        std::make_unique<Analyses>(view, SemanticsTable::BuiltIn(), peers));
    contexts.push_back({view, *analyses.back(), options.policy});
    ids.push_back(view.rank());
  }
  for (const Rule& rule : Rules()) {
    Judgement judgement(FindRule(rule.id)->severity);
    const HeapCount heap;
    const double took = SecondsOf([&] {
      if (rule.judge_gendir != nullptr) {
        rule.judge_gendir({contexts, ids}, judgement);
      }
      if (rule.judge_rank == nullptr) return;
      for (const RankContext& context : contexts) {
        rule.judge_rank(context, judgement);
      }
    });
    std::printf("%-28s %8.2f ms  peak %7.2f MB  kept %7.2f MB\n",
                std::string(rule.id).c_str(), took * 1e3,
                Megabytes(heap.peak()), Megabytes(heap.in_use()));
  }
}

void PrintSynthetic() {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / "graph-coverage-bench";
  synthetic::WriteOptions write;
  write.only_rank = 0;
  AuditOptions options;
  options.jobs = 1;
  options.ranks = {RankId{0}};
  for (const int times : {1, 2, 5, 10}) {
    std::filesystem::remove_all(directory);
    synthetic::WriteGendir(synthetic::BuildModel(synthetic::DeepSeekV3(
                               8, std::int64_t{61} * times)),
                           directory.string(), write);
    Print(std::to_string(times) + " times the layers",
          Measure(directory.string(), options, 3));
  }
  std::filesystem::remove_all(directory);
}

int Run(int argc, char** argv) {
  AuditOptions options;
  options.jobs = 1;
  bool each = false;
  std::string gendir;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--synthetic") {
      PrintSynthetic();
      return 0;
    }
    if (argument == "--each") {
      each = true;
    } else if (argument == "--rank" && i + 1 < argc) {
      options.ranks = {
          RankId(static_cast<std::uint32_t>(std::atoi(argv[++i])))};
    } else {
      gendir = argument;
    }
  }
  if (gendir.empty()) {
    std::fprintf(stderr,
                 "usage: bench_rules [--rank N] [--each] GENDIR\n"
                 "       bench_rules --synthetic\n");
    return 2;
  }
  Print(gendir, Measure(gendir, options, 7));
  if (each) PrintEach(gendir, options);
  return 0;
}

}  // namespace
}  // namespace graph_coverage::bench

int main(int argc, char** argv) {
  graph_coverage::PrepareHeap();  // as the tool does
  try {
    return graph_coverage::bench::Run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_rules: %s\n", error.what());
    return 2;
  }
}
