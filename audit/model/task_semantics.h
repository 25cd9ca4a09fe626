// SPDX-License-Identifier: Apache-2.0
//
// What a task type does with its operands: a table by type NAME, since the
// numbers drift. The built-in table is audit/model/task_semantics.json; a file
// of the same form can replace or add types. An entry of it:
//
//   "TASK_LINEAR_WITH_RESIDUAL": {
//     "operands": ["3/1"], "reads": ["in0", "in1", "in2"],
//     "writes": ["out0"], "residual": "in2",
//     "slots": {"in1": {"kind": ["attached"], "data_type": ["bf16"],
//                       "dims": [2]}}}
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

class JsonDocument;
struct JsonValue;

// An input or output slot of a task.
struct Slot {
  bool output = false;
  std::uint32_t index = 0;

  friend bool operator<(Slot a, Slot b) {
    return a.output != b.output ? b.output : a.index < b.index;
  }
  friend bool operator==(Slot a, Slot b) {
    return a.output == b.output && a.index == b.index;
  }
};
// "in5", "out0".
std::string ToString(Slot slot);

// A set of slots.
class SlotSet {
 public:
  static constexpr std::uint32_t kMost = 64;  // slots of either kind

  void Add(Slot slot) { Bits(slot.output) |= Bit(slot.index); }
  void Add(const SlotSet& other) {
    inputs_ |= other.inputs_;
    outputs_ |= other.outputs_;
  }
  bool input(std::size_t index) const { return (inputs_ & Bit(index)) != 0; }
  bool output(std::size_t index) const { return (outputs_ & Bit(index)) != 0; }
  bool has(Slot slot) const {
    return slot.output ? output(slot.index) : input(slot.index);
  }
  bool empty() const { return (inputs_ | outputs_) == 0; }
  // Input slots from 0 to `inputs` - 1 and output slots likewise.
  static SlotSet First(std::size_t inputs, std::size_t outputs);

 private:
  static constexpr std::uint64_t Bit(std::size_t index) {
    return index < kMost ? std::uint64_t{1} << index : 0;
  }
  std::uint64_t& Bits(bool output) { return output ? outputs_ : inputs_; }

  std::uint64_t inputs_ = 0;
  std::uint64_t outputs_ = 0;
};

// What a slot may hold. An empty list allows anything.
struct SlotKind {
  bool attached = false;  // handed in by the program, or shuffled
  bool scratch = false;   // allocated by the kernel
  bool null = false;      // "nullptr"
  std::vector<DataType> data_types;
  std::vector<std::uint32_t> dims;  // numbers of dimensions
};

// The features that a literal of the call switches on or off.
enum class Feature { kQkNorm, kRope };

struct TaskSemantics {
  struct Operands {
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
  };
  std::vector<Operands> operands;  // the operand counts that occur

  SlotSet reads;        // what it loads
  SlotSet writes;       // what it stores: input slots, too
  SlotSet state;        // carried from one iteration to the next (KV caches)
  SlotSet partial;      // written only at places known when it runs
  SlotSet accumulates;  // added to, so somebody must initialise it
  SlotSet remote;       // written in another rank's memory
  SlotSet ignored;      // wired for scheduling, never dereferenced
  // Not dereferenced where the branch reads runtime_config.tokens instead.
  SlotSet ignored_with_tokens;
  SlotSet addends;   // inputs that are added to each other
  SlotSet residual;  // at most one input, added to the output; rank 0 only
  std::map<std::uint32_t, Feature> switched;  // by input slot
  bool collective = false;                    // adds up or gathers over ranks
  bool norm = false;                          // a normalisation over a row
  std::map<Slot, SlotKind> slots;             // what is known of each
};

class SemanticsTable {
 public:
  // The table that is compiled in.
  static const SemanticsTable& BuiltIn();

  // Reads a table, which may have comments. `file` is its name in errors.
  // Throws InputError, with line and column, where the text is no such table.
  static SemanticsTable Parse(std::string_view text, const std::string& file);
  // The same of a part of a document.
  static SemanticsTable Read(const JsonDocument& in, const JsonValue& table);

  // This table with the types of `other` added, or in place of its own.
  SemanticsTable With(const SemanticsTable& other) const;

  // The semantics of "TASK_…", or null where the table lacks the type.
  const TaskSemantics* Find(std::string_view type) const;
  std::size_t size() const { return types_.size(); }

 private:
  std::map<std::string, TaskSemantics, std::less<>> types_;
};

}  // namespace graph_coverage
