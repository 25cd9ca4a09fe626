// SPDX-License-Identifier: Apache-2.0
//
// Kernel sources: substitutions in each line. No line is added or taken away
// but at the end, so that findings keep their line numbers.
#include <cstdint>
#include <cstdio>
#include <map>
#include <regex>
#include <sstream>

#include "tests/support/convert_parts.h"

namespace graph_coverage::test_support {
namespace {

// Which of the old habits a form has.
struct Habits {
  bool tensors_by_position = false;  // (char*) torch_tensors[3]
  bool raw_pointers = false;         // (char*)(0x70cf96000000)
  bool bare_calls = false;           // no CUDA_CHECK
  bool null_sentinel = true;         // all_tensors["nullptr"]
  bool chain = true;                 // a dispatch chain at all
  bool operand_objects = false;      // task_desc.inputs[3].base_ptr
  bool numeric_switches = false;     // 1 and 0 for true and false
  bool metadata = true;              // task_metadata
  bool task_offset = true;           // task_metadata.task_offset
};

Habits HabitsOf(Form form) {
  Habits habits;
  switch (form) {
    case Form::kF0:
      habits.tensors_by_position = true;
      habits.chain = false;
      [[fallthrough]];
    case Form::kF2:
      habits.numeric_switches = true;
      habits.null_sentinel = false;
      [[fallthrough]];
    case Form::kF4:
      habits.bare_calls = true;
      habits.operand_objects = true;
      habits.metadata = false;
      [[fallthrough]];
    case Form::kF9:
      habits.raw_pointers = true;
      habits.task_offset = false;
      break;
    default:
      break;
  }
  return habits;
}

void ReplaceAll(std::string& text, const std::string& from,
                const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Hands out an address of its own to each tensor.
class Addresses {
 public:
  std::string Of(const std::string& tensor) {
    const auto [it, added] = addresses_.try_emplace(tensor, next_);
    if (added) next_ += kStep;
    char text[2 + 16 + 1];
    std::snprintf(text, sizeof text, "0x%llx",
                  static_cast<unsigned long long>(it->second));
    return text;
  }

 private:
  static constexpr std::uint64_t kStep = 0x2000000;
  std::uint64_t next_ = 0x70cf96000000;
  std::map<std::string, std::uint64_t> addresses_;
};

void ConvertDeclaration(std::string& line, const Habits& habits,
                        Addresses& addresses, int& position) {
  static const std::regex torch(
      R"re(static_cast<char\*>\(model_tensors\.at\("([^"]+)"\)\))re");
  static const std::regex copied(R"re(model_tensors\.at\("([^"]+)"\))re");
  std::smatch match;
  if (std::regex_search(line, match, torch)) {
    const std::string expression =
        habits.tensors_by_position
            ? "(char*) torch_tensors[" + std::to_string(position++) + "]"
            : "(char*)(" + addresses.Of(match[1]) + ")";
    line = match.prefix().str() + expression + match.suffix().str();
  } else if (std::regex_search(line, match, copied)) {
    line = match.prefix().str() + "reinterpret_cast<const void *>(" +
           addresses.Of(match[1]) + ")" + match.suffix().str();
  }
}

void ConvertDispatch(std::string& line, const Habits& habits) {
  if (!habits.metadata) {
    static const std::regex metadata(R"(task_desc->task_metadata\.\w+)");
    line = std::regex_replace(line, metadata, "0");
  } else if (!habits.task_offset) {
    ReplaceAll(line, "task_metadata.task_offset",
               "task_metadata.merge_task_offset");
  }
  if (habits.numeric_switches) {
    // A call argument has its line to itself; template arguments do not.
    static const std::regex yes(R"(^(\s*)true\b)"), no(R"(^(\s*)false\b)");
    line = std::regex_replace(line, yes, "$011");
    line = std::regex_replace(line, no, "$010");
  }
  if (habits.operand_objects) {
    static const std::regex operand(
        R"(task_desc->(in|out)put(?:_tma_desc)?_ptrs\[(\d+)\](?:\[\d+\])?)");
    line = std::regex_replace(line, operand, "task_desc.$1puts[$2].base_ptr");
    ReplaceAll(line, "TaskDesc const* task_desc", "TaskDesc const &task_desc");
    ReplaceAll(line, "task_desc->", "task_desc.");
  }
}

}  // namespace

std::string ConvertSource(const std::string& source, Form form) {
  const Habits habits = HabitsOf(form);
  Addresses addresses;
  int position = 0;
  std::istringstream in(source);
  std::string converted, line;
  while (std::getline(in, line)) {
    if (!habits.chain && Contains(line, "__device__")) break;
    if (habits.raw_pointers && Contains(line, "model_tensors.at(")) {
      ConvertDeclaration(line, habits, addresses, position);
    }
    if (habits.bare_calls && Contains(line, "CUDA_CHECK(")) {
      static const std::regex checked(R"(CUDA_CHECK\((.*)\);)");
      line = std::regex_replace(line, checked, "$1;");
    }
    if (!habits.null_sentinel && Contains(line, "[\"nullptr\"]")) line.clear();
    if (Contains(line, "task_desc") || habits.numeric_switches) {
      ConvertDispatch(line, habits);
    }
    converted += line + "\n";
  }
  return converted;
}

}  // namespace graph_coverage::test_support
