// SPDX-License-Identifier: Apache-2.0
// The rules: each looks at one build on one machine and says what speaks against it. One rule a
// file.
#pragma once

#include "catalog/framework.h"
#include "choose/situation.h"
#include "choose/verdict.h"

namespace fitment {

/// python-tag: is there a wheel for this interpreter?
void judge_python(const Situation& situation,
                  const Release& release,
                  const Build& build,
                  Judgement& judgement);
/// platform-tag and glibc-floor: architecture, operating system, C library.
void judge_platform(const Situation& situation,
                    const Release& release,
                    const Build& build,
                    Judgement& judgement);
/// cpu-level: instruction sets that the code needs unconditionally.
void judge_cpu(const Situation& situation, const Build& build, Judgement& judgement);
/// gpu-vendor and policy-cpu: is this kind of build wanted here at all? False: the GPU rules have
/// nothing to look at.
bool judge_kind(const Situation& situation, const Build& build, Judgement& judgement);
/// driver-floor, with the warnings minor-version and forward-compat.
void judge_driver(const Situation& situation, const Build& build, Judgement& judgement);
/// gpu-kernels, with the warnings ptx-jit, kernels-stated and unsure-tegra.
void judge_kernels(const Situation& situation, const Build& build, Judgement& judgement);
/// cudnn-floor: newer cuDNN refuses older GPUs.
void judge_cudnn(const Situation& situation, const Build& build, Judgement& judgement);

/// The rules about CPU and GPU: all that the name of a wheel does not tell.
Judgement judge_hardware(const Situation& situation, const Build& build);
/// All of the above.
Judgement judge_build(const Situation& situation, const Release& release, const Build& build);

}  // namespace fitment
