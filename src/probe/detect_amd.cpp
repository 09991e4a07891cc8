// SPDX-License-Identifier: Apache-2.0
// AMD GPUs as the compute driver (KFD) sees them: it knows their targets. ROCm's own tools are not
// run, and HSA_OVERRIDE_GFX_VERSION, which changes what they say, does not change these files.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/gpu_merge.h"
#include "probe/host_text.h"

#include <fmt/format.h>

#include <map>

namespace fitment {

namespace {

constexpr const char* kNodes = "/sys/class/kfd/kfd/topology/nodes";

using Properties = std::map<std::string, std::uint64_t, std::less<>>;

Properties parse_properties(std::string_view text) {
  Properties properties;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    if (words.size() == 2) {
      if (const auto value = parse_unsigned(words[1])) {
        properties.emplace(words[0], *value);
      }
    }
  }
  return properties;
}

std::uint64_t property(const Properties& properties, std::string_view name) {
  const auto found = properties.find(name);
  return found == properties.end() ? 0 : found->second;
}

/// 90402 is gfx942 and 90010 gfx90a: major, then minor and stepping as hexadecimal digits.
std::optional<GfxTarget> target_of(std::uint64_t version) {
  constexpr std::uint64_t kMajor = 10000;
  constexpr std::uint64_t kMinor = 100;
  const auto target = parse_gfx_target(
      fmt::format("gfx{}{:x}{:x}", version / kMajor, version / kMinor % kMinor, version % kMinor));
  return target ? std::optional(*target) : std::nullopt;
}

/// Memory of the GPU's own: heaps 1 and 2 are frame buffer.
std::uint64_t own_memory(const HostView& host, const std::string& node) {
  std::uint64_t bytes = 0;
  const std::string folder = node + "/mem_banks";
  for (const std::string& bank : names_in(host, folder)) {
    const Properties properties = parse_properties(
        read_text(host, fmt::format("{}/{}/properties", folder, bank)).value_or(""));
    const std::uint64_t heap = property(properties, "heap_type");
    if (heap == 1 || heap == 2) {
      bytes += property(properties, "size_in_bytes");
    }
  }
  return bytes;
}

std::string address_of(const Properties& properties) {
  constexpr std::uint64_t kByte = 0xff;
  const std::uint64_t location = property(properties, "location_id");
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}",
                     property(properties, "domain"),
                     (location >> 8U) & kByte,
                     (location >> 3U) & 0x1fU,
                     location & 7U);
}

void read_gpu(const HostView& host,
              const std::string& node,
              const Properties& properties,
              const CatalogTables& tables,
              Observation& seen) {
  SeenGpu& gpu = gpu_at(seen, GpuVendor::amd, address_of(properties));
  gpu.from_driver = true;
  gpu.gpu.vendor.set_if_unknown(GpuVendor::amd, "kfd");
  if (const auto target = target_of(property(properties, "gfx_target_version"))) {
    gpu.gpu.target.set(*target, "kfd");
  }
  if (const std::uint64_t bytes = own_memory(host, node); bytes > 0) {
    gpu.gpu.memory_bytes.set(bytes, "kfd");
  }
  constexpr std::uint16_t kVendor = 0x1002;
  const auto device = static_cast<std::uint16_t>(property(properties, "device_id"));
  gpu.gpu.pci_id.set_if_unknown(fmt::format("{:04x}:{:04x}", kVendor, device), "kfd");
  if (const GpuRow* row = tables.gpus().find(kVendor, device); row != nullptr) {
    gpu.gpu.name.set_if_unknown(row->name, "pci-ids");
    gpu.gpu.integrated.set_if_unknown(row->integrated, "pci-ids");
  }
  if (property(properties, "cpu_cores_count") > 0) {
    gpu.gpu.integrated.set_if_unknown(true, "kfd");
  }
}

void read_nodes(const HostView& host, const CatalogTables& tables, Observation& seen) {
  std::size_t unreadable = 0;
  bool gpu_seen = false;
  for (const std::string& name : names_in(host, kNodes)) {
    const std::string node = std::string(kNodes) + "/" + name;
    const auto text = read_text(host, node + "/properties");
    if (!text) {
      ++unreadable;
      continue;
    }
    const Properties properties = parse_properties(*text);
    if (property(properties, "gfx_target_version") != 0) {
      read_gpu(host, node, properties, tables, seen);
      gpu_seen = true;
    }
  }
  if (unreadable > 0) {
    seen.find(
        "amd-node-unreadable",
        fmt::format("{} compute nodes of AMD's driver may not be read by this process", unreadable),
        "give the container the GPU: --device /dev/kfd --device /dev/dri, and the groups "
        "render and video");
  } else if (gpu_seen && !host.exists("/dev/kfd")) {
    seen.find("amd-kfd-missing",
              "the kernel drives an AMD GPU for compute, but /dev/kfd is not here",
              "start the container with --device /dev/kfd --device /dev/dri");
  }
}

void detect_driver(const HostView& host, Observation& seen) {
  auto& state = seen.machine.drivers.amd;
  using Presence = DriverState<AmdDriver>::Presence;
  constexpr const char* kVersion = "/sys/module/amdgpu/version";
  const bool loaded = host.exists("/sys/module/amdgpu");
  if (loaded || host.exists("/dev/kfd")) {
    state.presence = Presence::present;
    state.evidence = loaded ? "/sys/module/amdgpu" : "/dev/kfd";
    // Only AMD's own packages write a version; the kernel's driver has the kernel's.
    const auto own = read_line(host, kVersion);
    auto version =
        DottedVersion::parse_prefix(own ? *own : seen.machine.system.kernel.value_or(""));
    if (version) {
      state.driver.kernel.set(std::move(*version),
                              own ? kVersion : seen.machine.system.kernel.evidence());
    }
  } else if (seen.running && seen.pci_listed && !seen.in_container() && !seen.in_wsl()) {
    state.presence = Presence::none;
    state.evidence = "no amdgpu kernel module";
  }
}

}  // namespace

void detect_amd(const HostView& host, const CatalogTables& tables, Observation& seen) {
  detect_driver(host, seen);
  read_nodes(host, tables, seen);
  if (const auto version = variable(host, "HSA_OVERRIDE_GFX_VERSION");
      version && seen.sees_gpu_of(GpuVendor::amd)) {
    seen.find(
        "hsa-override",
        fmt::format("HSA_OVERRIDE_GFX_VERSION={} makes ROCm take the GPU for another one",
                    *version),
        "unset it unless code for the other target is wanted; the target here is the GPU's own");
  }
}

}  // namespace fitment
