// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "audit/artifacts/utf8.h"
#include "audit/model/one_line.h"
#include "audit/report/finding_text.h"
#include "audit/report/neighbourhood.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kMostNodes = 40;
constexpr std::size_t kMostOfAKind = 10;  // so that there is room for others
constexpr std::size_t kMostRanges = 3;
constexpr std::size_t kLineWidth = 100;

constexpr const char* kOwn = ", style=filled, fillcolor=\"#ffd9d9\"";
constexpr const char* kSibling = ", style=dashed";

// `text` between quotes, on one line.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : Printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
    if (c == '&') quoted += "amp;";  // Graphviz knows entities
  }
  return quoted;
}

// `text` in lines of about kLineWidth, quoted, each ended with \l: to the left.
std::string QuotedLines(const std::string& text) {
  std::string lines;
  std::string line;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && line.size() + word.size() >= kLineWidth) {
      lines += Quoted(line) + "\\l";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines + Quoted(line) + "\\l";
}

std::string HeadOf(const Finding& finding) {
  return fmt::format("{} {} {}: {}", ToString(finding.severity), finding.rule,
                     finding.id, finding.message());
}

// "in 0, 3" by tensor.
std::map<TensorId, std::string> SlotsByTensor(Span<Operand> operands,
                                              const char* side) {
  std::map<TensorId, std::string> slots;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::string& text = slots[operands[i].tensor];
    text +=
        text.empty() ? fmt::format("{} {}", side, i) : fmt::format(", {}", i);
  }
  return slots;
}

// "task 7", "events 3, 7-9, …". `ids` ascending.
template <typename Id>
std::string IdsText(const char* noun, const std::vector<Id>& ids) {
  std::vector<TaskRange> ranges;
  for (const Id id : ids) {
    const auto number = static_cast<std::uint32_t>(id);
    if (!ranges.empty() && Index(ranges.back().last) + 1 == number) {
      ranges.back().last = TaskId(number);
    } else {
      ranges.push_back({TaskId(number), TaskId(number)});
    }
  }
  return fmt::format("{}{} {}", noun, ids.size() == 1 ? "" : "s",
                     TasksText(ranges, kMostRanges));
}

class Drawing {
 public:
  Drawing(const View& view, const Finding& finding)
      : view_(view),
        finding_(finding),
        analyses_(view),
        events_(view, {}),
        around_(
            NeighbourhoodOf(view, analyses_, events_, finding, kMostOfAKind)) {}

  std::string Write() {
    LeaveOut(around_.left_out, "operator of its own", "operators of its own");
    AddTensors(around_.own_tensors, kOwn, "tensor of its own",
               "tensors of its own");
    AddGroups(0, around_.own_groups, "operator of its own",
              "operators of its own");
    AddEvents();
    AddTensors(around_.siblings, kSibling, "tensor of a near layer",
               "tensors of near layers");
    AddGroups(around_.own_groups, around_.sibling_groups,
              "operator of a near layer", "operators of near layers");
    const std::size_t first = around_.own_groups + around_.sibling_groups;
    AddGroups(first, around_.groups.size() - first, "operator nearby",
              "operators nearby");
    AddTensors(TensorsNearby(), "", "tensor nearby", "tensors nearby");
    AddEdges();
    return fmt::format(
        "digraph finding {{\n  label=\"{}\";\n  labelloc=t;\n  labeljust=l;\n"
        "  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n{}}}\n",
        Label(), body_);
  }

 private:
  std::string Label() const {
    std::string label = QuotedLines(HeadOf(finding_));
    label += QuotedLines("Drawn: " + RanksText({view_.rank()}) + ".");
    return left_out_.empty()
               ? label
               : label + QuotedLines("Left out: " + left_out_ + ".");
  }

  void LeaveOut(std::size_t count, const char* noun, const char* plural) {
    if (count == 0) return;
    left_out_ += left_out_.empty() ? "" : ", ";
    left_out_ += Counted(count, noun, plural);
  }

  // How many of `wanted` nodes are drawn; says what is left out.
  std::size_t Room(std::size_t wanted, const char* noun, const char* plural) {
    const std::size_t drawn =
        std::min({wanted, kMostOfAKind, kMostNodes - nodes_});
    nodes_ += drawn;
    LeaveOut(wanted - drawn, noun, plural);
    return drawn;
  }

  void AddTensors(const std::vector<TensorId>& tensors, const char* style,
                  const char* noun, const char* plural) {
    const std::size_t drawn = Room(tensors.size(), noun, plural);
    for (std::size_t i = 0; i < drawn; ++i) {
      const Declaration* declaration = view_.declaration(tensors[i]);
      body_ += fmt::format(
          "  w{} [shape=cylinder, label=\"{}\\n{}\"{}];\n", Index(tensors[i]),
          Quoted(view_.tensor_name(tensors[i])),
          declaration == nullptr ? "not declared" : ToString(declaration->kind),
          style);
      tensors_.insert(tensors[i]);
    }
  }

  // `count` groups from `first` on.
  void AddGroups(std::size_t first, std::size_t count, const char* noun,
                 const char* plural) {
    const std::size_t drawn = Room(count, noun, plural);
    for (std::size_t i = first; i < first + drawn; ++i) {
      const TaskGroup& group = around_.groups[i];
      const std::string type = view_.TypeName(view_.task(group.tasks[0]).type);
      body_ += fmt::format(
          "  t{} [shape=box, label=\"{}{}\\n{}\"{}];\n", i, Quoted(type),
          group.tasks.size() == 1 ? ""
                                  : fmt::format(" ×{}", group.tasks.size()),
          IdsText("task", group.tasks), group.own ? kOwn : "");
      groups_.insert(i);
    }
  }

  void AddEvents() {
    const std::size_t drawn =
        Room(around_.events.size(), "group of events", "groups of events");
    for (std::size_t i = 0; i < drawn; ++i) {
      const EventGroup& group = around_.events[i];
      body_ += fmt::format("  e{} [shape=ellipse, label=\"{}\\n{}\"{}];\n", i,
                           IdsText("event", group.events), NeedsText(group),
                           group.own ? kOwn : "");
    }
    events_drawn_ = drawn;
  }

  // "needs 4 triggers", "each needs 1 to 4 triggers".
  std::string NeedsText(const EventGroup& group) const {
    std::uint64_t least = events_.demands(group.events[0]);
    std::uint64_t most = least;
    for (const std::uint32_t event : group.events) {
      least = std::min(least, events_.demands(event));
      most = std::max(most, events_.demands(event));
    }
    return fmt::format("{}needs {}{}", group.events.size() > 1 ? "each " : "",
                       least == most ? "" : fmt::format("{} to ", least),
                       Counted(most, "trigger"));
  }

  // What the groups that are drawn read and write besides.
  std::vector<TensorId> TensorsNearby() const {
    std::vector<TensorId> nearby;
    std::set<TensorId> seen = tensors_;
    for (const std::size_t i : groups_) {
      const Task task = view_.task(around_.groups[i].tasks[0]);
      for (const Span<Operand> operands : {task.inputs, task.outputs}) {
        for (const Operand& operand : operands) {
          if (!view_.IsNull(operand.tensor) &&
              seen.insert(operand.tensor).second) {
            nearby.push_back(operand.tensor);
          }
        }
      }
    }
    return nearby;
  }

  void AddEdges() {
    for (const std::size_t i : groups_) {
      const Task task = view_.task(around_.groups[i].tasks[0]);
      for (const auto& [tensor, slots] : SlotsByTensor(task.inputs, "in")) {
        if (tensors_.count(tensor) == 0) continue;
        body_ += fmt::format("  w{} -> t{} [label=\"{}\"];\n", Index(tensor), i,
                             slots);
      }
      for (const auto& [tensor, slots] : SlotsByTensor(task.outputs, "out")) {
        if (tensors_.count(tensor) == 0) continue;
        body_ += fmt::format("  t{} -> w{} [label=\"{}\"];\n", i, Index(tensor),
                             slots);
      }
    }
    for (std::size_t i = 0; i < events_drawn_; ++i) {
      const EventGroup& group = around_.events[i];
      for (const std::size_t from : group.from) {
        if (groups_.count(from) == 0) continue;
        body_ += fmt::format("  t{} -> e{} [style=bold{}];\n", from, i,
                             group.remote ? ", label=\"on another rank\"" : "");
      }
      for (const std::size_t to : group.to) {
        if (groups_.count(to) == 0) continue;
        body_ += fmt::format("  e{} -> t{} [style=bold];\n", i, to);
      }
    }
  }

  const View& view_;
  const Finding& finding_;
  Analyses analyses_;
  const EventGraph events_;
  const Neighbourhood around_;
  std::string body_;
  std::string left_out_;
  std::size_t nodes_ = 0;
  std::size_t events_drawn_ = 0;
  std::set<TensorId> tensors_;    // that are drawn
  std::set<std::size_t> groups_;  // likewise
};

}  // namespace

std::string WriteDot(const std::vector<Rank>& ranks, const Finding& finding) {
  for (const RankId id : finding.ranks) {
    for (const Rank& rank : ranks) {
      if (rank.id() != id) continue;
      const View view(rank);
      return Drawing(view, finding).Write();
    }
  }
  return fmt::format("digraph finding {{\n  label=\"{}{}\";\n}}\n",
                     QuotedLines(HeadOf(finding)),
                     QuotedLines("None of its ranks was audited."));
}

}  // namespace graph_coverage
