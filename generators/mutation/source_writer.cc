// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "generators/mutation/graph_writer.h"

namespace graph_coverage {
namespace {

std::string Quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

class SourceWriter {
 public:
  explicit SourceWriter(const View& view) : view_(view) {}

  std::string Run() {
    text_ =
        "#include \"persistent_kernel.cuh\"\n"
        "using namespace mirage::runtime;\n"
        "static void _init_persistent_kernel(std::vector<FullTaskDesc> "
        "&all_tasks,\n"
        "    std::vector<EventDesc> &all_events,\n"
        "    std::vector<TaskId> &first_tasks) {\n";
    if (view_.num_gpus()) Add("  assert(num_gpus = {});\n", *view_.num_gpus());
    text_ += "  std::map<std::string, void*> all_tensors;\n";
    for (std::size_t i = 0; i < view_.declaration_count(); ++i) {
      Declare(view_.declaration_at(i), i);
    }
    text_ += "  all_tensors[\"nullptr\"] = nullptr;\n}\n";
    if (view_.has_dispatch()) WriteDispatch();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format,
                   std::forward<Args>(args)...);
  }

  // Variables have numbers: not every tensor's name is one of C++.
  void Declare(const Declaration& declaration, std::size_t i) {
    const std::string variable = fmt::format("tensor_{}", i);
    switch (declaration.kind) {
      case TensorKind::kAttached:
        Add("  char *{} = {};\n", variable, Attached(declaration));
        break;
      case TensorKind::kScratch:
        Add("  void *{0};\n  CUDA_CHECK(cudaMalloc(&{0}, {1}));\n", variable,
            declaration.bytes.value_or(0));
        break;
      case TensorKind::kNvshmem:
        Add("  void *{} = nvshmem_malloc({});\n", variable,
            declaration.bytes.value_or(0));
        break;
      case TensorKind::kShuffled:
        Add("  char *{0};\n  CUDA_CHECK(cudaMalloc(&{0}, {1}));\n", variable,
            declaration.bytes.value_or(0));
        for (const Copy& copy : declaration.copies) WriteCopy(copy, variable);
        break;
      case TensorKind::kAlias:
        Add("  all_tensors[{}] = all_tensors[{}];\n", Quoted(declaration.name),
            Quoted(declaration.alias_of));
        return;
    }
    Add("  all_tensors[{}] = {};\n", Quoted(declaration.name), variable);
  }

  // By name where the version has names, that is where there is a dispatch.
  std::string Attached(const Declaration& declaration) {
    if (declaration.address) {
      return fmt::format("(char*)({:#x})", *declaration.address);
    }
    if (!view_.has_dispatch()) {
      return fmt::format("(char*) torch_tensors[{}]", attached_++);
    }
    return fmt::format("static_cast<char*>(model_tensors.at({}))",
                       Quoted(declaration.name));
  }

  void WriteCopy(const Copy& copy, const std::string& target) {
    std::string source = fmt::format("torch_tensors[{}]", attached_);
    if (!copy.source.empty()) {
      source = fmt::format("model_tensors.at({})", Quoted(copy.source));
    } else if (copy.source_address != 0) {
      source = fmt::format("reinterpret_cast<void const *>({:#x})",
                           copy.source_address);
    } else {
      ++attached_;
    }
    Add("  CUDA_CHECK(cudaMemcpy2DAsync(reinterpret_cast<void *>({} + {}), {}, "
        "{}, {}, {}, {}, cudaMemcpyDeviceToDevice));\n",
        target, copy.target_offset, copy.target_pitch, source,
        copy.source_pitch, copy.width, copy.height);
  }

  void WriteDispatch() {
    text_ +=
        "\n__device__ __forceinline__\n"
        "void _execute_task(TaskDesc const* task_desc,\n"
        "                   RuntimeConfig const &runtime_config) {\n";
    const char* keyword = "if";
    for (std::size_t i = 0; i < view_.branch_count(); ++i) {
      const Branch& branch = view_.branch(i);
      Add("  {} (task_desc->task_type == {} && task_desc->variant_id == {}) "
          "{{\n    {}\n  }}\n",
          keyword, branch.type, branch.variant, branch.body);
      keyword = "else if";
    }
    text_ += "}\n";
  }

  const View& view_;
  std::string text_;
  std::uint32_t attached_ = 0;
};

}  // namespace

std::string SourceText(const View& view) { return SourceWriter(view).Run(); }

}  // namespace graph_coverage
