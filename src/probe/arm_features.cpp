// SPDX-License-Identifier: Apache-2.0
#include "probe/arm_features.h"

#include <algorithm>
#include <array>
#include <vector>

namespace fitment {

namespace {

// In the order of their bits, from bit 0.
constexpr std::array<std::string_view, 32> kHwcap{
    "fp",      "asimd", "evtstrm", "aes",   "pmull",    "sha1",   "sha2", "crc32",
    "atomics", "fphp",  "asimdhp", "cpuid", "asimdrdm", "jscvt",  "fcma", "lrcpc",
    "dcpop",   "sha3",  "sm3",     "sm4",   "asimddp",  "sha512", "sve",  "asimdfhm",
    "dit",     "uscat", "ilrcpc",  "flagm", "ssbs",     "sb",     "paca", "pacg"};
constexpr std::array<std::string_view, 34> kHwcap2{
    "dcpodp",    "sve2",      "sveaes",  "svepmull",  "svebitperm", "svesha3",  "svesm4",
    "flagm2",    "frint",     "svei8mm", "svef32mm",  "svef64mm",   "svebf16",  "i8mm",
    "bf16",      "dgh",       "rng",     "bti",       "mte",        "ecv",      "afp",
    "rpres",     "mte3",      "sme",     "smei16i64", "smef64f64",  "smei8i32", "smef16f32",
    "smeb16f32", "smef32f32", "smefa64", "wfxt",      "ebf16",      "sveebf16"};

template <std::size_t N>
void add_bits(std::uint64_t bits,
              const std::array<std::string_view, N>& names,
              std::set<std::string>& out) {
  for (std::size_t i = 0; i < N; ++i) {
    if (((bits >> i) & 1U) != 0) {
      out.emplace(names.at(i));
    }
  }
}

struct Version {
  std::string_view name;
  std::vector<std::string_view> adds;
};

}  // namespace

std::set<std::string> arm_features(std::uint64_t hwcap, std::uint64_t hwcap2) {
  std::set<std::string> features;
  add_bits(hwcap, kHwcap, features);
  add_bits(hwcap2, kHwcap2, features);
  return features;
}

std::string arm_level(const std::set<std::string>& features) {
  // Pointer authentication and branch targets (paca, bti) are mandatory too, but kernels may be
  // built without them, and then the rest of the version is still there.
  static const std::vector<Version> kVersions{
      {"armv8.1-a", {"atomics", "asimdrdm", "crc32"}},
      {"armv8.2-a", {"dcpop"}},
      {"armv8.3-a", {"jscvt", "fcma", "lrcpc"}},
      {"armv8.4-a", {"asimddp", "dit", "flagm", "uscat", "ilrcpc"}},
      {"armv8.5-a", {"sb", "ssbs", "flagm2", "frint", "dcpodp"}},
      {"armv8.6-a", {"i8mm", "bf16", "ecv"}},
      {"armv8.7-a", {"wfxt", "afp"}},
  };
  const auto has = [&features](std::string_view name) {
    return features.count(std::string(name)) == 1;
  };
  std::string level = "armv8.0-a";
  for (const Version& version : kVersions) {
    if (!std::all_of(version.adds.begin(), version.adds.end(), has)) {
      break;
    }
    level = version.name;
  }
  // 9.n is 8.(n+5) with SVE2, which 9.0 demands.
  constexpr std::size_t kMinor = 6;
  constexpr char kFirstWithNine = '5';
  if (has("sve2") && level.at(kMinor) >= kFirstWithNine) {
    return std::string("armv9.") + static_cast<char>(level.at(kMinor) - kFirstWithNine + '0')
           + "-a";
  }
  return level;
}

std::string_view arm_implementer(std::string_view code) {
  struct Row {
    std::string_view code;
    std::string_view name;
  };
  constexpr std::array<Row, 11> kRows{{{"0x41", "ARM"},
                                       {"0x42", "Broadcom"},
                                       {"0x43", "Cavium"},
                                       {"0x46", "Fujitsu"},
                                       {"0x48", "HiSilicon"},
                                       {"0x4e", "NVIDIA"},
                                       {"0x50", "APM"},
                                       {"0x51", "Qualcomm"},
                                       {"0x61", "Apple"},
                                       {"0x6d", "Microsoft"},
                                       {"0xc0", "Ampere"}}};
  const auto found =
      std::find_if(kRows.begin(), kRows.end(), [code](const Row& row) { return row.code == code; });
  return found == kRows.end() ? std::string_view() : found->name;
}

std::string_view arm_core(std::string_view implementer, std::uint32_t part) {
  struct Row {
    std::uint32_t part;
    std::string_view name;
  };
  constexpr std::array<Row, 22> kArm{
      {{0xd03, "Cortex-A53"},    {0xd05, "Cortex-A55"},  {0xd07, "Cortex-A57"},
       {0xd08, "Cortex-A72"},    {0xd09, "Cortex-A73"},  {0xd0a, "Cortex-A75"},
       {0xd0b, "Cortex-A76"},    {0xd0c, "Neoverse-N1"}, {0xd0d, "Cortex-A77"},
       {0xd40, "Neoverse-V1"},   {0xd41, "Cortex-A78"},  {0xd42, "Cortex-A78AE"},
       {0xd44, "Cortex-X1"},     {0xd49, "Neoverse-N2"}, {0xd4b, "Cortex-A78C"},
       {0xd4f, "Neoverse-V2"},   {0xd80, "Cortex-A520"}, {0xd81, "Cortex-A720"},
       {0xd83, "Neoverse-V3AE"}, {0xd84, "Neoverse-V3"}, {0xd85, "Cortex-X925"},
       {0xd8e, "Neoverse-N3"}}};
  if (implementer == "0x41") {
    const auto found =
        std::find_if(kArm.begin(), kArm.end(), [part](const Row& row) { return row.part == part; });
    return found == kArm.end() ? std::string_view() : found->name;
  }
  if (implementer == "0x4e" && part == 0x004) {
    return "Carmel";
  }
  if (implementer == "0x46" && part == 0x001) {
    return "A64FX";
  }
  return {};
}

}  // namespace fitment
