// SPDX-License-Identifier: Apache-2.0
// What each finding of a probe means.
#include "probe/probe.h"

namespace fitment {

const std::vector<RuleText>& probe_findings() {
  static const std::vector<RuleText> texts{};
  return texts;
}

}  // namespace fitment
