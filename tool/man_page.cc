// SPDX-License-Identifier: Apache-2.0
#include "tool/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <string_view>
#include <vector>

#include "graph_coverage/catalogue.h"
#include "graph_coverage/mutation/mutation.h"

namespace {

// Text as roff prints it: what is typed is shown, character by character, and
// no line of it is taken for a request.
std::string Roff(std::string_view text) {
  std::string roff;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) roff += "\\&";
    line_starts = c == '\n';
    switch (c) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '"':
        roff += "\\(dq";
        break;
      case '`':
        roff += "\\(ga";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string Bold(const std::string& text) {
  return "\\fB" + Roff(text) + "\\fR";
}
std::string Italic(const std::string& text) {
  return "\\fI" + Roff(text) + "\\fR";
}

// "TEXT:{note,error}" is a type, and what values of it are allowed.
std::string TypeOf(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}
std::string AllowedBy(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? "" : name.substr(colon + 1);
}

bool TakesSeveral(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

// "-o, --output TEXT", or of a positional "GENDIR...".
std::string Heading(const CLI::Option& option) {
  const std::string several = TakesSeveral(option) ? "..." : "";
  if (option.get_positional()) {
    return Italic(option.get_name(true) + several);
  }
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back(Bold("-" + name));
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back(Bold("--" + name));
  }
  std::string heading = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() > 0) {
    heading += " " + Italic(TypeOf(option) + several);
  }
  return heading;
}

// What holds for the option besides its description, in parentheses.
std::string Remarks(const CLI::Option& option) {
  std::vector<std::string> remarks;
  if (option.get_required()) remarks.emplace_back("required");
  const std::string allowed = AllowedBy(option);
  if (!allowed.empty()) remarks.push_back(allowed);
  const std::string by_default = option.get_default_str();
  if (!by_default.empty()) remarks.push_back("default: " + by_default);
  for (const CLI::Option* other : option.get_excludes()) {
    remarks.push_back("not with " + other->get_name());
  }
  return remarks.empty() ? "" : fmt::format(" ({})", fmt::join(remarks, "; "));
}

std::string Entry(const CLI::Option& option) {
  return fmt::format(".TP\n{}\n{}\n", Heading(option),
                     Roff(option.get_description() + Remarks(option)));
}

std::string Synopsis(const CLI::App& app, const CLI::App& command) {
  std::string words = fmt::format("{} {} [{}]", Bold(app.get_name()),
                                  Bold(command.get_name()), Italic("options"));
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = Heading(*option);
    words += option->get_required() ? " " + name : " [" + name + "]";
  }
  return words;
}

std::string Command(const CLI::App& app, const CLI::App& command) {
  std::string page =
      fmt::format(".SS {}\n{}\n.PP\n{}\n", Roff(command.get_name()),
                  Synopsis(app, command), Roff(command.get_description()));
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : command.get_options()) {
      if (option != command.get_help_ptr() &&
          option->get_positional() == positional) {
        page += Entry(*option);
      }
    }
  }
  return page;
}

// What a table has, an entry a row.
template <typename Table>
std::string Titles(const Table& table) {
  std::string page;
  for (const auto& row : table) {
    page += fmt::format(".TP\n{}\n{}\n", Bold(std::string(row.id)),
                        Roff(row.title));
  }
  return page;
}

// The app's description as the page's one line: no capital, no full stop.
std::string OneLine(std::string description) {
  description.front() = static_cast<char>(
      std::tolower(static_cast<unsigned char>(description.front())));
  if (description.back() == '.') description.pop_back();
  return description;
}

}  // namespace

std::string ManPage(const CommandLine& line) {
  const CLI::App& app = line.app;
  const std::string name = app.get_name();
  std::string title = name;
  for (char& c : title) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  std::string page = fmt::format(
      ".\\\" Made from the definition of the command line.\n"
      ".TH {} 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
      Roff(title), Roff(app.version()), Roff(name),
      Roff(OneLine(app.get_description())));
  const auto commands =
      app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) {
    page += Synopsis(app, *command) + "\n.br\n";
  }
  page += fmt::format(".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
                      Roff(app.get_description()));
  for (const CLI::Option* option : app.get_options()) page += Entry(*option);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands) page += Command(app, *command);
  page += ".SH RULES\n" + Titles(graph_coverage::Catalogue());
  page +=
      ".SH MUTATION OPERATORS\n" + Titles(graph_coverage::MutationOperators());
  page += fmt::format(".SH EXIT STATUS\n{}.SH EXAMPLES\n.nf\n{}.fi\n",
                      Roff(line.exit_codes), Roff(line.examples));
  return page;
}
