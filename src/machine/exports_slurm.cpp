// SPDX-License-Identifier: Apache-2.0
#include "machine/exports_slurm.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

namespace {

/// Words that every product of a vendor carries.
bool is_brand(std::string_view word) {
  constexpr std::array<std::string_view, 9> kBrands{
      "nvidia", "geforce", "tesla", "amd", "radeon", "instinct", "intel", "intel(r)", "graphics"};
  return std::find(kBrands.begin(), kBrands.end(), word) != kBrands.end();
}

/// Words after the model: memory size and form factor.
bool is_detail(std::string_view word) {
  return word.starts_with("hbm") || word.starts_with("pcie") || word.starts_with("sxm")
         || word == "mig" || (word.ends_with("gb") && is_digit(word.front()));
}

std::string_view auto_detect(GpuVendor vendor) {
  switch (vendor) {
    case GpuVendor::nvidia:
      return "nvml";
    case GpuVendor::amd:
      return "rsmi";
    case GpuVendor::intel:
      return "oneapi";
  }
  return "off";
}

}  // namespace

std::string slurm_type(const Gpu& gpu) {
  std::string type;
  const std::string name = to_lower(gpu.name.value_or(""));
  for (std::string_view word : split_words(name)) {
    if (type.empty() && is_brand(word)) {
      continue;
    }
    if (!type.empty() && is_detail(word)) {
      break;
    }
    if (const std::size_t dash = word.find('-'); dash != std::string_view::npos) {
      word = word.substr(0, dash);  // A100-SXM4-40GB
    }
    if (!is_brand(word)) {
      type += (type.empty() ? "" : "_") + std::string(word);
    }
  }
  std::erase_if(type, [](char c) { return !is_alnum(c) && c != '_' && c != '.'; });
  if (!type.empty() && gpu.mig) {
    type += "_" + *gpu.mig;
  }
  return type;
}

std::string slurm_gres(const Machine& machine) {
  if (!machine.gpus) {
    return "# GPUs: unknown\n";
  }
  if (machine.gpus->empty()) {
    return "# GPUs: none\n";
  }
  std::set<GpuVendor> vendors;
  std::vector<std::pair<std::string, std::size_t>> kinds;  // in the order of the GPUs
  for (const Gpu& gpu : *machine.gpus) {
    if (gpu.vendor) {
      vendors.insert(*gpu.vendor);
    }
    std::string type = slurm_type(gpu);
    const auto same = std::find_if(
        kinds.begin(), kinds.end(), [&type](const auto& kind) { return kind.first == type; });
    if (same == kinds.end()) {
      kinds.emplace_back(std::move(type), 1);
    } else {
      ++same->second;
    }
  }
  std::string text;
  if (vendors.size() == 1) {
    text += fmt::format("AutoDetect={}\n", auto_detect(*vendors.begin()));
  }
  for (const auto& [type, count] : kinds) {
    text += type.empty() ? fmt::format("Name=gpu Count={}\n", count)
                         : fmt::format("Name=gpu Type={} Count={}\n", type, count);
  }
  return text;
}

}  // namespace fitment
