// SPDX-License-Identifier: Apache-2.0
//
// Appends a model's layers to a program. Names of tensors follow the
// generator's builders; scratch that no layer needs for long is shared.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "graph_coverage/synthetic/model.h"

namespace graph_coverage::synthetic {

// The type names of one generation of kernels.
struct KernelNames {
  const char* norm;
  const char* linear;
  const char* residual_linear;
  const char* attention;
  const char* argmax_partial;
  const char* argmax_reduce;
};

class Composer {
 public:
  Composer(const ModelConfig& model, Program& program);

  void Model();

 private:
  // An activation quantised to fp8, with its scales.
  struct Quantised {
    TensorRef values;
    TensorRef scales;
  };

  // compose_model.cc
  void Layer(const std::string& prefix, bool experts);
  TensorRef Head(const std::string& norm, const std::string& logits,
                 const std::string& token);

  // compose_parts.cc
  TensorRef Activation(const std::string& name, std::int64_t columns);
  void Norm(TensorRef x, const std::string& weight, TensorRef out);
  Quantised Quantise(TensorRef x);
  void Linear(TensorRef x, TensorRef weight, TensorRef out, std::int64_t tasks);
  void LinearFp8(const Quantised& x, const std::string& weight, TensorRef out);
  // out = x * weight + residual, summed over the ranks into `reduced` (which
  // is `out` itself where there is one rank). Returns the sum.
  TensorRef ResidualLinear(TensorRef x, const std::string& weight,
                           const std::string& out, const std::string& reduced);
  TensorRef ReduceOverRanks(TensorRef part, const std::string& sum);
  std::int64_t LinearTasks(std::int64_t columns) const;
  std::int64_t Share(std::int64_t whole, const char* what) const;
  // One weight of several pieces, and the tasks of a linear layer over it.
  TensorRef Merged(const std::string& name, std::vector<Piece> pieces,
                   std::int64_t groups, std::int64_t columns);
  std::int64_t MergedTasks(const std::vector<Piece>& pieces,
                           std::int64_t groups) const;

  // compose_attention.cc, compose_latent.cc
  void GroupedLayer(const std::string& prefix);
  void LatentLayer(const std::string& prefix, const std::string& cache);

  // compose_mlp.cc, compose_experts.cc
  void DenseLayer(const std::string& prefix);
  void ExpertLayer(const std::string& prefix);
  void ExpertLayerFp8(const std::string& prefix);

  // compose_draft.cc
  void DraftSteps(TensorRef token);
  // Returns the drafted token.
  TensorRef DraftStep(std::int64_t step, TensorRef token, TensorRef drafts);
  void Verify(TensorRef token, TensorRef drafts);

  const ModelConfig& model_;
  Program& program_;
  KernelNames kernels_;
  TensorRef residual_{};  // the hidden state between layers
};

}  // namespace graph_coverage::synthetic
