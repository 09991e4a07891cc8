// SPDX-License-Identifier: Apache-2.0
// The environment, site-packages folder, wheels or root of an image that a command is to look at.
#pragma once

#include "base/scratch_bytes.h"
#include "catalog/catalog.h"
#include "cli/streams.h"
#include "stack/python_environment.h"
#include "stack/wheel_view.h"

#include <memory>
#include <string>
#include <vector>

namespace fitment {

struct EnvironmentRoot {
  std::string shown;        ///< as the user gave or meant it
  std::string view_root;    ///< folder taken as root
  std::string environment;  ///< inside the view; empty: find all, or wheels
  std::vector<std::string> wheels;

  /// The root of an image.
  [[nodiscard]] bool is_whole() const { return environment.empty() && wheels.empty(); }
};

/// `given` may be empty: the active environment, else that of the Python on PATH. Errors:
/// not_found, invalid_argument (a file).
Result<EnvironmentRoot> find_environment_root(std::string given,
                                              const Catalog& catalog,
                                              const Streams& streams);

/// The files of a root as its programs see them, and the environments in it: at least one.
struct OpenedRoot {
  std::unique_ptr<DirectoryView> folders;
  std::unique_ptr<WheelView> wheels;  ///< on top of the folders; null: none were named
  std::vector<PythonEnvironment> environments;

  [[nodiscard]] const FileView& view() const {
    return wheels ? static_cast<const FileView&>(*wheels) : *folders;
  }
};

/// `variables` are those of the process that is judged. Errors: not_found, those of reading wheels.
Result<OpenedRoot> open_environment_root(const EnvironmentRoot& root,
                                         const Environment& variables,
                                         const ScratchOptions& scratch);

}  // namespace fitment
