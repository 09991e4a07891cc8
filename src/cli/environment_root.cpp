// SPDX-License-Identifier: Apache-2.0
#include "cli/environment_root.h"

#include "base/files.h"
#include "base/posix_io.h"
#include "cli/environment.h"
#include "probe/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fitment {

namespace {

/// The active environment, else the prefix of the interpreter on PATH, as probing finds it.
Result<std::string> default_environment(const Environment& environment, const Catalog& catalog) {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string folder = value_of(environment, name); !folder.empty()) {
      return folder;
    }
  }
  const auto host = live_host(environment);
  const Machine here = probe_machine({.host = host.get(), .catalog = &catalog, .python = {}});
  if (here.python.executable) {
    return std::filesystem::path(*here.python.executable).parent_path().parent_path().string();
  }
  return fail(ErrorCode::not_found, "no environment is active and no Python is on PATH")
      .hint("name the folder of one: `.venv`");
}

std::vector<std::string> wheels_in(const std::filesystem::path& folder) {
  std::vector<std::string> wheels;
  for (const std::string& name : list_folder(folder).value_or(std::vector<std::string>())) {
    if (name.ends_with(".whl")) {
      wheels.push_back((folder / name).string());
    }
  }
  std::sort(wheels.begin(), wheels.end());
  return wheels;
}

}  // namespace

Result<EnvironmentRoot> find_environment_root(std::string given,
                                              const Catalog& catalog,
                                              const Streams& streams) {
  if (given.empty()) {
    FITMENT_TRY_ASSIGN(given, default_environment(streams.environment, catalog));
    streams.note(fmt::format("looking at {}", given));
  }
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(given, error);
  if (error) {
    return system_error(error.value(), "look at", given)
        .hint("give an environment folder, a site-packages folder or the root of an image");
  }
  if (path.extension() == ".whl") {
    return EnvironmentRoot{given, "/", "", {given}};
  }
  if (!std::filesystem::is_directory(path, error)) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a folder", given))
        .hint("give an environment folder; for single files there is `fitment audit`");
  }
  if (auto names = list_folder(path); !names) {
    return std::move(names).error();
  }
  const DirectoryView whole("/");
  const bool is_root = path == "/" || looks_like_root(whole, path.string());
  const auto environment = read_python_environment(whole, path.string(), {});
  // A prefix such as /usr has a Python and no etc; an image has both, and then it is an image.
  if (is_root) {
    return EnvironmentRoot{given, path.string(), "", {}};
  }
  if (!environment) {
    if (std::vector<std::string> wheels = wheels_in(given); !wheels.empty()) {
      return EnvironmentRoot{given, "/", "", std::move(wheels)};
    }
    return tl::unexpected<Error>(environment.error());
  }
  return EnvironmentRoot{given, "/", path.string(), {}};
}

Result<OpenedRoot> open_environment_root(const EnvironmentRoot& root,
                                         const Environment& variables,
                                         const ScratchOptions& scratch) {
  OpenedRoot opened;
  opened.folders = std::make_unique<DirectoryView>(root.view_root);
  if (!root.wheels.empty()) {
    opened.wheels = std::make_unique<WheelView>(*opened.folders, kWheelSitePackages, scratch);
    for (const std::string& wheel : root.wheels) {
      FITMENT_TRY(opened.wheels->add(wheel));
    }
    opened.environments.push_back(opened.wheels->environment());
  } else if (root.is_whole()) {
    opened.environments = find_python_environments(*opened.folders, variables);
    if (opened.environments.empty()) {
      return fail(ErrorCode::not_found, fmt::format("`{}` holds no Python packages", root.shown))
          .hint("looked for environments up to five folders deep and for the system's Python");
    }
  } else {
    FITMENT_TRY_ASSIGN(PythonEnvironment environment,
                       read_python_environment(*opened.folders, root.environment, variables));
    opened.environments.push_back(std::move(environment));
  }
  return opened;
}

}  // namespace fitment
