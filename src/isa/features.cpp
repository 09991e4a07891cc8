// SPDX-License-Identifier: Apache-2.0
#include "isa/features.h"

#include <algorithm>

namespace fitment {

namespace {

/// One extension: its name, the level that contains it, and the level whose register state it
/// builds on.
struct X86Row {
  std::string_view name;
  X86Level level;
  X86Level state;
};

constexpr std::size_t kX86Count = static_cast<std::size_t>(X86Feature::number_of);
constexpr X86Level kV1 = X86Level::v1;
constexpr X86Level kV2 = X86Level::v2;
constexpr X86Level kV3 = X86Level::v3;
constexpr X86Level kV4 = X86Level::v4;
constexpr X86Level kBeyond = X86Level::beyond;

// x86-64 psABI, "Microarchitecture levels". LAHF/SAHF is formally v2, but only the first 64-bit
// parts lack it, and compilers use it in v1 code: it is reported and raises no level.
constexpr std::array<X86Row, kX86Count> kX86Rows{{
    {"sse3", kV2, kV2},
    {"ssse3", kV2, kV2},
    {"sse4_1", kV2, kV2},
    {"sse4_2", kV2, kV2},
    {"popcnt", kV2, kV2},
    {"cx16", kV2, kV2},
    {"lahf_lm", kV2, kV1},
    {"avx", kV3, kV3},
    {"avx2", kV3, kV3},
    {"f16c", kV3, kV3},
    {"fma", kV3, kV3},
    {"bmi1", kV3, kV3},
    {"bmi2", kV3, kV3},
    {"lzcnt", kV3, kV3},
    {"movbe", kV3, kV3},
    {"avx512f", kV4, kV4},
    {"avx512bw", kV4, kV4},
    {"avx512cd", kV4, kV4},
    {"avx512dq", kV4, kV4},
    {"avx512vl", kV4, kV4},
    {"avx512ifma", kBeyond, kV4},
    {"avx512vbmi", kBeyond, kV4},
    {"avx512_vbmi2", kBeyond, kV4},
    {"avx512_vnni", kBeyond, kV4},
    {"avx512_bitalg", kBeyond, kV4},
    {"avx512_vpopcntdq", kBeyond, kV4},
    {"avx512_bf16", kBeyond, kV4},
    {"avx512_fp16", kBeyond, kV4},
    {"avx512_vp2intersect", kBeyond, kV4},
    {"avx512er", kBeyond, kV4},
    {"avx512pf", kBeyond, kV4},
    {"avx512_4vnniw", kBeyond, kV4},
    {"avx512_4fmaps", kBeyond, kV4},
    {"avx_vnni", kBeyond, kV3},
    {"avx_ifma", kBeyond, kV3},
    {"avx_vnni_int8", kBeyond, kV3},
    {"avx_vnni_int16", kBeyond, kV3},
    {"avx_ne_convert", kBeyond, kV3},
    {"sha512", kBeyond, kV3},
    {"sm3", kBeyond, kV3},
    {"sm4", kBeyond, kV3},
    {"fma4", kBeyond, kV3},
    {"xop", kBeyond, kV3},
    {"amx_tile", kBeyond, kV4},
    {"amx_int8", kBeyond, kV4},
    {"amx_bf16", kBeyond, kV4},
    {"amx_fp16", kBeyond, kV4},
    {"amx_complex", kBeyond, kV4},
    {"apx", kBeyond, kV4},
    {"aes", kBeyond, kV1},
    {"pclmulqdq", kBeyond, kV1},
    {"vaes", kBeyond, kV3},
    {"vpclmulqdq", kBeyond, kV3},
    {"gfni", kBeyond, kV1},
    {"sha_ni", kBeyond, kV1},
    {"adx", kBeyond, kV1},
    {"rdrand", kBeyond, kV1},
    {"rdseed", kBeyond, kV1},
    {"cmpccxadd", kBeyond, kV1},
    {"raoint", kBeyond, kV1},
    {"tbm", kBeyond, kV1},
    {"sse4a", kBeyond, kV1},
    {"3dnow", kBeyond, kV1},
    {"3dnowext", kBeyond, kV1},
    {"3dnowprefetch", kBeyond, kV1},
    {"prefetchwt1", kBeyond, kV1},
    {"lwp", kBeyond, kV1},
    {"kl", kBeyond, kV1},
    {"widekl", kBeyond, kV1},
    {"phe", kBeyond, kV1},
    {"xsave", kV3, kV1},
    {"xsaveopt", kBeyond, kV1},
    {"xsavec", kBeyond, kV1},
    {"xsaves", kBeyond, kV1},
    {"fsgsbase", kBeyond, kV1},
    {"rdtscp", kBeyond, kV1},
    {"rdpid", kBeyond, kV1},
    {"rdpru", kBeyond, kV1},
    {"pku", kBeyond, kV1},
    {"clflushopt", kBeyond, kV1},
    {"clwb", kBeyond, kV1},
    {"clzero", kBeyond, kV1},
    {"movdiri", kBeyond, kV1},
    {"movdir64b", kBeyond, kV1},
    {"enqcmd", kBeyond, kV1},
    {"waitpkg", kBeyond, kV1},
    {"mwaitx", kBeyond, kV1},
    {"serialize", kBeyond, kV1},
    {"rtm", kBeyond, kV1},
    {"tsxldtrk", kBeyond, kV1},
    {"user_shstk", kBeyond, kV1},
    {"uintr", kBeyond, kV1},
    {"user_msr", kBeyond, kV1},
    {"ptwrite", kBeyond, kV1},
    {"mcommit", kBeyond, kV1},
    {"hreset", kBeyond, kV1},
    {"sgx", kBeyond, kV1},
}};
static_assert(kX86Rows.back().name == "sgx", "one row for each X86Feature, in order");

struct ArmRow {
  std::string_view name;
  std::string_view alias;         ///< the architecture's or the compilers' name
  std::optional<ArmLevel> level;  ///< mandatory from here on
};

constexpr std::size_t kArmCount = static_cast<std::size_t>(ArmFeature::number_of);

// Arm Architecture Reference Manual (DDI 0487), A2.2 to A2.11 and the FEAT_ list: which version
// makes what mandatory.
constexpr std::array<ArmRow, kArmCount> kArmRows{{
    {"aes", "", std::nullopt},
    {"pmull", "", std::nullopt},
    {"sha1", "", std::nullopt},
    {"sha2", "sha256", std::nullopt},
    {"crc32", "crc", ArmLevel::armv8_1},
    {"atomics", "lse", ArmLevel::armv8_1},
    {"asimdrdm", "rdm", ArmLevel::armv8_1},
    {"fphp", "", std::nullopt},
    {"asimdhp", "fp16", std::nullopt},
    {"jscvt", "jsconv", ArmLevel::armv8_3},
    {"fcma", "complxnum", ArmLevel::armv8_3},
    {"lrcpc", "rcpc", ArmLevel::armv8_3},
    {"dcpop", "dpb", ArmLevel::armv8_2},
    {"sha3", "", std::nullopt},
    {"sm3", "", std::nullopt},
    {"sm4", "", std::nullopt},
    {"asimddp", "dotprod", ArmLevel::armv8_4},
    {"sha512", "", std::nullopt},
    {"asimdfhm", "fp16fml", std::nullopt},
    {"ilrcpc", "rcpc2", ArmLevel::armv8_4},
    {"flagm", "", ArmLevel::armv8_4},
    {"sb", "", ArmLevel::armv8_5},
    {"paca", "pauth", ArmLevel::armv8_3},
    {"flagm2", "altnzcv", ArmLevel::armv8_5},
    {"frint", "fptoint", ArmLevel::armv8_5},
    {"i8mm", "", ArmLevel::armv8_6},
    {"bf16", "", ArmLevel::armv8_6},
    {"rng", "rand", std::nullopt},
    {"mte", "memtag", std::nullopt},
    {"ls64", "", std::nullopt},
    {"wfxt", "", std::nullopt},
    {"mops", "", std::nullopt},
    {"cssc", "", std::nullopt},
    {"sve", "", std::nullopt},
    {"sve2", "", ArmLevel::armv9_0},
    {"sveaes", "sve2-aes", std::nullopt},
    {"svebitperm", "sve2-bitperm", std::nullopt},
    {"svesha3", "sve2-sha3", std::nullopt},
    {"svesm4", "sve2-sm4", std::nullopt},
    {"svei8mm", "", std::nullopt},
    {"svef32mm", "f32mm", std::nullopt},
    {"svef64mm", "f64mm", std::nullopt},
    {"svebf16", "", std::nullopt},
    {"sme", "", std::nullopt},
}};
static_assert(kArmRows.back().name == "sme", "one row for each ArmFeature, in order");

const X86Row& row_of(X86Feature feature) {
  return kX86Rows[static_cast<std::size_t>(feature)];
}

const ArmRow& row_of(ArmFeature feature) {
  return kArmRows[static_cast<std::size_t>(feature)];
}

constexpr X86Features with_state_from(X86Level level) {
  X86Features features;
  for (std::size_t i = 0; i < kX86Count; ++i) {
    if (kX86Rows[i].state >= level) {
      features.insert(static_cast<X86Feature>(i));
    }
  }
  return features;
}

template <typename Feature>
std::string joined(const FeatureSet<Feature>& features) {
  std::string text;
  for (const Feature feature : features.members()) {
    text += text.empty() ? "" : ", ";
    text += to_string(feature);
  }
  return text;
}

}  // namespace

std::string_view to_string(X86Feature feature) {
  return row_of(feature).name;
}

std::string_view to_string(ArmFeature feature) {
  return row_of(feature).name;
}

std::string_view to_string(X86Level level) {
  constexpr std::array<std::string_view, 5> kNames{
      "x86-64-v1", "x86-64-v2", "x86-64-v3", "x86-64-v4", "beyond x86-64-v4"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string_view to_string(ArmLevel level) {
  constexpr std::array<std::string_view, 8> kNames{"armv8.0-a",
                                                   "armv8.1-a",
                                                   "armv8.2-a",
                                                   "armv8.3-a",
                                                   "armv8.4-a",
                                                   "armv8.5-a",
                                                   "armv8.6-a",
                                                   "armv9.0-a"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string to_string(const X86Features& features) {
  return joined(features);
}

std::string to_string(const ArmFeatures& features) {
  return joined(features);
}

std::optional<X86Feature> parse_x86_feature(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, X86Feature>, 6> kOthers{
      {{"pni", X86Feature::sse3},
       {"abm", X86Feature::lzcnt},
       {"osxsave", X86Feature::xsave},
       {"ospke", X86Feature::pku},
       {"monitorx", X86Feature::monitorx},
       {"padlock", X86Feature::phe}}};
  for (std::size_t i = 0; i < kX86Count; ++i) {
    if (kX86Rows[i].name == text) {
      return static_cast<X86Feature>(i);
    }
  }
  for (const auto& [name, feature] : kOthers) {
    if (name == text) {
      return feature;
    }
  }
  return std::nullopt;
}

std::optional<ArmFeature> parse_arm_feature(std::string_view text) {
  for (std::size_t i = 0; i < kArmCount; ++i) {
    if (!text.empty() && (kArmRows[i].name == text || kArmRows[i].alias == text)) {
      return static_cast<ArmFeature>(i);
    }
  }
  return std::nullopt;
}

std::optional<ArmLevel> parse_arm_level(std::string_view text) {
  if (text == "armv8-a" || text == "armv9-a") {
    return text[4] == '8' ? ArmLevel::armv8_0 : ArmLevel::armv9_0;
  }
  for (const ArmLevel level : {ArmLevel::armv8_0,
                               ArmLevel::armv8_1,
                               ArmLevel::armv8_2,
                               ArmLevel::armv8_3,
                               ArmLevel::armv8_4,
                               ArmLevel::armv8_5,
                               ArmLevel::armv8_6,
                               ArmLevel::armv9_0}) {
    if (text == to_string(level)) {
      return level;
    }
  }
  return std::nullopt;
}

std::optional<X86Level> parse_x86_level(std::string_view text) {
  constexpr std::string_view kPrefix = "x86-64";
  if (text == kPrefix) {
    return X86Level::v1;
  }
  if (text.substr(0, kPrefix.size()) == kPrefix && text.size() > kPrefix.size()
      && text[kPrefix.size()] == '-') {
    text.remove_prefix(kPrefix.size() + 1);
  }
  if (text.size() != 2 || text[0] != 'v' || text[1] < '1' || text[1] > '4') {
    return std::nullopt;
  }
  return static_cast<X86Level>(text[1] - '1');
}

X86Level level_of(X86Feature feature) {
  return row_of(feature).level;
}

X86Level level_of(const X86Features& features) {
  // Asked for every function of a library: three intersections, no loop over members.
  static constexpr X86Features kNeedV4 = with_state_from(X86Level::v4);
  static constexpr X86Features kNeedV3 = with_state_from(X86Level::v3);
  static constexpr X86Features kNeedV2 = with_state_from(X86Level::v2);
  if (!(features & kNeedV4).empty()) {
    return X86Level::v4;
  }
  if (!(features & kNeedV3).empty()) {
    return X86Level::v3;
  }
  return (features & kNeedV2).empty() ? X86Level::v1 : X86Level::v2;
}

X86Features features_of(X86Level level) {
  X86Features features;
  for (std::size_t i = 0; i < kX86Count; ++i) {
    if (kX86Rows[i].level <= level) {
      features.insert(static_cast<X86Feature>(i));
    }
  }
  return features;
}

X86Features beyond_levels(const X86Features& features) {
  return features - features_of(X86Level::v4);
}

std::optional<ArmLevel> level_of(ArmFeature feature) {
  return row_of(feature).level;
}

ArmLevel level_of(const ArmFeatures& features) {
  ArmLevel level = ArmLevel::armv8_0;
  for (const ArmFeature feature : features.members()) {
    level = std::max(level, row_of(feature).level.value_or(ArmLevel::armv8_0));
  }
  return level;
}

ArmFeatures beyond_level(const ArmFeatures& features, ArmLevel level) {
  ArmFeatures rest;
  for (const ArmFeature feature : features.members()) {
    const std::optional<ArmLevel> own = row_of(feature).level;
    if (!own || *own > level) {
      rest.insert(feature);
    }
  }
  return rest;
}

}  // namespace fitment
