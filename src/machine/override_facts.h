// SPDX-License-Identifier: Apache-2.0
// Private to the overrides: setting one fact and forgetting what it contradicts.
#pragma once

#include "machine/machine.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

inline constexpr const char* kOverrideEvidence = "override";

/// Forgets a fact unless an override set it.
template <typename T>
void forget_probed(Known<T>& fact) {
  if (fact && fact.evidence() != kOverrideEvidence) {
    fact.forget();
  }
}

void override_cuda_api(Machine& machine, DottedVersion version);
void override_nvidia_version(Machine& machine, DottedVersion version);
/// Sets the libc; an empty family keeps the one that is known (glibc where none is).
void override_libc(Machine& machine, const std::string& family, DottedVersion version);
void override_cpu_level(Machine& machine, const std::string& level);
void override_cpu_features(Machine& machine, std::vector<std::string> features);
void override_microarchitecture(Machine& machine, const std::string& name);

/// All GPUs of the vendor get this target; without one, a GPU is added.
void override_targets(Machine& machine, const GpuTarget& target);
/// Replaces the GPUs of the vendor by one GPU for each target.
void override_gpus(Machine& machine, GpuVendor vendor, const std::vector<GpuTarget>& targets);

template <typename T>
void override_presence(DriverState<T>& state, typename DriverState<T>::Presence presence) {
  state.presence = presence;
  state.driver = {};
  state.evidence = presence == DriverState<T>::Presence::unknown ? "" : kOverrideEvidence;
}

/// A driver that is said to have a version is present.
template <typename T>
void make_present(DriverState<T>& state) {
  if (!state.is_present()) {
    state.presence = DriverState<T>::Presence::present;
    state.evidence = kOverrideEvidence;
  }
}

/// Reads a target of any vendor: `sm_90`, `9.0`, `gfx942`, or an Intel device IP of three numbers.
Result<GpuTarget> parse_any_target(std::string_view text);

}  // namespace fitment
