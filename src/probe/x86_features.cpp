// SPDX-License-Identifier: Apache-2.0
#include "probe/x86_features.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

// `pku` is CPUID's OSPKE bit: protection keys count once the kernel has switched them on.
// clang-format off
constexpr auto kFeatures = std::to_array<CpuidFeature>({
  {"fpu", 1, 0, X86Register::edx, 0, X86State::none, true},
  {"cx8", 1, 0, X86Register::edx, 8, X86State::none, true},
  {"cmov", 1, 0, X86Register::edx, 15, X86State::none, true},
  {"mmx", 1, 0, X86Register::edx, 23, X86State::none, true},
  {"fxsr", 1, 0, X86Register::edx, 24, X86State::none, true},
  {"sse", 1, 0, X86Register::edx, 25, X86State::none, true},
  {"sse2", 1, 0, X86Register::edx, 26, X86State::none, true},
  {"pni", 1, 0, X86Register::ecx, 0, X86State::none, true},
  {"pclmulqdq", 1, 0, X86Register::ecx, 1, X86State::none, true},
  {"ssse3", 1, 0, X86Register::ecx, 9, X86State::none, true},
  {"cx16", 1, 0, X86Register::ecx, 13, X86State::none, true},
  {"sse4_1", 1, 0, X86Register::ecx, 19, X86State::none, true},
  {"sse4_2", 1, 0, X86Register::ecx, 20, X86State::none, true},
  {"movbe", 1, 0, X86Register::ecx, 22, X86State::none, true},
  {"popcnt", 1, 0, X86Register::ecx, 23, X86State::none, true},
  {"aes", 1, 0, X86Register::ecx, 25, X86State::none, true},
  {"rdrand", 1, 0, X86Register::ecx, 30, X86State::none, true},
  {"pdcm", 1, 0, X86Register::ecx, 15, X86State::none, false},
  {"xsave", 1, 0, X86Register::ecx, 26, X86State::xsave, true},
  {"fma", 1, 0, X86Register::ecx, 12, X86State::avx, true},
  {"avx", 1, 0, X86Register::ecx, 28, X86State::avx, true},
  {"f16c", 1, 0, X86Register::ecx, 29, X86State::avx, true},
  {"fsgsbase", 7, 0, X86Register::ebx, 0, X86State::none, true},
  {"bmi1", 7, 0, X86Register::ebx, 3, X86State::none, true},
  {"bmi2", 7, 0, X86Register::ebx, 8, X86State::none, true},
  {"erms", 7, 0, X86Register::ebx, 9, X86State::none, true},
  {"rdseed", 7, 0, X86Register::ebx, 18, X86State::none, true},
  {"adx", 7, 0, X86Register::ebx, 19, X86State::none, true},
  {"clflushopt", 7, 0, X86Register::ebx, 23, X86State::none, true},
  {"clwb", 7, 0, X86Register::ebx, 24, X86State::none, true},
  {"sha_ni", 7, 0, X86Register::ebx, 29, X86State::none, true},
  {"tsc_adjust", 7, 0, X86Register::ebx, 1, X86State::none, false},
  {"hle", 7, 0, X86Register::ebx, 4, X86State::none, false},
  {"rtm", 7, 0, X86Register::ebx, 11, X86State::none, false},
  {"avx2", 7, 0, X86Register::ebx, 5, X86State::avx, true},
  {"avx512f", 7, 0, X86Register::ebx, 16, X86State::avx512, true},
  {"avx512dq", 7, 0, X86Register::ebx, 17, X86State::avx512, true},
  {"avx512ifma", 7, 0, X86Register::ebx, 21, X86State::avx512, true},
  {"avx512pf", 7, 0, X86Register::ebx, 26, X86State::avx512, true},
  {"avx512er", 7, 0, X86Register::ebx, 27, X86State::avx512, true},
  {"avx512cd", 7, 0, X86Register::ebx, 28, X86State::avx512, true},
  {"avx512bw", 7, 0, X86Register::ebx, 30, X86State::avx512, true},
  {"avx512vl", 7, 0, X86Register::ebx, 31, X86State::avx512, true},
  {"avx512vbmi", 7, 0, X86Register::ecx, 1, X86State::avx512, true},
  {"avx512_vbmi2", 7, 0, X86Register::ecx, 6, X86State::avx512, true},
  {"avx512_vnni", 7, 0, X86Register::ecx, 11, X86State::avx512, true},
  {"avx512_bitalg", 7, 0, X86Register::ecx, 12, X86State::avx512, true},
  {"avx512_vpopcntdq", 7, 0, X86Register::ecx, 14, X86State::avx512, true},
  {"vaes", 7, 0, X86Register::ecx, 9, X86State::avx, true},
  {"vpclmulqdq", 7, 0, X86Register::ecx, 10, X86State::avx, true},
  {"gfni", 7, 0, X86Register::ecx, 8, X86State::none, true},
  {"rdpid", 7, 0, X86Register::ecx, 22, X86State::none, true},
  {"umip", 7, 0, X86Register::ecx, 2, X86State::none, false},
  {"pku", 7, 0, X86Register::ecx, 4, X86State::none, false},
  {"waitpkg", 7, 0, X86Register::ecx, 5, X86State::none, false},
  {"cldemote", 7, 0, X86Register::ecx, 25, X86State::none, false},
  {"movdiri", 7, 0, X86Register::ecx, 27, X86State::none, false},
  {"movdir64b", 7, 0, X86Register::ecx, 28, X86State::none, false},
  {"enqcmd", 7, 0, X86Register::ecx, 29, X86State::none, false},
  {"avx512_4vnniw", 7, 0, X86Register::edx, 2, X86State::avx512, false},
  {"avx512_4fmaps", 7, 0, X86Register::edx, 3, X86State::avx512, false},
  {"avx512_vp2intersect", 7, 0, X86Register::edx, 8, X86State::avx512, false},
  {"avx512_fp16", 7, 0, X86Register::edx, 23, X86State::avx512, false},
  {"fsrm", 7, 0, X86Register::edx, 4, X86State::none, false},
  {"serialize", 7, 0, X86Register::edx, 14, X86State::none, false},
  {"tsxldtrk", 7, 0, X86Register::edx, 16, X86State::none, false},
  {"flush_l1d", 7, 0, X86Register::edx, 28, X86State::none, false},
  {"amx_bf16", 7, 0, X86Register::edx, 22, X86State::amx, false},
  {"amx_tile", 7, 0, X86Register::edx, 24, X86State::amx, false},
  {"amx_int8", 7, 0, X86Register::edx, 25, X86State::amx, false},
  {"sha512", 7, 1, X86Register::eax, 0, X86State::avx, false},
  {"sm3", 7, 1, X86Register::eax, 1, X86State::avx, false},
  {"sm4", 7, 1, X86Register::eax, 2, X86State::avx, false},
  {"avx_vnni", 7, 1, X86Register::eax, 4, X86State::avx, false},
  {"avx_ifma", 7, 1, X86Register::eax, 23, X86State::avx, false},
  {"avx512_bf16", 7, 1, X86Register::eax, 5, X86State::avx512, false},
  {"cmpccxadd", 7, 1, X86Register::eax, 7, X86State::none, false},
  {"amx_fp16", 7, 1, X86Register::eax, 21, X86State::amx, false},
  {"avx_vnni_int8", 7, 1, X86Register::edx, 4, X86State::avx, false},
  {"avx_ne_convert", 7, 1, X86Register::edx, 5, X86State::avx, false},
  {"avx_vnni_int16", 7, 1, X86Register::edx, 10, X86State::avx, false},
  {"amx_complex", 7, 1, X86Register::edx, 8, X86State::amx, false},
  {"prefetchi", 7, 1, X86Register::edx, 14, X86State::none, false},
  {"avx10", 7, 1, X86Register::edx, 19, X86State::avx512, false},
  {"apx_f", 7, 1, X86Register::edx, 21, X86State::apx, false},
  {"xsaveopt", 0xd, 1, X86Register::eax, 0, X86State::xsave, true},
  {"xsavec", 0xd, 1, X86Register::eax, 1, X86State::xsave, true},
  {"xgetbv1", 0xd, 1, X86Register::eax, 2, X86State::xsave, true},
  {"lahf_lm", 0x80000001, 0, X86Register::ecx, 0, X86State::none, true},
  {"abm", 0x80000001, 0, X86Register::ecx, 5, X86State::none, true},
  {"sse4a", 0x80000001, 0, X86Register::ecx, 6, X86State::none, true},
  {"misalignsse", 0x80000001, 0, X86Register::ecx, 7, X86State::none, true},
  {"3dnowprefetch", 0x80000001, 0, X86Register::ecx, 8, X86State::none, true},
  {"tbm", 0x80000001, 0, X86Register::ecx, 21, X86State::none, true},
  {"xop", 0x80000001, 0, X86Register::ecx, 11, X86State::avx, true},
  {"fma4", 0x80000001, 0, X86Register::ecx, 16, X86State::avx, true},
  {"syscall", 0x80000001, 0, X86Register::edx, 11, X86State::none, true},
  {"mmxext", 0x80000001, 0, X86Register::edx, 22, X86State::none, true},
  {"rdtscp", 0x80000001, 0, X86Register::edx, 27, X86State::none, true},
  {"lm", 0x80000001, 0, X86Register::edx, 29, X86State::none, true},
  {"3dnowext", 0x80000001, 0, X86Register::edx, 30, X86State::none, true},
  {"3dnow", 0x80000001, 0, X86Register::edx, 31, X86State::none, true},
  {"clzero", 0x80000008, 0, X86Register::ebx, 0, X86State::none, true},
  {"wbnoinvd", 0x80000008, 0, X86Register::ebx, 9, X86State::none, false},
  {"cppc", 0x80000008, 0, X86Register::ebx, 27, X86State::none, false},
});
// clang-format on

using Names = std::vector<std::string_view>;

/// What each level adds to the one below (x86-64 psABI, section 3.1.1), in Linux's words. OSXSAVE,
/// which v3 demands, is in our meaning of `xsave`.
const std::array<Names, 4>& level_names() {
  static const std::array<Names, 4> kNames{
      Names{"cmov", "cx8", "fpu", "fxsr", "mmx", "syscall", "sse", "sse2"},
      Names{"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"},
      Names{"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
      Names{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
  };
  return kNames;
}

std::vector<std::string> missing_of(const Names& names, const std::set<std::string>& features) {
  std::vector<std::string> missing;
  for (const std::string_view name : names) {
    if (features.count(std::string(name)) == 0) {
      missing.emplace_back(name);
    }
  }
  return missing;
}

std::size_t reached_level(const std::set<std::string>& features) {
  std::size_t level = 1;
  while (level < level_names().size() && missing_of(level_names().at(level), features).empty()) {
    ++level;
  }
  return level;
}

std::uint64_t state_mask(X86State state) {
  constexpr std::uint64_t kAvx = 0x6;
  constexpr std::uint64_t kAvx512 = 0xe6;
  constexpr std::uint64_t kAmx = 0x60000;
  constexpr std::uint64_t kApx = 0x80000;
  switch (state) {
    case X86State::none:
    case X86State::xsave:
      return 0;
    case X86State::avx:
      return kAvx;
    case X86State::avx512:
      return kAvx512;
    case X86State::amx:
      return kAmx;
    case X86State::apx:
      return kApx;
  }
  return 0;
}

bool is_saved(X86State state, const CpuidTable& cpuid) {
  if (state == X86State::none) {
    return true;
  }
  const std::uint64_t mask = state_mask(state);
  return cpuid.xcr0 && (*cpuid.xcr0 & mask) == mask;
}

std::uint32_t word_of(const CpuidLeaf& leaf, X86Register word) {
  switch (word) {
    case X86Register::eax:
      return leaf.eax;
    case X86Register::ebx:
      return leaf.ebx;
    case X86Register::ecx:
      return leaf.ecx;
    case X86Register::edx:
      return leaf.edx;
  }
  return 0;
}

}  // namespace

std::span<const CpuidFeature> x86_features() {
  return kFeatures;
}

std::set<std::string> usable_x86_features(const CpuidTable& cpuid) {
  std::set<std::string> usable;
  for (const CpuidFeature& feature : kFeatures) {
    const CpuidLeaf* leaf = cpuid.find(feature.leaf, feature.subleaf);
    if (leaf != nullptr && ((word_of(*leaf, feature.word) >> feature.bit) & 1U) != 0
        && is_saved(feature.state, cpuid)) {
      usable.emplace(feature.name);
    }
  }
  return usable;
}

std::string x86_level(const std::set<std::string>& features) {
  return "x86-64-v" + std::to_string(reached_level(features));
}

std::vector<std::string> missing_for_next_level(const std::set<std::string>& features) {
  const std::size_t level = reached_level(features);
  return level == level_names().size() ? std::vector<std::string>()
                                       : missing_of(level_names().at(level), features);
}

}  // namespace fitment
