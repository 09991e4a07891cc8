// SPDX-License-Identifier: Apache-2.0
#include "cli/slim_classes.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Result<SlimClass> parse_class(const std::string& word) {
  for (const SlimClass kind : kSlimClasses) {
    if (word == to_string(kind)) {
      return kind;
    }
  }
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no class of files", word));
}

}  // namespace

std::vector<std::string_view> slim_class_words() {
  std::vector<std::string_view> words;
  for (const SlimClass kind : kSlimClasses) {
    words.push_back(to_string(kind));
  }
  return words;
}

Result<std::set<SlimClass>> read_slim_classes(const std::vector<std::string>& only,
                                              const std::vector<std::string>& skip) {
  std::set<SlimClass> classes;
  for (const std::string& word : only) {
    FITMENT_TRY_ASSIGN(const SlimClass kind, parse_class(word));
    classes.insert(kind);
  }
  if (classes.empty()) {
    classes.insert(kSlimClasses.begin(), kSlimClasses.end());
  }
  for (const std::string& word : skip) {
    FITMENT_TRY_ASSIGN(const SlimClass kind, parse_class(word));
    classes.erase(kind);
  }
  return classes;
}

}  // namespace fitment
