// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "audit/artifacts/utf8.h"
#include "audit/model/one_line.h"
#include "audit/report/finding_text.h"
#include "audit/report/neighbourhood.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kMostNodes = 40;
constexpr std::size_t kMostOwn = 10;  // of a kind, so that there is room
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
  }
  return quoted;
}

// `text` in lines of about kLineWidth, quoted, each ended with \l: to the left.
std::string Lines(const std::string& text) {
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

// What each slot of a tensor is, by tensor: "in 0, 3".
using Slots = std::map<TensorId, std::string>;

Slots SlotsOf(const std::vector<TensorId>& tensors, const char* side) {
  Slots slots;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::string& text = slots[tensors[i]];
    text +=
        text.empty() ? fmt::format("{} {}", side, i) : fmt::format(", {}", i);
  }
  return slots;
}

class Drawing {
 public:
  Drawing(const View& view, const Finding& finding)
      : view_(view),
        finding_(finding),
        events_(view, {}),
        around_(NeighbourhoodOf(view, events_, finding)) {}

  std::string Write() {
    AddTensors(around_.own_tensors, kOwn, kMostOwn, "tensor of its own");
    AddTasks(around_.own_tasks, kOwn, kMostOwn, "group of its tasks",
             "groups of its tasks");
    AddEvents();
    AddTensors(around_.siblings, kSibling, kMostOwn, "tensor of a near layer");
    AddTasks(around_.tasks, "", kMostNodes, "group of tasks nearby",
             "groups of tasks nearby");
    AddTensors(around_.tensors, "", kMostNodes, "tensor nearby");
    return fmt::format(
        "digraph finding {{\n  label=\"{}\";\n  labelloc=t;\n  labeljust=l;\n"
        "  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n{}{}}}\n",
        Label(), nodes_, edges_);
  }

 private:
  std::string Label() const {
    std::string label = Lines(fmt::format(
        "{} {} {}, {}: {}", ToString(finding_.severity), finding_.rule,
        finding_.id, RanksText({view_.rank()}), finding_.message()));
    if (!left_out_.empty()) {
      label += Lines("Left out: " + left_out_ + ".");
    }
    return label;
  }

  // How many of `wanted` nodes are drawn; says what is left out.
  std::size_t Room(std::size_t wanted, std::size_t most, const char* noun,
                   const std::string& plural) {
    const std::size_t drawn =
        std::min({wanted, most, kMostNodes - node_count_});
    node_count_ += drawn;
    if (drawn < wanted) {
      left_out_ += left_out_.empty() ? "" : ", ";
      left_out_ += Counted(wanted - drawn, noun, plural);
    }
    return drawn;
  }

  void AddTensors(const std::vector<TensorId>& tensors, const char* style,
                  std::size_t most, const std::string& noun) {
    const std::string plural = "tensors" + noun.substr(noun.find(' '));
    const std::size_t drawn = Room(tensors.size(), most, noun.c_str(), plural);
    for (std::size_t i = 0; i < drawn; ++i) {
      const TensorId id = tensors[i];
      const Declaration* declaration = view_.declaration(id);
      nodes_ += fmt::format(
          "  w{} [shape=cylinder, label=\"{}\\n{}\"{}];\n", Index(id),
          Quoted(view_.tensor_name(id)),
          declaration == nullptr ? "not declared" : ToString(declaration->kind),
          style);
      tensors_drawn_.push_back(id);
    }
    ConnectTensors(drawn);
  }

  // Draws the edges between groups and the last `count` tensors drawn.
  void ConnectTensors(std::size_t count) {
    const auto from = tensors_drawn_.end() - static_cast<std::ptrdiff_t>(count);
    for (const auto& [name, group] : groups_drawn_) {
      Connect(name, *group, from, tensors_drawn_.end());
    }
  }

  using TensorAt = std::vector<TensorId>::const_iterator;

  void Connect(const std::string& name, const TaskGroup& group, TensorAt from,
               TensorAt to) {
    for (const auto& [tensor, slots] : SlotsOf(group.inputs, "in")) {
      if (std::find(from, to, tensor) == to) continue;
      edges_ += fmt::format("  w{} -> {} [label=\"{}\"];\n", Index(tensor),
                            name, slots);
    }
    for (const auto& [tensor, slots] : SlotsOf(group.outputs, "out")) {
      if (std::find(from, to, tensor) == to) continue;
      edges_ += fmt::format("  {} -> w{} [label=\"{}\"];\n", name,
                            Index(tensor), slots);
    }
  }

  void AddTasks(const std::vector<TaskGroup>& groups, const char* style,
                std::size_t most, const char* noun, const char* plural) {
    const std::size_t drawn = Room(groups.size(), most, noun, plural);
    for (std::size_t i = 0; i < drawn; ++i) {
      const TaskGroup& group = groups[i];
      const std::string name = fmt::format("t{}", Index(group.tasks[0]));
      const std::string type = view_.TypeName(view_.task(group.tasks[0]).type);
      nodes_ += fmt::format(
          "  {} [shape=box, label=\"{}{}\\n{}\"{}];\n", name, Quoted(type),
          group.tasks.size() == 1 ? ""
                                  : fmt::format(" ×{}", group.tasks.size()),
          IdsText(group.tasks), style);
      Connect(name, group, tensors_drawn_.begin(), tensors_drawn_.end());
      ConnectEvents(name, group);
      groups_drawn_.emplace_back(name, &group);
    }
  }

  static std::string IdsText(const std::vector<TaskId>& tasks) {
    std::vector<TaskRange> ranges;
    for (const TaskId task : tasks) {
      if (!ranges.empty() && Index(ranges.back().last) + 1 == Index(task)) {
        ranges.back().last = task;
      } else {
        ranges.push_back({task, task});
      }
    }
    return (tasks.size() == 1 ? "task " : "tasks ") +
           TasksText(ranges, kMostRanges);
  }

  void AddEvents() {
    const std::size_t drawn =
        Room(around_.events.size(), kMostOwn, "event", "events");
    for (std::size_t i = 0; i < drawn; ++i) {
      const std::uint32_t event = around_.events[i];
      nodes_ += fmt::format(
          "  e{} [shape=ellipse, label=\"event {}\\nneeds {}\"{}];\n", event,
          event, Counted(events_.demands(event), "trigger"),
          finding_.event == event ? kOwn : "");
      events_drawn_.push_back(event);
    }
    for (const auto& [name, group] : groups_drawn_) ConnectEvents(name, *group);
  }

  void ConnectEvents(const std::string& name, const TaskGroup& group) {
    const auto drawn = [this](std::uint32_t event) {
      return std::find(events_drawn_.begin(), events_drawn_.end(), event) !=
             events_drawn_.end();
    };
    if (drawn(group.dependent)) {
      edges_ +=
          fmt::format("  e{} -> {} [style=bold];\n", group.dependent, name);
    }
    if (drawn(group.trigger)) {
      edges_ += fmt::format(
          "  {} -> e{} [style=bold{}];\n", name, group.trigger,
          events_.remote(group.tasks[0]) ? ", label=\"on another rank\"" : "");
    }
  }

  const View& view_;
  const Finding& finding_;
  const EventGraph events_;
  const Neighbourhood around_;
  std::string nodes_;
  std::string edges_;
  std::string left_out_;
  std::size_t node_count_ = 0;
  std::vector<TensorId> tensors_drawn_;
  std::vector<std::uint32_t> events_drawn_;
  std::vector<std::pair<std::string, const TaskGroup*>> groups_drawn_;
};

}  // namespace

std::string WriteDot(const std::vector<Rank>& ranks, const Finding& finding) {
  for (const RankId id : finding.ranks) {
    for (const Rank& rank : ranks) {
      if (rank.id() == id) return Drawing(View(rank), finding).Write();
    }
  }
  return fmt::format(
      "digraph finding {{\n  label=\"{}\";\n}}\n",
      Lines(fmt::format("{} {} {}: {}", ToString(finding.severity),
                        finding.rule, finding.id, finding.message())));
}

}  // namespace graph_coverage
