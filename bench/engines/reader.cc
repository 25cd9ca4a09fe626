// SPDX-License-Identifier: Apache-2.0
//
// The project's own reader. It does more than the job: it builds the model.
#include <memory>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/task_graph_reader.h"
#include "bench/engines/counter.h"

namespace graph_coverage::bench {

void CountWithReader(const char* file, OperandCounter& counter) {
  const std::unique_ptr<ByteSource> source = OpenFile(file);
  const TaskGraph graph = ReadTaskGraph(*source);
  for (std::size_t id = 0; id < graph.task_count(); ++id) {
    const Task task = graph.task(TaskId(id));
    for (const Span<Operand>& side : {task.inputs, task.outputs}) {
      for (const Operand& operand : side) {
        counter.Key("base_ptr");
        counter.String(graph.tensor_name(operand.tensor));
      }
    }
  }
}

}  // namespace graph_coverage::bench
