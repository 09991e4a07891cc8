// SPDX-License-Identifier: Apache-2.0
// A machine as one framework sees it: which GPUs count, what the driver can run, which Python and C
// library there are. Worked out once, then every build is judged against it.
#pragma once

#include "catalog/cuda.h"
#include "catalog/framework.h"
#include "choose/policy.h"
#include "machine/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Do GPUs take part in the choice?
enum class GpuPresence {
  none,     ///< known: no GPU that some build of the framework serves
  usable,   ///< `counted` holds them
  unknown,  ///< the machine does not say which GPUs it has
};

struct Situation {
  const Machine* machine = nullptr;
  const CudaTables* cuda = nullptr;
  const ChoosePolicy* policy = nullptr;
  std::optional<Backend> pin;  ///< the policy's backend, parsed
  /// An extra, a local label or a package name in the request stands for certain builds:
  /// `jax[cuda12]`, `torch==2.8.0+cu128`, `cupy-cuda12x`.
  bool request_names_build = false;

  GpuPresence gpus = GpuPresence::unknown;
  bool has_any_gpu = false;         ///< also those that do not count
  std::optional<GpuVendor> vendor;  ///< of the GPUs that count
  std::vector<const Gpu*> counted;
  std::vector<std::string> counted_paths;  ///< `gpus[1]`, beside `counted`
  std::optional<DottedVersion>
      cuda_api;  ///< CUDA driver API version, derived from the driver version where it may be
  std::string cuda_api_fact;  ///< the fact that it came from
  bool is_tegra = false;      ///< an embedded NVIDIA part: driver numbers are not desktop ones
};

/// Targets that the toolkit of a CUDA build can compile for; where the toolkit is not known, those
/// of the newest toolkit of its major (code that is compiled at run time). Null: not known.
const CudaTargetsRow* compilable_targets(const Build& build, const CudaTables& cuda);

/// `pin` is the parsed backend of the policy. The situation points into its arguments.
Situation assess(const Machine& machine,
                 const Framework& framework,
                 const CudaTables& cuda,
                 const ChoosePolicy& policy,
                 const std::optional<Backend>& pin);

}  // namespace fitment
