// SPDX-License-Identifier: Apache-2.0
// The fish script: one `complete` line for each command, option and argument, with a condition on
// the words before.
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/completion.h"

#include <fmt/format.h>

namespace fitment {

namespace {

std::string quoted(std::string_view text) {
  return "'" + replace_all(replace_all(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
}

/// True when the words so far name exactly this command.
std::string condition(const std::vector<std::string>& path) {
  return quoted("__fitment_at " + (path.empty() ? "''" : quoted(join(path, " "))));
}

std::string value_flags(Completes completes, const std::vector<std::string>& words) {
  switch (completes) {
    case Completes::file:
      return " -rF";
    case Completes::folder:
      return " -xa '(__fish_complete_directories)'";
    case Completes::nothing:
    case Completes::words:
      break;
  }
  return words.empty() ? " -x" : fmt::format(" -xa {}", quoted(join(words, " ")));
}

std::string option_lines(const std::vector<std::string>& path,
                         const std::vector<OptionSpec>& options) {
  std::string text;
  for (const OptionSpec& option : options) {
    text += fmt::format("complete -c fitment -n {} -l {}", condition(path), option.name);
    if (option.letter != '\0') {
      text += fmt::format(" -s {}", option.letter);
    }
    if (!option.value.empty()) {
      text += value_flags(option.completes, offered_words(option));
    }
    text += fmt::format(" -d {}\n", quoted(option.help));
  }
  return text;
}

std::string command_lines(const std::vector<std::string>& path,
                          const std::vector<CommandSpec>& level) {
  std::string text;
  for (const CommandSpec& command : level) {
    if (!command.hidden) {
      text += fmt::format("complete -c fitment -n {} -a {} -d {}\n",
                          condition(path),
                          command.name,
                          quoted(command.summary));
    }
  }
  return text;
}

std::string argument_lines(const std::vector<std::string>& path,
                           const std::vector<ArgumentSpec>& arguments) {
  std::string text;
  for (const ArgumentSpec& argument : arguments) {
    const std::vector<std::string> words = offered_words(argument);
    if (argument.completes == Completes::file) {
      text += fmt::format("complete -c fitment -n {} -F\n", condition(path));
    } else if (argument.completes == Completes::folder) {
      text += fmt::format("complete -c fitment -n {} -a '(__fish_complete_directories)'\n",
                          condition(path));
    } else if (!words.empty()) {
      text += fmt::format(
          "complete -c fitment -n {} -a {}\n", condition(path), quoted(join(words, " ")));
    }
  }
  return text;
}

/// Walks the words before the cursor down the list of commands.
constexpr std::string_view kWalk = R"fish(
function __fitment_at
    set -l path
    for word in (commandline -opc)[2..-1]
        if contains -- (string join -- ' ' $path $word) $__fitment_commands
            set -a path $word
        end
    end
    set -l joined (string join -- ' ' $path)
    test "$joined" = "$argv[1]"
end
complete -c fitment -f
)fish";

}  // namespace

std::string fish_completion(const std::vector<CommandSpec>& commands) {
  const std::vector<ListedCommand> all = list_commands(commands);
  std::string text =
      "# fish completion for fitment; written by `fitment completion fish`\nset -g "
      "__fitment_commands";
  for (const ListedCommand& listed : all) {
    text += " " + quoted(join(listed.path, " "));
  }
  text += kWalk;
  text += command_lines({}, commands) + option_lines({}, global_options());
  text +=
      fmt::format("complete -c fitment -n {} -l version -d 'show the version'\n", condition({}));
  for (const ListedCommand& listed : all) {
    text += command_lines(listed.path, listed.command->subcommands);
    text += argument_lines(listed.path, listed.command->arguments);
    text += option_lines(listed.path, full_options(*listed.command));
  }
  return text;
}

}  // namespace fitment
