// SPDX-License-Identifier: Apache-2.0
#include "probe/detect_mig.h"

#include <fmt/format.h>

namespace fitment {

namespace {

/// `1g.5gb` of `NVIDIA A100-SXM4-40GB MIG 1g.5gb`.
std::string profile_of(const std::string& name) {
  constexpr std::string_view kMark = "MIG ";
  const std::size_t at = name.rfind(kMark);
  return at == std::string::npos ? std::string() : name.substr(at + kMark.size());
}

}  // namespace

std::vector<SeenGpu> usable_parts(const SeenGpu& whole, const NvmlGpu& told, Observation& seen) {
  if (!told.mig) {
    return {whole};
  }
  if (told.slices.empty()) {
    seen.find(
        "mig-without-slices",
        fmt::format("{} is in MIG mode and has no instance, so no program can use it",
                    whole.gpu.name.value_or("a GPU")),
        "create instances (nvidia-smi mig -cgi 19,19 -C) or switch MIG off (nvidia-smi -mig 0)");
    return {whole};
  }
  std::vector<SeenGpu> parts;
  for (const NvmlSlice& slice : told.slices) {
    SeenGpu part = whole;
    part.gpu.memory_bytes.forget();
    part.gpu.uuid.forget();
    if (slice.memory_bytes) {
      part.gpu.memory_bytes.set(*slice.memory_bytes, "nvml");
    }
    if (!slice.uuid.empty()) {
      part.gpu.uuid.set(slice.uuid, "nvml");
    }
    const std::string profile = profile_of(slice.name);
    part.gpu.mig.set(profile.empty() ? "unknown" : profile, "nvml");
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace fitment
