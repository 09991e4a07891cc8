// SPDX-License-Identifier: Apache-2.0
#include "catalog/gpu_reader.h"

#include "catalog/source_ids.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr unsigned kVendorShift = 16;

/// Four lower-case hexadecimal digits, as sysfs prints them.
std::optional<std::uint16_t> parse_device_id(std::string_view text) {
  const bool plain = text.size() == 4 && std::all_of(text.begin(), text.end(), [](char c) {
                       return is_digit(c) || (c >= 'a' && c <= 'f');
                     });
  const auto id = plain ? parse_hex(text) : std::nullopt;
  return id ? std::optional(static_cast<std::uint16_t>(*id)) : std::nullopt;
}

class GpuReader {
 public:
  explicit GpuReader(std::string source) : source_(std::move(source)) {}

  Status read_chip(GpuVendor vendor, const std::string& chip, const TomlValue& table) {
    TableReader row(table, source_, fmt::format("the chip {}", chip));
    GpuRow gpu;
    if (row.has("target")) {
      row.read_with(
          "target",
          [vendor](std::string_view text) { return parse_gpu_target(vendor, text); },
          gpu.target.emplace());
    }
    row.read("integrated", gpu.integrated);
    std::string source;
    row.require("source");
    ids_.read(row, "source", source);
    for (const auto& [key, value] : table.members) {
      if (const auto device = parse_device_id(key)) {
        row.require(key);
        row.read(key, gpu.name);
        const std::uint32_t id =
            (static_cast<std::uint32_t>(pci_vendor_id(vendor)) << kVendorShift) | *device;
        if (!table_.rows.try_emplace(id, gpu).second) {
          row.wrong(value,
                    fail(ErrorCode::parse_error,
                         fmt::format("the PCI device `{}` is in the table twice", key)));
        }
      }
    }
    return row.finish();
  }

  Result<GpuTable> read(const TomlValue& document) {
    TableReader top(document, source_, "the GPU table");
    ids_.read_table(top);
    for (const GpuVendor vendor : {GpuVendor::nvidia, GpuVendor::amd, GpuVendor::intel}) {
      for (const auto& [chip, table] : top.members(to_string(vendor))) {
        FITMENT_TRY(read_chip(vendor, chip, table));
      }
    }
    FITMENT_TRY(top.finish());
    return std::move(table_);
  }

 private:
  std::string source_;
  SourceIds ids_;
  GpuTable table_;
};

}  // namespace

std::uint16_t pci_vendor_id(GpuVendor vendor) {
  constexpr std::uint16_t kNvidia = 0x10de;
  constexpr std::uint16_t kAmd = 0x1002;
  constexpr std::uint16_t kIntel = 0x8086;
  switch (vendor) {
    case GpuVendor::nvidia:
      return kNvidia;
    case GpuVendor::amd:
      return kAmd;
    case GpuVendor::intel:
      return kIntel;
  }
  return 0;
}

const GpuRow* GpuTable::find(std::uint16_t vendor, std::uint16_t device) const {
  const auto found = rows.find((static_cast<std::uint32_t>(vendor) << kVendorShift) | device);
  return found == rows.end() ? nullptr : &found->second;
}

Result<GpuTable> parse_gpu_table(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  return GpuReader(source).read(document);
}

}  // namespace fitment
