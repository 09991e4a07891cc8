// SPDX-License-Identifier: Apache-2.0
#include "install/cross_arguments.h"

#include "wheel/tags.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

Error unknown(std::string_view what, std::string_view setting) {
  return fail(ErrorCode::invalid_argument,
              fmt::format("the machine file does not say its {}", what))
      .hint(fmt::format("add it to the file, or give `{}`", setting));
}

}  // namespace

Result<std::vector<std::string>> cross_arguments(const Machine& machine) {
  if (!machine.python.version) {
    return unknown("Python", "--python 3.12");
  }
  if (!machine.system.arch) {
    return unknown("architecture", "--set system.arch=x86_64");
  }
  if (!machine.system.libc) {
    return unknown("C library", "--set system.libc=2.35");
  }
  FITMENT_TRY_ASSIGN(PythonVersion python, parse_python_version(*machine.python.version));
  if (machine.python.implementation) {
    python.implementation = *machine.python.implementation;
  }
  const Libc& libc = *machine.system.libc;
  const std::vector<Tag> tags =
      supported_tags(python, *machine.system.arch, libc.family, libc.version);
  std::vector<std::string> arguments{"--python-version",
                                     fmt::format("{}.{}", python.major, python.minor),
                                     "--implementation",
                                     python.implementation == "pypy" ? "pp" : "cp"};
  if (python.free_threaded) {
    arguments.insert(arguments.end(), {"--abi", tags.front().abi});
  }
  std::vector<std::string> platforms;
  for (const Tag& tag : tags) {
    const bool is_new =
        tag.platform != "any"
        && std::find(platforms.begin(), platforms.end(), tag.platform) == platforms.end();
    if (is_new) {
      platforms.push_back(tag.platform);
    }
  }
  for (const std::string& platform : platforms) {
    arguments.insert(arguments.end(), {"--platform", platform});
  }
  return arguments;
}

}  // namespace fitment
