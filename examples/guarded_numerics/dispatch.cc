// SPDX-License-Identifier: Apache-2.0
#include "dispatch.h"

#include <stdexcept>

#include "kernels.h"
#include "model.h"

namespace guarded_numerics {
namespace {

void RunEmbedding(const Work& work, const Step&) {
  Embedding(work.in(0), work.in(1), work.out(0));
}

void RunRmsNorm(const Work& work, const Step&) {
  RmsNorm(work.in(0), work.in(1), work.out(0));
}

void RunLinear(const Work& work, const Step&) {
  Linear(work.in(0), work.in(1), nullptr, work.out(0));
}

void RunQuantize(const Work& work, const Step&) {
  QuantizeFp8(work.in(0), work.out(0), work.out(1));
}

void RunLinearFp8(const Work& work, const Step&) {
  const Tile* residual = work.has_input(4) ? &work.in(4) : nullptr;
  LinearFp8(work.in(0), work.in(1), work.in(2), work.in(3), residual,
            work.out(0));
}

// Puts the token's latent and key into the cache, the key turned by the angle
// of its position if the task has the tables, and gathers all rows so far.
void RunKvGather(const Work& work, const Step& step) {
  const Tile& latent = work.in(0);
  const Tile& cache = work.in(2);
  const Tile& gathered = work.in(3);
  const Tile row = cache.Row(step.slot);
  const Tile key = row.Columns(latent.columns, row.columns - latent.columns);
  for (std::int64_t c = 0; c < latent.columns; ++c) {
    row.Set(0, c, latent.Get(0, c));
  }
  for (std::int64_t c = 0; c < key.columns; ++c) {
    key.Set(0, c, work.in(1).Get(0, c));
  }
  if (work.has_input(5)) Rope(key, work.in(4), work.in(5), step.position);
  for (std::int64_t r = 0; r <= step.slot; ++r) {
    const std::vector<float> values = cache.RowValues(r);
    for (std::int64_t c = 0; c < cache.columns; ++c) {
      gathered.Set(r, c, values[static_cast<std::size_t>(c)]);
    }
  }
}

void RunQRope(const Work& work, const Step& step) {
  const Tile& q = work.in(0);
  const std::int64_t columns = q.columns / kHeads;
  const std::int64_t turned = work.in(1).columns;
  for (std::int64_t end = columns; end <= q.columns; end += columns) {
    Rope(q.Columns(end - turned, turned), work.in(1), work.in(2),
         step.position);
  }
}

void RunDecode(const Work& work, const Step& step) {
  DecodeSplit(work.in(0), work.in(1), step.slot + 1, work.split, work.out(0),
              work.out(1));
}

void RunMerge(const Work& work, const Step&) {
  MergeSplits(work.in(0), work.in(1), work.out(0));
}

void RunSiluMul(const Work& work, const Step&) {
  SiluMul(work.in(0), work.out(0));
}

void RunArgmaxPartial(const Work& work, const Step&) {
  ArgmaxPartial(work.in(0), work.out(0), work.out(1));
}

void RunArgmaxReduce(const Work& work, const Step&) {
  ArgmaxReduce(work.in(0), work.in(1), work.out(0));
}

struct Entry {
  const char* type;
  Kernel kernel;
};

constexpr Entry kKernels[] = {
    {"TASK_EMBEDDING", RunEmbedding},
    {"TASK_RMS_NORM_HOPPER", RunRmsNorm},
    {"TASK_LINEAR_SM100", RunLinear},
    {"TASK_QUANTIZE_FP8_SM100", RunQuantize},
    {"TASK_LINEAR_FP8_SM100", RunLinearFp8},
    {"TASK_LINEAR_FP8_WITH_RESIDUAL_SM100", RunLinearFp8},
    {"TASK_MLA_KV_GATHER_SM100", RunKvGather},
    {"TASK_MLA_Q_ROPE_SM100", RunQRope},
    {"TASK_MLA_MTP_DECODE_SM100", RunDecode},
    {"TASK_MLA_MTP_REDUCE_SM100", RunMerge},
    {"TASK_SILU_MUL", RunSiluMul},
    {"TASK_ARGMAX_PARTIAL_SM100", RunArgmaxPartial},
    {"TASK_ARGMAX_REDUCE_SM100", RunArgmaxReduce},
};

}  // namespace

Kernel KernelOf(const std::string& type) {
  for (const Entry& entry : kKernels) {
    if (type == entry.type) return entry.kernel;
  }
  throw std::runtime_error("no kernel for the task type " + type);
}

}  // namespace guarded_numerics
