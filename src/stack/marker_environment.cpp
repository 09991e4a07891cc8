// SPDX-License-Identifier: Apache-2.0
#include "stack/marker_environment.h"

#include "wheel/tags.h"

#include <fmt/format.h>

namespace fitment {

MarkerEnvironment marker_environment(const Machine& machine) {
  MarkerEnvironment environment;
  environment.os_name = "posix";
  environment.sys_platform = "linux";
  environment.platform_system = "Linux";
  environment.platform_machine = machine.system.arch.value_or("");
  environment.platform_release = machine.system.kernel.value_or("");
  environment.implementation_name = machine.python.implementation.value_or("cpython");
  environment.platform_python_implementation =
      environment.implementation_name == "pypy" ? "PyPy" : "CPython";
  if (machine.python.version) {
    if (const auto python = parse_python_version(*machine.python.version)) {
      environment.python_version = fmt::format("{}.{}", python->major, python->minor);
      environment.python_full_version = *machine.python.version;
      if (environment.python_full_version.ends_with('t')) {
        environment.python_full_version.pop_back();
      }
      environment.implementation_version = environment.python_full_version;
    }
  }
  return environment;
}

}  // namespace fitment
