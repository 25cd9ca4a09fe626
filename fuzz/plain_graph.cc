// SPDX-License-Identifier: Apache-2.0
#include "fuzz/plain_graph.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

namespace graph_coverage::fuzz {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxU16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxU64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMaxDepth = 64;
constexpr std::uint64_t kNoEvent = 0x7ffffffffffffffe;

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the reader refuses beyond the grammar: keys that come twice, integers
// of more than 64 bits, deep nesting. Errors of the grammar too.
class Strictness : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t& text) override {
    if (text.find_first_of(".eE") == text.npos) Refuse("a large integer");
    return true;
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return Open(); }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) Refuse("a key twice: " + name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const Json::exception& error) override {
    Refuse(error.what());
  }

 private:
  [[noreturn]] static void Refuse(const std::string& why) {
    throw Refused(why);
  }
  bool Open() {
    keys_.emplace_back();
    if (keys_.size() > kMaxDepth) Refuse("deep nesting");
    return true;
  }
  bool Close() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;
};

const Json& Member(const Json& object, const char* key) {
  if (!object.is_object()) throw Refused("no object");
  const auto found = object.find(key);
  if (found == object.end()) throw Refused(std::string("no ") + key);
  return *found;
}

std::uint64_t Unsigned(const Json& value, std::uint64_t most) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) {
    return value.get<std::uint64_t>();
  }
  // "-0" is an integer, and no negative one.
  if (value.is_number_integer() && value.get<std::int64_t>() == 0) return 0;
  throw Refused("no unsigned integer that fits");
}

std::int64_t Signed(const Json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) throw Refused("no integer");
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() >
          static_cast<std::uint64_t>(
              std::numeric_limits<std::int64_t>::max())) {
    throw Refused("an integer too large");
  }
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) throw Refused("an integer too large");
  return number;
}

const Json& Array(const Json& value) {
  if (!value.is_array()) throw Refused("no array");
  return value;
}

// The canonical form is JSON again: what is absent has its default.
Json EventIdOf(const Json& value) {
  if (!value.is_object()) return Unsigned(value, kMaxU64);
  std::uint64_t id = Unsigned(Member(value, "event_pos"), kMaxU32);
  if (value.contains("gpu_offset")) {
    id |= Unsigned(value["gpu_offset"], kMaxU16) << 32;
  }
  if (value.contains("is_nvshmem")) {
    if (!value["is_nvshmem"].is_boolean()) throw Refused("no boolean");
    if (value["is_nvshmem"].get<bool>()) id |= 0x1e00000000000000;
  }
  return id;
}

Json ExtentsOf(const Json& value, std::int64_t least) {
  Json extents = Json::array();
  for (const Json& extent : Array(value)) {
    extents.push_back(
        Signed(extent, least, std::numeric_limits<std::int64_t>::max()));
  }
  if (extents.size() > 32) throw Refused("too many dims");
  return extents;
}

Json OperandOf(const Json& value) {
  const Json& name = Member(value, "base_ptr");
  if (!name.is_string()) throw Refused("no name");
  Json operand = {name, Unsigned(Member(value, "data_type"), kMaxU16),
                  ExtentsOf(Member(value, "dims"), 0),
                  ExtentsOf(Member(value, "strides"),
                            std::numeric_limits<std::int64_t>::min())};
  std::uint64_t block = 0;
  const char* const axes[] = {"bx", "by", "bz"};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!value.contains(axes[axis])) continue;
    block |= Unsigned(value[axes[axis]], (1u << 21) - 1) << 21 * axis;
  }
  if (value.contains("offset")) {
    operand.push_back(Signed(value["offset"],
                             std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max()));
  } else if (value.contains("bx")) {
    operand.push_back("block");
    operand.push_back(block);
  } else {
    throw Refused("no offset");
  }
  return operand;
}

Json OperandsOf(const Json& task, const char* key) {
  Json operands = Json::array();
  if (!task.contains(key) || task[key].is_null()) return operands;
  for (const Json& operand : Array(task[key])) {
    operands.push_back(OperandOf(operand));
  }
  return operands;
}

Json TaskOf(const Json& value) {
  Json task = {Unsigned(Member(value, "task_type"), kMaxU32)};
  task.push_back(value.contains("variant_id")
                     ? Unsigned(value["variant_id"], kMaxU32)
                     : 0);
  for (const char* key : {"dependent_event", "trigger_event"}) {
    const Json id = value.contains(key) ? EventIdOf(value[key]) : Json();
    task.push_back(id == kNoEvent ? Json() : id);
  }
  for (const char* key : {"request_id", "kv_idx", "merge_task_offset",
                          "expert_offset", "task_offset"}) {
    task.push_back(
        value.contains(key)
            ? static_cast<std::int32_t>(
                  Signed(value[key], std::numeric_limits<std::int32_t>::min(),
                         static_cast<std::int64_t>(kMaxU32)))
            : -1);
  }
  task.push_back(OperandsOf(value, "inputs"));
  task.push_back(OperandsOf(value, "outputs"));
  return task;
}

Json EventOf(const Json& value) {
  return {Unsigned(Member(value, "event_type"), kMaxU16),
          Unsigned(Member(value, "num_triggers"), kMaxU64),
          Unsigned(Member(value, "first_task_id"), kMaxU64),
          Unsigned(Member(value, "last_task_id"), kMaxU64)};
}

Json GraphOf(const Json& value) {
  Json graph = {Json::array(), Json::array(), Json::array()};
  for (const Json& event : Array(Member(value, "all_events"))) {
    graph[0].push_back(EventOf(event));
  }
  bool work = false;
  bool operands = false;
  for (const Json& task : Array(Member(value, "all_tasks"))) {
    graph[1].push_back(TaskOf(task));
    const Json& read = graph[1].back();
    work |= read[0] != 0 && read[0] != 10;
    operands |= !read[9].empty() || !read[10].empty();
  }
  for (const Json& first : Array(Member(value, "first_tasks"))) {
    graph[2].push_back(Unsigned(first, kMaxU32));
  }
  if (!work || !operands) throw Refused("nothing to audit");
  return graph;
}

}  // namespace

PlainGraph ReadPlainGraph(std::string_view text) {
  PlainGraph graph;
  try {
    Strictness strictness;
    Json::sax_parse(text, &strictness);
    graph.said = GraphOf(Json::parse(text)).dump();
    graph.accepted = true;
  } catch (const Refused& refused) {
    graph.why_not = refused.what();
  }
  return graph;
}

}  // namespace graph_coverage::fuzz
