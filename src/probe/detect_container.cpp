// SPDX-License-Identifier: Apache-2.0
// The engines leave marks: files, variables, cgroup paths. No mark on a running system means no
// container; no mark in an image means nothing. A micro-VM that boots a container image has the
// image's /.dockerenv and is no container: there, kernel threads show and the root is no overlay.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <array>

namespace fitment {

namespace {

struct Mark {
  const char* path;
  const char* kind;
};

constexpr std::array<Mark, 4> kFiles{{
    {"/var/run/secrets/kubernetes.io/serviceaccount", "kubernetes"},
    {"/run/secrets/kubernetes.io/serviceaccount", "kubernetes"},
    {"/.singularity.d", "apptainer"},
    {"/run/.containerenv", "podman"},
}};

constexpr std::array<Mark, 6> kVariables{{
    {"KUBERNETES_SERVICE_HOST", "kubernetes"},
    {"APPTAINER_NAME", "apptainer"},
    {"APPTAINER_CONTAINER", "apptainer"},
    {"SINGULARITY_NAME", "apptainer"},
    {"SINGULARITY_CONTAINER", "apptainer"},
    {"TOOLBOX_PATH", "podman"},
}};

constexpr std::array<Mark, 7> kGroups{{
    {"kubepods", "kubernetes"},
    {"/docker", "docker"},
    {"docker-", "docker"},
    {"libpod", "podman"},
    {"/lxc", "lxc"},
    {"machine.slice/machine-", "systemd-nspawn"},
    {"containerd", "containerd"},
}};

bool is_micro_vm(const HostView& host) {
  if (read_line(host, "/proc/2/comm").value_or("") != "kthreadd") {
    return false;
  }
  const auto mounts = read_text(host, "/proc/self/mountinfo");
  if (!mounts) {
    return false;
  }
  for (const std::string_view line : split_lines(*mounts)) {
    const auto words = split_words(line);
    constexpr std::size_t kMountPoint = 4;
    if (words.size() > kMountPoint && words[kMountPoint] == "/") {
      return line.find(" - overlay ") == std::string_view::npos;
    }
  }
  return false;
}

bool set_from(const HostView& host, Known<std::string>& container) {
  for (const Mark& mark : kVariables) {
    if (variable(host, mark.path)) {
      container.set(mark.kind, mark.path);
      return true;
    }
  }
  for (const Mark& mark : kFiles) {
    if (host.exists(mark.path)) {
      container.set(mark.kind, mark.path);
      return true;
    }
  }
  for (const char* path : {"/proc/1/cgroup", "/proc/self/cgroup"}) {
    const std::string groups = read_text(host, path).value_or("");
    for (const Mark& mark : kGroups) {
      if (groups.find(mark.path) != std::string::npos) {
        container.set(mark.kind, path);
        return true;
      }
    }
  }
  if (host.exists("/.dockerenv") && !is_micro_vm(host)) {
    container.set("docker", "/.dockerenv");
    return true;
  }
  // systemd and podman say the engine in a word: `oci`, `podman`, `lxc`, `systemd-nspawn`.
  if (const auto kind = read_line(host, "/run/systemd/container")) {
    container.set(*kind, "/run/systemd/container");
    return true;
  }
  if (const auto kind = variable(host, "container")) {
    container.set(*kind, "variable container");
    return true;
  }
  return false;
}

}  // namespace

void detect_container(const HostView& host, Observation& seen) {
  Known<std::string>& container = seen.machine.system.container;
  if (!set_from(host, container) && seen.running) {
    container.set("none", "no mark of a container");
  }
}

}  // namespace fitment
