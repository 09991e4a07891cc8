// SPDX-License-Identifier: Apache-2.0
#include "image/containerfile.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

/// After these a line goes on: `;` there would be a syntax error.
bool opens_a_list(std::string_view line) {
  constexpr std::array<std::string_view, 8> kEndings{
      " then", " do", " else", " in", "{", "(", "&&", "||"};
  return line == "then" || line == "do" || line == "else" || line.ends_with(";;")
         || line.ends_with('|')
         || std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
              return line.ends_with(ending);
            });
}

/// The script's lines as they stand in a RUN instruction, without what ties them together.
std::vector<std::string> script_lines(std::string_view script) {
  std::vector<std::string> lines;
  for (const std::string_view raw : split_lines(script)) {
    const std::string_view line = trim(raw);
    if (!line.empty() && line.front() != '#') {
      const std::size_t indent = raw.find_first_not_of(' ');
      lines.push_back(std::string(indent, ' ') + std::string(line));
    }
  }
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!opens_a_list(lines[i])) {
      lines[i] += ';';
    }
  }
  return lines;
}

std::string quoted_pairs(std::string_view instruction,
                         const std::map<std::string, std::string>& pairs,
                         bool escape_dollar) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    std::string quoted;
    for (const char c : value) {
      if (c == '"' || c == '\\' || (c == '$' && escape_dollar)) {
        quoted += '\\';
      }
      quoted += c == '\n' ? ' ' : c;
    }
    text += text.empty() ? std::string(instruction) + " " : " \\\n    ";
    text += fmt::format("{}=\"{}\"", name, quoted);
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string join_script(std::string_view script) {
  std::vector<std::string> lines = script_lines(script);
  for (std::string& line : lines) {
    line = std::string(trim(line));
  }
  return join(lines, " ");
}

std::string run_instruction(const std::vector<std::string>& mounts, std::string_view script) {
  std::string text = "RUN ";
  for (const std::string& mount : mounts) {
    text += mount + " \\\n    ";
  }
  text += "set -eu";
  const std::vector<std::string> lines = script_lines(script);
  if (!lines.empty()) {
    text += "; \\\n    " + join(lines, " \\\n    ");
  }
  return text + "\n";
}

std::string bind_mount(std::string_view source, std::string_view target) {
  return "--mount=type=bind,source=" + std::string(source) + ",target=" + std::string(target);
}

std::string env_instruction(const std::map<std::string, std::string>& variables) {
  return quoted_pairs("ENV", variables, false);
}

std::string label_instruction(const std::map<std::string, std::string>& labels) {
  return quoted_pairs("LABEL", labels, true);
}

std::string fill_in(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, value] : words) {
    text = replace_all(std::move(text), fmt::format("@{}@", word), value);
  }
  return text;
}

}  // namespace fitment
