// SPDX-License-Identifier: Apache-2.0
// As amd-variant-provider: the gfx targets of the machine and the version of ROCm on it.
#include "base/text.h"
#include "variant/provider_overrides.h"
#include "variant/providers.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace fitment {

namespace {

std::vector<std::string> gfx_targets(const Machine& machine) {
  if (const auto forced = forced_by(machine, "AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH", "gpus")) {
    std::vector<std::string> values;
    const std::string words = replace_all(replace_all(*forced, ",", " "), ";", " ");
    for (const std::string_view word : split_words(words)) {
      values.emplace_back(word);
    }
    return values;
  }
  // Sorted as text. gfx000 is the processor.
  std::set<std::string> targets;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<GfxTarget>(*gpu.target)) {
      targets.insert(std::get<GfxTarget>(*gpu.target).name);
    }
  }
  targets.erase("gfx000");
  return {targets.begin(), targets.end()};
}

Result<std::optional<std::string>> rocm_version(const Machine& machine) {
  constexpr std::string_view kVariable = "AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION";
  if (const auto forced = forced_by(machine, kVariable, "drivers.amd")) {
    const auto version = DottedVersion::parse(trim(*forced));
    if (!version || version->size() != 3) {
      return bad_override(kVariable, *forced, "a ROCm version of three numbers such as 7.0.2");
    }
    return std::optional(fmt::format("{}.{}", version->major(), version->minor()));
  }
  const auto& amd = machine.drivers.amd;
  if (!amd.is_present() || !amd.driver.rocm || amd.driver.rocm->size() < 2) {
    return std::optional<std::string>();
  }
  return std::optional(fmt::format("{}.{}", amd.driver.rocm->major(), amd.driver.rocm->minor()));
}

}  // namespace

bool amd_may_report(std::string_view feature, std::string_view value) {
  if (feature == "gfx_arch") {
    const auto target = parse_gfx_target(value);
    return target && target->features.empty() && value != "gfx000";
  }
  const auto version = DottedVersion::parse(value);
  return feature == "rocm_version" && version && version->size() == 2;
}

Result<std::vector<SupportedFeature>> ask_amd(const Machine& machine) {
  std::vector<SupportedFeature> features;
  if (std::vector<std::string> targets = gfx_targets(machine); !targets.empty()) {
    features.push_back({"gfx_arch", std::move(targets)});
  }
  FITMENT_TRY_ASSIGN(const std::optional<std::string> rocm, rocm_version(machine));
  if (rocm) {
    features.push_back({"rocm_version", {*rocm}});
  }
  return features;
}

}  // namespace fitment
