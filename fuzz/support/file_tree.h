// SPDX-License-Identifier: Apache-2.0
// A tree of files as the input of a fuzz target. A line `@ /path` begins a file and `@ /path -> to`
// is a link. What begins with a line `elf` is a library that is built from the lines after it
// (`soname libx.so`, `needed liby.so`, `runpath $ORIGIN`, `rpath`, `interpreter`, `arm`); all
// else is the file's bytes.
#pragma once

#include "support/elf_image.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct TreeEntry {
  std::string path;  ///< absolute, without `.`, `..` and empty names
  std::string bytes;
  bool is_link = false;  ///< `bytes` is where it leads
};

namespace file_tree_detail {

inline std::string clean_path(std::string_view path) {
  std::string clean;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, slash);
    if (!name.empty() && name != "." && name != "..") {
      clean += "/";
      clean += name;
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return clean;
}

inline std::string library(std::string_view lines) {
  ElfImage image;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, blank);
    const std::string value(line.substr(std::min(blank + 1, line.size())));
    if (key == "needed") {
      image.needed.push_back(value);
    } else if (key == "soname") {
      image.soname = value;
    } else if (key == "runpath") {
      image.runpath = value;
    } else if (key == "rpath") {
      image.rpath = value;
    } else if (key == "interpreter") {
      image.interpreter = value;
    } else if (key == "arm") {
      image.machine = 183;
    }
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return build_elf_image(image);
}

}  // namespace file_tree_detail

inline std::vector<TreeEntry> read_tree(std::string_view input) {
  constexpr std::string_view kBegin = "@ /";
  constexpr std::string_view kTo = " -> ";
  constexpr std::string_view kElf = "elf\n";
  std::vector<TreeEntry> entries;
  while (input.starts_with(kBegin)) {
    const std::size_t line_end = std::min(input.find('\n'), input.size());
    const std::string_view line = input.substr(kBegin.size(), line_end - kBegin.size());
    input.remove_prefix(std::min(line_end + 1, input.size()));
    const std::size_t next = input.starts_with(kBegin) ? 0 : input.find("\n@ /");
    const std::string_view bytes = input.substr(0, next);
    input.remove_prefix(next == std::string_view::npos ? input.size() : next + (next == 0 ? 0 : 1));

    const std::size_t to = line.find(kTo);
    TreeEntry entry{file_tree_detail::clean_path(line.substr(0, to)), std::string(bytes), false};
    if (to != std::string_view::npos) {
      entry.is_link = true;
      entry.bytes = line.substr(to + kTo.size());
    } else if (bytes.starts_with(kElf)) {
      entry.bytes = file_tree_detail::library(bytes.substr(kElf.size()));
    }
    if (!entry.path.empty()) {
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

}  // namespace fitment
