// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/kernel_source_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

constexpr char kSmall[] = R"(#include "persistent_kernel.cuh"
static void _init_persistent_kernel(std::vector<FullTaskDesc> &all_tasks,
    std::map<std::string, void*> const &model_tensors);
static void _init_persistent_kernel(std::vector<FullTaskDesc> &all_tasks,
    std::map<std::string, void*> const &model_tensors) {
  assert(num_gpus = 2);
  std::map<std::string, void*> all_tensors;
  char *rope_cos = static_cast<char*>(model_tensors.at("rope_cos"));
  all_tensors["rope_cos"] = rope_cos;
  void *out;
  CUDA_CHECK(cudaMalloc(&out, 64));
  all_tensors["out"] = out;
  char *qk;
  CUDA_CHECK(cudaMalloc(&qk, 16));
  CUDA_CHECK(cudaMemcpy2DAsync(reinterpret_cast<void *>(qk + 0), 8,
    model_tensors.at("q"), 8, 8, 2, cudaMemcpyDeviceToDevice));
  all_tensors["qk"] = qk;
  all_tensors["nullptr"] = nullptr;
  construct_task_graph(num_gpus, all_tasks, all_tensors);
}
void _execute_task(TaskDesc const* task_desc,
                   RuntimeConfig const &runtime_config) {
  if (task_desc->task_type == TASK_EMBEDDING && task_desc->variant_id == 0) {
      kernel::embedding<bfloat16, 128, true>(
      task_desc->input_ptrs[0],
      task_desc->output_ptrs[0],
      false/*residual*/);
  }
}
)";

std::string Error(std::string_view text) {
  return ErrorOf([&] { ReadKernelSource(text, "k.cu"); });
}

std::string Replaced(std::string text, const std::string& what,
                     const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(KernelSourceReader, ReadsDeclarationsAndDispatch) {
  const KernelSource source = ReadKernelSource(kSmall, "k.cu");
  EXPECT_EQ(source.file, "k.cu");
  EXPECT_EQ(source.num_gpus, 2u);
  ASSERT_EQ(source.declarations.size(), 3u);
  EXPECT_EQ(source.declarations[0].name, "rope_cos");
  EXPECT_EQ(source.declarations[0].line, 8u);
  EXPECT_EQ(source.declarations[2].kind, TensorKind::kShuffled);
  EXPECT_TRUE(source.has_dispatch);
  ASSERT_EQ(source.branches.size(), 1u);
  EXPECT_EQ(source.branches[0].line, 23u);
}

TEST(KernelSourceReader, ReadsSourcesOfVersionsWithoutDispatch) {
  const KernelSource source = ReadKernelSource(
      "void _init_persistent_kernel() { char *x = (char*) torch_tensors[0]; "
      "all_tensors[\"x\"] = x; }",
      "k.cu");
  EXPECT_EQ(source.declarations.size(), 1u);
  EXPECT_FALSE(source.has_dispatch);
  EXPECT_EQ(source.num_gpus, std::nullopt);
}

TEST(KernelSourceReader, SaysWhatItLookedFor) {
  EXPECT_EQ(Error(""),
            "k.cu: no function _init_persistent_kernel: is this a kernel "
            "source that the generator wrote, as a whole?");
  EXPECT_EQ(Error("void _init_persistent_kernel();"),
            "k.cu: no function _init_persistent_kernel: is this a kernel "
            "source that the generator wrote, as a whole?");
  EXPECT_EQ(Error("void _init_persistent_kernel() {}"),
            "k.cu: _init_persistent_kernel declares no tensor: expected lines "
            "like all_tensors[\"NAME\"] = NAME;");
}

TEST(KernelSourceReader, SaysThatTheDispatchIsMissing) {
  EXPECT_EQ(Error(Replaced(kSmall, "_execute_task", "_execute_tusk")),
            "k.cu:23:18: byte 968: found task_type, expected a function "
            "_execute_task around the dispatch chain");
  const std::string text = kSmall;
  EXPECT_EQ(Error(text.substr(0, text.find("void _execute_task"))),
            "k.cu: no function _execute_task, though tensors are attached by "
            "name: is the file whole?");
}

// Cuts the source off at every byte. What is left is an error, or it has lost
// nothing but blanks.
TEST(KernelSourceReader, NeverTakesAPartForTheWhole) {
  const std::string text = kSmall;
  const std::size_t end = text.find_last_of('}') + 1;
  for (std::size_t i = 0; i < end; ++i) {
    EXPECT_NE(Error(text.substr(0, i)), "no error") << i;
  }
  EXPECT_EQ(Error(text.substr(0, end)), "no error");
}

// Changes every byte of the source to each of a set of bytes. A declaration
// must never get lost without an error.
TEST(KernelSourceReader, NeverLosesADeclarationToOneByte) {
  const std::string whole = kSmall;
  constexpr char kBytes[] = "\0\x01\n\r\t \"'(){}[]<>;,.=*/\\#&x_0R\x80\xff";
  const std::string_view bytes(kBytes, sizeof(kBytes) - 1);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char byte : bytes) {
      std::string text = whole;
      text[i] = byte;
      try {
        const KernelSource source = ReadKernelSource(text, "k.cu");
        const auto is_critical = [](const Declaration& d) {
          return d.kind == TensorKind::kAttached ||
                 d.kind == TensorKind::kShuffled;
        };
        EXPECT_EQ(std::count_if(source.declarations.begin(),
                                source.declarations.end(), is_critical),
                  2)
            << "byte " << i << " as " << static_cast<int>(byte) << "\n"
            << text;
      } catch (const InputError&) {
      }
    }
  }
}

TEST(KernelSourceReader, SurvivesRandomDamage) {
  const std::string whole = kSmall;
  std::mt19937 random(7);
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (std::size_t edits = 1 + below(8); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, below(40));
          break;
        case 2:
          text.insert(at, whole.substr(below(whole.size()), below(40)));
          break;
        default:
          text.insert(at, 1, "(){}[]<>;,\"'\\/*#&="[below(18)]);
          break;
      }
      if (text.empty()) text = "x";
    }
    Error(text);
  }
}

TEST(KernelSourceReader, StaysLinearOnHostileText) {
  const auto times = [](const std::string& text, std::size_t n) {
    std::string all;
    for (std::size_t i = 0; i < n; ++i) all += text;
    return all;
  };
  const std::string open = "void _init_persistent_kernel() { ";
  const std::string chain =
      open +
      "void *a; cudaMalloc(&a, 1); all_tensors[\"a\"] = a; } "
      "void _execute_task() { if (t->task_type == T) { ";
  EXPECT_NE(Error(open + times("a<", 100000)), "no error");
  EXPECT_EQ(Error(chain + times("a<", 100000) + "}}"), "no error");
  EXPECT_EQ(Error(chain + times("x y = ", 100000) + "}}"), "no error");
  EXPECT_EQ(Error(chain + times("f(", 90) + times("x,", 100000) + "x" +
                  times(")", 90) + "}}"),
            "no error");
  EXPECT_EQ(Error(chain + times("\\\n", 100000) + "}}"), "no error");
  EXPECT_EQ(Error(chain + times("*\\\n", 100000) + "}}"), "no error");
  EXPECT_NE(Error(chain + times("/*", 100000)), "no error");
  EXPECT_NE(Error(chain + times("(", 100000)), "no error");
}

std::string Read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// All the strings that `pattern`'s first group matches.
std::vector<std::string> Matches(const std::string& text,
                                 const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    found.push_back((*i)[1]);
  }
  return found;
}

// Compares what was read with line patterns, which do for these files.
void ExpectAgreesWithPatterns(const std::filesystem::path& file) {
  const std::string text = Read(file);
  const KernelSource source = ReadKernelSource(text, file.filename());
  std::map<TensorKind, std::set<std::string>> names;
  std::vector<std::string> order;
  std::size_t copies = 0;
  for (const Declaration& d : source.declarations) {
    order.push_back(d.name);
    names[d.kind].insert(d.name);
    copies += d.copies.size();
    EXPECT_EQ(d.bytes.has_value(), d.kind != TensorKind::kAttached) << d.name;
  }
  std::vector<std::string> registered =
      Matches(text, R"re(all_tensors\["(\w+)"\] = )re");
  ASSERT_EQ(registered.back(), "nullptr");
  registered.pop_back();
  EXPECT_EQ(order, registered);
  EXPECT_THAT(names[TensorKind::kNvshmem],
              UnorderedElementsAreArray(
                  Matches(text, R"(void \*(\w+) = nvshmem_malloc)")));
  EXPECT_THAT(names[TensorKind::kAttached],
              UnorderedElementsAreArray(
                  Matches(text, R"(char \*(\w+) = static_cast)")));
  EXPECT_THAT(names[TensorKind::kScratch],
              UnorderedElementsAreArray(Matches(text, R"(void \*(\w+);)")));
  EXPECT_THAT(names[TensorKind::kShuffled],
              UnorderedElementsAreArray(Matches(text, R"(char \*(\w+);)")));
  EXPECT_EQ(copies, Matches(text, "(cudaMemcpy2DAsync)").size());
  EXPECT_EQ(std::to_string(source.num_gpus.value_or(0)),
            Matches(text, R"(num_gpus = (\d+))").at(0));

  const std::regex head(
      R"(if \(task_desc->task_type == (\w+) && task_desc->variant_id == (\d+)\))");
  std::vector<std::smatch> heads;
  for (std::sregex_iterator i(text.begin(), text.end(), head), end; i != end;
       ++i) {
    heads.push_back(*i);
  }
  ASSERT_EQ(source.branches.size(), heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const Branch& branch = source.branches[i];
    EXPECT_EQ(branch.type, heads[i][1]);
    EXPECT_EQ(std::to_string(branch.variant), heads[i][2]);
    const std::size_t begin = static_cast<std::size_t>(heads[i].position());
    const std::size_t end =
        i + 1 < heads.size() ? static_cast<std::size_t>(heads[i + 1].position())
                             : text.size();
    const std::string body = std::regex_replace(text.substr(begin, end - begin),
                                                std::regex("//[^\n]*"), "");
    const auto slots = [&body](const std::string& side) {
      std::set<std::string> found;
      for (const std::string& slot :
           Matches(body, side + R"(_(?:tma_desc_)?ptrs\[(\d+)\])")) {
        found.insert(slot);
      }
      return found;
    };
    const auto strings = [](const std::vector<std::uint32_t>& numbers) {
      std::set<std::string> found;
      for (const std::uint32_t n : numbers) found.insert(std::to_string(n));
      return found;
    };
    EXPECT_EQ(strings(branch.inputs), slots("input")) << branch.type;
    EXPECT_EQ(strings(branch.outputs), slots("output")) << branch.type;
    EXPECT_FALSE(branch.any_input || branch.any_output) << branch.type;
    EXPECT_EQ(branch.reads_task_metadata,
              body.find("task_metadata") != std::string::npos)
        << branch.type;
    EXPECT_EQ(branch.reads_runtime_tokens,
              std::regex_search(body, std::regex(R"(config\.tokens\b)")))
        << branch.type;
  }
}

TEST(KernelSourceReaderField, AgreesWithLinePatternsOnEveryCase) {
  const char* const folder = std::getenv("GRAPH_COVERAGE_FIELD_DIR");
  if (folder == nullptr) GTEST_SKIP() << "GRAPH_COVERAGE_FIELD_DIR is not set";
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name != "kernel_0.cu" && name != "kernel_1.cu") continue;
    SCOPED_TRACE(entry.path());
    ExpectAgreesWithPatterns(entry.path());
    ++files;
  }
  EXPECT_GT(files, 0u);
}

TEST(KernelSourceReaderField, FindsTheSwitchesBeforeTheFourthSlot) {
  const char* const folder = std::getenv("GRAPH_COVERAGE_FIELD_DIR");
  if (folder == nullptr) GTEST_SKIP() << "GRAPH_COVERAGE_FIELD_DIR is not set";
  const auto switches = [folder](const std::string& name) {
    const std::filesystem::path file =
        std::filesystem::path(folder) / name / "kernel_0.cu";
    std::vector<std::int64_t> found;
    for (const Branch& branch : ReadKernelSource(Read(file), "k.cu").branches) {
      if (branch.type.find("ATTENTION") == std::string::npos) continue;
      for (std::size_t i = 2; i < branch.arguments.size(); ++i) {
        const Argument& slot = branch.arguments[i];
        if (slot.kind != Argument::Kind::kInput || slot.value != 3) continue;
        for (std::size_t k = i - 2; k < i; ++k) {
          EXPECT_EQ(branch.arguments[k].kind, Argument::Kind::kBoolean);
          EXPECT_EQ(branch.arguments[k].call, slot.call);
          found.push_back(branch.arguments[k].value);
        }
      }
    }
    return found;
  };
  EXPECT_THAT(switches("qwen3_8b_a100"), ElementsAre(1, 1));
  EXPECT_THAT(switches("llama3_8b_h100"), ElementsAre(0, 1));
}

}  // namespace
}  // namespace graph_coverage
