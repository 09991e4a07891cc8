// SPDX-License-Identifier: Apache-2.0
#include "cli/policy_options.h"

namespace fitment {

void add_policy_options(std::vector<OptionSpec>& options) {
  const std::vector<OptionSpec> policy{
      {.name = "backend",
       .help = "take this backend and no other: cu128, rocm6.4, xpu, cpu",
       .value = "LABEL",
       .group = "Policy"},
      {.name = "gpu",
       .help = "count only GPUs of this vendor",
       .value = "VENDOR",
       .choices = {"nvidia", "amd", "intel"},
       .group = "Policy"},
      {.name = "allow-cpu",
       .help = "a CPU build will do where no GPU build fits",
       .group = "Policy"},
      {.name = "allow-unsure",
       .help = "take a build that may or may not run where none is sure to",
       .group = "Policy"},
      {.name = "prefer",
       .help = "which of several fitting builds of one version wins (default: driver)",
       .value = "WHAT",
       .choices = {"driver", "smallest", "newest", "oldest-driver"},
       .group = "Policy"}};
  options.insert(options.end(), policy.begin(), policy.end());
}

Result<ChoosePolicy> read_policy(const Invocation& invocation, const std::optional<Wish>& wish) {
  ChoosePolicy policy;
  if (wish) {
    policy.backend = wish->backend;
    policy.gpu = wish->gpu;
    policy.allow_cpu = wish->allow_cpu.value_or(false);
    policy.allow_unsure = wish->allow_unsure.value_or(false);
    policy.prefer = wish->prefer.value_or(Prefer::driver_match);
  }
  if (const auto backend = invocation.find("backend")) {
    policy.backend = *backend;
  }
  if (const auto gpu = invocation.find("gpu")) {
    FITMENT_TRY_ASSIGN(policy.gpu, parse_gpu_vendor(*gpu));
  }
  if (const auto prefer = invocation.find("prefer")) {
    FITMENT_TRY_ASSIGN(policy.prefer, parse_prefer(*prefer));
  }
  policy.allow_cpu = policy.allow_cpu || invocation.flag("allow-cpu");
  policy.allow_unsure = policy.allow_unsure || invocation.flag("allow-unsure");
  if (policy.backend == "cpu" && policy.gpu) {
    return fail(ErrorCode::invalid_argument, "`--backend cpu` and `--gpu` contradict each other")
        .hint("leave one of the two out");
  }
  return policy;
}

}  // namespace fitment
