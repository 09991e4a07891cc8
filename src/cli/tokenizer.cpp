// SPDX-License-Identifier: Apache-2.0
#include "cli/tokenizer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

std::string cli11_names(const OptionSpec& option) {
  return option.letter == '\0' ? dashed(option)
                               : fmt::format("-{},{}", option.letter, dashed(option));
}

/// Builds CLI11's app from the tables and keeps what it collects.
class Tokenizer {
 public:
  explicit Tokenizer(const std::vector<CommandSpec>& commands) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const OptionSpec& option : global_options()) {
      add_option(app_, option);
    }
    // Known everywhere, so that asking a command for JSON that has none is named as such.
    add_option(app_, json_option());
    app_.add_flag(fmt::format("-V,--{}", kVersionOption))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_commands(app_, commands);
  }

  /// On a failure, CLI11's text: it begins with the name of the option that lacks its value.
  std::optional<std::string> parse(const std::vector<std::string>& words) {
    // CLI11 would end a command at `--`; what follows it is an argument in any case.
    const auto end = std::find(words.begin(), words.end(), "--");
    after_dashes_.assign(end == words.end() ? end : end + 1, words.end());
    std::vector<std::string> reversed(words.begin(), end);
    std::reverse(reversed.begin(), reversed.end());
    try {
      app_.parse(std::move(reversed));
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return std::nullopt;
  }

  [[nodiscard]] Collected collected() {
    Collected result;
    const CLI::App* app = &app_;
    collect_options(*app, result);
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
      result.command = specs_.at(app);
      result.path.push_back(app->get_name());
      collect_options(*app, result);
    }
    result.unknown = app_.remaining(true);
    const bool takes_arguments = result.command != nullptr && result.command->subcommands.empty();
    std::vector<std::string>& rest = takes_arguments ? result.arguments : result.unknown;
    rest.insert(rest.end(), after_dashes_.begin(), after_dashes_.end());
    return result;
  }

 private:
  static void add_option(CLI::App& app, const OptionSpec& option) {
    CLI::Option* added = option.value.empty() ? app.add_flag(cli11_names(option))
                                              : app.add_option(cli11_names(option));
    if (!option.value.empty()) {
      added->type_size(1)->expected(1)->allow_extra_args(false);
    }
    added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  void add_commands(CLI::App& parent, const std::vector<CommandSpec>& commands) {
    // Once a command is named, the names of the others are ordinary words: a package may be called
    // `help`.
    parent.require_subcommand(0, 1);
    for (const CommandSpec& command : commands) {
      CLI::App* app = parent.add_subcommand(std::string(command.name));
      app->set_help_flag();
      app->allow_extras();
      app->fallthrough();
      specs_[app] = &command;
      for (const OptionSpec& option : command.options) {
        add_option(*app, option);
      }
      if (command.subcommands.empty()) {
        app->add_option("ARGUMENTS", arguments_);
      } else {
        add_commands(*app, command.subcommands);
      }
    }
  }

  static void collect_options(const CLI::App& app, Collected& result) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) {
        const CLI::results_t words = option->results();
        result.arguments.insert(result.arguments.end(), words.begin(), words.end());
      } else if (!option->empty()) {
        result.options[option->get_lnames().front()] = option->results();
      }
    }
  }

  CLI::App app_;
  std::vector<std::string> arguments_;
  std::vector<std::string> after_dashes_;
  std::map<const CLI::App*, const CommandSpec*> specs_;
};

}  // namespace

std::string dashed(const OptionSpec& option) {
  return "--" + std::string(option.name);
}

Collected tokenize(const std::vector<std::string>& words,
                   const std::vector<CommandSpec>& commands) {
  Tokenizer tokenizer(commands);
  std::optional<std::string> refusal = tokenizer.parse(words);
  Collected collected = tokenizer.collected();
  collected.refusal = std::move(refusal);
  return collected;
}

}  // namespace fitment
