// SPDX-License-Identifier: Apache-2.0
// Jetson boards: the GPU is part of the Tegra chip, which the device tree names. The files of L4T
// (Linux for Tegra) alone prove nothing: its container images run on any arm64 or emulated host.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <array>

namespace fitment {

namespace {

struct Chip {
  std::string_view compatible;
  const char* name;  ///< as libcuda calls the GPU
  CudaTarget target;
};

constexpr std::array<Chip, 5> kChips{{
    {"nvidia,tegra210", "Tegra X1", {5, 3}},
    {"nvidia,tegra186", "Tegra X2", {6, 2}},
    {"nvidia,tegra194", "Xavier", {7, 2}},
    {"nvidia,tegra234", "Orin", {8, 7}},
    {"nvidia,tegra264", "Thor", {11, 0}},
}};

/// `# R36 (release), REVISION: 4.3, GCID: ...` is 36.4.3.
std::optional<DottedVersion> parse_l4t(std::string_view line) {
  constexpr std::string_view kRevision = "REVISION: ";
  const std::size_t release = line.find("# R");
  const std::size_t revision = line.find(kRevision);
  if (release == std::string_view::npos || revision == std::string_view::npos) {
    return {};
  }
  const auto major = DottedVersion::parse_prefix(line.substr(release + 3));
  const auto minor = DottedVersion::parse_prefix(line.substr(revision + kRevision.size()));
  if (!major || !minor) {
    return {};
  }
  auto version = DottedVersion::parse(major->text() + "." + minor->text());
  return version ? std::optional(std::move(*version)) : std::nullopt;
}

}  // namespace

void detect_jetson(const HostView& host, Observation& seen) {
  constexpr const char* kRelease = "/etc/nv_tegra_release";
  const auto release = read_line(host, kRelease);
  std::string compatible;
  std::string source;
  for (const char* path :
       {"/proc/device-tree/compatible", "/sys/firmware/devicetree/base/compatible"}) {
    if (auto text = read_text(host, path); text && compatible.empty()) {
      compatible = std::move(*text);
      source = path;
    }
  }
  seen.tegra = compatible.find("nvidia,tegra") != std::string::npos;
  if (!seen.tegra) {
    if (release && seen.running) {
      seen.find("l4t-without-tegra",
                "the files of Linux for Tegra are here, but the machine is no Jetson: an image for "
                "Jetson boards runs on another host",
                "run the image on the board that it is for, or take an image without L4T");
    }
    return;
  }
  if (release) {
    seen.l4t = parse_l4t(*release);
  }
  for (const std::string_view piece : split(compatible, '\0')) {
    for (const Chip& chip : kChips) {
      if (piece == chip.compatible) {
        SeenGpu gpu;
        gpu.gpu.vendor.set(GpuVendor::nvidia, source);
        gpu.gpu.name.set(chip.name, source);
        gpu.gpu.target.set(chip.target, source);
        gpu.gpu.integrated.set(true, source);
        seen.gpus.push_back(std::move(gpu));
        return;
      }
    }
  }
}

}  // namespace fitment
