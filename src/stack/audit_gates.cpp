// SPDX-License-Identifier: Apache-2.0
#include "stack/audit_gates.h"

#include "machine/keep_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

bool entry_runs_on(const GpuEntry& entry, const GpuTarget& gpu) {
  return entry.target && code_runs_on(*entry.target, gpu) >= Runs::jit;
}

bool has_code_for(const AuditedFile& file, const GpuTarget& gpu) {
  return std::any_of(
      file.gpu.containers.begin(), file.gpu.containers.end(), [&](const GpuContainer& container) {
        return std::any_of(container.entries.begin(),
                           container.entries.end(),
                           [&](const GpuEntry& entry) { return entry_runs_on(entry, gpu); });
      });
}

class GateCheck {
 public:
  explicit GateCheck(const AuditGates& gates) : gates_(gates) {}

  void file(const AuditedFile& file, std::size_t index) {
    const auto failed = [&](std::string_view rule, std::string what) {
      failures_.push_back({rule, file.path, index, std::nullopt, std::move(what)});
    };
    if (gates_.highest_level && file.cpu && file.cpu->built_for > *gates_.highest_level) {
      failed("cpu-level", fmt::format("built for {}", to_string(file.cpu->built_for)));
    }
    if (gates_.highest_arm_level && file.arm_cpu
        && file.arm_cpu->built_for > *gates_.highest_arm_level) {
      failed("cpu-level", fmt::format("built for {}", to_string(file.arm_cpu->built_for)));
    }
    if (gates_.glibc && file.glibc_floor && *gates_.glibc < file.glibc_floor->version) {
      failed("glibc-floor",
             fmt::format("needs glibc {} ({} of {})",
                         to_string(file.glibc_floor->version),
                         file.glibc_floor->name,
                         file.glibc_floor->library));
    }
    for (const GpuTarget& target : gates_.required) {
      if (!file.targets.empty() && !has_code_for(file, target)) {
        failed("gpu-kernels",
               fmt::format("has GPU code, and none of it runs on {}", to_string(target)));
      }
    }
  }

  void wheel(const AuditedWheel& wheel, std::size_t index) {
    const auto failed = [&](std::string_view rule, std::string what) {
      failures_.push_back({rule, wheel.path, std::nullopt, index, std::move(what)});
    };
    const auto claimed = claimed_glibc(wheel.claim.tags);
    if (gates_.glibc && claimed && *gates_.glibc < *claimed) {
      failed("glibc-floor",
             fmt::format("is tagged for glibc {} and newer; installers on glibc {} pass it over",
                         fmt::format("{}.{}", claimed->major(), claimed->minor()),
                         to_string(*gates_.glibc)));
    }
    if (gates_.claims) {
      for (const std::string& problem : wheel.claim.problems) {
        failed("platform-tag", problem);
      }
    }
  }

  /// A build that lost all its GPU code keeps no promise about GPUs.
  void all(const Audit& audit) {
    const bool has_gpu_code =
        std::any_of(audit.files.begin(), audit.files.end(), [](const AuditedFile& file) {
          return !file.targets.empty();
        });
    const std::size_t inputs = audit.files.size() + audit.wheels.size();
    if (gates_.required.empty() || has_gpu_code || inputs == 0) {
      return;
    }
    GateFailure failure{"gpu-kernels", {}, std::nullopt, std::nullopt, "has no GPU code"};
    if (audit.wheels.empty()) {
      failure.path = audit.files.front().path;
      failure.file = 0;
    } else {
      failure.path = audit.wheels.front().path;
      failure.wheel = 0;
    }
    const std::size_t others =
        audit.wheels.empty() ? audit.files.size() - 1 : audit.wheels.size() - 1 + audit.own_files();
    if (others > 0) {
      failure.what += fmt::format(", nor has any of {} more", others);
    }
    failures_.push_back(std::move(failure));
  }

  std::vector<GateFailure> take() { return std::move(failures_); }

 private:
  const AuditGates& gates_;
  std::vector<GateFailure> failures_;
};

}  // namespace

std::vector<GateFailure> check_gates(const Audit& audit, const AuditGates& gates) {
  GateCheck check(gates);
  for (std::size_t i = 0; i < audit.files.size(); ++i) {
    check.file(audit.files[i], i);
  }
  for (std::size_t i = 0; i < audit.wheels.size(); ++i) {
    check.wheel(audit.wheels[i], i);
  }
  check.all(audit);
  return check.take();
}

}  // namespace fitment
