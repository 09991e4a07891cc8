// SPDX-License-Identifier: Apache-2.0
// What the real loader of this system says a file would load: it is asked to list, not to run.
#pragma once

#include "base/process.h"
#include "base/text.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace fitment {

/// The answer of LD_TRACE_LOADED_OBJECTS, paths without links.
struct LoaderAnswer {
  std::set<std::string> paths;
  std::set<std::string> missing;
};

/// None when the loader refuses the file. `loader` is the path of ld-linux*.so.
inline std::optional<LoaderAnswer> ask_real_loader(const std::string& loader,
                                                   const std::string& file,
                                                   const std::string& ld_library_path = {}) {
  std::map<std::string, std::string> environment{{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LC_ALL", "C"}};
  if (!ld_library_path.empty()) {
    environment["LD_LIBRARY_PATH"] = ld_library_path;
  }
  const auto outcome = run_process({loader, file}, {.environment = environment});
  if (!outcome || !outcome->ok()) {
    return std::nullopt;
  }
  LoaderAnswer answer;
  for (const std::string_view line : split_lines(outcome->out)) {
    const auto words = split_words(line);  // NAME => PATH (0x...), NAME => not found, PATH (0x...)
    if (words.size() == 4 && words[1] == "=>" && words[2] == "not") {
      answer.missing.emplace(words[0]);
    } else if (words.size() == 4 && words[1] == "=>") {
      answer.paths.insert(std::filesystem::canonical(words[2]).string());
    } else if (!words.empty() && words[0].starts_with('/')) {
      answer.paths.insert(std::filesystem::canonical(words[0]).string());
    }
  }
  return answer;
}

/// The level of this CPU, 1 to 4, as the loader sees it.
inline int cpu_level_of_loader(const std::string& loader) {
  const auto outcome = run_process({loader, "--help"});
  int level = 1;
  const std::string help = outcome ? outcome->out : std::string();
  for (const std::string_view line : split_lines(help)) {
    const auto words = split_words(line);
    if (words.size() > 1 && words[0].starts_with("x86-64-v") && words[1] == "(supported,") {
      level = std::max(level, words[0].back() - '0');
    }
  }
  return level;
}

}  // namespace fitment
