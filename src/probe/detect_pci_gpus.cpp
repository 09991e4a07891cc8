// SPDX-License-Identifier: Apache-2.0
// GPUs as devices on the PCI bus. They are there without any driver, so the catalogue's table of
// ids names them.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <fmt/format.h>

#include <array>

namespace fitment {

namespace {

constexpr const char* kDevices = "/sys/bus/pci/devices";

std::optional<GpuVendor> vendor_of_id(std::uint64_t id) {
  constexpr std::uint64_t kNvidia = 0x10de;
  constexpr std::uint64_t kAmd = 0x1002;
  constexpr std::uint64_t kIntel = 0x8086;
  if (id == kNvidia) {
    return GpuVendor::nvidia;
  }
  if (id == kAmd) {
    return GpuVendor::amd;
  }
  if (id == kIntel) {
    return GpuVendor::intel;
  }
  return {};
}

/// VGA, 3D and other display controllers; processing accelerators are GPUs of AMD (MI300) and
/// something else of Intel.
bool is_gpu_class(std::uint64_t pci_class, GpuVendor vendor) {
  const std::uint64_t subclass = pci_class >> 8U;
  constexpr std::array<std::uint64_t, 3> kDisplay{0x0300, 0x0302, 0x0380};
  for (const std::uint64_t display : kDisplay) {
    if (subclass == display) {
      return true;
    }
  }
  constexpr std::uint64_t kAccelerator = 0x1200;
  return subclass == kAccelerator && vendor == GpuVendor::amd;
}

void name_gpu(const CatalogTables& tables, std::uint16_t vendor, std::uint16_t device, Gpu& gpu) {
  const GpuRow* row = tables.gpus().find(vendor, device);
  if (row == nullptr) {
    return;
  }
  gpu.name.set(row->name, "pci-ids");
  gpu.integrated.set(row->integrated, "pci-ids");
  if (row->target) {
    gpu.target.set(*row->target, "pci-ids");
  }
}

std::optional<SeenGpu> read_device(const HostView& host,
                                   const CatalogTables& tables,
                                   const std::string& address) {
  const std::string folder = std::string(kDevices) + "/" + address;
  const auto vendor_id = read_number(host, folder + "/vendor");
  const auto vendor = vendor_of_id(vendor_id.value_or(0));
  if (!vendor) {
    return {};
  }
  const auto pci_class = read_number(host, folder + "/class");
  const auto device = read_number(host, folder + "/device");
  constexpr std::uint64_t kHighestDevice = 0xffff;
  if (!pci_class || !is_gpu_class(*pci_class, *vendor) || !device || *device > kHighestDevice) {
    return {};
  }
  SeenGpu seen;
  seen.address = to_lower(address);
  seen.pci_class = static_cast<std::uint32_t>(*pci_class);
  seen.gpu.vendor.set(*vendor, "sysfs");
  seen.gpu.pci_id.set(fmt::format("{:04x}:{:04x}", *vendor_id, *device), "sysfs");
  name_gpu(tables,
           static_cast<std::uint16_t>(*vendor_id),
           static_cast<std::uint16_t>(*device),
           seen.gpu);
  // Intel's graphics inside a CPU sit at this place on every board.
  if (*vendor == GpuVendor::intel && address == "0000:00:02.0") {
    seen.gpu.integrated.set_if_unknown(true, "sysfs");
  }
  if (*vendor == GpuVendor::nvidia) {
    seen.gpu.integrated.set_if_unknown(false, "sysfs");
  }
  if (const auto driver = host.read_link(folder + "/driver")) {
    seen.driver = base_name(*driver);
  }
  return seen;
}

}  // namespace

void detect_pci_gpus(const HostView& host, const CatalogTables& tables, Observation& seen) {
  const auto devices = host.list(kDevices);
  if (!devices) {
    return;
  }
  // An empty list inside a container may be the sandbox's, not the host's.
  seen.pci_listed = !devices->empty() || !seen.in_container();
  for (const std::string& address : *devices) {
    if (auto gpu = read_device(host, tables, address)) {
      if (gpu->driver == "vfio-pci") {
        seen.find("gpu-reserved-for-vm",
                  fmt::format("the GPU at {} is held by vfio-pci for a virtual machine", address),
                  "shut the virtual machine down and bind the GPU to its driver to use it here");
        continue;
      }
      seen.gpus.push_back(std::move(*gpu));
    }
  }
}

}  // namespace fitment
