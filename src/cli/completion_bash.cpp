// SPDX-License-Identifier: Apache-2.0
// The bash script is tables in `case` statements and one function that walks over the words before
// the cursor: which command they name, and whether the last is an option that waits for its value.
// `=` is a word of its own for bash (COMP_WORDBREAKS).
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fitment {

namespace {

constexpr std::string_view kFiles = "@files";
constexpr std::string_view kFolders = "@folders";

std::string offer(Completes completes, const std::vector<std::string>& words) {
  switch (completes) {
    case Completes::file:
      return std::string(kFiles);
    case Completes::folder:
      return std::string(kFolders);
    case Completes::nothing:
    case Completes::words:
      break;
  }
  return join(words, " ");
}

std::string key(const std::vector<std::string>& path, std::string_view word) {
  return fmt::format("'{} {}'", fmt::join(path, " "), word);
}

/// `'explain --color') echo 'auto always never' ;;`
std::string value_cases(const std::vector<ListedCommand>& commands) {
  std::string text;
  const auto add = [&text](const std::vector<std::string>& path, const OptionSpec& option) {
    if (option.value.empty()) {
      return;
    }
    std::string names = key(path, fmt::format("--{}", option.name));
    if (option.letter != '\0') {
      names += "|" + key(path, fmt::format("-{}", option.letter));
    }
    text += fmt::format(
        "    {}) echo '{}' ;;\n", names, offer(option.completes, offered_words(option)));
  };
  for (const OptionSpec& option : global_options()) {
    add({}, option);
  }
  for (const ListedCommand& listed : commands) {
    for (const OptionSpec& option : full_options(*listed.command)) {
      add(listed.path, option);
    }
  }
  return text;
}

std::string option_cases(const std::vector<ListedCommand>& commands) {
  const auto names = [](const std::vector<OptionSpec>& options) {
    std::vector<std::string> words;
    words.reserve(options.size());
    for (const OptionSpec& option : options) {
      words.push_back(fmt::format("--{}", option.name));
    }
    return join(words, " ");
  };
  std::string text = fmt::format("    '') echo '{} --version' ;;\n", names(global_options()));
  for (const ListedCommand& listed : commands) {
    text += fmt::format("    '{}') echo '{}' ;;\n",
                        fmt::join(listed.path, " "),
                        names(full_options(*listed.command)));
  }
  return text;
}

std::string argument_cases(const std::vector<CommandSpec>& top,
                           const std::vector<ListedCommand>& commands) {
  const auto names = [](const std::vector<CommandSpec>& level) {
    std::vector<std::string> words;
    for (const CommandSpec& command : level) {
      if (!command.hidden) {
        words.emplace_back(command.name);
      }
    }
    return join(words, " ");
  };
  std::string text = fmt::format("    '') echo '{}' ;;\n", names(top));
  for (const ListedCommand& listed : commands) {
    std::string words = names(listed.command->subcommands);
    for (const ArgumentSpec& argument : listed.command->arguments) {
      const std::string more = offer(argument.completes, offered_words(argument));
      words += words.empty() || more.empty() ? more : " " + more;
    }
    text += fmt::format("    '{}') echo '{}' ;;\n", fmt::join(listed.path, " "), words);
  }
  return text;
}

constexpr std::string_view kWalk = R"bash(
_fitment() {
  local cur=${COMP_WORDS[COMP_CWORD]} path='' waiting='' word next offered i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      continue
    elif [[ -n $waiting ]]; then
      waiting=''
    elif [[ $word == -- ]]; then
      break
    elif [[ $word == -* ]]; then
      if _fitment_values "$path $word" >/dev/null; then waiting=$word; fi
    else
      next=${path:+$path }$word
      if _fitment_options "$next" >/dev/null; then path=$next; fi
    fi
  done
  [[ $cur == = ]] && cur=''
  if [[ -n $waiting ]]; then
    offered=$(_fitment_values "$path $waiting")
  elif [[ $cur == -* ]]; then
    offered=$(_fitment_options "$path")
  else
    offered=$(_fitment_arguments "$path")
  fi
  COMPREPLY=()
  for word in $offered; do
    case $word in
      @files) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
      @folders) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
      "$cur"*) COMPREPLY+=("$word") ;;
    esac
  done
}
complete -F _fitment fitment
)bash";

}  // namespace

std::string bash_completion(const std::vector<CommandSpec>& commands) {
  const std::vector<ListedCommand> listed = list_commands(commands);
  const auto function = [](std::string_view name, std::string_view cases) {
    return fmt::format("{}() {{\n  case $1 in\n{}    *) return 1 ;;\n  esac\n}}\n", name, cases);
  };
  return "# bash completion for fitment; written by `fitment completion bash`\n"
         + function("_fitment_values", value_cases(listed))
         + function("_fitment_options", option_cases(listed))
         + function("_fitment_arguments", argument_cases(commands, listed))
         + std::string(kWalk.substr(1));
}

}  // namespace fitment
