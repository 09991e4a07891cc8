// SPDX-License-Identifier: Apache-2.0
#include "choose/judge.h"

namespace fitment {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "fits";
    case Verdict::unsure:
      return "unsure";
    case Verdict::does_not_fit:
      return "does not fit";
  }
  return "unsure";
}

namespace {

void judge_hardware_into(const Situation& situation, const Build& build, Judgement& judgement) {
  judge_cpu(situation, build, judgement);
  if (judge_kind(situation, build, judgement)) {
    judge_driver(situation, build, judgement);
    judge_kernels(situation, build, judgement);
    judge_cudnn(situation, build, judgement);
  }
}

}  // namespace

Judgement judge_hardware(const Situation& situation, const Build& build) {
  Judgement judgement;
  judge_hardware_into(situation, build, judgement);
  return judgement;
}

Judgement judge_build(const Situation& situation, const Release& release, const Build& build) {
  Judgement judgement;
  judge_python(situation, release, build, judgement);
  judge_platform(situation, release, build, judgement);
  judge_hardware_into(situation, build, judgement);
  return judgement;
}

}  // namespace fitment
