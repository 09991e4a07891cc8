// SPDX-License-Identifier: Apache-2.0
// Observes a host and returns its facts. Never fails: what cannot be read is unknown, and what
// shows a broken system becomes a finding with the fix.
#pragma once

#include "base/rule_text.h"
#include "catalog/catalog.h"
#include "machine/machine.h"
#include "probe/host_view.h"

#include <chrono>
#include <string>
#include <vector>

namespace fitment {

struct ProbeOptions {
  const HostView* host = nullptr;
  const Catalog* catalog = nullptr;
  /// An interpreter's path, an environment's folder, or a version such as `3.12`; empty: the active
  /// environment, else what PATH gives.
  std::string python;
  /// A library to load instead of the one that the host has. With it NVML is asked for a recorded
  /// host too.
  std::string nvml_library;
  std::string cuda_library;
  std::string level_zero_library;
  /// For each vendor library. The first contact with an idle driver takes a second for each GPU.
  std::chrono::milliseconds driver_timeout{15'000};
  /// Whether CUDA_VISIBLE_DEVICES takes GPUs away.
  bool visible_devices = false;
};

Machine probe_machine(const ProbeOptions& options);

/// The findings that probing can report.
const std::vector<RuleText>& probe_findings();

}  // namespace fitment
