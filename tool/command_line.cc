// SPDX-License-Identifier: Apache-2.0
#include "tool/command_line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "audit/artifacts/json_document.h"
#include "audit/artifacts/utf8.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/mutation/mutation.h"
#include "tool/help.h"

namespace {

constexpr const char* kExamples =
    "  mk-graph-coverage-audit build/gendir\n"
    "  mk-graph-coverage-audit build/gendir --critical rope_cos,rope_sin\n"
    "  mk-graph-coverage-audit build/gendir --format json -o report.json\n"
    "  mk-graph-coverage-audit build/gendir --format sarif=audit.sarif "
    "--format junit=audit.xml\n"
    "  mk-graph-coverage-audit build/gendir --dot 3fa9c1d2 | dot -Tsvg "
    "-o finding.svg\n"
    "  mk-graph-coverage-audit explain missing-wiring\n"
    "  mk-graph-coverage-audit demo /tmp/demo\n"
    "  mk-graph-coverage-audit mutate build/gendir --operators drop,null\n"
    "  mk-graph-coverage-audit waivers build/gendir -o waivers.json\n"
    "  mk-graph-coverage-audit record build/gendir -o coverage.contract.json\n"
    "  mk-graph-coverage-audit diff coverage.contract.json build/gendir\n";
constexpr const char* kExitCodes =
    "0 no finding that fails, 1 findings, a difference, or mutants that\n"
    "survive, 2 no artifacts, bad input or bad usage, 3 a fault of the tool "
    "itself, 4\na campaign whose unmutated gendir already fails.\n";

constexpr const char* kRule = "a rule, as `rules` lists them";

using Words = std::vector<std::string>;

const Values kFile = {Values::Kind::kFile, {}};
const Values kDirectory = {Values::Kind::kDirectory, {}};

Words RuleIds() {
  Words ids;
  for (const graph_coverage::RuleInfo& rule : graph_coverage::Catalogue()) {
    ids.emplace_back(rule.id);
  }
  return ids;
}

Words RuleGroups() {
  std::set<std::string> groups;
  for (const graph_coverage::RuleInfo& rule : graph_coverage::Catalogue()) {
    groups.emplace(1, rule.group);
  }
  return {groups.begin(), groups.end()};
}

Words OperatorIds() {
  Words ids;
  for (const auto& op : graph_coverage::MutationOperators()) {
    ids.emplace_back(op.id);
  }
  return ids;
}

// The items of a list that is one word, separated by commas. CLI11's own lists
// leave out empty items and take a GENDIR that follows for one more.
Words Items(const std::string& option, const std::string& list) {
  Words items(1);
  for (const char c : list) {
    if (c == ',') {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  for (const std::string& item : items) {
    if (item.empty()) {
      throw CLI::ValidationError(option, "\"" + list + "\" has an empty item");
    }
  }
  return items;
}

// What is wrong with a name that is to be one of those known; empty: nothing.
// `what` they are: "a rule".
std::string FaultOfName(const std::string& name, const Words& known,
                        const std::string& what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return "";
  return "found " + graph_coverage::Quoted(name) + ", expected " + what +
         graph_coverage::DidYouMean(name, known);
}

std::uint32_t RankNumber(const std::string& text) {
  std::uint32_t rank = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, rank);
  if (error != std::errc() || last != end) {
    throw CLI::ValidationError("--ranks", "\"" + text + "\" is no rank");
  }
  return rank;
}

// Adds options to one command.
class Definer {
 public:
  Definer(CommandLine& line, const std::string& name,
          const std::string& description)
      : line_(line), command_(*line.app.add_subcommand(name, description)) {}

  CLI::App* operator->() { return &command_; }

  // An option or a positional with a value that shells can complete.
  template <typename Value>
  CLI::Option* Add(const std::string& name, Value& value, const Values& values,
                   const std::string& description) {
    CLI::Option* option = command_.add_option(name, value, description);
    line_.values[option] = values;
    return option;
  }

  // One of a few words.
  CLI::Option* AddChoice(const std::string& name, std::string& value,
                         const Words& choices, const std::string& description) {
    return Add(name, value, {Values::Kind::kWord, choices}, description)
        ->check(CLI::IsMember(choices));
  }

  // An option that takes a list and replaces `items` with it. `known` are
  // items to complete, if they are known; with `what` they are, no others are
  // taken.
  void AddList(const std::string& name, Words& items,
               const std::string& description, const Words& known = {},
               const std::string& what = "") {
    const auto take = [&items, name, known, what](const std::string& list) {
      items = Items(name, list);
      for (const std::string& item : items) {
        const std::string fault =
            what.empty() ? "" : FaultOfName(item, known, what);
        if (!fault.empty()) throw CLI::ValidationError(name, fault);
      }
    };
    CLI::Option* option =
        command_.add_option_function<std::string>(name, take, description)
            ->type_name("TEXT,...");
    if (!known.empty()) line_.values[option] = {Values::Kind::kWordList, known};
  }

  void AddRanks(std::vector<std::uint32_t>& ranks) {
    command_
        .add_option_function<std::string>(
            "--ranks",
            [&ranks](const std::string& list) {
              ranks.clear();
              for (const std::string& item : Items("--ranks", list)) {
                ranks.push_back(RankNumber(item));
              }
            },
            "Ranks to audit, separated by commas; not given: all")
        ->type_name("UINT,...");
  }

  void AddPolicy(std::string& file) {
    Add("--policy", file, kFile,
        "A policy file; not given: graph_coverage.json in the GENDIR or beside "
        "it, if there is one");
  }

  // What audits read besides the gendir.
  void AddTables(std::string& runtime_header, std::string& semantics) {
    Add("--runtime-header", runtime_header, kFile,
        "The runtime_header.h that numbers the task types");
    Add("--semantics", semantics, kFile,
        "A table of what task types do with their operands, added to the "
        "built-in one");
  }

  void AddJobs(unsigned& jobs, const std::string& of) {
    command_.add_option("--jobs", jobs, of + " at a time; 0: one a core")
        ->check(CLI::Range(0u, 1024u))
        ->capture_default_str();
  }

 private:
  CommandLine& line_;
  CLI::App& command_;
};

void DefineAuditOutputs(Definer& command, AuditArguments& arguments) {
  const Words formats(std::begin(kAuditFormats), std::end(kAuditFormats));
  command
      .Add("--format", arguments.formats, {Values::Kind::kWord, formats},
           "What to print: " + CLI::detail::join(formats, ", ") +
               " (text if not given). With =FILE, write that to the file as "
               "well; may be given several times")
      ->type_name("FORMAT[=FILE]")
      ->allow_extra_args(false);
  command.Add("-o,--output", arguments.output, kFile,
              "Write what is printed to this file, whole or not at all");
  command->add_flag("--sarif-waived", arguments.sarif_waived,
                    "Give waived findings in SARIF, too, as suppressed");
  command
      ->add_option("--dot", arguments.dot,
                   "Print a drawing of what lies around a finding, for "
                   "Graphviz, in place of the report")
      ->type_name("FINDING-ID");
}

void DefineAudit(CommandLine& line) {
  AuditArguments& arguments = line.audit;
  Definer command(line, "audit", "Audit the wiring of gendirs (the default)");
  command.Add(
      "GENDIR", arguments.gendirs, kDirectory,
      "Directories of generated artifacts; none: the current directory");
  command.AddList(
      "--critical", arguments.critical,
      "Tensors that must be read, by name or glob, separated by commas; "
      "not given: every attached or shuffled tensor that no task writes");
  command.AddRanks(arguments.ranks);
  DefineAuditOutputs(command, arguments);
  command.AddTables(arguments.runtime_header, arguments.semantics);
  command.AddList(
      "--require", arguments.require,
      "Rule groups (A to F) for which \"could not judge\" is an error, "
      "separated by commas",
      RuleGroups());
  command.AddChoice("--fail-on", arguments.fail_on,
                    {"note", "warning", "error"},
                    "The least severity that fails the audit; not given: as "
                    "the policy says, else error");
  command.AddPolicy(arguments.policy);
  command.Add("--contract", arguments.contract, kFile,
              "The recorded coverage of a good build, which this one must "
              "have");
  command.AddJobs(arguments.jobs, "Ranks read");
}

void DefineMutate(CommandLine& line) {
  MutateArguments& arguments = line.mutate;
  Definer command(
      line, "mutate",
      "Prove the audit on mutants of a gendir: does it catch them?");
  command.Add("GENDIR", arguments.gendir, kDirectory,
              "Directory of generated artifacts");
  command.AddList("--operators", arguments.operators,
                  "Mutation operators, separated by commas; not given: all",
                  OperatorIds(),
                  "a mutation operator, as the manual page lists them");
  CLI::Option* sample =
      command
          ->add_option("--sample", arguments.sample,
                       "Mutants an operator, drawn at random; not given: all "
                       "of drop and null, 100 of each other operator")
          ->check(CLI::PositiveNumber);
  command
      ->add_flag("--exhaustive", arguments.exhaustive,
                 "All mutants of every operator")
      ->excludes(sample);
  command->add_option("--seed", arguments.seed, "Draws other mutants")
      ->capture_default_str();
  CLI::Option* replay = command->add_option(
      "--replay", arguments.replay, "Judge the one mutant that has this id");
  command.Add("--results", arguments.results, kFile,
              "Keep what is judged in this file, and do not judge again what "
              "it holds");
  command
      .Add("--merge", arguments.merge, kFile,
           "Bring the results files of shards together instead")
      ->type_name("FILE")
      ->excludes(replay);
  command->add_option("--rank", arguments.rank,
                      "The rank to edit; not given: each in turn");
  command.AddRanks(arguments.ranks);
  command.AddList(
      "--critical", arguments.critical,
      "Tensors that must be read, by name or glob, separated by commas");
  command.AddList("--off", arguments.off,
                  "Rules to switch off, separated by commas", RuleIds(), kRule);
  command.AddPolicy(arguments.policy);
  command.AddTables(arguments.runtime_header, arguments.semantics);
  command
      .AddChoice("--format", arguments.format,
                 {"text", "json", "elements", "html", "junit"}, "Output format")
      ->capture_default_str();
  command.Add("-o,--output", arguments.output, kFile,
              "Write the report to this file, whole or not at all");
  command.AddJobs(arguments.jobs, "Mutants judged");
}

void DefineWaivers(CommandLine& line) {
  WaiversArguments& arguments = line.waivers;
  Definer command(line, "waivers",
                  "Write the findings of a gendir as waivers to decide on: "
                  "mend, keep for good, or keep for now");
  command
      .Add("GENDIR", arguments.gendir, kDirectory,
           "Directory of generated artifacts")
      ->required();
  const std::string of_write =
      "Changes nothing: a policy file of waivers, all commented out, is what "
      "is written";
  command->add_flag("--write", of_write);
  command.Add("--policy", arguments.policy, kFile,
              "A policy file, whose waivers stand; not given: "
              "graph_coverage.json in the GENDIR or beside it");
  command.Add("-o,--output", arguments.output, kFile,
              "Write to this file, which must not exist yet");
}

void DefineRecordAndDiff(CommandLine& line) {
  Definer record(line, "record",
                 "Record the coverage of a good build as a contract");
  record
      .Add("GENDIR", line.record.gendir, kDirectory,
           "Directory of generated artifacts")
      ->required();
  record.Add("-o,--output", line.record.output, kFile,
             "Write the contract to this file, whole or not at all");

  Definer diff(line, "diff", "Say how the coverage of two builds differs");
  diff.Add("OLD", line.diff.was, kFile, "A gendir or a contract")->required();
  diff.Add("NEW", line.diff.is, kFile, "A gendir or a contract")->required();
  diff->add_flag("--ignore-type-names", line.diff.ignore_type_names,
                 "Compare tensors by slots alone, whatever the types of the "
                 "tasks are called: for builds for two targets");
}

void DefineCatalogueAndDemo(CommandLine& line) {
  Definer(line, "rules", "List the rules");
  Definer(line, "explain", "Say what a rule is, why, and what to do")
      .Add("RULE", line.rule, {Values::Kind::kWord, RuleIds()},
           "The id of a rule")
      ->required()
      ->check([](const std::string& id) {
        return FaultOfName(id, RuleIds(), kRule);
      });
  Definer(line, "demo",
          "Write a worked example: GLM-5.1 before and after its rope tables "
          "were wired")
      .Add("DIR", line.directory, kDirectory,
           "Where to write the directories before/ and after/: a new or an "
           "empty directory")
      ->required();
}

}  // namespace

CommandLine::CommandLine()
    : app("Audits the wiring of generated megakernels: which tensors are "
          "declared, and which tasks read them.",
          "mk-graph-coverage-audit"),
      examples(kExamples),
      exit_codes(kExitCodes) {
  app.footer("Examples:\n" + examples + "\nExit codes: " + exit_codes);
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       "mk-graph-coverage-audit " GRAPH_COVERAGE_VERSION);
  DefineAudit(*this);
  DefineMutate(*this);
  DefineWaivers(*this);
  DefineRecordAndDiff(*this);
  DefineCatalogueAndDemo(*this);
  ShapeHelp(app);
}

void CommandLine::Parse(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto is_command = [this](const std::string& word) {
    return !app.get_subcommands([&word](const CLI::App* command) {
                 return command->get_name() == word;
               })
                .empty();
  };
  const bool named =
      !words.empty() &&
      (words.front() == "--help" || words.front() == "-h" ||
       words.front() == "--version" || is_command(words.front()));
  if (!named) words.insert(words.begin(), "audit");
  // CLI11 takes them from the back.
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
}
