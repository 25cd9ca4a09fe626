// SPDX-License-Identifier: Apache-2.0
#include "tool/help.h"

#include <memory>
#include <string>

#include "audit/artifacts/utf8.h"

namespace {

// What CLI11 says of bad usage, in which words of the user stand as they are.
std::string FailureMessage(const CLI::App* app, const CLI::Error& error) {
  return CLI::FailureMessage::simple(
      app, CLI::Error(error.get_name(),
                      "error: " + graph_coverage::Printable(error.what()),
                      error.get_exit_code()));
}

class RootFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* /*app*/,
                         std::string name) const override {
    return "Usage: " + name + " [audit] [OPTIONS] [GENDIR...]\n       " + name +
           " SUBCOMMAND ..., which `SUBCOMMAND --help` explains\n";
  }

  std::string make_subcommands(const CLI::App* app,
                               CLI::AppFormatMode mode) const override {
    const CLI::App* audit = app->get_subcommand("audit");
    return make_positionals(audit) +
           make_group("Options of audit", false,
                      audit->get_options([audit](const CLI::Option* option) {
                        return option->nonpositional() &&
                               option != audit->get_help_ptr();
                      })) +
           CLI::Formatter::make_subcommands(app, mode);
  }
};

}  // namespace

void ShapeHelp(CLI::App& app) {
  app.failure_message(FailureMessage);
  app.formatter(std::make_shared<RootFormatter>());
}
