// SPDX-License-Identifier: Apache-2.0
// Changes to a machine's facts that somebody asked for: `--set KEY=VALUE` and the variables of
// conda, uv and the variant providers. Each is recorded in the machine, with the evidence
// `override`.
//
// A fact that an override contradicts is forgotten, never kept beside it: who sets the driver
// version does not mean the old CUDA driver API version, who sets the CPU level does not mean the
// old feature list.
#pragma once

#include "machine/machine.h"

#include <map>
#include <string>
#include <string_view>

namespace fitment {

/// Applies one `KEY=VALUE`. Keys are the paths of the machine file: `drivers.nvidia.cuda_api=12.4`,
/// `gpus=[]`, `gpus=sm_90,sm_86`, `gpus[0].target=sm_90`, `drivers.nvidia=none`; the value `null`
/// makes a fact unknown. Errors: invalid_argument (no such key, with the nearest one as a hint; a
/// value that the key cannot take).
Status apply_setting(Machine& machine, std::string_view setting);

/// Applies CONDA_OVERRIDE_{CUDA,CUDA_ARCH,GLIBC,LINUX,ARCHSPEC},
/// NV_VARIANT_PROVIDER_FORCE_{CUDA_DRIVER_VERSION,SM_ARCH}, UV_CUDA_DRIVER_VERSION,
/// UV_AMD_GPU_ARCHITECTURE, AMD_VARIANT_PROVIDER_FORCE_{GFX_ARCH,ROCM_VERSION} and
/// INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP as their own programs read them: an empty
/// CONDA_OVERRIDE_* means "absent", other variables count only when they hold something. Error:
/// invalid_argument with the variable's name.
Status apply_environment(Machine& machine, const std::map<std::string, std::string>& environment);

}  // namespace fitment
