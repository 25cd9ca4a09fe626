// SPDX-License-Identifier: Apache-2.0
//
// Walks task graphs with one JSON engine and says how fast that was.
//
// usage: bench_engines nlohmann|rapidjson|scanner|reader TASK_GRAPH.json…
//
// Prints tensors, operands and MB/s; every engine must print the same counts.
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/engines/counter.h"

namespace {

using graph_coverage::bench::OperandCounter;

struct Engine {
  std::string_view name;
  void (*count)(const char* file, OperandCounter& counter);
};

constexpr Engine kEngines[] = {
    {"nlohmann", graph_coverage::bench::CountWithNlohmann},
    {"rapidjson", graph_coverage::bench::CountWithRapidJson},
    {"scanner", graph_coverage::bench::CountWithScanner},
    {"reader", graph_coverage::bench::CountWithReader},
};

int Run(const Engine& engine, int argc, char** argv) {
  OperandCounter counter;
  double bytes = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 2; i < argc; ++i) {
    struct stat info {};
    if (stat(argv[i], &info) == 0) bytes += static_cast<double>(info.st_size);
    try {
      engine.count(argv[i], counter);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[i], error.what());
      return 2;
    }
  }
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  std::uint64_t operands = 0;
  for (const auto& [name, count] : counter.counts()) operands += count;
  std::printf("%s: %zu tensors, %llu operands, %.0f MB/s\n", argv[1],
              counter.counts().size(),
              static_cast<unsigned long long>(operands),
              bytes / 1e6 / took.count());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  for (const Engine& engine : kEngines) {
    if (argc > 2 && argv[1] == engine.name) return Run(engine, argc, argv);
  }
  std::fprintf(stderr,
               "usage: bench_engines nlohmann|rapidjson|scanner|reader "
               "TASK_GRAPH.json…\n");
  return 2;
}
