// SPDX-License-Identifier: Apache-2.0
// Level Zero, Intel's GPU interface, asked in a child process: it alone tells the device IP version
// that names what code a GPU runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct ZeGpu {
  std::string name;
  std::string pci_id;     ///< `8086:e20b`
  std::string device_ip;  ///< `20.1.0`; empty where the driver does not tell
  bool integrated = false;
  std::optional<std::uint64_t> memory_bytes;
};

struct ZeAnswer {
  bool loaded = false;
  bool hung = false;
  bool crashed = false;
  std::optional<std::uint32_t> api_version;  ///< major << 16 | minor
  std::vector<ZeGpu> gpus;
};

ZeAnswer ask_level_zero(const std::string& library, std::chrono::milliseconds timeout);

/// 0x050dc007 is `20.55.7`: architecture in the upper ten bits, release in eight, revision in the
/// lowest six.
std::string device_ip_text(std::uint32_t version);

}  // namespace fitment
