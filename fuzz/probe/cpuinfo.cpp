// SPDX-License-Identifier: Apache-2.0
// /proc/cpuinfo and the small texts that stand beside it, from any kernel or none.
#include "probe/cpuinfo.h"

#include "probe/arm_features.h"
#include "probe/nvidia_files.h"
#include "probe/nvidia_smi.h"
#include "probe/toolkit_versions.h"
#include "probe/witnesses.h"
#include "probe/x86_features.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const fitment::Cpuinfo info = fitment::parse_cpuinfo(text);
  fitment::x86_level(info.flags);
  fitment::arm_level(info.flags);
  if (const auto table = fitment::parse_cpuid(text, "fuzz")) {
    // What was read is written and read again to the same.
    const std::string once = fitment::to_string(*table);
    const auto again = fitment::parse_cpuid(once, "again");
    if (!again || fitment::to_string(*again) != once) {
      std::abort();
    }
    fitment::usable_x86_features(*table);
  }
  (void)fitment::parse_auxv(text, "fuzz").has_value();
  (void)fitment::parse_uname(text, "fuzz").has_value();
  fitment::parse_nvrm_version(text);
  fitment::parse_nvidia_smi(text);
  fitment::parse_cuda_version_json(text);
  return 0;
}
