// SPDX-License-Identifier: Apache-2.0
// Lines for Slurm's gres.conf.
#pragma once

#include "machine/machine.h"

#include <string>

namespace fitment {

/// `AutoDetect=nvml` (rsmi, oneapi) and one `Name=gpu Type=h200 Count=8` for each kind of GPU.
/// Device files are left to AutoDetect: a machine's facts do not hold the minor numbers of
/// /dev/nvidia*, which need not follow the order of the GPUs. Machines with GPUs of several vendors
/// get no AutoDetect line, since Slurm takes one.
std::string slurm_gres(const Machine& machine);

/// The word for a GPU in Slurm: `h200`, `a100_1g.10gb`, `rtx_4090`; a part of the name that
/// AutoDetect finds, as Slurm demands. Empty where the name is unknown.
std::string slurm_type(const Gpu& gpu);

}  // namespace fitment
