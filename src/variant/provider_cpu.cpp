// SPDX-License-Identifier: Apache-2.0
// As provider-variant-x86-64 and provider-variant-aarch64: a level or version with everything below
// it, then each instruction-set extension of a fixed list as a feature of its own.
#include "base/text.h"
#include "variant/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace fitment {

namespace {

using Flags = std::set<std::string, std::less<>>;

constexpr std::string_view kX86Order =
    "avx_vnni cppc ibrs_enhanced tsc_adjust flush_l1d movdir64b movdiri avx512_bf16 avx512_bitalg "
    "avx512_vbmi2 avx512_vnni avx512_vp2intersect avx512_vpopcntdq avx512ifma avx512vbmi rdpid "
    "sha_ni vaes vpclmulqdq clwb clzero avx512bw avx512cd avx512dq avx512f avx512vl clflushopt "
    "gfni rdseed xsavec xsaveopt adx avx2 avx bmi2 bmi1 abm f16c fma movbe xsave rdrand aes "
    "pclmulqdq sse4a fsgsbase sse4_2 sse4_1 ssse3 sse3 cx16 lahf_lm popcnt sse2 sse mmx";

// "btiecv" and "asimdrdmatomics" are two names run together in the published list; no host has
// them, so bti, ecv, asimdrdm and atomics are never reported.
constexpr std::string_view kArmOrder =
    "sve2 flagm2 frint sb btiecv paca pacg ssbs asimdfhm bf16 dcpodp dgh dit flagm i8mm ilrcpc "
    "jscvt rng sha3 sha512 svebf16 svei8mm uscat asimddp lrcpc asimdhp dcpop fcma fphp sve "
    "asimdrdmatomics aes asimd cpuid crc32 evtstrm fp pmull sha1 sha2";

/// The flags that each x86-64 level adds to the one below (psABI, as archspec lists them).
constexpr std::array<std::string_view, 4> kX86Levels{
    "mmx sse sse2",
    "cx16 lahf_lm popcnt sse3 sse4_1 sse4_2 ssse3",
    "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
    "avx512bw avx512cd avx512dq avx512f avx512vl",
};

void add_flags(std::string_view order, const Flags& have, std::vector<SupportedFeature>& features) {
  for (const std::string_view flag : split_words(order)) {
    if (have.find(flag) != have.end()) {
      features.push_back({std::string(flag), {"on"}});
    }
  }
}

Flags flags_of(const Cpu& cpu) {
  const std::vector<std::string> listed = cpu.features.value_or({});
  return {listed.begin(), listed.end()};
}

bool has_all(const Flags& have, std::string_view wanted) {
  const auto words = split_words(wanted);
  return std::all_of(
      words.begin(), words.end(), [&have](auto flag) { return have.find(flag) != have.end(); });
}

/// 1 to 4. Where no level is known, the highest whose flags are all there; every x86-64 machine has
/// the first.
std::size_t x86_level(const Cpu& cpu, const Flags& have) {
  constexpr std::string_view kPrefix = "x86-64-v";
  const std::string level = cpu.level.value_or("");
  if (level.starts_with(kPrefix)) {
    const auto number = parse_unsigned(std::string_view(level).substr(kPrefix.size()));
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(number.value_or(1), 1, kX86Levels.size()));
  }
  std::size_t highest = 1;
  while (highest < kX86Levels.size() && has_all(have, kX86Levels.at(highest))) {
    ++highest;
  }
  return highest;
}

/// Versions of arm64 down from a level. 9.0 descends from 8.5, so 8.6 is not below it; what is
/// higher counts as the highest that the provider knows.
std::vector<std::string> arm_versions(std::string_view level) {
  constexpr std::string_view kPrefix = "armv";
  constexpr std::uint64_t kLastOfEight = 6;
  constexpr std::uint64_t kBelowNine = 5;
  std::uint64_t major = 8;
  std::uint64_t minor = 0;
  if (level.starts_with(kPrefix) && level.ends_with("-a")) {
    const auto parts = split(level.substr(kPrefix.size(), level.size() - kPrefix.size() - 2), '.');
    major = parse_unsigned(parts[0]).value_or(8);
    minor = parts.size() > 1 ? parse_unsigned(parts[1]).value_or(0) : 0;
  }
  std::vector<std::string> versions;
  if (major > 8) {
    versions.emplace_back("9.0a");
    minor = kBelowNine;
  } else {
    minor = std::min(minor, kLastOfEight);
  }
  for (; minor > 0; --minor) {
    versions.push_back(fmt::format("8.{}a", minor));
  }
  versions.emplace_back("8a");
  return versions;
}

bool has_word(std::string_view words, std::string_view word) {
  const auto all = split_words(words);
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

bool x86_64_may_report(std::string_view feature, std::string_view value) {
  return feature == "level" ? has_word("v1 v2 v3 v4", value)
                            : value == "on" && has_word(kX86Order, feature);
}

bool aarch64_may_report(std::string_view feature, std::string_view value) {
  return feature == "version" ? has_word("9.0a 8.6a 8.5a 8.4a 8.3a 8.2a 8.1a 8a", value)
                              : value == "on" && has_word(kArmOrder, feature);
}

Result<std::vector<SupportedFeature>> ask_x86_64(const Machine& machine) {
  std::vector<SupportedFeature> features;
  if (machine.system.arch.value_or("") != "x86_64") {
    return features;
  }
  Flags have = flags_of(machine.cpu);
  if (have.count("pni") == 1 || have.count("ssse3") == 1) {
    have.insert("sse3");  // Linux says pni
  }
  const std::size_t level = x86_level(machine.cpu, have);
  SupportedFeature levels{"level", {}};
  for (std::size_t n = level; n > 0; --n) {
    levels.values.push_back(fmt::format("v{}", n));
    for (const std::string_view flag : split_words(kX86Levels.at(n - 1))) {
      have.emplace(flag);
    }
  }
  features.push_back(std::move(levels));
  add_flags(kX86Order, have, features);
  return features;
}

Result<std::vector<SupportedFeature>> ask_aarch64(const Machine& machine) {
  std::vector<SupportedFeature> features;
  if (machine.system.arch.value_or("") != "aarch64") {
    return features;
  }
  features.push_back({"version", arm_versions(machine.cpu.level.value_or(""))});
  add_flags(kArmOrder, flags_of(machine.cpu), features);
  return features;
}

}  // namespace fitment
