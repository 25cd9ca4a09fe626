// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/declaration_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Declarations Read(const std::string& body) {
  const std::string whole = "{" + body + "}";
  const CxxTokens tokens(whole, "k.cu");
  const CxxBrackets text(tokens);
  return ReadDeclarations(text, {1, tokens.size() - 1});
}

// "kind NAME [bytes] [@address] [= alias of]" of each tensor.
std::vector<std::string> Tensors(const std::string& body) {
  std::vector<std::string> shown;
  for (const Declaration& d : Read(body).tensors) {
    std::string line = std::string(ToString(d.kind)) + " " + d.name;
    if (d.bytes) line += " " + std::to_string(*d.bytes);
    if (d.address) line += " @" + std::to_string(*d.address);
    if (!d.alias_of.empty()) line += " = " + d.alias_of;
    shown.push_back(line);
  }
  return shown;
}

std::string Error(const std::string& body) {
  return ErrorOf([&] { Read(body); });
}

TEST(DeclarationReader, ReadsAttachedTensorsOfEveryVersion) {
  EXPECT_THAT(Tensors(R"(
    char *rope_cos = static_cast<char*>(model_tensors.at("rope_cos"));
    all_tensors["rope_cos"] = rope_cos;)"),
              ElementsAre("attached rope_cos"));
  EXPECT_THAT(
      Tensors(R"(
    char *lm_head = (char*)(0x70cf96000000);
    all_tensors["lm_head"] = lm_head;
    char *x = (char*)(4096);
    all_tensors["x"] = x;)"),
      ElementsAre("attached lm_head @124036877123584", "attached x @4096"));
  EXPECT_THAT(Tensors(R"(
    char *x = (char*) torch_tensors[3];
    all_tensors["x"] = x;
    char *y = (char*)input_tensors[4];
    all_tensors["y"] = y;)"),
              ElementsAre("attached x", "attached y"));
}

TEST(DeclarationReader, ReadsOtherWaysToSayTheSame) {
  EXPECT_THAT(Tensors(R"(
    auto a = model_tensors.at("a");
    all_tensors["a"] = a;
    void *const b = reinterpret_cast<void*>(model_tensors["b"]);
    all_tensors["b"] = static_cast<void*>(b);
    char *c;
    c = (char*)model_tensors.at("c");
    all_tensors["c"] = (c);
    all_tensors["d"] = model_tensors.at("d");
    if (verbose) all_tensors["e"] = reinterpret_cast<char *>(0x10);
    auto f = (char*)0x20;
    all_tensors["f"] = f;)"),
              ElementsAre("attached a", "attached b", "attached c",
                          "attached d", "attached e @16", "attached f @32"));
}

TEST(DeclarationReader, ReadsScratchWithAndWithoutCheck) {
  EXPECT_THAT(
      Tensors(R"(
    void *embed_out;
    CUDA_CHECK(cudaMalloc(&embed_out, 14336));
    all_tensors["embed_out"] = embed_out;
    void *lse;
    cudaMalloc(&lse, 0x20ULL);
    all_tensors["lse"] = lse;
    void *c = nullptr;
    if (cudaMalloc((void**)&c, 4) != cudaSuccess) return;
    all_tensors["c"] = c;)"),
      ElementsAre("scratch embed_out 14336", "scratch lse 32", "scratch c 4"));
}

TEST(DeclarationReader, ReadsNvshmemWithAndWithoutAssert) {
  EXPECT_THAT(Tensors(R"(
    void *mlp_out = nvshmem_malloc(65536);
    assert(mlp_out != nullptr);
    all_tensors["mlp_out"] = mlp_out;
    char *b = static_cast<char*>(nvshmem_malloc(8));
    all_tensors["b"] = b;)"),
              ElementsAre("nvshmem mlp_out 65536", "nvshmem b 8"));
}

TEST(DeclarationReader, ReadsCopiesIntoShuffledTensors) {
  const std::vector<Declaration> tensors = Read(R"(
    char *qkv;
    CUDA_CHECK(cudaMalloc(&qkv, 50331648));
    CUDA_CHECK(cudaMemcpy2DAsync(reinterpret_cast<void *>(qkv + 0), 6291456,
        model_tensors.at("q"), 4194304, 4194303, 8, cudaMemcpyDeviceToDevice));
    cudaMemcpy2D(qkv + 4194304, 6291456, reinterpret_cast<const void *>(0x40),
                 1, 2, 3, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DAsync((void*)(qkv + 9), 7, torch_tensors[2], 1, 2, 3,
                      cudaMemcpyDeviceToDevice, stream);
    all_tensors["qkv"] = qkv;)")
                                               .tensors;
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].kind, TensorKind::kShuffled);
  EXPECT_EQ(tensors[0].bytes, 50331648u);
  EXPECT_EQ(tensors[0].line, 2u);
  ASSERT_EQ(tensors[0].copies.size(), 3u);
  const Copy& named = tensors[0].copies[0];
  EXPECT_EQ(named.source, "q");
  EXPECT_EQ(named.source_address, 0u);
  EXPECT_EQ(named.target_offset, 0u);
  EXPECT_EQ(named.target_pitch, 6291456u);
  EXPECT_EQ(named.source_pitch, 4194304u);
  EXPECT_EQ(named.width, 4194303u);
  EXPECT_EQ(named.height, 8u);
  EXPECT_EQ(named.line, 4u);
  EXPECT_EQ(tensors[0].copies[1].source, "");
  EXPECT_EQ(tensors[0].copies[1].source_address, 0x40u);
  EXPECT_EQ(tensors[0].copies[1].target_offset, 4194304u);
  EXPECT_EQ(tensors[0].copies[1].line, 6u);
  EXPECT_EQ(tensors[0].copies[2].source, "");
  EXPECT_EQ(tensors[0].copies[2].source_address, 0u);
}

TEST(DeclarationReader, KnowsAVariableThatIsCopied) {
  const std::vector<Declaration> tensors = Read(R"(
    char *q = (char*)(0x40);
    char *k = static_cast<char*>(model_tensors.at("k_proj"));
    char *qk;
    cudaMalloc(&qk, 8);
    cudaMemcpy2D(qk, 4, q, 2, 2, 2, cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(qk + 2, 4, k, 2, 2, 2, cudaMemcpyDeviceToDevice);
    all_tensors["qk"] = qk;)")
                                               .tensors;
  ASSERT_EQ(tensors.size(), 1u);
  ASSERT_EQ(tensors[0].copies.size(), 2u);
  EXPECT_EQ(tensors[0].copies[0].source, "q");
  EXPECT_EQ(tensors[0].copies[0].source_address, 0x40u);
  EXPECT_EQ(tensors[0].copies[1].source, "k_proj");
}

TEST(DeclarationReader, NamesATensorAsItIsRegistered) {
  EXPECT_THAT(Tensors(R"(
    char *t_0 = static_cast<char*>(model_tensors.at("other"));
    all_tensors["layer.0/w"] = t_0;)"),
              ElementsAre("attached layer.0/w"));
}

TEST(DeclarationReader, ReadsAliases) {
  EXPECT_THAT(Tensors(R"(
    void *w2;
    cudaMalloc(&w2, 4);
    all_tensors["w2"] = w2;
    all_tensors["w1"] = all_tensors["w2"];
    all_tensors["w0"] = all_tensors["w1"];
    all_tensors["same"] = w2;)"),
              ElementsAre("scratch w2 4", "alias w1 = w2", "alias w0 = w2",
                          "alias same = w2"));
}

TEST(DeclarationReader, LeavesTwoNamesOfOneAddressAttached) {
  EXPECT_THAT(Tensors(R"(
    char *embed = (char*)(0x40);
    all_tensors["embed"] = embed;
    char *head = (char*)(0x40);
    all_tensors["head"] = head;)"),
              ElementsAre("attached embed @64", "attached head @64"));
}

TEST(DeclarationReader, TakesNullptrForNoTensor) {
  EXPECT_THAT(Tensors("all_tensors[\"nullptr\"] = nullptr;"), IsEmpty());
}

TEST(DeclarationReader, KeepsTheOrderOfRegistrationAndTheLineOfDeclaration) {
  const auto tensors = Read(
                           "void *a;\nvoid *b;\ncudaMalloc(&a, 1);\n"
                           "cudaMalloc(&b, 2);\nall_tensors[\"b\"] = b;\n"
                           "all_tensors[\"a\"] = a;\n"
                           "all_tensors[\"c\"] = all_tensors[\"a\"];")
                           .tensors;
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors[0].name, "b");
  EXPECT_EQ(tensors[0].line, 2u);
  EXPECT_EQ(tensors[1].name, "a");
  EXPECT_EQ(tensors[1].line, 1u);
  EXPECT_EQ(tensors[2].line, 7u);
}

TEST(DeclarationReader, ReadsTheNumberOfGpus) {
  EXPECT_EQ(Read("assert(num_gpus = 8);").num_gpus, 8u);
  EXPECT_EQ(Read("assert(num_gpus == 4);").num_gpus, 4u);
  EXPECT_EQ(Read("const int num_gpus = 2;").num_gpus, 2u);
  EXPECT_EQ(Read("if (num_gpus == 1) return;").num_gpus, std::nullopt);
  EXPECT_EQ(Read("assert(num_gpus = world);").num_gpus, std::nullopt);
  EXPECT_EQ(Read("f(num_gpus);").num_gpus, std::nullopt);
  EXPECT_EQ(Error("assert(num_gpus = 0);"),
            "k.cu:1:20: byte 19: found 0, expected a number of GPUs");
  EXPECT_EQ(Error("assert(num_gpus = 4294967296);"),
            "k.cu:1:20: byte 19: found 4294967296, expected a number of GPUs");
}

TEST(DeclarationReader, SkipsWhatIsNoTensor) {
  EXPECT_THAT(Tensors(R"(
    std::map<std::string, void*> all_tensors;
    if (input_tensors.size() == 0) printf("none: %d\n", 0);
    for (int i = 0; i < 3; ++i) { cudaMalloc(&buffers[i], i * 4); }
    size_t n = 4, m = 5;
    int *workspace;
    cudaMalloc(&workspace, n * sizeof(int));
    char *p = buffer + 4;
    auto size = model_tensors.size();
    config.tokens = static_cast<long long*>(model_tensors.at("tokens"));
    cudaMemcpy(config.step, &n, 4, cudaMemcpyHostToDevice);
    auto f = [&](int x) { return x + 1; };
    construct_task_graph(num_gpus, my_gpu_id, all_tasks, all_tensors);
    { void *scoped; cudaMalloc(&scoped, 1); all_tensors["a"] = scoped; }
    { void *scoped; cudaMalloc(&scoped, 2); all_tensors["b"] = scoped; }
    void *unused;
    cudaMalloc(&unused, 16);
    cudaDeviceSynchronize();)"),
              ElementsAre("scratch a 1", "scratch b 2"));
}

TEST(DeclarationReader, ReadsThroughCommentsAndContinuedLines) {
  EXPECT_THAT(Tensors("char */* 'x */a = // model_tensors.at(\"b\")\n"
                      "  static_\\\ncast<char*>(model_tensors.at(\"a\"));\n"
                      "// all_tensors[\"b\"] = b;\n"
                      "all_tensors[\"a\"] = a;"),
              ElementsAre("attached a"));
}

TEST(DeclarationReader, RejectsANameOrVariableDeclaredTwice) {
  EXPECT_EQ(Error("void *a; cudaMalloc(&a, 1);\nall_tensors[\"x\"] = a;\n"
                  "all_tensors[\"x\"] = a;"),
            "k.cu:3:13: byte 63: found \"x\", expected another name: \"x\" is "
            "registered in line 2");
  EXPECT_EQ(Error("void *a;\nchar *a = (char*)(1);"),
            "k.cu:2:7: byte 16: found a, expected another name: a is declared "
            "in line 1");
  EXPECT_EQ(Error("void *a;\ncudaMalloc(&a, 1);\ncudaMalloc(&a, 1);"),
            "k.cu:3:1: byte 29: found cudaMalloc, expected no second tensor "
            "in a, which has one since line 1");
  EXPECT_EQ(Error("char *a = (char*)(1);\na = (char*)(2);"),
            "k.cu:2:1: byte 23: found a, expected no second tensor in a, "
            "which has one since line 1");
}

TEST(DeclarationReader, RejectsRegistrationsOfWhatIsNoTensor) {
  const std::string expected =
      ", expected a variable that is attached or allocated before";
  EXPECT_EQ(Error("all_tensors[\"x\"] = x;"),
            "k.cu:1:21: byte 20: found x" + expected);
  EXPECT_EQ(Error("void *x; all_tensors[\"x\"] = x;"),
            "k.cu:1:30: byte 29: found x" + expected);
  EXPECT_EQ(Error("char *x = buffer + 4; all_tensors[\"x\"] = x;"),
            "k.cu:1:43: byte 42: found x" + expected);
  EXPECT_EQ(Error("all_tensors[\"x\"] = nullptr;"),
            "k.cu:1:21: byte 20: found nullptr" + expected);
  EXPECT_EQ(Error("all_tensors[\"x\"] = y + 4;"),
            "k.cu:1:21: byte 20: found y" + expected);
  EXPECT_EQ(Error("all_tensors[\"nullptr\"] = x;"),
            "k.cu:1:27: byte 26: found x, expected nullptr, which that name "
            "stands for");
  EXPECT_EQ(Error("all_tensors[\"w1\"] = all_tensors[\"w2\"];"),
            "k.cu:1:34: byte 33: found \"w2\", expected the name of a tensor "
            "registered before");
}

TEST(DeclarationReader, RejectsMalformedRegistrations) {
  EXPECT_EQ(Error("all_tensors[name] = x;"),
            "k.cu:1:14: byte 13: found name, expected a tensor name in "
            "quotes");
  EXPECT_EQ(Error("all_tensors[\"\"] = x;"),
            "k.cu:1:14: byte 13: found \"\", expected a tensor name in "
            "quotes");
  EXPECT_EQ(Error("all_tensors[\"a\\n\"] = x;"),
            "k.cu:1:14: byte 13: found \"a\\n\", expected a tensor name in "
            "quotes");
  EXPECT_EQ(Error("all_tensors[\"a\" + b] = x;"),
            "k.cu:1:18: byte 17: found +, expected ]");
  EXPECT_EQ(Error("all_tensors[\"a\"];"),
            "k.cu:1:18: byte 17: found ;, expected = and a tensor");
  EXPECT_EQ(Error("all_tensors[\"a\"] = ;"),
            "k.cu:1:21: byte 20: found ;, expected a tensor");
  EXPECT_EQ(Error("f() all_tensors[\"a\"] = a;"),
            "k.cu:1:6: byte 5: found all_tensors, expected ; and a "
            "registration as a statement of its own");
  EXPECT_EQ(Error("void *a; cudaMalloc(&a, 1) all_tensors[\"a\"] = a;"),
            "k.cu:1:29: byte 28: found all_tensors, expected ; and a "
            "registration as a statement of its own");
}

TEST(DeclarationReader, RejectsAnAttachedTensorThatIsNeverRegistered) {
  EXPECT_EQ(Error("char *x = static_cast<char*>(model_tensors.at(\"x\"));"),
            "k.cu:1:8: byte 7: found x, expected all_tensors[\"x\"] = x; "
            "after it");
  EXPECT_EQ(Error("char *x; cudaMalloc(&x, 4); cudaMemcpy2D(x, 4, "
                  "model_tensors.at(\"q\"), 4, 4, 1, kind);"),
            "k.cu:1:8: byte 7: found x, expected all_tensors[\"x\"] = x; "
            "after it");
}

TEST(DeclarationReader, RejectsMalformedSources) {
  EXPECT_EQ(Error("char *x = static_cast<char*>(model_tensors.at(x));"),
            "k.cu:1:48: byte 47: found x, expected a tensor name in quotes");
  EXPECT_EQ(Error("char *x = static_cast<char*>(model_tensors.at);"),
            "k.cu:1:47: byte 46: found ), expected ( and a tensor name in "
            "quotes");
  EXPECT_EQ(Error("char *x = model_tensors.at(\"x\") + 4;"),
            "k.cu:1:34: byte 33: found +, expected the end of the expression");
  EXPECT_EQ(Error("char *x = (char*)(0x10000000000000000);"),
            "k.cu:1:20: byte 19: found 0x10000000000000000, expected an "
            "address of at most 64 bits");
  EXPECT_EQ(Error("char *x = torch_tensors[3 + 1];"),
            "k.cu:1:28: byte 27: found +, expected ]");
}

TEST(DeclarationReader, RejectsSizesOfTensorsThatAreNone) {
  const std::string expected = ", expected a size in bytes of at most 64 bits";
  EXPECT_EQ(Error("void *x; cudaMalloc(&x, 18446744073709551616); "
                  "all_tensors[\"x\"] = x;"),
            "k.cu:1:26: byte 25: found 18446744073709551616" + expected);
  EXPECT_EQ(Error("void *x; cudaMalloc(&x, n * 4); all_tensors[\"x\"] = x;"),
            "k.cu:1:26: byte 25: found n" + expected);
  EXPECT_EQ(Error("void *x; cudaMalloc(&x); all_tensors[\"x\"] = x;"),
            "k.cu:1:24: byte 23: found )" + expected);
  EXPECT_EQ(Error("void *x = nvshmem_malloc(n); all_tensors[\"x\"] = x;"),
            "k.cu:1:27: byte 26: found n" + expected);
  EXPECT_EQ(Error("void *x = nvshmem_malloc(); all_tensors[\"x\"] = x;"),
            "k.cu:1:27: byte 26: found )" + expected);
}

TEST(DeclarationReader, RejectsCopiesThatCannotBeRead) {
  const std::string qkv = "char *q; cudaMalloc(&q, 8);\n";
  EXPECT_EQ(Error("cudaMemcpy2D(q, 1, 0, 1, 1, 1, k);"),
            "k.cu:1:15: byte 14: found q, expected a variable allocated "
            "before");
  EXPECT_EQ(Error("char *q; cudaMemcpy2D(q, 1, x, 1, 1, 1, k);"),
            "k.cu:1:24: byte 23: found q, expected a variable allocated "
            "before");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, 1, x, 1, 1, k);"),
            "k.cu:2:30: byte 58: found ), expected 7 arguments of "
            "cudaMemcpy2D, here are 6");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q - 1, 1, x, 1, 1, 1, k);"),
            "k.cu:2:16: byte 44: found -, expected + and an offset in bytes");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q + n, 1, x, 1, 1, 1, k);"),
            "k.cu:2:18: byte 46: found n, expected an offset in bytes");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, a, x, 1, 1, 1, k);"),
            "k.cu:2:17: byte 45: found a, expected the target's pitch in "
            "bytes");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, 1, x, 1, 1, 1, k);"),
            "k.cu:2:20: byte 48: found x, expected an attached tensor to copy "
            "from");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, 1, torch_tensors[0], a, 1, 1, k);"),
            "k.cu:2:38: byte 66: found a, expected the source's pitch in "
            "bytes");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, 1, torch_tensors[0], 1, a, 1, k);"),
            "k.cu:2:41: byte 69: found a, expected a width in bytes");
  EXPECT_EQ(Error(qkv + "cudaMemcpy2D(q, 1, torch_tensors[0], 1, 1, 2 * 3, "
                        "k);"),
            "k.cu:2:46: byte 74: found *, expected a number of rows");
  EXPECT_EQ(Error(qkv + "cudaMemcpyAsync(q, x, 8, k);"),
            "k.cu:2:1: byte 29: found cudaMemcpyAsync, expected cudaMemcpy2D "
            "or cudaMemcpy2DAsync, to copy into q");
  EXPECT_EQ(Error(qkv + "copy_rows(q, model_tensors.at(\"x\"));"),
            "k.cu:2:14: byte 42: found model_tensors, expected cudaMemcpy2D "
            "or cudaMemcpy2DAsync to copy it");
}

TEST(DeclarationReader, RejectsTasksWrittenAsStatements) {
  EXPECT_EQ(Error("TensorDesc input0;\n"
                  "input0.base_ptr = static_cast<char*>(x) + 0;"),
            "k.cu:2:1: byte 20: found input0, expected the tasks in a task "
            "graph file: tasks written as C++ statements cannot be audited, "
            "generate them as JSON");
}

}  // namespace
}  // namespace graph_coverage
