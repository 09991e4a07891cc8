// SPDX-License-Identifier: Apache-2.0
// gpu-kernels. Every GPU that counts needs code that runs on it by the keep rule
// (machine/keep_rule.h): native, or PTX that this driver can compile. A driver compiles PTX of
// toolkits up to its own CUDA version only.
#include "choose/judge.h"
#include "machine/keep_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kRule = "gpu-kernels";

template <typename Target>
std::string list_targets(const std::vector<Target>& targets) {
  std::string text;
  for (const Target& target : targets) {
    text += (text.empty() ? "" : " ") + to_string(target);
  }
  return text;
}

/// One GPU of the machine, with its place in the machine file.
struct Subject {
  const Situation& situation;
  const Gpu& gpu;
  std::string fact;  ///< `gpus[0].target`

  [[nodiscard]] std::string found() const {
    const std::string target = gpu.target ? to_string(*gpu.target) : "unknown";
    return gpu.name ? fmt::format("{} ({})", target, *gpu.name) : target;
  }
};

void against(const Subject& subject,
             Verdict verdict,
             std::string required,
             std::string hint,
             Judgement& judgement) {
  judgement.against({std::string(kRule),
                     verdict,
                     subject.fact,
                     subject.found(),
                     std::move(required),
                     std::move(hint)});
}

void warn_tegra(const Subject& subject, Judgement& judgement) {
  judgement.warn("unsure-tegra",
                 fmt::format("{} is an embedded target and the build has only a desktop "
                             "neighbour's code: reports of such code running conflict",
                             to_string(*subject.gpu.target)));
}

void judge_jit(const Subject& subject,
               const Build& build,
               const CudaTarget& ptx,
               Judgement& judgement) {
  const std::optional<DottedVersion>& api = subject.situation.cuda_api;
  const DottedVersion& toolkit = build.toolkit ? *build.toolkit : build.backend.level;
  const DottedVersion needed{toolkit.major(), toolkit.minor()};
  if (api && *api < needed) {
    against(subject,
            Verdict::does_not_fit,
            fmt::format("machine code, or a driver of CUDA {} to compile {}",
                        to_string(needed),
                        to_string(ptx)),
            fmt::format("update the NVIDIA driver to one of CUDA {} or newer", to_string(needed)),
            judgement);
    return;
  }
  judgement.needs_jit = true;
  judgement.warn("ptx-jit",
                 fmt::format("no machine code for {}: the driver compiles {} when a kernel is "
                             "first used, which takes minutes once",
                             subject.found(),
                             to_string(ptx)));
}

void judge_listed(const Subject& subject,
                  const Build& build,
                  const CudaTarget& gpu,
                  Judgement& judgement) {
  const BestCode best = best_code_for(*build.cuda_code, gpu);
  const std::string listed =
      fmt::format("code for {}; the build has {}", to_string(gpu), list_targets(*build.cuda_code));
  switch (best.runs) {
    case Runs::native:
      return;
    case Runs::jit:
      judge_jit(subject, build, best.code, judgement);
      return;
    case Runs::unsure:
      warn_tegra(subject, judgement);
      against(subject,
              Verdict::unsure,
              listed,
              "take the wheels that the board's vendor publishes, or `--allow-unsure`",
              judgement);
      return;
    case Runs::no:
      against(subject, Verdict::does_not_fit, listed, {}, judgement);
      return;
  }
}

/// No list is known: the publisher's stated minimum stands in, together with what the toolkit can
/// compile.
void judge_stated(const Subject& subject,
                  const Build& build,
                  const CudaTarget& gpu,
                  Judgement& judgement) {
  const CudaTarget& lowest = *build.stated_minimum;
  const std::string required =
      fmt::format("compute capability {} or higher, as the publisher states", lowest.capability());
  const CudaTargetsRow* row = compilable_targets(build, *subject.situation.cuda);
  if (gpu.number() < lowest.number()) {
    against(subject, Verdict::does_not_fit, required, {}, judgement);
    return;
  }
  if (row == nullptr) {
    against(subject, Verdict::unsure, "a known list of kernels or a known toolkit", {}, judgement);
    return;
  }
  switch (best_code_for(row->targets, gpu).runs) {
    case Runs::native:
    case Runs::jit:
      judgement.warn("kernels-stated",
                     fmt::format("the kernel list of this build is not known; the publisher states "
                                 "compute capability {} as its lowest",
                                 lowest.capability()));
      return;
    case Runs::unsure:
      warn_tegra(subject, judgement);
      against(subject, Verdict::unsure, required, {}, judgement);
      return;
    case Runs::no:
      against(subject,
              Verdict::does_not_fit,
              fmt::format("a target that CUDA {} can compile for",
                          to_string(build.toolkit ? *build.toolkit : build.backend.level)),
              {},
              judgement);
      return;
  }
}

void judge_cuda_gpu(const Subject& subject, const Build& build, Judgement& judgement) {
  const auto* gpu = subject.gpu.target ? std::get_if<CudaTarget>(&*subject.gpu.target) : nullptr;
  if (gpu == nullptr) {
    against(subject,
            Verdict::unsure,
            "a known compute capability",
            fmt::format("pass it with `--set {}=sm_90`", subject.fact),
            judgement);
  } else if (build.cuda_code) {
    judge_listed(subject, build, *gpu, judgement);
  } else if (build.stated_minimum) {
    judge_stated(subject, build, *gpu, judgement);
  } else {
    against(subject,
            Verdict::unsure,
            "a known list of kernels: the catalogue has none for this build",
            "`--allow-unsure` takes it all the same",
            judgement);
  }
}

void judge_amd_gpu(const Subject& subject, const Build& build, Judgement& judgement) {
  const auto* gpu = subject.gpu.target ? std::get_if<GfxTarget>(&*subject.gpu.target) : nullptr;
  if (gpu == nullptr) {
    against(subject,
            Verdict::unsure,
            "a known gfx target",
            fmt::format("pass it with `--set {}=gfx1100`", subject.fact),
            judgement);
    return;
  }
  if (!build.gfx_code) {
    against(subject,
            Verdict::unsure,
            "a known list of kernels: the catalogue has none for this build",
            "`--allow-unsure` takes it all the same",
            judgement);
    return;
  }
  const bool runs =
      std::any_of(build.gfx_code->begin(), build.gfx_code->end(), [&](const GfxTarget& code) {
        return code_runs_on(code, *gpu) == Runs::native;
      });
  if (!runs) {
    against(subject,
            Verdict::does_not_fit,
            fmt::format(
                "code for {}; the build has {}", to_string(*gpu), list_targets(*build.gfx_code)),
            {},
            judgement);
  }
}

}  // namespace

void judge_kernels(const Situation& situation, const Build& build, Judgement& judgement) {
  std::set<std::string> seen;  // eight equal GPUs are one reason
  for (std::size_t i = 0; i < situation.counted.size(); ++i) {
    const Gpu& gpu = *situation.counted[i];
    if (gpu.target && !seen.insert(to_string(*gpu.target)).second) {
      continue;
    }
    const Subject subject{situation, gpu, situation.counted_paths[i] + ".target"};
    if (build.backend.kind == Backend::Kind::cuda) {
      judge_cuda_gpu(subject, build, judgement);
    } else if (build.backend.kind == Backend::Kind::rocm) {
      judge_amd_gpu(subject, build, judgement);
    }
    // xpu: the build brings SPIR-V, which a Level Zero driver compiles for any of its GPUs.
  }
}

void judge_cudnn(const Situation& situation, const Build& build, Judgement& judgement) {
  const auto lowest = build.cudnn ? situation.cuda->cudnn_floor(*build.cudnn) : std::nullopt;
  if (!lowest) {
    return;
  }
  for (std::size_t i = 0; i < situation.counted.size(); ++i) {
    const Gpu& gpu = *situation.counted[i];
    const auto* target = gpu.target ? std::get_if<CudaTarget>(&*gpu.target) : nullptr;
    if (target != nullptr && target->number() < lowest->number()) {
      judgement.against({"cudnn-floor",
                         Verdict::does_not_fit,
                         situation.counted_paths[i] + ".target",
                         Subject{situation, gpu, {}}.found(),
                         fmt::format("compute capability {} or higher for cuDNN {}",
                                     lowest->capability(),
                                     to_string(*build.cudnn)),
                         {}});
      return;
    }
  }
}

}  // namespace fitment
