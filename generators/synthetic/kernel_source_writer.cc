// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/kernel_source_writer.h"

#include <fmt/format.h>

#include <iterator>

namespace graph_coverage::synthetic {
namespace {

class DeclarationWriter {
 public:
  DeclarationWriter(const Program& program, const FormatFacts& facts)
      : program_(program), facts_(facts) {}

  std::string Run() && {
    for (const Tensor& tensor : program_.tensors()) Declare(tensor);
    if (facts_.null_operands) {
      text_ += "  all_tensors[\"nullptr\"] = nullptr;\n";
    }
    for (const Tensor& tensor : program_.tensors()) {
      if (tensor.kind != TensorKind::kAlias) continue;
      Add("  all_tensors[\"{}\"] = all_tensors[\"{}\"];\n", tensor.name,
          tensor.alias_of);
    }
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format,
                   std::forward<Args>(args)...);
  }

  void Register(const std::string& name) {
    Add("  all_tensors[\"{0}\"] = {0};\n", name);
  }

  void Declare(const Tensor& tensor) {
    switch (tensor.kind) {
      case TensorKind::kAttached:
        if (!tensor.fused()) Attach(tensor.name, tensor.bytes());
        for (const Piece& piece : tensor.pieces) {
          Attach(piece.name, PieceBytes(tensor, piece));
        }
        break;
      case TensorKind::kScratch:
        Add("  void *{};\n", tensor.name);
        Allocate(tensor);
        Register(tensor.name);
        break;
      case TensorKind::kNvshmem:
        Add("  void *{0} = nvshmem_malloc({1});\n"
            "  assert({0} != nullptr);\n",
            tensor.name, tensor.bytes());
        Register(tensor.name);
        break;
      case TensorKind::kShuffled:
        Add("  char *{};\n", tensor.name);
        Allocate(tensor);
        Copy(tensor);
        Register(tensor.name);
        break;
      case TensorKind::kAlias:
        break;  // they come after all declarations
    }
  }

  static std::int64_t PieceBytes(const Tensor& tensor, const Piece& piece) {
    return tensor.bytes() / tensor.dims[0] * piece.rows;
  }

  void Attach(const std::string& name, std::int64_t bytes) {
    if (facts_.named_tensors) {
      Add("  char *{0} = static_cast<char*>(model_tensors.at(\"{0}\"));\n",
          name);
    } else if (facts_.dependent_event) {
      Add("  char *{} = (char*)({:#x});\n", name, Address(bytes));
    } else {
      Add("  char *{} = (char*) torch_tensors[{}];\n", name, attached_++);
    }
    Register(name);
  }

  void Allocate(const Tensor& tensor) {
    const bool checked = facts_.expert_offset;
    Add("  {}cudaMalloc(&{}, {}){};\n", checked ? "CUDA_CHECK(" : "",
        tensor.name, tensor.bytes(), checked ? ")" : "");
  }

  // One two-dimensional copy a piece; a row of it is the piece's share of a
  // group.
  void Copy(const Tensor& tensor) {
    const std::int64_t pitch = tensor.bytes() / tensor.groups;
    std::int64_t offset = 0;
    for (const Piece& piece : tensor.pieces) {
      const std::int64_t bytes = PieceBytes(tensor, piece);
      const std::int64_t width = bytes / tensor.groups;
      const std::string source =
          facts_.named_tensors
              ? fmt::format("model_tensors.at(\"{}\")", piece.name)
              : fmt::format("reinterpret_cast<void const *>({:#x})",
                            Address(bytes));
      Add("  CUDA_CHECK(cudaMemcpy2DAsync(reinterpret_cast<void *>({} + {}), "
          "{}, {}, {}, {}, {}, cudaMemcpyDeviceToDevice));\n",
          tensor.name, offset, pitch, source, width, width, tensor.groups);
      offset += width;
    }
  }

  // An address as an allocator would give it: aligned, no two tensors alike.
  std::uint64_t Address(std::int64_t bytes) {
    constexpr std::uint64_t kAlign = 512;
    const std::uint64_t address = next_;
    next_ += (static_cast<std::uint64_t>(bytes) + kAlign) / kAlign * kAlign;
    return address;
  }

  const Program& program_;
  const FormatFacts& facts_;
  std::string text_;
  std::uint64_t next_ = 0x7f4200000000;
  std::uint32_t attached_ = 0;
};

const char* InitParameter(const FormatFacts& facts) {
  if (facts.named_tensors) {
    return "std::map<std::string, void*> const &model_tensors";
  }
  if (facts.dependent_event) return "int num_gpus";
  return "std::vector<void*> const &torch_tensors";
}

}  // namespace

std::string WriteKernelSource(const Program& program, const Variants& variants,
                              std::uint32_t rank, FormatVersion version) {
  const FormatFacts facts = FactsOf(version);
  std::string text = fmt::format(
      "#include \"persistent_kernel.cuh\"\n"
      "using namespace mirage::runtime;\n"
      "static void _init_persistent_kernel(std::vector<FullTaskDesc> "
      "&all_tasks,\n"
      "                                    std::vector<EventDesc> "
      "&all_events,\n"
      "                                    std::vector<TaskId> &first_tasks,\n"
      "                                    {}) {{\n"
      "  assert(num_gpus = {});\n"
      "  std::map<std::string, void*> all_tensors;\n",
      InitParameter(facts), program.ranks);
  text += DeclarationWriter(program, facts).Run();
  text +=
      "  construct_task_graph(num_gpus, my_gpu_id, all_tasks, all_events, "
      "first_tasks, all_tensors);\n"
      "}\n";
  return text + WriteDispatch(program, variants, rank, facts);
}

}  // namespace graph_coverage::synthetic
