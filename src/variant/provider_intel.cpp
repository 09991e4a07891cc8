// SPDX-License-Identifier: Apache-2.0
// As intel-variant-provider: the device IP version of each GPU and the base platform whose code
// also runs on it.
#include "base/text.h"
#include "variant/provider_overrides.h"
#include "variant/providers.h"

#include <algorithm>
#include <map>

namespace fitment {

namespace {

/// The published table: a version and its base; empty: it is a base itself.
const std::map<std::string, std::string, std::less<>>& platforms() {
  static const std::map<std::string, std::string, std::less<>> kBaseOf{
      {"35.11.0", ""},      {"35.10.4", ""},      {"30.5.4", "30.0.4"},   {"30.4.4", "30.0.4"},
      {"30.3.1", "30.0.4"}, {"30.1.0", "30.0.4"}, {"30.0.4", ""},         {"20.4.4", "20.1.0"},
      {"20.2.0", "20.1.0"}, {"20.1.0", ""},       {"12.74.4", ""},        {"12.71.4", "12.70.4"},
      {"12.70.4", ""},      {"12.60.7", ""},      {"12.57.0", "12.55.8"}, {"12.56.5", "12.55.8"},
      {"12.55.8", ""},      {"12.10.0", ""},      {"12.4.0", ""},         {"12.3.0", ""},
      {"12.2.0", ""},       {"12.1.0", ""},       {"12.0.0", ""},
  };
  return kBaseOf;
}

bool is_served(const Machine& machine) {
  const std::string os = machine.system.os.value_or("linux");
  return os == "linux" || os == "windows";
}

}  // namespace

bool intel_may_report(std::string_view feature, std::string_view value) {
  return feature == "device_ip" && platforms().find(value) != platforms().end();
}

Result<std::vector<SupportedFeature>> ask_intel(const Machine& machine) {
  std::vector<std::string> values;
  const auto add = [&values](const std::string& value) {
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
    }
  };
  if (!is_served(machine)) {
    return std::vector<SupportedFeature>();
  }
  if (const auto forced = forced_by(machine, "INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP", "gpus")) {
    // Taken alone: no base is added.
    if (const auto row = platforms().find(trim(*forced)); row != platforms().end()) {
      add(row->first);
    }
  } else {
    for (const Gpu& gpu : machine.gpus.value_or({})) {
      if (gpu.target && std::holds_alternative<IntelTarget>(*gpu.target)) {
        const auto row = platforms().find(std::get<IntelTarget>(*gpu.target).device_ip);
        if (row != platforms().end()) {
          add(row->first);
          add(row->second);
        }
      }
    }
  }
  if (values.empty()) {
    return std::vector<SupportedFeature>();
  }
  return std::vector<SupportedFeature>{{"device_ip", std::move(values)}};
}

}  // namespace fitment
