// SPDX-License-Identifier: Apache-2.0
// The driver against the CUDA major that the libraries need, parts that need different majors, and
// CPU builds on machines with a GPU.
#include "base/text.h"
#include "doctor/examination.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

/// Who needs which CUDA major, and how that is known.
using MajorUsers = std::map<std::uint32_t, std::map<std::string, std::string>>;

bool is_of_nvidia(const Examination& x, const InstalledDistribution& distribution) {
  return x.libraries->find_wheel(distribution.name) != nullptr
         || distribution.name.starts_with("nvidia-") || distribution.name.starts_with("cuda-");
}

/// By what the binaries of packages need. Libraries whose soname several majors share say nothing.
MajorUsers find_majors(const Examination& x) {
  MajorUsers users;
  for (const StackBinary& binary : x.stack.binaries) {
    const InstalledDistribution& owner = x.stack.distributions[binary.distribution];
    if (is_of_nvidia(x, owner)) {
      continue;
    }
    for (const std::string& needed : binary.dynamic.needed) {
      const std::uint32_t major = x.libraries->cuda_major_of(needed);
      if (major != 0) {
        users[major].emplace(x.shown_distribution(binary.distribution),
                             fmt::format("{} needs {}", x.shown(binary.path), needed));
      }
    }
  }
  return users;
}

void check_majors(Examination& x, const MajorUsers& users) {
  if (users.size() < 2) {
    return;
  }
  std::vector<std::string> evidence;
  std::vector<std::string> subjects;
  for (const auto& [major, packages] : users) {
    for (const auto& [package, how] : packages) {
      evidence.push_back(fmt::format("CUDA {}: {}: {}", major, package, how));
    }
    subjects.push_back(fmt::format("{} (CUDA {})", packages.begin()->first, major));
  }
  x.findings.push_back(
      {.rule = "mixed-cuda-majors",
       .severity = Severity::warning,
       .subject = fmt::format("{}", fmt::join(subjects, " and ")),
       .cause = "packages that come into one process were built for different CUDA majors",
       .evidence = std::move(evidence),
       .fix = {"install builds of all of them for one CUDA major", {}}});
}

void check_driver(Examination& x, const MajorUsers& users) {
  const Machine& machine = *x.machine;
  const bool has_nvidia = [&] {
    const auto gpus = counted_gpus(machine);
    return std::any_of(gpus.begin(), gpus.end(), [](const Gpu* gpu) {
      return gpu->vendor && *gpu->vendor == GpuVendor::nvidia;
    });
  }();
  if (!has_nvidia || users.empty()) {
    if (!users.empty() && !machine.gpus) {
      x.unknowns.emplace_back(
          "the machine does not say which GPUs it has, so drivers and kernels are not judged");
    }
    return;
  }
  if (!machine.drivers.nvidia.is_present()) {
    x.unknowns.emplace_back("the machine's NVIDIA driver is not known");
    return;
  }
  const NvidiaDriver& driver = machine.drivers.nvidia.driver;
  const std::uint32_t wanted = users.rbegin()->first;
  const auto floor = x.cuda->driver_floor({wanted, 0});
  std::optional<bool> is_old;
  if (driver.forward_compat && driver.forward_compat->major() >= wanted) {
    is_old = false;
  } else if (driver.cuda_api) {
    is_old = driver.cuda_api->major() < wanted;
  } else if (driver.version && floor) {
    is_old = *driver.version < *floor;
  }
  if (!is_old) {
    x.unknowns.emplace_back("the machine does not say which driver version it has");
    return;
  }
  if (!*is_old) {
    return;
  }
  const auto& [package, how] = *users.rbegin()->second.begin();
  std::vector<std::string> evidence{fmt::format("{}: {}", package, how)};
  if (driver.version) {
    evidence.push_back("driver: " + driver.version->text());
  }
  if (driver.cuda_api) {
    evidence.push_back("CUDA driver API: " + driver.cuda_api->text());
  }
  if (floor) {
    evidence.push_back(fmt::format("floor of CUDA {}: driver {}", wanted, floor->text()));
  }
  const std::string name = package.substr(0, package.find(' '));
  x.findings.push_back(
      {.rule = "driver-too-old",
       .severity = Severity::error,
       .subject = fmt::format("{} (CUDA {})", package, wanted),
       .cause = fmt::format(
           "CUDA {} needs driver {} or newer", wanted, floor ? floor->text() : "of its major"),
       .evidence = std::move(evidence),
       .fix = {fmt::format("install a driver from {} on, or a build of {} for CUDA {}",
                           floor ? floor->text() : fmt::format("CUDA {}", wanted),
                           name,
                           driver.cuda_api ? driver.cuda_api->major() : wanted - 1),
               {fmt::format("fitment plan {}", name)}}});
}

/// A build without any GPU code while the machine has a GPU that other builds serve.
void check_cpu_builds(Examination& x) {
  const auto gpus = counted_gpus(*x.machine);
  const auto gpu = std::find_if(gpus.begin(), gpus.end(), [](const Gpu* one) {
    return one->vendor && (*one->vendor != GpuVendor::intel);
  });
  if (gpu == gpus.end()) {
    return;
  }
  for (std::size_t i = 0; i < x.stack.distributions.size(); ++i) {
    const InstalledDistribution& distribution = x.stack.distributions[i];
    const auto framework = x.catalog->find_framework(distribution.name);
    if (x.stack.shadowed_by[i] || !framework || *framework == nullptr) {
      continue;
    }
    const bool is_cpu_name = (*framework)->cpu_name == distribution.name
                             && (*framework)->name != distribution.name
                             && x.stack.find((*framework)->name) == nullptr;
    const bool is_cpu_label = distribution.metadata.version.local().starts_with("cpu");
    const bool is_main = (*framework)->name == distribution.name;
    if (!is_cpu_name && !(is_cpu_label && is_main)) {
      continue;
    }
    x.findings.push_back(
        {.rule = "cpu-build-on-gpu-machine",
         .severity = Severity::warning,
         .subject = x.shown_distribution(i),
         .cause = fmt::format("a CPU build is installed, and the machine has {}",
                              (*gpu)->name ? "`" + *(*gpu)->name + "`" : "a GPU"),
         .evidence = {is_cpu_label
                          ? fmt::format("the version says `+{}`",
                                        distribution.metadata.version.local())
                          : fmt::format("`{}` is the name of the CPU builds", distribution.name)},
         .fix = {"install a build for the GPU",
                 {fmt::format("fitment plan {}", (*framework)->name)}}});
  }
}

}  // namespace

void check_cuda(Examination& examination) {
  const MajorUsers users = find_majors(examination);
  check_majors(examination, users);
  check_driver(examination, users);
  check_cpu_builds(examination);
}

}  // namespace fitment
