// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <iterator>
#include <optional>
#include <sstream>

#include "generators/synthetic/kernel_source_writer.h"
#include "generators/synthetic/task_types.h"
#include "generators/synthetic/tiling.h"

namespace graph_coverage::synthetic {
namespace {

const char* ElementType(DataType type) {
  switch (type) {
    case DataType::kFp8:
      return "uint8_t";
    case DataType::kFp16:
      return "half";
    case DataType::kBf16:
      return "bfloat16";
    case DataType::kF32:
      return "float";
    case DataType::kI32:
      return "int";
    case DataType::kU32:
      return "uint32_t";
    case DataType::kI64:
      return "long long";
    case DataType::kUnknown:
      break;
  }
  return "void";
}

// "kernel::rms_norm_hopper_task_impl"
std::string FunctionOf(const std::string& type) {
  std::string name = type;
  for (char& c : name) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (name.starts_with("task_")) name.erase(0, 5);
  return fmt::format("kernel::{}_task_impl", name);
}

// One branch: what its kernel is compiled for, and the call.
class BranchWriter {
 public:
  BranchWriter(const Program& program, const Operator& op, std::uint32_t rank,
               const FormatFacts& facts)
      : program_(program), op_(op), rank_(rank), facts_(facts) {}

  std::string Run() && {
    std::istringstream words(ArgumentsOf(op_));
    for (std::string word; words >> word;) {
      if (auto argument = Argument(word)) {
        arguments_.push_back(std::move(*argument));
      }
    }
    std::string text = std::move(descriptors_);
    fmt::format_to(std::back_inserter(text), "      {}<{}>(\n",
                   FunctionOf(op_.type), fmt::join(Shape(), ", "));
    fmt::format_to(std::back_inserter(text), "      {});\n",
                   fmt::join(arguments_, ",\n      "));
    return text;
  }

 private:
  // The argument a word stands for; nothing where the operator lacks it.
  std::optional<std::string> Argument(const std::string& word) {
    const std::string object =
        facts_.descriptors ? "task_desc->" : "task_desc.";
    if (word == "norm") return Switch(3);
    if (word == "rope") return Switch(5);
    if (word == "first") return "runtime_config.my_gpu_id == 0";
    if (word.starts_with("m.")) {
      if (!facts_.request_id) return std::nullopt;
      return object + "task_metadata." + word.substr(2);
    }
    if (word.starts_with("c.")) return "runtime_config." + word.substr(2);
    if (word.size() < 2 ||
        std::isdigit(static_cast<unsigned char>(word[1])) == 0 ||
        std::string_view("iotur").find(word[0]) == std::string_view::npos) {
      return word;
    }
    const auto slot = static_cast<std::size_t>(std::stoul(word.substr(1)));
    const bool output = word[0] == 'o' || word[0] == 'u';
    const std::vector<Use>& uses = output ? op_.outputs : op_.inputs;
    if (slot >= uses.size()) return std::nullopt;
    if (word[0] == 'r' && rank_ != 0) return "nullptr";
    if ((word[0] == 't' || word[0] == 'u') && facts_.descriptors) {
      return Descriptor(uses[slot], slot, output);
    }
    if (facts_.descriptors) {
      return fmt::format("{}{}_ptrs[{}]", object, output ? "output" : "input",
                         slot);
    }
    return fmt::format("{}{}[{}].base_ptr", object,
                       output ? "outputs" : "inputs", slot);
  }

  // Whether optional operands from `slot` on are there.
  std::string Switch(std::size_t slot) const {
    const bool on =
        slot < op_.inputs.size() && op_.inputs[slot].tensor != kNoTensor;
    if (!facts_.descriptors) return on ? "1" : "0";
    return on ? "true" : "false";
  }

  // Declares a TMA descriptor for the operand and names it.
  std::string Descriptor(const Use& use, std::size_t slot, bool output) {
    const std::vector<std::int64_t> dims = TileDims(program_, op_, use);
    const Tensor& tensor = program_.tensor(use.tensor);
    const char* side = output ? "OUT" : "IN";
    const std::string name =
        fmt::format("tma_{}_{}", output ? "out" : "in", slot);
    fmt::format_to(
        std::back_inserter(descriptors_),
        "      using TMA_{0}_{1} = kernel::tma::tma_{2}d<{3}, 3, 3, 3, {4}, "
        "true>;\n"
        "      TMA_{0}_{1} {5}(static_cast<CUtensorMap*>("
        "task_desc->{6}_tma_desc_ptrs[{1}][0]));\n",
        side, slot, dims.size(), ElementType(tensor.data_type),
        fmt::join(dims, ", "), name, output ? "output" : "input");
    types_.push_back(fmt::format("TMA_{}_{}", side, slot));
    return name;
  }

  // The template arguments: element type, the first output's (else input's)
  // tile, and the descriptors.
  std::vector<std::string> Shape() const {
    const Use& use =
        op_.outputs.empty() ? op_.inputs.front() : op_.outputs.front();
    std::vector<std::string> shape = {
        ElementType(program_.tensor(use.tensor).data_type)};
    for (const std::int64_t extent : TileDims(program_, op_, use)) {
      shape.push_back(std::to_string(extent));
    }
    shape.insert(shape.end(), types_.begin(), types_.end());
    if (op_.type == "TASK_REDUCE") {
      shape.insert(shape.begin() + 2, std::to_string(rank_));
    }
    return shape;
  }

  const Program& program_;
  const Operator& op_;
  const std::uint32_t rank_;
  const FormatFacts& facts_;
  std::vector<std::string> arguments_;
  std::vector<std::string> types_;
  std::string descriptors_;
};

}  // namespace

std::string WriteDispatch(const Program& program, const Variants& variants,
                          std::uint32_t rank, const FormatFacts& facts) {
  if (!facts.variant_id) return {};
  const bool pointer = facts.descriptors;
  std::string text = fmt::format(
      "\n__device__ __forceinline__\n"
      "void _execute_task(TaskDesc const{} task_desc,\n"
      "                   RuntimeConfig const &runtime_config) {{\n",
      pointer ? "*" : "&");
  const char* keyword = "if";
  for (const Variant& variant : variants.all) {
    fmt::format_to(
        std::back_inserter(text),
        "  {0} (task_desc{1}task_type == {2} && task_desc{1}variant_id == {3}) "
        "{{\n",
        keyword, pointer ? "->" : ".", variant.type, variant.variant);
    text +=
        BranchWriter(program, program.operators()[variant.example], rank, facts)
            .Run();
    text += "  }\n";
    keyword = "else if";
  }
  return text + "}\n";
}

}  // namespace graph_coverage::synthetic
