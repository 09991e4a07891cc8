// SPDX-License-Identifier: Apache-2.0
#include "machine/exports_nfd.h"

#include "base/text.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace fitment {

namespace {

constexpr std::size_t kLongestLabelValue = 63;

/// Label values: letters, digits, `-`, `_`, `.`, beginning and ending with a letter or digit.
std::string label_value(std::string_view text) {
  std::string value;
  for (const char c : text.substr(0, kLongestLabelValue)) {
    value += is_alnum(c) || c == '-' || c == '.' ? c : '_';
  }
  while (!value.empty() && !is_alnum(value.back())) {
    value.pop_back();
  }
  std::size_t start = 0;
  while (start < value.size() && !is_alnum(value[start])) {
    ++start;
  }
  return value.substr(start);
}

class Features {
 public:
  void add(std::string_view name, std::string_view value) {
    if (const std::string label = label_value(value); !label.empty()) {
      text_ += fmt::format("fitment-{}={}\n", name, label);
    }
  }
  void add(std::string_view name, const Known<std::string>& fact) { add(name, fact.value_or("")); }
  void add_version(std::string_view name, const Known<DottedVersion>& fact) {
    if (!fact) {
      return;
    }
    add(name, fact->text());
    add(fmt::format("{}.major", name), fmt::format("{}", fact->major()));
    add(fmt::format("{}.minor", name), fmt::format("{}", fact->minor()));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ = "# written by fitment probe --format nfd\n";
};

/// One line a vendor, one a target, each with its count.
void add_gpus(const std::vector<Gpu>& gpus, Features& features) {
  features.add("gpu.count", fmt::format("{}", gpus.size()));
  std::map<std::string, std::size_t> vendors;
  std::map<std::string, std::size_t> targets;
  for (const Gpu& gpu : gpus) {
    if (gpu.vendor) {
      ++vendors[std::string(to_string(*gpu.vendor))];
    }
    if (gpu.target) {
      ++targets[label_value(to_string(*gpu.target))];
    }
  }
  for (const auto& [vendor, count] : vendors) {
    features.add(fmt::format("gpu.{}.count", vendor), fmt::format("{}", count));
  }
  for (const auto& [target, count] : targets) {
    features.add(fmt::format("gpu.{}.count", target), fmt::format("{}", count));
  }
}

}  // namespace

std::string nfd_features(const Machine& machine) {
  Features features;
  features.add("cpu.level", machine.cpu.level);
  features.add("cpu.microarchitecture", machine.cpu.microarchitecture);
  if (machine.system.libc) {
    features.add("libc.family", machine.system.libc->family);
    features.add("libc.version", machine.system.libc->version.text());
  }
  if (machine.gpus) {
    add_gpus(*machine.gpus, features);
  }
  if (machine.drivers.nvidia.is_present()) {
    features.add_version("nvidia.driver", machine.drivers.nvidia.driver.version);
    features.add_version("cuda.driver-api", machine.drivers.nvidia.driver.cuda_api);
  }
  if (machine.drivers.amd.is_present()) {
    features.add_version("rocm", machine.drivers.amd.driver.rocm);
  }
  if (machine.drivers.intel.is_present()) {
    features.add_version("level-zero", machine.drivers.intel.driver.level_zero);
  }
  return features.text();
}

}  // namespace fitment
