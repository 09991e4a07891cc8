// SPDX-License-Identifier: Apache-2.0
#include "choose/marker_facts.h"

#include "wheel/tags.h"

#include <fmt/format.h>

namespace fitment {

MarkerEnvironment marker_facts(const Machine& machine) {
  MarkerEnvironment facts;
  facts.os_name = "posix";
  facts.sys_platform = "linux";
  facts.platform_system = "Linux";
  facts.platform_machine = machine.system.arch.value_or("");
  facts.platform_release = machine.system.kernel.value_or("");
  facts.implementation_name = machine.python.implementation.value_or("cpython");
  facts.platform_python_implementation = facts.implementation_name == "pypy" ? "PyPy" : "CPython";
  if (machine.python.version) {
    if (const auto python = parse_python_version(*machine.python.version)) {
      facts.python_version = fmt::format("{}.{}", python->major, python->minor);
      facts.python_full_version = *machine.python.version;
      if (facts.python_full_version.ends_with('t')) {
        facts.python_full_version.pop_back();
      }
      facts.implementation_version = facts.python_full_version;
    }
  }
  return facts;
}

}  // namespace fitment
