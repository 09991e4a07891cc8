// SPDX-License-Identifier: Apache-2.0
// A running kernel tells its name and release; the files of an image tell only what they were built
// for. The kernel of the machine that builds an image is never that of the machine that runs it.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/elf_head.h"
#include "probe/host_text.h"

#include <array>
#include <map>

namespace fitment {

namespace {

std::map<std::string, std::string, std::less<>> os_release(const HostView& host,
                                                           std::string& evidence) {
  std::map<std::string, std::string, std::less<>> values;
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = read_text(host, path);
    if (!text) {
      continue;
    }
    evidence = path;
    for (const std::string_view line : split_lines(*text)) {
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos || line.starts_with('#')) {
        continue;
      }
      std::string_view value = trim(line.substr(equals + 1));
      if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')
          && value.back() == value.front()) {
        value = value.substr(1, value.size() - 2);
      }
      values.emplace(trim(line.substr(0, equals)), value);
    }
    break;
  }
  return values;
}

void detect_distribution(const HostView& host, Observation& seen) {
  std::string evidence;
  const auto values = os_release(host, evidence);
  const auto id = values.find("ID");
  if (id == values.end() || id->second.empty()) {
    return;
  }
  std::string name = id->second;
  if (const auto version = values.find("VERSION_ID");
      version != values.end() && !version->second.empty()) {
    name += "-" + version->second;
  }
  seen.machine.system.distribution.set(name, evidence);
}

/// The architecture that the files of a tree are for: that of a program which every tree has, else
/// of the loader's name.
void detect_arch_of_files(const HostView& host, Observation& seen) {
  for (const char* path : {"/bin/sh", "/usr/bin/env", "/bin/busybox", "/sbin/ldconfig"}) {
    if (const auto head = read_elf_head(host, path); head && !head->arch.empty()) {
      seen.machine.system.arch.set(head->arch, path);
      return;
    }
  }
  struct Loader {
    const char* path;
    const char* arch;
  };
  constexpr std::array<Loader, 7> kLoaders{{
      {"/lib64/ld-linux-x86-64.so.2", "x86_64"},
      {"/lib/x86_64-linux-gnu/libc.so.6", "x86_64"},
      {"/lib/ld-musl-x86_64.so.1", "x86_64"},
      {"/lib/ld-linux-aarch64.so.1", "aarch64"},
      {"/lib/aarch64-linux-gnu/libc.so.6", "aarch64"},
      {"/lib/ld-musl-aarch64.so.1", "aarch64"},
      {"/lib64/ld64.so.2", "ppc64le"},
  }};
  for (const Loader& loader : kLoaders) {
    if (host.exists(loader.path)) {
      seen.machine.system.arch.set(loader.arch, loader.path);
      return;
    }
  }
}

}  // namespace

void detect_system(const HostView& host, Observation& seen) {
  System& system = seen.machine.system;
  const auto& kernel = host.witnesses().kernel;
  const auto release = read_line(host, "/proc/sys/kernel/osrelease");
  if (kernel) {
    system.os.set(to_lower(kernel->system), "uname");
    system.arch.set(kernel->machine, "uname");
    system.kernel.set(kernel->release, "uname");
    seen.machine.name = kernel->node;
  } else if (release) {
    system.kernel.set(*release, "/proc/sys/kernel/osrelease");
  }
  seen.running = kernel || release || host.exists("/proc/cpuinfo");
  if (seen.machine.name.empty()) {
    seen.machine.name = read_line(host, "/etc/hostname").value_or("");
  }
  detect_distribution(host, seen);
  if (!system.arch) {
    detect_arch_of_files(host, seen);
  }
  if (system.distribution || system.arch) {
    system.os.set_if_unknown(
        "linux", system.distribution ? system.distribution.evidence() : system.arch.evidence());
  }
}

}  // namespace fitment
