// SPDX-License-Identifier: Apache-2.0
// The environment, site-packages folder or root of an image that a command is to look at.
#pragma once

#include "catalog/catalog.h"
#include "cli/streams.h"
#include "elf/file_view.h"
#include "stack/python_environment.h"

#include <string>
#include <vector>

namespace fitment {

struct EnvironmentRoot {
  std::string shown;        ///< as the user gave or meant it
  std::string view_root;    ///< folder taken as root
  std::string environment;  ///< inside the view; empty: the root of an image, find all
};

/// `given` may be empty: the active environment, else that of the Python on PATH. Errors:
/// not_found, invalid_argument (a file).
Result<EnvironmentRoot> find_environment_root(std::string given,
                                              const Catalog& catalog,
                                              const Streams& streams);

/// At least one. `variables` are those of the process that is judged. Error: not_found.
Result<std::vector<PythonEnvironment>> environments_of(const EnvironmentRoot& root,
                                                       const FileView& view,
                                                       const Environment& variables);

}  // namespace fitment
