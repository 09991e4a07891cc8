// SPDX-License-Identifier: Apache-2.0
// Name routes: each package name comes from exactly one index, the first whose patterns match. That
// is what keeps a package of the same name in another index from being taken.
#pragma once

#include "index/name_pattern.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Where an index is, and which names come from it.
struct IndexRoute {
  enum class Layout {
    simple,  ///< a page a project, at URL/NAME/
    flat,    ///< one page with the files of all projects
    folder,  ///< wheels in a folder, or pages as URL/NAME/index.html
  };
  std::string name;
  /// http(s) address or folder. `{backend}` stands for each of `backends`, `{level}` for its number
  /// (6.4 of `rocm6.4`).
  std::string url;
  Layout layout = Layout::simple;
  std::vector<std::string> backends;  ///< empty: those that the catalogue knows for the name
  std::vector<NamePattern> names;
  bool is_private = false;  ///< its files are sent through us, with our credentials

  [[nodiscard]] bool has_backends() const;
  /// The address for one backend, without `/` at its end.
  [[nodiscard]] std::string url_for(std::string_view backend) const;
};

/// Files that install nothing useful.
struct Placeholder {
  std::vector<NamePattern> names;
  std::vector<std::string> versions;  ///< normal form; empty: all
  bool sdist_alone = false;           ///< only source distributions of versions without a wheel
  std::string why;
};

class Routes {
 public:
  std::vector<IndexRoute> indexes;
  std::vector<Placeholder> placeholders;

  /// The first index whose patterns match; nullptr: the name comes from nowhere.
  [[nodiscard]] const IndexRoute* find(std::string_view name) const;
  /// Names that are written out in full, sorted.
  [[nodiscard]] std::vector<std::string> exact_names() const;
};

}  // namespace fitment
