// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/shapes.h"

#include <string>
#include <utility>

namespace graph_coverage::synthetic {
namespace {

class Shape {
 public:
  explicit Shape(const ShapeSize& size) : size_(size) {}

  TensorRef Activation(const std::string& name) {
    return program_.Attach(name, DataType::kBf16, {size_.rows, size_.columns});
  }

  TensorRef Norm(TensorRef x, const std::string& name) {
    const TensorRef y = Activation("x_" + name);
    program_.Add(
        {"TASK_RMS_NORM_HOPPER",
         {size_.rows},
         {Tile(x, {0}),
          Tile(program_.Attach("w_" + name, DataType::kBf16, {size_.columns}))},
         {Tile(y, {0})},
         Indexing::kBlock,
         {}});
    return y;
  }

  TensorRef Linear(TensorRef x, const std::string& name) {
    const TensorRef y = Activation("x_" + name);
    program_.Add({"TASK_LINEAR_SM100",
                  {size_.linear_tasks},
                  {Tile(x), Weight(name)},
                  {Tile(y, {1})},
                  Indexing::kBlock,
                  {}});
    return y;
  }

  TensorRef Join(TensorRef x, TensorRef residual, const std::string& name) {
    const TensorRef y = Activation("x_" + name);
    program_.Add({"TASK_LINEAR_WITH_RESIDUAL_SM100",
                  {size_.linear_tasks},
                  {Tile(x), Weight(name), Tile(residual, {1})},
                  {Tile(y, {1})},
                  Indexing::kBlock,
                  {}});
    return y;
  }

  Program Take() && { return std::move(program_); }

 private:
  Use Weight(const std::string& name) {
    return Tile(program_.Attach("w_" + name, DataType::kBf16,
                                {size_.columns, size_.columns}),
                {0});
  }

  const ShapeSize size_;
  Program program_;
};

}  // namespace

Program ForkProgram(const ShapeSize& size) {
  Shape shape(size);
  const TensorRef a = shape.Norm(shape.Activation("x_input"), "a");
  shape.Linear(a, "b");
  shape.Linear(a, "c");
  return std::move(shape).Take();
}

Program JoinProgram(const ShapeSize& size) {
  Shape shape(size);
  const TensorRef a = shape.Norm(shape.Activation("x1_input"), "a");
  const TensorRef b = shape.Norm(shape.Activation("x2_input"), "b");
  shape.Join(a, b, "c");
  return std::move(shape).Take();
}

Program DiamondProgram(const ShapeSize& size) {
  Shape shape(size);
  const TensorRef a = shape.Norm(shape.Activation("x_input"), "a");
  const TensorRef b = shape.Linear(a, "b");
  const TensorRef c = shape.Linear(a, "c");
  shape.Join(b, c, "d");
  return std::move(shape).Take();
}

}  // namespace graph_coverage::synthetic
