// SPDX-License-Identifier: Apache-2.0
#include "cli/target_environment.h"

#include "base/posix_io.h"
#include "base/text.h"
#include "cli/environment.h"
#include "probe/probe.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

namespace {

/// `python3.12` on PATH for `3.12`.
std::string find_on_path(const std::string& version, const Environment& environment) {
  const std::string path = value_of(environment, "PATH");
  for (const std::string_view folder : split(path, ':')) {
    const std::filesystem::path candidate =
        std::filesystem::path(folder) / fmt::format("python{}", version);
    std::error_code ignored;
    if (!folder.empty() && std::filesystem::exists(candidate, ignored)) {
      return candidate.string();
    }
  }
  return {};
}

}  // namespace

Result<TargetEnvironment> find_target_environment(const Invocation& invocation,
                                                  const Catalog& catalog,
                                                  const Streams& streams) {
  std::string given = invocation.get("python");
  if (const auto version = parse_python_version(given)) {
    const std::string found =
        find_on_path(fmt::format("{}.{}", version->major, version->minor), streams.environment);
    if (found.empty()) {
      return fail(ErrorCode::not_found, fmt::format("no `python{}` is on PATH", given))
          .hint("give the path of an interpreter or environment: `--python .venv`");
    }
    given = found;
  }
  const auto host = live_host(streams.environment);
  const Machine here = probe_machine({.host = host.get(), .catalog = &catalog, .python = given});
  if (!here.python.executable) {
    return fail(ErrorCode::not_found,
                given.empty() ? "no environment is active and no Python is on PATH"
                              : fmt::format("`{}` has no Python", given))
        .hint("make one with `python3 -m venv .venv`, and name it: `--python .venv`");
  }
  std::error_code error;
  const auto interpreter = std::filesystem::absolute(*here.python.executable, error);
  if (error) {  // the folder that it is relative to is gone
    return system_error(error.value(), "look at", *here.python.executable);
  }
  return TargetEnvironment{
      interpreter.string(), interpreter.parent_path().parent_path().string(), here.python};
}

}  // namespace fitment
