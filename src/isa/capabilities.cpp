// SPDX-License-Identifier: Apache-2.0
#include "isa/capabilities.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fitment {

namespace {

/// A variable is often a structure or a small array; its start is what was written or passed by
/// address.
constexpr std::uint64_t kVariableSize = 16;

/// Imports that tell what the processor can do.
constexpr std::array<std::string_view, 12> kCheckImports{
    "_rtld_global_ro",
    "__x86_get_cpu_features",
    "__x86_get_cpuid_feature_leaf",
    "__get_cpu_features",
    "av_get_cpu_flags",
    "getauxval",
    "__cpu_model",
    "__cpu_features2",
    "__cpu_indicator_init",
    "WelsCPUFeatureDetect",
    "OPENSSL_ia32cap_P",
    "gnu_get_hwcap",
};

/// Parts of names that such variables have when symbols exist.
constexpr std::array<std::string_view, 6> kNameParts{
    "cpu_model", "cpu_feature", "cpu_have", "ia32cap", "cpu_flags", "cpuinfo"};

bool has_telling_name(std::string_view name) {
  return std::any_of(kNameParts.begin(), kNameParts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

}  // namespace

Capabilities::Capabilities(const CodeGraph& graph) : graph_(&graph) {
  const auto collect = [&](const CodeNode& node) {
    for (const DataUse& use : node.data) {
      if (use.access != x86::Access::read && graph.is_variable(use.address)) {
        variables_.push_back(use.address);
      }
    }
  };
  for (const CodeNode& node : graph.nodes()) {
    if (!node.scan.has_detection) {
      continue;
    }
    collect(node);
    for (const std::uint32_t caller : node.in) {
      if (!graph.nodes()[caller].scan.has_detection) {
        collect(graph.nodes()[caller]);
      }
    }
  }
  for (const DataSymbol& symbol : graph.image().data_symbols) {
    if (has_telling_name(symbol.name)) {
      variables_.push_back(symbol.address);
    }
  }
  std::sort(variables_.begin(), variables_.end());
  variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
}

bool Capabilities::looks_at(const DataUse& use) const {
  if (use.access == x86::Access::write) {
    return false;
  }
  const auto after = std::upper_bound(variables_.begin(), variables_.end(), use.address);
  return after != variables_.begin() && use.address - *std::prev(after) < kVariableSize;
}

bool Capabilities::is_check_import(const CodeSlot& slot) const {
  return std::find(kCheckImports.begin(), kCheckImports.end(), slot.import) != kCheckImports.end();
}

bool Capabilities::looks_directly(const CodeNode& node) const {
  const auto is_import = [&](std::uint32_t slot) {
    return is_check_import(graph_->image().slots[slot]);
  };
  return node.scan.has_detection
         || std::any_of(
             node.data.begin(), node.data.end(), [&](const DataUse& use) { return looks_at(use); })
         || std::any_of(node.import_uses.begin(), node.import_uses.end(), is_import);
}

}  // namespace fitment
