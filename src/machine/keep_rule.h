// SPDX-License-Identifier: Apache-2.0
// The keep rule: does GPU code for this target run on that GPU? One pure function, used wherever it
// is asked (choosing builds, diagnosing environments, slicing libraries, variant properties).
//
// For cubins, as nvlink 13.0 accepts them and NVIDIA's compatibility guides state:
//   * same major, minor of the code not above the GPU's: 8.0 code runs on 8.6 and 8.9, never 8.6
//   on 8.0;
//   * never across majors;
//   * never between desktop and embedded parts (5.3 6.2 7.2 8.7 8.8 10.1 11.0). Desktop code of a
//   lower minor on an
//     embedded GPU is `unsure`: reports conflict (it ran on an Orin once; NVIDIA promises nothing);
//   * `a` code runs on exactly its architecture; `f` code within its family (10.x, 12.x; 11.0
//   alone).
// For PTX: `compute_X` compiles on any GPU of capability >= X, `compute_Xa` on X only, `compute_Xf`
// in the family. The driver must be at least as new as the toolkit that wrote the PTX; that is the
// caller's to check. For AMD: the exact gfx name; a feature that the code demands (xnack+) must not
// be contradicted by the GPU's.
#pragma once

#include "machine/gpu_target.h"

#include <vector>

namespace fitment {

enum class Runs {
  no,
  unsure,  ///< evidence conflicts: a desktop neighbour's code on an embedded GPU
  jit,     ///< PTX that a new enough driver compiles at first load
  native,  ///< machine code that runs as it is
};

Runs code_runs_on(const CudaTarget& code, const CudaTarget& gpu);
Runs code_runs_on(const GfxTarget& code, const GfxTarget& gpu);
/// `no` across vendors, and where nothing is known of a vendor's code.
Runs code_runs_on(const GpuTarget& code, const GpuTarget& gpu);

/// The best answer over a list of code targets, and the target that gave it.
struct BestCode {
  Runs runs = Runs::no;
  CudaTarget code;  ///< meaningful unless `runs` is no
};
BestCode best_code_for(const std::vector<CudaTarget>& codes, const CudaTarget& gpu);

}  // namespace fitment
