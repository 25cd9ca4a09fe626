// SPDX-License-Identifier: Apache-2.0
#include "tool/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace {

using Kind = Values::Kind;

// The parts of the script that are alike for any command line.
constexpr const char* kStart = R"(_mk_graph_coverage_audit() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=audit commands='' kind='' words='' options='' assigned='' i
  local before=''  # what the word has before what is completed

  # Bash makes a word of the "=" in --option=value and in FORMAT=FILE, unless
  # COMP_WORDBREAKS is without it.
  if [[ $current == = ]]; then
    assigned=yes current=''
  elif [[ $current == *=* ]]; then
    assigned=yes before=${current%=*}= current=${current##*=}
    previous=${before%=}
  elif [[ $previous == = ]]; then
    assigned=yes previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = COMP_CWORD - 1; i > 1; i--)); do
    [[ ${COMP_WORDS[i]} != -* ]] || break
  done
)";
constexpr const char* kEnd = R"(
  if [[ -z $kind && -n $assigned ]]; then
    kind='file'
  elif [[ -z $kind && $current == -* ]]; then
    kind=words words=$options
  elif [[ -z $kind ]]; then
    kind=$positional words=$positional_words
  fi
  ((COMP_CWORD == 1)) || commands=''

  COMPREPLY=()
  case $kind in
    words)
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$current")
      ;;
    list)
      # What is there already stays, up to the last comma.
      compopt -o nospace 2> /dev/null
      mapfile -t COMPREPLY < <(compgen \
        -P "$before${current%"${current##*,}"}" \
        -W "$words" -- "${current##*,}")
      ;;
    file | directory)
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen -P "$before" -A "$kind" -- "$current")
      ;;
  esac
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
    < <(compgen -W "$commands" -- "$current")
}
complete -F _mk_graph_coverage_audit mk-graph-coverage-audit
)";

std::string Join(const std::vector<std::string>& words, const char* by = " ") {
  return fmt::format("{}", fmt::join(words, by));
}

const char* Word(Kind kind) {
  switch (kind) {
    case Kind::kOther:
      break;
    case Kind::kFile:
      return "file";
    case Kind::kDirectory:
      return "directory";
    case Kind::kWord:
      return "words";
    case Kind::kWordList:
      return "list";
  }
  return "nothing";
}

std::vector<std::string> Names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

Values ValuesOf(const CommandLine& line, const CLI::Option& option) {
  const auto values = line.values.find(&option);
  return values == line.values.end() ? Values() : values->second;
}

// The arms of the script's case statements.
struct Arms {
  std::vector<std::string> takes_several;  // 'mutate --merge'
  std::string values;                      // after an option that takes one
  std::string commands;                    // options and positionals
};

void AddOption(const CommandLine& line, const std::string& command,
               const CLI::Option& option, Arms& arms) {
  if (option.get_items_expected_max() == 0) return;
  std::vector<std::string> patterns;
  for (const std::string& name : Names(option)) {
    patterns.push_back(fmt::format("'{} {}'", command, name));
  }
  if (option.get_items_expected_max() > 1 && option.get_allow_extra_args()) {
    arms.takes_several.insert(arms.takes_several.end(), patterns.begin(),
                              patterns.end());
  }
  const Values values = ValuesOf(line, option);
  arms.values +=
      fmt::format("    {}) kind={} words='{}' ;;\n", Join(patterns, " | "),
                  Word(values.kind), Join(values.words));
}

void AddCommand(const CommandLine& line, const CLI::App& command, Arms& arms) {
  std::vector<std::string> options;
  Values positional;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      positional = ValuesOf(line, *option);
      continue;
    }
    const std::vector<std::string> names = Names(*option);
    options.insert(options.end(), names.begin(), names.end());
    AddOption(line, command.get_name(), *option, arms);
  }
  arms.commands += fmt::format(
      "    {})\n      positional={} positional_words='{}'\n"
      "      options='{}'\n      ;;\n",
      command.get_name(), Word(positional.kind), Join(positional.words),
      Join(options));
}

}  // namespace

std::string BashCompletion(const CommandLine& line) {
  Arms arms;
  std::vector<std::string> commands;
  for (const CLI::App* command :
       line.app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
    AddCommand(line, *command, arms);
  }
  std::vector<std::string> words = commands;
  for (const CLI::Option* option : line.app.get_options()) {
    const std::vector<std::string> names = Names(*option);
    words.insert(words.end(), names.begin(), names.end());
  }

  std::string script =
      "# Completion in bash, made of the definition of the command line.\n";
  script += kStart;
  script += fmt::format(
      "  commands='{}'\n"
      "  if ((COMP_CWORD > 1)); then\n"
      "    case ${{COMP_WORDS[1]}} in\n"
      "      {}) command=${{COMP_WORDS[1]}} ;;\n"
      "    esac\n"
      "  fi\n",
      Join(words), Join(commands, " | "));
  if (!arms.takes_several.empty()) {
    script += fmt::format(
        "  # These take all words up to the next option.\n"
        "  case \"$command ${{COMP_WORDS[i]}}\" in\n"
        "    {}) previous=${{COMP_WORDS[i]}} ;;\n"
        "  esac\n",
        Join(arms.takes_several, " | "));
  }
  script += fmt::format(
      "  case \"$command $previous\" in\n{}  esac\n"
      "  local positional positional_words\n"
      "  case $command in\n{}  esac\n",
      arms.values, arms.commands);
  return script + kEnd;
}
