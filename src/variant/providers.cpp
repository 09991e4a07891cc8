// SPDX-License-Identifier: Apache-2.0
#include "variant/providers.h"

#include <algorithm>

namespace fitment {

const std::vector<NativeProvider>& native_providers() {
  static const std::vector<NativeProvider> kProviders{
      {"nvidia",
       "nvidia-variant-provider",
       "CUDA driver API version and the highest compute capability",
       {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", "NV_VARIANT_PROVIDER_FORCE_SM_ARCH"},
       ask_nvidia,
       nvidia_may_report},
      {"amd",
       "amd-variant-provider",
       "gfx targets and the installed ROCm version",
       {"AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH", "AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION"},
       ask_amd,
       amd_may_report},
      {"intel",
       "intel-variant-provider",
       "device IP versions and their base platforms",
       {"INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP"},
       ask_intel,
       intel_may_report},
      {"x86_64",
       "provider-variant-x86-64",
       "microarchitecture level and instruction-set extensions",
       {},
       ask_x86_64,
       x86_64_may_report},
      {"aarch64",
       "provider-variant-aarch64",
       "architecture version and instruction-set extensions",
       {},
       ask_aarch64,
       aarch64_may_report},
  };
  return kProviders;
}

const NativeProvider* find_native_provider(std::string_view space) {
  const auto& providers = native_providers();
  const auto found = std::find_if(
      providers.begin(), providers.end(), [space](const auto& p) { return p.space == space; });
  return found == providers.end() ? nullptr : &*found;
}

Result<std::vector<VariantProperty>> variant_properties(const Machine& machine) {
  std::vector<VariantProperty> properties;
  for (const NativeProvider& provider : native_providers()) {
    FITMENT_TRY_ASSIGN(const std::vector<SupportedFeature> features, provider.ask(machine));
    for (const SupportedFeature& feature : features) {
      for (const std::string& value : feature.values) {
        properties.push_back({std::string(provider.space), feature.name, value});
      }
    }
  }
  return properties;
}

}  // namespace fitment
