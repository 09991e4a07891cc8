// SPDX-License-Identifier: Apache-2.0
#include "probe/nvidia_files.h"

#include "base/text.h"
#include "probe/host_text.h"

#include <fmt/format.h>

namespace fitment {

std::optional<DottedVersion> parse_nvrm_version(std::string_view text) {
  const std::size_t line_at = text.find("NVRM version");
  const std::string_view from = line_at == std::string_view::npos ? text : text.substr(line_at);
  const std::string_view line = from.substr(0, from.find('\n'));
  const std::size_t module = line.find("Module");
  const std::string_view rest = module == std::string_view::npos ? line : line.substr(module);
  for (const std::string_view word : split_words(rest)) {
    auto version = DottedVersion::parse(word);
    if (version && version->size() >= 2) {
      return std::move(*version);
    }
  }
  return {};
}

std::optional<KernelModule> read_nvidia_module(const HostView& host) {
  constexpr const char* kSysfs = "/sys/module/nvidia/version";
  if (const auto line = read_line(host, kSysfs)) {
    if (auto version = DottedVersion::parse_prefix(*line)) {
      return KernelModule{std::move(*version), kSysfs};
    }
  }
  constexpr const char* kProc = "/proc/driver/nvidia/version";
  if (const auto text = read_text(host, kProc)) {
    if (auto version = parse_nvrm_version(*text)) {
      return KernelModule{std::move(*version), kProc};
    }
  }
  return {};
}

std::vector<ModuleGpu> read_nvidia_gpus(const HostView& host) {
  const std::string folder = "/proc/driver/nvidia/gpus";
  std::vector<ModuleGpu> gpus;
  for (const std::string& name : names_in(host, folder)) {
    const auto text = read_text(host, fmt::format("{}/{}/information", folder, name));
    if (!text) {
      continue;
    }
    ModuleGpu gpu{to_lower(name), {}, {}};
    for (const std::string_view line : split_lines(*text)) {
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) {
        continue;
      }
      const std::string_view key = trim(line.substr(0, colon));
      const std::string_view value = trim(line.substr(colon + 1));
      if (key == "Model") {
        gpu.name = value;
      } else if (key == "GPU UUID" && value.find('?') == std::string_view::npos) {
        gpu.uuid = value;
      }
    }
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace fitment
