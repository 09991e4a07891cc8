// SPDX-License-Identifier: Apache-2.0
// Where a Python would import packages from: a virtual environment, a conda prefix, the system's
// Python or a bare site-packages folder, with its folders in the order of sys.path.
//
// Rules of CPython's site module: PYTHONPATH first, then the user's site (not in a virtual
// environment without system packages), then the environment's own; Debian's Python keeps packages
// in dist-packages. Lines of .pth files that name a folder add it; lines that would run code are
// not followed.
#pragma once

#include "base/environment.h"
#include "elf/file_view.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class PythonEnvironmentKind {
  virtual_environment,
  conda,
  system,         ///< /usr, /usr/local or another prefix with a Python of its own
  site_packages,  ///< a folder of packages, given as it is
  wheels,         ///< not installed, judged as if they were in one folder
};
std::string_view to_string(PythonEnvironmentKind kind);

struct PythonEnvironment {
  PythonEnvironmentKind kind = PythonEnvironmentKind::site_packages;
  std::string prefix;                         ///< the folder that was given or found
  std::optional<std::string> python_version;  ///< `3.12`; `3.13t` for a free-threaded build
  std::vector<std::string> sites;  ///< folders without links, in order, each once, all existing
  std::optional<std::string> interpreter;     ///< an executable without links, where it exists
  std::map<std::string, std::string> wheels;  ///< file names of wheels by their dist-info folder
};

/// The environment that a folder is. Of the variables of the process that is judged, HOME,
/// PYTHONPATH and PYTHONNOUSERSITE count. Error: not_found when nothing of Python is in it, which
/// says what was looked for.
Result<PythonEnvironment> read_python_environment(const FileView& view,
                                                  std::string_view folder,
                                                  const Environment& variables);

/// All environments of a whole root tree, the system's last; only those that have packages.
std::vector<PythonEnvironment> find_python_environments(const FileView& view,
                                                        const Environment& variables);

/// A folder that is the root of a system: it has an os-release file, a loader or etc beside usr.
bool looks_like_root(const FileView& view, std::string_view folder);

}  // namespace fitment
