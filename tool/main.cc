// SPDX-License-Identifier: Apache-2.0
//
// mk-graph-coverage-audit: the audit for shells and CI.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "graph_coverage/error.h"
#include "tool/audit_outputs.h"
#include "tool/commands.h"
#include "tool/freed_memory.h"
#include "tool/output.h"

namespace {

constexpr const char* kExamples =
    "Examples:\n"
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
    "  mk-graph-coverage-audit waivers --write build/gendir\n"
    "  mk-graph-coverage-audit record build/gendir -o coverage.contract.json\n"
    "  mk-graph-coverage-audit diff coverage.contract.json build/gendir\n"
    "\n"
    "Exit codes: 0 no finding that fails, 1 findings, a difference, or mutants "
    "that\nsurvive, 2 no artifacts, bad input or bad usage, 3 a fault of the "
    "tool itself, 4\na campaign whose unmutated gendir already fails.\n";

// The words after the program's name, in reverse as CLI11 takes them; `audit`
// is put in where no command is named.
std::vector<std::string> CommandLine(const CLI::App& app, int argc,
                                     char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto is_command = [&app](const std::string& word) {
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
  return {words.rbegin(), words.rend()};
}

// The items of a list that is one word, separated by commas. CLI11's own lists
// leave out empty items and take a GENDIR that follows for one more.
std::vector<std::string> Items(const std::string& option,
                               const std::string& list) {
  std::vector<std::string> items(1);
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

std::uint32_t RankNumber(const std::string& text) {
  std::uint32_t rank = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, rank);
  if (error != std::errc() || last != end) {
    throw CLI::ValidationError("--ranks", "\"" + text + "\" is no rank");
  }
  return rank;
}

// An option that takes a list and replaces `items` with it.
void AddList(CLI::App& command, const std::string& name,
             std::vector<std::string>& items, const std::string& description) {
  command
      .add_option_function<std::string>(
          name,
          [&items, name](const std::string& list) {
            items = Items(name, list);
          },
          description)
      ->type_name("TEXT,...");
}

void AddRanks(CLI::App& command, std::vector<std::uint32_t>& ranks) {
  command
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

void DefineAuditOutputs(CLI::App& command, AuditArguments& arguments) {
  command
      .add_option("--format", arguments.formats,
                  "What to print: " + AuditFormats() +
                      " (text if not given). With =FILE, write that to the "
                      "file as well; may be given several times")
      ->type_name("FORMAT[=FILE]")
      ->allow_extra_args(false);
  command.add_option("-o,--output", arguments.output,
                     "Write what is printed to this file, whole or not at "
                     "all");
  command.add_flag("--sarif-waived", arguments.sarif_waived,
                   "Give waived findings in SARIF, too, as suppressed");
  command
      .add_option("--dot", arguments.dot,
                  "Print a drawing of what lies around a finding, for "
                  "Graphviz, in place of the report")
      ->type_name("FINDING-ID");
}

void AddPolicy(CLI::App& command, std::string& file) {
  command.add_option("--policy", file,
                     "A policy file; not given: graph_coverage.json in the "
                     "GENDIR or beside it, if there is one");
}

// Defines `audit`. `arguments` must outlive the parse.
void DefineAudit(CLI::App& app, AuditArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("audit", "Audit the wiring of gendirs (the default)");
  command->add_option("GENDIR", arguments.gendirs,
                      "Directories of generated artifacts; none: the current "
                      "directory");
  AddList(*command, "--critical", arguments.critical,
          "Tensors that must be read, by name or glob, separated by commas; "
          "not given: every attached or shuffled tensor that no task writes");
  AddRanks(*command, arguments.ranks);
  DefineAuditOutputs(*command, arguments);
  command->add_option("--runtime-header", arguments.runtime_header,
                      "The runtime_header.h that numbers the task types");
  command->add_option("--semantics", arguments.semantics,
                      "A table of what task types do with their operands, "
                      "added to the built-in one");
  AddList(*command, "--require", arguments.require,
          "Rule groups (A to F) for which \"could not judge\" is an error, "
          "separated by commas");
  command
      ->add_option("--fail-on", arguments.fail_on,
                   "The least severity that fails the audit; not given: as "
                   "the policy says, else error")
      ->check(CLI::IsMember({"note", "warning", "error"}));
  AddPolicy(*command, arguments.policy);
  command->add_option("--contract", arguments.contract,
                      "The recorded coverage of a good build, which this one "
                      "must have");
  command
      ->add_option("--jobs", arguments.jobs,
                   "Ranks read at a time; 0: one a core")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
}

// Defines `mutate`. `arguments` must outlive the parse.
void DefineMutate(CLI::App& app, MutateArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "mutate", "Prove the audit on mutants of a gendir: does it catch them?");
  command->add_option("GENDIR", arguments.gendir,
                      "Directory of generated artifacts");
  AddList(*command, "--operators", arguments.operators,
          "Mutation operators, separated by commas; not given: all");
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
  command->add_option("--results", arguments.results,
                      "Keep what is judged in this file, and do not judge "
                      "again what it holds");
  command
      ->add_option("--merge", arguments.merge,
                   "Bring the results files of shards together instead")
      ->type_name("FILE")
      ->excludes(replay);
  command->add_option("--rank", arguments.rank,
                      "The rank to edit; not given: each in turn");
  AddRanks(*command, arguments.ranks);
  AddList(*command, "--critical", arguments.critical,
          "Tensors that must be read, by name or glob, separated by commas");
  AddList(*command, "--off", arguments.off,
          "Rules to switch off, separated by commas");
  AddPolicy(*command, arguments.policy);
  command->add_option("--runtime-header", arguments.runtime_header,
                      "The runtime_header.h that numbers the task types");
  command->add_option("--semantics", arguments.semantics,
                      "A table of what task types do with their operands, "
                      "added to the built-in one");
  command->add_option("--format", arguments.format, "Output format")
      ->check(CLI::IsMember({"text", "json", "elements", "html", "junit"}))
      ->capture_default_str();
  command->add_option("-o,--output", arguments.output,
                      "Write the report to this file, whole or not at all");
  command
      ->add_option("--jobs", arguments.jobs,
                   "Mutants judged at a time; 0: one a core")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
}

int Run(int argc, char** argv) {
  CLI::App app(
      "Audits the wiring of generated megakernels: which tensors are "
      "declared, and which tasks read them.",
      "mk-graph-coverage-audit");
  app.footer(kExamples);
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       "mk-graph-coverage-audit " GRAPH_COVERAGE_VERSION);
  AuditArguments audit;
  MutateArguments mutate;
  WaiversArguments waivers;
  RecordArguments record;
  DiffArguments diff;
  std::string rule;
  std::string directory;
  DefineAudit(app, audit);
  DefineMutate(app, mutate);
  DefineWaivers(app, waivers);
  DefineRecord(app, record);
  DefineDiff(app, diff);
  app.add_subcommand("rules", "List the rules");
  app.add_subcommand("explain", "Say what a rule is, why, and what to do")
      ->add_option("RULE", rule, "The id of a rule")
      ->required();
  app.add_subcommand("demo",
                     "Write a worked example: GLM-5.1 before and after its "
                     "rope tables were wired")
      ->add_option("DIR", directory,
                   "Where to write the directories before/ and after/")
      ->required();
  try {
    app.parse(CommandLine(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    const int code = app.exit(error, help, std::cerr);
    WriteToStandardOutput(help.str());
    return code == 0 ? kExitPass : kExitBadInput;
  }
  if (app.got_subcommand("rules")) return RunRules();
  if (app.got_subcommand("explain")) return RunExplain(rule);
  if (app.got_subcommand("demo")) return RunDemo(directory);
  if (app.got_subcommand("mutate")) return RunMutate(mutate);
  if (app.got_subcommand("waivers")) return RunWaivers(waivers);
  if (app.got_subcommand("record")) return RunRecord(record);
  if (app.got_subcommand("diff")) return RunDiff(diff);
  return RunAudit(audit);
}

}  // namespace

int main(int argc, char** argv) {
  graph_coverage::KeepFreedMemory();
  try {
    return Run(argc, argv);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kExitBadInput;
  } catch (const graph_coverage::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kExitBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return kExitFault;
  }
}
