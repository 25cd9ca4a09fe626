// SPDX-License-Identifier: Apache-2.0
//
// What a kernel source (.cu) says: the tensors it declares and the branches of
// its dispatch chain.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace graph_coverage {

enum class TensorKind {
  kAttached,  // handed in by the program ("torch")
  kScratch,   // allocated by the kernel with cudaMalloc
  kNvshmem,   // allocated on the symmetric heap
  kShuffled,  // allocated, then filled with copies of attached tensors
  kAlias,     // another name of a declared tensor
};

// "attached", "scratch", "nvshmem", "shuffled", "alias".
const char* ToString(TensorKind kind);

// One cudaMemcpy2D into a shuffled tensor. Extents in bytes, height in rows.
struct Copy {
  std::string source;  // empty where the source is a raw address
  std::uint64_t source_address = 0;
  std::uint64_t target_offset = 0;
  std::uint64_t target_pitch = 0;
  std::uint64_t source_pitch = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint32_t line = 0;
};

// A tensor the kernel source registers in all_tensors.
struct Declaration {
  std::string name;
  TensorKind kind = TensorKind::kAttached;
  std::optional<std::uint64_t> bytes;    // allocated size, where one is given
  std::optional<std::uint64_t> address;  // raw-pointer versions
  std::string alias_of;                  // kAlias only
  std::vector<Copy> copies;              // kShuffled only
  std::uint32_t line = 0;
};

// One argument of a call in a branch. Template argument lists are not
// arguments.
struct Argument {
  enum class Kind {
    kInput,     // an input slot: input_ptrs, input_tma_desc_ptrs, inputs[i]
    kOutput,    // an output slot
    kBoolean,   // true or false
    kNumber,    // an integer literal
    kNull,      // nullptr
    kMetadata,  // task_metadata or one of its fields
    kConfig,    // a member of runtime_config
    kOther,     // any other expression
  };
  Kind kind = Kind::kOther;
  std::int64_t value = 0;  // the slot, the boolean (0, 1) or the number
  std::uint32_t call = 0;  // the arguments of one call share this number
  std::string text;        // as written, comments stripped
};

// One arm of the dispatch chain: the code a (task type, variant) runs.
struct Branch {
  std::string type;  // "TASK_PAGED_ATTENTION_1"
  std::uint32_t variant = 0;
  std::vector<std::uint32_t> inputs;   // slots dereferenced, ascending, once
  std::vector<std::uint32_t> outputs;  // likewise
  // Whether it may dereference other slots than these, too: a subscript is no
  // literal, or the task description is handed on.
  bool any_input = false;
  bool any_output = false;
  // Call by call in the order of the text, each call's from first to last.
  std::vector<Argument> arguments;
  bool reads_task_metadata = false;
  bool reads_runtime_tokens = false;  // runtime_config.tokens
  std::string body;                   // its tokens, one space between
  std::uint32_t line = 0;

  // Whether it does, or may.
  bool DereferencesInput(std::uint32_t slot) const;
  bool DereferencesOutput(std::uint32_t slot) const;
};

struct KernelSource {
  std::string file;
  std::vector<Declaration> declarations;  // in the order of the text
  std::vector<Branch> branches;           // in the order of the chain
  bool has_dispatch = false;              // F0 and F1 have no chain
  std::optional<std::uint32_t> num_gpus;
};

// GoogleTest prints these types with one line each.
void PrintTo(TensorKind kind, std::ostream* out);
void PrintTo(const Copy& copy, std::ostream* out);
void PrintTo(const Declaration& declaration, std::ostream* out);
void PrintTo(const Argument& argument, std::ostream* out);
void PrintTo(const Branch& branch, std::ostream* out);
void PrintTo(const KernelSource& source, std::ostream* out);

}  // namespace graph_coverage
