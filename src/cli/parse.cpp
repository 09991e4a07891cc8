// SPDX-License-Identifier: Apache-2.0
// Everything that a user can get wrong is judged here against the tables, so that all messages are
// ours and all of them exit with 2.
#include "cli/parse.h"

#include "base/closest.h"
#include "cli/help.h"
#include "cli/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

/// The options that a command takes, its own first.
std::vector<const OptionSpec*> options_of(const CommandSpec* command) {
  std::vector<const OptionSpec*> options;
  if (command != nullptr) {
    for (const OptionSpec& option : command->options) {
      options.push_back(&option);
    }
    if (command->json) {
      options.push_back(&json_option());
    }
  }
  for (const OptionSpec& option : global_options()) {
    options.push_back(&option);
  }
  return options;
}

Error missing_value(const OptionSpec& option) {
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` needs a value", dashed(option)))
      .hint(fmt::format("`{} {}`: {}", dashed(option), option.value, option_text(option)));
}

/// CLI11's text in our words.
Error describe(const std::string& what, const Collected& found) {
  const std::string name = what.substr(0, what.find_first_of(": "));
  for (const OptionSpec* option : options_of(found.command)) {
    if (dashed(*option) == name) {
      return option->value.empty()
                 ? fail(ErrorCode::invalid_argument, fmt::format("`{}` takes no value", name))
                 : missing_value(*option);
    }
  }
  return fail(ErrorCode::invalid_argument, "cannot read the command line: " + what);
}

std::string help_of(const std::vector<std::string>& path) {
  return path.empty() ? "fitment --help" : fmt::format("fitment {} --help", fmt::join(path, " "));
}

Error unknown_option(const std::string& word, const Collected& found) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const OptionSpec* option : options_of(found.command)) {
    known.push_back(dashed(*option));
  }
  if (found.command == nullptr) {
    known.push_back("--" + std::string(kVersionOption));
  }
  Error error = fail(
      ErrorCode::invalid_argument,
      found.path.empty()
          ? fmt::format("unknown option `{}`", name)
          : fmt::format("unknown option `{}` of `fitment {}`", name, fmt::join(found.path, " ")));
  if (const auto closest = find_closest(name, known)) {
    return std::move(error).hint(fmt::format("did you mean `{}`?", *closest));
  }
  return std::move(error).hint(fmt::format("`{}` lists the options", help_of(found.path)));
}

Error unknown_command(const std::string& word,
                      const Collected& found,
                      const std::vector<CommandSpec>& level) {
  std::vector<std::string> known;
  for (const CommandSpec& command : level) {
    if (!command.hidden) {
      known.emplace_back(command.name);
    }
  }
  const std::string prefix =
      found.path.empty() ? "" : fmt::format("{} ", fmt::join(found.path, " "));
  Error error =
      fail(ErrorCode::invalid_argument, fmt::format("unknown command `{}{}`", prefix, word));
  if (const auto closest = find_closest(word, known)) {
    return std::move(error).hint(fmt::format("did you mean `fitment {}{}`?", prefix, *closest));
  }
  return std::move(error).hint(fmt::format("`{}` lists the commands", help_of(found.path)));
}

/// Words that CLI11 could place nowhere. After a command, options come first: the value of a
/// mistyped option looks like a stray word. Without a command, the mistyped command comes first:
/// its options cannot be known.
Status check_unknown(const Collected& found, const std::vector<CommandSpec>& commands) {
  const auto is_option = [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  };
  const auto& words = found.unknown;
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  const auto word = std::find_if_not(words.begin(), words.end(), is_option);
  const bool wants_command = found.command == nullptr || !found.command->subcommands.empty();
  if (word != words.end() && (wants_command || option == words.end())) {
    return unknown_command(
        *word, found, found.command == nullptr ? commands : found.command->subcommands);
  }
  if (option != words.end()) {
    return unknown_option(*option, found);
  }
  return {};
}

Status check_choice(const OptionSpec& option, const std::string& value, std::string_view where) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) {
    return {};
  }
  Error error = fail(ErrorCode::invalid_argument, fmt::format("`{}` cannot be `{}`", where, value));
  std::string hint = fmt::format("choose one of {}", fmt::join(choices, ", "));
  if (const auto closest = find_closest(value, {choices.begin(), choices.end()})) {
    return std::move(error).hint(fmt::format("did you mean `{}`?", *closest)).hint(std::move(hint));
  }
  return std::move(error).hint(std::move(hint));
}

/// `--machine --json`: the word taken as a value is an option itself.
bool is_option_word(const std::string& word, const Collected& found) {
  const std::vector<const OptionSpec*> options = options_of(found.command);
  return std::any_of(options.begin(), options.end(), [&word](const OptionSpec* option) {
    return dashed(*option) == word;
  });
}

/// Values of one option: from the command line, else from its variable, else its default.
Status place_option(const OptionSpec& option,
                    const Collected& found,
                    const Environment& environment,
                    Invocation& invocation) {
  const auto given = found.options.find(option.name);
  if (given != found.options.end()) {
    if (!option.repeatable && !option.value.empty() && given->second.size() > 1) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` is given more than once", dashed(option)))
          .hint("keep one of them");
    }
    for (const std::string& value : given->second) {
      if (option.value.empty() && value != "true") {
        return fail(ErrorCode::invalid_argument, fmt::format("`{}` takes no value", dashed(option)))
            .hint(fmt::format("write `{}` alone", dashed(option)));
      }
      if (!option.value.empty() && is_option_word(value, found)) {
        return missing_value(option);
      }
      FITMENT_TRY(check_choice(option, value, dashed(option)));
    }
    invocation.set(option.name, given->second, Invocation::Source::command_line);
    return {};
  }
  const std::string variable =
      option.environment.empty() ? "" : value_of(environment, option.environment);
  if (!variable.empty()) {
    FITMENT_TRY(check_choice(option, variable, option.environment));
    invocation.set(option.name, {variable}, Invocation::Source::environment);
  } else if (!option.default_value.empty()) {
    invocation.set(
        option.name, {std::string(option.default_value)}, Invocation::Source::default_value);
  } else {
    invocation.set(option.name, {}, Invocation::Source::not_given);
  }
  return {};
}

bool is_many(const ArgumentSpec& argument) {
  return argument.count == ArgumentSpec::Count::at_least_one
         || argument.count == ArgumentSpec::Count::any;
}

bool is_required(const ArgumentSpec& argument) {
  return argument.count == ArgumentSpec::Count::one
         || argument.count == ArgumentSpec::Count::at_least_one;
}

/// Deals the words out to the arguments in order; one that takes many takes all that the ones after
/// it do not need.
Status place_arguments(const Collected& found, Invocation& invocation) {
  const std::vector<ArgumentSpec>& arguments = found.command->arguments;
  auto next = found.arguments.begin();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentSpec& argument = arguments[i];
    const auto left = found.arguments.end() - next;
    const auto needed_later = std::count_if(
        arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end(), is_required);
    const auto most = is_many(argument) ? left : std::min<std::ptrdiff_t>(left, 1);
    const auto taken =
        std::max<std::ptrdiff_t>(std::min(most, left - needed_later),
                                 is_required(argument) ? std::min<std::ptrdiff_t>(left, 1) : 0);
    if (taken == 0 && is_required(argument)) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`fitment {}` needs {}: {}",
                              fmt::join(found.path, " "),
                              argument.name,
                              argument.help))
          .hint(fmt::format("`{}` shows examples", help_of(found.path)));
    }
    invocation.set(argument.name,
                   {next, next + taken},
                   taken == 0 ? Invocation::Source::not_given : Invocation::Source::command_line);
    next += taken;
  }
  if (next != found.arguments.end()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`fitment {}` does not take `{}`{}",
                            fmt::join(found.path, " "),
                            *next,
                            arguments.empty() ? "" : " as well"))
        .hint(fmt::format("`{}` shows what it takes", help_of(found.path)));
  }
  return {};
}

Result<Invocation> make_invocation(const Collected& found, const Environment& environment) {
  if (!found.command->json && found.options.count("json") != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`fitment {}` has no JSON answer", fmt::join(found.path, " ")))
        .hint("leave `--json` out: what it prints has a form of its own");
  }
  Invocation invocation(*found.command, found.path);
  for (const OptionSpec* option : options_of(found.command)) {
    FITMENT_TRY(place_option(*option, found, environment, invocation));
  }
  FITMENT_TRY(place_arguments(found, invocation));
  return invocation;
}

ParseOutcome failed(ParseOutcome outcome, Error error) {
  outcome.kind = ParseOutcome::Kind::failed;
  outcome.error = std::move(error);
  return outcome;
}

}  // namespace

ParseOutcome parse_arguments(const std::vector<std::string>& words,
                             const std::vector<CommandSpec>& commands,
                             const Environment& environment) {
  const Collected found = tokenize(words, commands);

  ParseOutcome outcome;
  outcome.path = found.path;
  outcome.json = found.options.count("json") != 0;
  if (const auto color = found.options.find("color"); color != found.options.end()) {
    outcome.color = color->second.back();
  }
  if (found.refusal) {
    return failed(std::move(outcome), describe(*found.refusal, found));
  }
  if (found.options.count("help") != 0) {
    outcome.kind = ParseOutcome::Kind::help;
    return outcome;
  }
  if (Status known = check_unknown(found, commands); !known) {
    return failed(std::move(outcome), std::move(known).error());
  }
  if (found.options.count(kVersionOption) != 0) {
    outcome.kind = ParseOutcome::Kind::version;
    return outcome;
  }
  if (found.command == nullptr || found.command->handler == nullptr) {
    outcome.kind = ParseOutcome::Kind::help;
    return outcome;
  }
  Result<Invocation> invocation = make_invocation(found, environment);
  if (!invocation) {
    return failed(std::move(outcome), std::move(invocation).error());
  }
  outcome.kind = ParseOutcome::Kind::run;
  outcome.invocation = std::move(*invocation);
  return outcome;
}

}  // namespace fitment
