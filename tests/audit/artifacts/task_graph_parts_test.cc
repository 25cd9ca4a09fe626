// SPDX-License-Identifier: Apache-2.0
//
// A task graph read by several threads says what it says read by one, and is
// refused with the same words.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "audit/artifacts/task_graph_reader.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

Json OperandOf(std::size_t i) {
  return {{"base_ptr", "layer_" + std::to_string(i / 5) + "_w"},
          {"data_type", 941},
          {"dims", {8, 64 + i % 3}},
          {"offset", 128 * i},
          {"strides", {64 + i % 3, 1}}};
}

// Tasks with up to three operands, so that objects like tasks lie close.
Json Graph(std::size_t tasks) {
  Json graph;
  graph["all_events"] = {{{"event_type", 903},
                          {"first_task_id", 2},
                          {"last_task_id", 9},
                          {"num_triggers", 1}}};
  for (std::size_t i = 0; i < tasks; ++i) {
    Json inputs = Json::array();
    for (std::size_t k = 0; k < i % 4; ++k) inputs.push_back(OperandOf(i + k));
    graph["all_tasks"].push_back({{"dependent_event", i},
                                  {"inputs", inputs},
                                  {"outputs", {OperandOf(7 * i)}},
                                  {"task_type", 100 + i % 3},
                                  {"trigger_event", i + 1},
                                  {"variant_id", i % 2}});
  }
  graph["first_tasks"] = {2};
  return graph;
}

void SayOperands(const TaskGraph& graph, Span<Operand> operands,
                 std::ostream& out) {
  for (const Operand& operand : operands) {
    const Layout layout = graph.layout(operand.layout);
    out << ' ' << graph.tensor_name(operand.tensor) << '@' << operand.offset;
    for (const std::int64_t dim : layout.dims) out << ',' << dim;
    for (const std::int64_t stride : layout.strides) out << ';' << stride;
  }
}

// All that a graph says, or why it was refused.
std::string Read(const std::string& text, unsigned threads) {
  std::ostringstream out;
  try {
    const auto source = OpenMemory("g.json", text);
    constexpr std::uint64_t kLeastPart = 1;
    const TaskGraph graph = ReadTaskGraph(*source, threads, kLeastPart);
    for (std::size_t i = 0; i < graph.task_count(); ++i) {
      const Task task = graph.task(TaskId(i));
      out << task.type << ' ' << task.variant << ' ' << task.dependent.raw()
          << ' ' << task.trigger.raw() << ':';
      SayOperands(graph, task.inputs, out);
      out << " ->";
      SayOperands(graph, task.outputs, out);
      out << '\n';
    }
    for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
      out << graph.tensor_name(TensorId(i)) << '\n';
    }
    out << graph.layout_count() << ' ' << graph.event_count() << ' '
        << graph.first_tasks().size() << ' ' << graph.format().dependent_event
        << graph.format().variant_id << graph.format().event_objects;
    for (const std::string& key : graph.format().unknown_keys) out << key;
  } catch (const InputError& error) {
    out << error.what();
  }
  return out.str();
}

TEST(TaskGraphParts, SayWhatTheWholeSays) {
  for (const int indent : {-1, 0, 2, 4}) {
    for (const std::size_t tasks : {1u, 2u, 3u, 50u}) {
      const std::string text = Graph(tasks).dump(indent);
      const std::string whole = Read(text, 1);
      ASSERT_NE(whole.find("layer_0_w"), std::string::npos) << whole;
      for (const unsigned threads : {2u, 3u, 8u, 100u}) {
        EXPECT_EQ(Read(text, threads), whole)
            << tasks << " tasks, " << threads << " threads";
      }
    }
  }
}

TEST(TaskGraphParts, KnowTheKeysThatNoneKnows) {
  Json graph = Graph(40);
  graph["all_tasks"][1]["colour"] = "red";
  graph["all_tasks"][38]["taste"] = Json::array({"sweet"});
  std::string text = graph.dump(2);
  EXPECT_NE(Read(text, 1).find("task.colourtask.taste"), std::string::npos);
  EXPECT_EQ(Read(text, 4), Read(text, 1));

  // More than are noted: the first of them count, however they are read.
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      graph["all_tasks"][i]["key" + std::to_string(997 * (5 * i + k) % 1000)] =
          1;
    }
  }
  text = graph.dump(2);
  EXPECT_EQ(Read(text, 4), Read(text, 1));
}

TEST(TaskGraphParts, AreRefusedWithTheSameWords) {
  const std::string text = Graph(9).dump(1);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < text.size(); at += 31) {
    for (const char c : {'}', ']', ',', '{', '"', '7', '\n'}) {
      std::string broken = text;
      broken[at] = c;
      const std::string whole = Read(broken, 1);
      refused += whole.find("expected") != std::string::npos ? 1u : 0u;
      ASSERT_EQ(Read(broken, 3), whole) << "byte " << at << ": " << c;
    }
  }
  EXPECT_GT(refused, 200u);
  for (std::size_t size = 0; size < text.size(); size += 17) {
    const std::string cut = text.substr(0, size);
    ASSERT_EQ(Read(cut, 3), Read(cut, 1)) << size << " bytes";
  }
}

}  // namespace
}  // namespace graph_coverage
