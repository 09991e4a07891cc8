// SPDX-License-Identifier: Apache-2.0
// The search for one needed name in the order of search_path.h. Used by the closure alone.
#pragma once

#include "elf/closure.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fitment {

/// A file that the loader takes.
struct FoundLibrary {
  std::string path;
  std::string real_path;
  FoundBy by = FoundBy::entry;
  std::string how;
};

/// The answer to one search with its trail.
struct LibrarySearchResult {
  std::optional<FoundLibrary> found;
  std::vector<SearchedPlace> searched;
  std::vector<RejectedFile> rejected;
  bool stopped = false;
};

class LibrarySearch {
 public:
  LibrarySearch(const FileView& view, const LoaderConfig& config) : view_(view), config_(config) {}

  /// `by` is the object that needs the name; none for an entry that nobody opened.
  LibrarySearchResult find(const std::string& name,
                           const std::vector<ClosureObject>& objects,
                           std::optional<std::size_t> by,
                           std::optional<std::size_t> program);
  /// Whether the loader takes this file; otherwise why not goes to the trail.
  bool accepts(const std::string& path, const std::string& real_path, LibrarySearchResult& trail);

 private:
  struct Step {
    FoundBy by;
    std::string what;  ///< ``RPATH `$ORIGIN` of `libfoo.so` ``
    std::string folder;
  };
  [[nodiscard]] std::vector<Step> own_steps(const std::vector<ClosureObject>& objects,
                                            std::optional<std::size_t> by,
                                            std::optional<std::size_t> program) const;
  void add_object_path(std::vector<Step>& steps,
                       const ClosureObject& object,
                       std::string_view origin,
                       FoundBy by) const;
  void add_library_path(std::vector<Step>& steps, std::string_view origin) const;
  void search_cache(const std::string& name, bool no_defaults, LibrarySearchResult& result);
  bool try_step(const Step& step, const std::string& name, LibrarySearchResult& result);
  bool try_file(const Step& step,
                const std::string& folder,
                const std::string& name,
                LibrarySearchResult& result);
  const std::string* resolved_folder(const std::string& folder);

  const FileView& view_;
  const LoaderConfig& config_;
  std::map<std::string, std::string> folders_;  // without links; empty: not a folder
  /// By real path; none when the loader takes it.
  std::map<std::string, std::optional<RejectedFile>> verdicts_;
};

}  // namespace fitment
