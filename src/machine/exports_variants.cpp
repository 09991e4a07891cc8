// SPDX-License-Identifier: Apache-2.0
#include "machine/exports_variants.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace fitment {

namespace {

using Properties = std::vector<VariantProperty>;

// --- nvidia-variant-provider -----------------------------------------------------------------

// The provider knows CUDA majors 11 to 15 with minors 0 to 20; outside that it reports nothing.
constexpr std::uint32_t kFirstMajor = 11;
constexpr std::uint32_t kLastMajor = 15;
constexpr std::uint32_t kLastMinor = 20;
constexpr int kOldestCapability = 50;

void add_lower_bounds(std::uint32_t major, std::uint32_t minor, Properties& out) {
  for (std::uint32_t m = major; m >= kFirstMajor; --m) {
    for (std::uint32_t n = (m == major ? minor : kLastMinor) + 1; n-- > 0;) {
      out.push_back({"nvidia", "cuda_version_lower_bound", fmt::format("{}.{}", m, n)});
    }
    out.push_back({"nvidia", "cuda_version_lower_bound", fmt::format("{}", m)});
  }
}

/// Upper bounds are exclusive: the first one above the driver's version is the last in the list.
void add_upper_bounds(std::uint32_t major, std::uint32_t minor, Properties& out) {
  for (std::uint32_t m = kLastMajor; m >= major; --m) {
    const std::uint32_t lowest = m == major ? minor + 1 : 0;
    for (std::uint32_t n = kLastMinor + 1; n-- > lowest;) {
      out.push_back({"nvidia", "cuda_version_upper_bound", fmt::format("{}.{}", m, n)});
    }
    if (m > major) {
      out.push_back({"nvidia", "cuda_version_upper_bound", fmt::format("{}", m)});
    }
  }
}

void add_nvidia(const Machine& machine, Properties& out) {
  const auto& nvidia = machine.drivers.nvidia;
  if (!nvidia.is_present() || !nvidia.driver.cuda_api) {
    return;
  }
  const std::uint32_t major = nvidia.driver.cuda_api->major();
  const std::uint32_t minor = nvidia.driver.cuda_api->minor();
  if (major < kFirstMajor || major > kLastMajor || minor > kLastMinor) {
    return;
  }
  add_lower_bounds(major, minor, out);
  add_upper_bounds(major, minor, out);
  // The provider takes the highest capability on the machine (conda's __cuda_arch the lowest).
  std::optional<CudaTarget> highest;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<CudaTarget>(*gpu.target)) {
      const auto& target = std::get<CudaTarget>(*gpu.target);
      highest = highest ? std::max(*highest, target) : target;
    }
  }
  if (!highest || highest->number() < kOldestCapability) {
    return;
  }
  for (int n = highest->minor; n >= 0; --n) {
    out.push_back({"nvidia", "sm_arch", fmt::format("{}{}_real", highest->major, n)});
  }
  out.push_back({"nvidia", "sm_arch", fmt::format("{}0_virtual", highest->major)});
}

// --- AMD -------------------------------------------------------------------------------------

void add_amd(const Machine& machine, Properties& out) {
  static constexpr std::array<std::string_view, 11> kKnown{"gfx900",
                                                           "gfx906",
                                                           "gfx908",
                                                           "gfx90a",
                                                           "gfx942",
                                                           "gfx1030",
                                                           "gfx1100",
                                                           "gfx1101",
                                                           "gfx1102",
                                                           "gfx1200",
                                                           "gfx1201"};
  std::set<std::string> targets;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<GfxTarget>(*gpu.target)) {
      targets.insert(std::get<GfxTarget>(*gpu.target).name);
    }
  }
  const bool all_known = std::all_of(targets.begin(), targets.end(), [](const std::string& name) {
    return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
  });
  if (all_known) {
    for (const std::string& name : targets) {
      out.push_back({"amd", "gfx_arch", name});
    }
  }
  const auto& amd = machine.drivers.amd;
  if (amd.is_present() && amd.driver.rocm) {
    out.push_back({"amd",
                   "rocm_version",
                   fmt::format("{}.{}", amd.driver.rocm->major(), amd.driver.rocm->minor())});
  }
}

// --- Intel -----------------------------------------------------------------------------------

void add_intel(const Machine& machine, Properties& out) {
  // Device IP version to the base platform whose code also runs; empty: it is a base itself.
  static const std::map<std::string, std::string, std::less<>> kBaseOf{
      {"35.11.0", ""},      {"35.10.4", ""},      {"30.5.4", "30.0.4"},   {"30.4.4", "30.0.4"},
      {"30.3.1", "30.0.4"}, {"30.1.0", "30.0.4"}, {"30.0.4", ""},         {"20.4.4", "20.1.0"},
      {"20.2.0", "20.1.0"}, {"20.1.0", ""},       {"12.74.4", ""},        {"12.71.4", "12.70.4"},
      {"12.70.4", ""},      {"12.60.7", ""},      {"12.57.0", "12.55.8"}, {"12.56.5", "12.55.8"},
      {"12.55.8", ""},      {"12.10.0", ""},      {"12.4.0", ""},         {"12.3.0", ""},
      {"12.2.0", ""},       {"12.1.0", ""},       {"12.0.0", ""},
  };
  std::vector<std::string> values;
  const auto add = [&values](const std::string& value) {
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
    }
  };
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<IntelTarget>(*gpu.target)) {
      const auto row = kBaseOf.find(std::get<IntelTarget>(*gpu.target).device_ip);
      if (row != kBaseOf.end()) {
        add(row->first);
        add(row->second);
      }
    }
  }
  for (std::string& value : values) {
    out.push_back({"intel", "device_ip", std::move(value)});
  }
}

// --- CPUs ------------------------------------------------------------------------------------

void add_flags(std::string_view space,
               std::string_view order,
               const std::set<std::string>& have,
               Properties& out) {
  for (const std::string_view flag : split_words(order)) {
    if (have.count(std::string(flag)) == 1) {
      out.push_back({std::string(space), std::string(flag), "on"});
    }
  }
}

void add_x86(const Cpu& cpu, Properties& out) {
  constexpr std::string_view kOrder =
      "avx_vnni cppc ibrs_enhanced tsc_adjust flush_l1d movdir64b movdiri avx512_bf16 "
      "avx512_bitalg "
      "avx512_vbmi2 avx512_vnni avx512_vp2intersect avx512_vpopcntdq avx512ifma avx512vbmi rdpid "
      "sha_ni vaes vpclmulqdq clwb clzero avx512bw avx512cd avx512dq avx512f avx512vl clflushopt "
      "gfni rdseed xsavec xsaveopt adx avx2 avx bmi2 bmi1 abm f16c fma movbe xsave rdrand aes "
      "pclmulqdq sse4a fsgsbase sse4_2 sse4_1 ssse3 sse3 cx16 lahf_lm popcnt sse2 sse mmx";
  constexpr std::string_view kPrefix = "x86-64-v";
  const std::string level = cpu.level.value_or("");
  if (level.starts_with(kPrefix)) {
    const auto highest = parse_unsigned(std::string_view(level).substr(kPrefix.size()));
    constexpr std::uint64_t kTop = 4;
    for (std::uint64_t v = std::min(highest.value_or(0), kTop); v > 0; --v) {
      out.push_back({"x86_64", "level", fmt::format("v{}", v)});
    }
  }
  const std::vector<std::string> features = cpu.features.value_or({});
  std::set<std::string> have(features.begin(), features.end());
  if (have.count("pni") == 1 || have.count("ssse3") == 1) {
    have.insert("sse3");  // Linux says pni
  }
  add_flags("x86_64", kOrder, have, out);
}

void add_arm(const Cpu& cpu, Properties& out) {
  // "btiecv" and "asimdrdmatomics" are two names run together in the published list; no host has
  // them, so bti, ecv, asimdrdm and atomics are never reported.
  constexpr std::string_view kOrder =
      "sve2 flagm2 frint sb btiecv paca pacg ssbs asimdfhm bf16 dcpodp dgh dit flagm i8mm ilrcpc "
      "jscvt rng sha3 sha512 svebf16 svei8mm uscat asimddp lrcpc asimdhp dcpop fcma fphp sve "
      "asimdrdmatomics aes asimd cpuid crc32 evtstrm fp pmull sha1 sha2";
  // 9.0 descends from 8.5, so 8.6 is not below it.
  static const std::map<std::string, std::string, std::less<>> kChain{
      {"armv9.2-a", "9.0a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv9.1-a", "9.0a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv9.0-a", "9.0a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv8.7-a", "8.6a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv8.6-a", "8.6a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv8.5-a", "8.5a 8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv8.4-a", "8.4a 8.3a 8.2a 8.1a 8a"},
      {"armv8.3-a", "8.3a 8.2a 8.1a 8a"},
      {"armv8.2-a", "8.2a 8.1a 8a"},
      {"armv8.1-a", "8.1a 8a"},
      {"armv8.0-a", "8a"},
  };
  if (const auto versions = kChain.find(cpu.level.value_or("")); versions != kChain.end()) {
    for (const std::string_view version : split_words(versions->second)) {
      out.push_back({"aarch64", "version", std::string(version)});
    }
  }
  const std::vector<std::string> features = cpu.features.value_or({});
  add_flags("aarch64", kOrder, {features.begin(), features.end()}, out);
}

}  // namespace

std::string to_string(const VariantProperty& property) {
  return fmt::format("{} :: {} :: {}", property.space, property.feature, property.value);
}

std::vector<VariantProperty> variant_properties(const Machine& machine) {
  Properties properties;
  add_nvidia(machine, properties);
  add_amd(machine, properties);
  add_intel(machine, properties);
  const std::string arch = machine.system.arch.value_or("");
  if (arch == "x86_64") {
    add_x86(machine.cpu, properties);
  } else if (arch == "aarch64") {
    add_arm(machine.cpu, properties);
  }
  return properties;
}

}  // namespace fitment
