// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_model.h"

#include <utility>

#include "audit/artifacts/task_graph_builder.h"

namespace graph_coverage {
namespace {

// Ascending, as the names in the chain are.
enum Type : std::uint32_t {
  kEmbedding = 20,
  kNorm = 30,
  kLinear = 40,
  kAttention = 50,
  kWithResidual = 60,
  kAllReduce = 70,
};

class Maker {
 public:
  explicit Maker(const TinyModel& model)
      : model_(model),
        graph_("task_graph_" + std::to_string(model.rank) + ".json") {}

  Rank Make() {
    source_.file = "kernel_" + std::to_string(model_.rank) + ".cu";
    source_.num_gpus = model_.num_gpus;
    source_.has_dispatch = true;
    Declare();
    MakeBranches();
    MakeTasks();
    TaskGraph graph = graph_.Build();
    TypeBinding types = TypeBinding::Bind(graph, source_);
    return Rank(RankId(model_.rank), std::move(source_), std::move(graph),
                std::move(types));
  }

 private:
  bool Reduces() const { return model_.num_gpus > 1 && model_.collective; }

  void Declare(const std::string& name, TensorKind kind) {
    Declaration declaration;
    declaration.name = name;
    declaration.kind = kind;
    declaration.line =
        static_cast<std::uint32_t>(source_.declarations.size() + 1);
    if (model_.alter_declaration) model_.alter_declaration(declaration);
    if (declaration.name.empty()) return;
    source_.declarations.push_back(std::move(declaration));
  }

  static std::string Of(std::uint32_t layer, const std::string& what) {
    return "layer_" + std::to_string(layer) + "_" + what;
  }

  void Declare() {
    for (const char* name :
         {"embed_tokens", "cos_table", "sin_table", "final_norm"}) {
      Declare(name, TensorKind::kAttached);
    }
    for (std::uint32_t i = 0; i < model_.layers; ++i) {
      for (const char* what : {"norm", "qkv_proj", "k_cache", "v_cache",
                               "q_norm", "k_norm", "o_proj"}) {
        Declare(Of(i, what), TensorKind::kAttached);
      }
      Declare(Of(i, "out"), TensorKind::kScratch);
    }
    for (const char* name :
         {"tokens", "embed_out", "h", "qkv", "attn", "y", "final_out"}) {
      Declare(name, TensorKind::kScratch);
    }
  }

  void MakeBranches() {
    const auto add = [this](const std::string& type,
                            std::vector<std::uint32_t> inputs) {
      Branch branch;
      branch.type = type;
      branch.inputs = std::move(inputs);
      branch.outputs = {0};
      branch.line = static_cast<std::uint32_t>(1000 + source_.branches.size());
      source_.branches.push_back(std::move(branch));
    };
    add("TASK_EMBEDDING", {1});
    source_.branches.back().reads_runtime_tokens = true;
    add("TASK_RMS_NORM", {0, 1});
    add("TASK_LINEAR", {0, 1});
    add("TASK_PAGED_ATTENTION_1", {0, 1, 2, 3, 4, 5, 6});
    AddSwitches(&source_.branches.back());
    add("TASK_LINEAR_WITH_RESIDUAL", {0, 1, 2});
    if (Reduces()) add("TASK_NVSHMEM_TILE_ALLREDUCE", {0});
    for (Branch& branch : source_.branches) {
      for (const std::uint32_t slot : branch.inputs) {
        branch.body +=
            "task_desc -> input_ptrs [ " + std::to_string(slot) + " ] ";
      }
    }
    if (model_.alter_branches) model_.alter_branches(source_.branches);
  }

  // "true, true, input_ptrs[3], …".
  static void AddSwitches(Branch* branch) {
    const auto add = [branch](Argument::Kind kind, std::int64_t value) {
      Argument argument;
      argument.kind = kind;
      argument.value = value;
      branch->arguments.push_back(argument);
    };
    add(Argument::Kind::kBoolean, 1);
    add(Argument::Kind::kBoolean, 1);
    for (std::int64_t slot = 3; slot < 7; ++slot) {
      add(Argument::Kind::kInput, slot);
    }
  }

  static TinyTile Row(const std::string& name, std::uint32_t tile) {
    return {name, {1, 64}, DataType::kBf16, std::int64_t{128} * tile};
  }
  static TinyTile Whole(const std::string& name,
                        std::vector<std::int64_t> dims) {
    return {name, std::move(dims), DataType::kBf16, 0};
  }

  // One task a tile.
  void Op(const std::string& op, std::uint32_t layer, std::uint32_t type,
          const std::function<void(TinyTask&, std::uint32_t tile)>& fill) {
    for (std::uint32_t tile = 0; tile < model_.tiles; ++tile) {
      TinyTask task;
      task.op = op;
      task.layer = layer;
      task.tile = tile;
      task.type = type;
      fill(task, tile);
      Add(std::move(task));
    }
  }

  void Add(TinyTask task) {
    if (model_.alter) model_.alter(task);
    if (task.dropped) return;
    for (const TinyTile& tile : task.inputs) graph_.AddInput(OperandOf(tile));
    for (const TinyTile& tile : task.outputs) graph_.AddOutput(OperandOf(tile));
    Task made;
    made.type = task.type;
    made.variant = task.variant;
    graph_.AddTask(made);
  }

  Operand OperandOf(const TinyTile& tile) {
    std::vector<std::int64_t> dims = tile.dims;
    DataType type = tile.data_type;
    if (tile.name == "nullptr") {
      dims.clear();
      type = DataType::kUnknown;
    }
    std::vector<std::int64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) {
      strides[i - 1] = strides[i] * dims[i];
    }
    return {graph_.Name(tile.name), graph_.Shape({type, true, dims, strides}),
            tile.offset};
  }

  void MakeTasks() {
    Task begin;
    begin.type = kTerminateType;
    graph_.AddTask(begin);
    begin.type = kBeginType;
    graph_.AddTask(begin);
    Op("embedding", 0, kEmbedding, [](TinyTask& task, std::uint32_t tile) {
      task.inputs = {{"tokens", {1, 1}, DataType::kI64, 8 * std::int64_t{tile}},
                     Whole("embed_tokens", {512, 64})};
      task.outputs = {Row("embed_out", tile)};
    });
    std::string stream = "embed_out";
    for (std::uint32_t i = 0; i < model_.layers; ++i) {
      MakeLayer(i, stream);
      stream = Of(i, "out");
    }
    Op("final", 0, kNorm, [&stream](TinyTask& task, std::uint32_t tile) {
      task.inputs = {Row(stream, tile), Whole("final_norm", {64})};
      task.outputs = {Row("final_out", tile)};
    });
  }

  void MakeLayer(std::uint32_t i, const std::string& stream) {
    Op("norm", i, kNorm, [&](TinyTask& task, std::uint32_t tile) {
      task.inputs = {Row(stream, tile), Whole(Of(i, "norm"), {64})};
      task.outputs = {Row("h", tile)};
    });
    Op("qkv", i, kLinear, [&](TinyTask& task, std::uint32_t tile) {
      task.inputs = {Row("h", tile), Whole(Of(i, "qkv_proj"), {192, 64})};
      task.outputs = {
          {"qkv", {1, 192}, DataType::kBf16, 384 * std::int64_t{tile}}};
    });
    Op("attention", i, kAttention, [&](TinyTask& task, std::uint32_t tile) {
      task.inputs = {
          {"qkv", {1, 192}, DataType::kBf16, 384 * std::int64_t{tile}},
          Whole(Of(i, "k_cache"), {4, 16, 1, 64}),
          Whole(Of(i, "v_cache"), {4, 16, 1, 64}),
          Whole(Of(i, "q_norm"), {64}),
          Whole(Of(i, "k_norm"), {64}),
          Whole("cos_table", {512, 64}),
          Whole("sin_table", {512, 64})};
      task.outputs = {Row("attn", tile)};
    });
    const std::string product = Reduces() ? "y" : Of(i, "out");
    Op("o_proj", i, kWithResidual, [&](TinyTask& task, std::uint32_t tile) {
      task.inputs = {Row("attn", tile), Whole(Of(i, "o_proj"), {64, 64}),
                     Row(stream, tile)};
      task.outputs = {Row(product, tile)};
    });
    if (!Reduces()) return;
    Op("allreduce", i, kAllReduce, [&](TinyTask& task, std::uint32_t tile) {
      task.inputs = {Row("y", tile)};
      task.outputs = {Row(Of(i, "out"), tile)};
    });
  }

  const TinyModel& model_;
  KernelSource source_;
  TaskGraphBuilder graph_;
};

}  // namespace

Rank TinyModel::Build() const { return Maker(*this).Make(); }

std::optional<std::uint32_t> LineOf(const Rank& rank, const std::string& name) {
  for (const Declaration& declaration : rank.source().declarations) {
    if (declaration.name == name) return declaration.line;
  }
  return std::nullopt;
}

}  // namespace graph_coverage
