// SPDX-License-Identifier: Apache-2.0
#include "base/shell.h"

#include "base/text.h"

#include <algorithm>

namespace fitment {

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view("-_./:=+@,%").find(c) != std::string_view::npos;
  });
  return is_plain ? std::string(text) : "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::string shell_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace fitment
