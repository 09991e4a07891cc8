// SPDX-License-Identifier: Apache-2.0
// What the published variant providers would report for a machine, worked out from its facts
// instead of running their Python code.
//
// Names, value ranges and orders are those of nvidia-variant-provider, amd-variant-provider,
// intel-variant-provider, provider-variant-x86-64 and provider-variant-aarch64, and change with
// them. Their override variables count where the machine records that they were in force; a
// `--set` of the same fact that came later beats them.
#pragma once

#include "base/error.h"
#include "machine/machine.h"
#include "variant/properties.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A provider that is built in.
struct NativeProvider {
  std::string_view space;                   ///< namespace: `nvidia`
  std::string_view package;                 ///< the published provider, normalised name
  std::string_view answers;                 ///< what it looks at, in words
  std::vector<std::string_view> variables;  ///< overrides that it honours
  /// Nothing supported: an empty list. Error: invalid_argument when an override cannot be read.
  Result<std::vector<SupportedFeature>> (*ask)(const Machine& machine);
  /// Whether some machine has this property.
  bool (*may_report)(std::string_view feature, std::string_view value);
};

/// nvidia, amd, intel, x86_64, aarch64.
const std::vector<NativeProvider>& native_providers();
/// Null for a namespace that no native provider answers for.
const NativeProvider* find_native_provider(std::string_view space);

/// The properties of all native providers in their order. Error: invalid_argument for an override.
Result<std::vector<VariantProperty>> variant_properties(const Machine& machine);

// For the table of providers.cpp.
Result<std::vector<SupportedFeature>> ask_nvidia(const Machine& machine);
Result<std::vector<SupportedFeature>> ask_amd(const Machine& machine);
Result<std::vector<SupportedFeature>> ask_intel(const Machine& machine);
Result<std::vector<SupportedFeature>> ask_x86_64(const Machine& machine);
Result<std::vector<SupportedFeature>> ask_aarch64(const Machine& machine);
bool nvidia_may_report(std::string_view feature, std::string_view value);
bool amd_may_report(std::string_view feature, std::string_view value);
bool intel_may_report(std::string_view feature, std::string_view value);
bool x86_64_may_report(std::string_view feature, std::string_view value);
bool aarch64_may_report(std::string_view feature, std::string_view value);

}  // namespace fitment
