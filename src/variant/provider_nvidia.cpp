// SPDX-License-Identifier: Apache-2.0
// As nvidia-variant-provider: bounds for the CUDA driver API version, and code that runs on the
// highest compute capability of the machine.
#include "base/text.h"
#include "variant/provider_overrides.h"
#include "variant/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

// The provider knows CUDA majors 11 to 15 with minors 0 to 20; outside that it reports nothing,
// except when the version is forced.
constexpr std::uint32_t kFirstMajor = 11;
constexpr std::uint32_t kLastMajor = 15;
constexpr std::uint32_t kLastMinor = 20;
constexpr std::uint32_t kOldestCapabilityMajor = 5;

// Bounds for the lists that a forced version makes.
constexpr std::uint32_t kHighestForced = 99;

struct MajorMinor {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  friend auto operator<=>(const MajorMinor&, const MajorMinor&) = default;
};

/// `12.8 ... 12.0, 12, 11.20 ... 11`
SupportedFeature lower_bounds(MajorMinor cuda) {
  SupportedFeature feature{"cuda_version_lower_bound", {}};
  for (std::uint32_t m = cuda.major; m >= kFirstMajor; --m) {
    for (std::uint32_t n = (m == cuda.major ? cuda.minor : kLastMinor) + 1; n-- > 0;) {
      feature.values.push_back(fmt::format("{}.{}", m, n));
    }
    feature.values.push_back(fmt::format("{}", m));
  }
  return feature;
}

/// Upper bounds are exclusive: the first one above the driver's version is the last in the list.
SupportedFeature upper_bounds(MajorMinor cuda) {
  SupportedFeature feature{"cuda_version_upper_bound", {}};
  for (std::uint32_t m = kLastMajor; m >= cuda.major && m > 0; --m) {
    const std::uint32_t lowest = m == cuda.major ? cuda.minor + 1 : 0;
    for (std::uint32_t n = kLastMinor + 1; n-- > lowest;) {
      feature.values.push_back(fmt::format("{}.{}", m, n));
    }
    if (m > cuda.major) {
      feature.values.push_back(fmt::format("{}", m));
    }
  }
  return feature;
}

/// The version in force; nothing when it is unknown or out of range.
Result<std::optional<MajorMinor>> cuda_version(const Machine& machine) {
  constexpr std::string_view kVariable = "NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION";
  if (const auto forced = forced_by(machine, kVariable, "drivers.nvidia")) {
    const auto version = DottedVersion::parse(trim(*forced));
    if (!version || version->major() > kHighestForced || version->minor() > kHighestForced) {
      return bad_override(kVariable, *forced, "a CUDA version such as 12.8");
    }
    return std::optional(MajorMinor{version->major(), version->minor()});
  }
  const auto& nvidia = machine.drivers.nvidia;
  if (!nvidia.is_present() || !nvidia.driver.cuda_api) {
    return std::optional<MajorMinor>();
  }
  const MajorMinor cuda{nvidia.driver.cuda_api->major(), nvidia.driver.cuda_api->minor()};
  if (cuda.major < kFirstMajor || cuda.major > kLastMajor || cuda.minor > kLastMinor) {
    return std::optional<MajorMinor>();
  }
  return std::optional(cuda);
}

/// The highest compute capability (conda's __cuda_arch is the lowest).
Result<std::optional<MajorMinor>> highest_capability(const Machine& machine) {
  constexpr std::string_view kVariable = "NV_VARIANT_PROVIDER_FORCE_SM_ARCH";
  if (const auto forced = forced_by(machine, kVariable, "gpus")) {
    const auto parts = split(trim(*forced), '.');
    const auto major = parse_unsigned(parts.front());
    const auto minor = parse_unsigned(parts.back());
    if (parts.size() != 2 || !major || !minor || *major > kHighestForced
        || *minor > kHighestForced) {
      return bad_override(kVariable, *forced, "a compute capability such as 9.0");
    }
    return std::optional(
        MajorMinor{static_cast<std::uint32_t>(*major), static_cast<std::uint32_t>(*minor)});
  }
  std::optional<MajorMinor> highest;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<CudaTarget>(*gpu.target)) {
      const auto& target = std::get<CudaTarget>(*gpu.target);
      const MajorMinor capability{static_cast<std::uint32_t>(target.major),
                                  static_cast<std::uint32_t>(target.minor)};
      highest = highest ? std::max(*highest, capability) : capability;
    }
  }
  return highest;
}

bool has_value(const SupportedFeature& feature, std::string_view value) {
  return std::find(feature.values.begin(), feature.values.end(), value) != feature.values.end();
}

}  // namespace

bool nvidia_may_report(std::string_view feature, std::string_view value) {
  constexpr std::uint64_t kLowestCode = 50;
  constexpr std::uint64_t kHighestCode = 129;
  if (feature == "cuda_version_lower_bound") {
    return has_value(lower_bounds({kLastMajor, kLastMinor}), value);
  }
  if (feature == "cuda_version_upper_bound") {
    return has_value(upper_bounds({kFirstMajor, 0}), value);
  }
  const bool is_real = value.ends_with("_real");
  if (feature != "sm_arch" || (!is_real && !value.ends_with("_virtual"))) {
    return false;
  }
  const auto number = parse_unsigned(value.substr(0, value.find('_')));
  return number && *number >= kLowestCode && *number <= kHighestCode
         && (is_real || *number % 10 == 0);
}

Result<std::vector<SupportedFeature>> ask_nvidia(const Machine& machine) {
  FITMENT_TRY_ASSIGN(const std::optional<MajorMinor> cuda, cuda_version(machine));
  FITMENT_TRY_ASSIGN(const std::optional<MajorMinor> capability, highest_capability(machine));
  std::vector<SupportedFeature> features;
  if (!cuda) {
    return features;
  }
  for (SupportedFeature& bounds : std::vector{lower_bounds(*cuda), upper_bounds(*cuda)}) {
    if (!bounds.values.empty()) {
      features.push_back(std::move(bounds));
    }
  }
  if (capability && capability->major >= kOldestCapabilityMajor) {
    SupportedFeature code{"sm_arch", {}};
    for (std::uint32_t n = capability->minor + 1; n-- > 0;) {
      code.values.push_back(fmt::format("{}{}_real", capability->major, n));
    }
    code.values.push_back(fmt::format("{}0_virtual", capability->major));
    features.push_back(std::move(code));
  }
  return features;
}

}  // namespace fitment
