// SPDX-License-Identifier: Apache-2.0
// Instruction-set extensions as values: sets of them, their spelling, and the levels that bundle
// them.
//
// x86-64 levels are those of the psABI (v1 to v4); everything that no level contains is "beyond":
// it is listed by name and never raises a level by itself, except that vector extensions need the
// register state of the level they build on (avx_vnni needs v3's, avx512_vnni v4's). arm64 levels
// are architecture versions, `armv8.0-a` to `armv9.0-a`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Extensions of x86-64; the baseline (SSE2, CMOV, FXSR, ...) has no entry. Enumerators are spelled
/// as /proc/cpuinfo spells them where C++ allows (see to_string), but `sse3` for `pni` and `lzcnt`
/// for `abm`.
enum class X86Feature : std::uint8_t {
  // x86-64-v2
  sse3,
  ssse3,
  sse4_1,
  sse4_2,
  popcnt,
  cx16,
  lahf_lm,
  // x86-64-v3
  avx,
  avx2,
  f16c,
  fma,
  bmi1,
  bmi2,
  lzcnt,
  movbe,
  // x86-64-v4
  avx512f,
  avx512bw,
  avx512cd,
  avx512dq,
  avx512vl,
  // beyond: AVX-512 family
  avx512ifma,
  avx512vbmi,
  avx512_vbmi2,
  avx512_vnni,
  avx512_bitalg,
  avx512_vpopcntdq,
  avx512_bf16,
  avx512_fp16,
  avx512_vp2intersect,
  avx512er,
  avx512pf,
  avx512_4vnniw,
  avx512_4fmaps,
  // beyond: VEX-encoded vectors
  avx_vnni,
  avx_ifma,
  avx_vnni_int8,
  avx_vnni_int16,
  avx_ne_convert,
  sha512,
  sm3,
  sm4,
  fma4,
  xop,
  // beyond: tiles
  amx_tile,
  amx_int8,
  amx_bf16,
  amx_fp16,
  amx_complex,
  // beyond: Advanced Performance Extensions
  apx,
  // beyond: cryptography and scalar
  aes,
  pclmulqdq,
  vaes,
  vpclmulqdq,
  gfni,
  sha_ni,
  adx,
  rdrand,
  rdseed,
  cmpccxadd,
  raoint,
  tbm,
  sse4a,
  amd_3dnow,
  amd_3dnowext,
  prefetchw,
  prefetchwt1,
  lwp,
  kl,
  widekl,
  phe,
  // beyond: system state, time, cache, transactions
  xsave,
  xsaveopt,
  xsavec,
  xsaves,
  fsgsbase,
  rdtscp,
  rdpid,
  rdpru,
  pku,
  clflushopt,
  clwb,
  clzero,
  movdiri,
  movdir64b,
  enqcmd,
  waitpkg,
  monitorx,
  serialize,
  rtm,
  tsxldtrk,
  user_shstk,
  uintr,
  user_msr,
  ptwrite,
  mcommit,
  hreset,
  sgx,
  number_of,
};

/// Extensions of arm64 over Armv8.0-A with floating point and Advanced SIMD, named after Linux's
/// HWCAP flags. Hint-space instructions (BTI, PACIASP, ...) execute everywhere and have no entry.
enum class ArmFeature : std::uint8_t {
  aes,
  pmull,
  sha1,
  sha2,
  crc32,
  atomics,
  asimdrdm,
  fphp,
  asimdhp,
  jscvt,
  fcma,
  lrcpc,
  dcpop,
  sha3,
  sm3,
  sm4,
  asimddp,
  sha512,
  asimdfhm,
  ilrcpc,
  flagm,
  sb,
  paca,
  flagm2,
  frint,
  i8mm,
  bf16,
  rng,
  mte,
  ls64,
  wfxt,
  mops,
  cssc,
  sve,
  sve2,
  sveaes,
  svebitperm,
  svesha3,
  svesm4,
  svei8mm,
  svef32mm,
  svef64mm,
  svebf16,
  sme,
  number_of,
};

/// A set of extensions of one architecture: a small value, ordered by enumerator.
template <typename Feature>
class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> features) {
    for (const Feature feature : features) {
      insert(feature);
    }
  }

  constexpr void insert(Feature feature) { word(feature) |= bit(feature); }
  constexpr void erase(Feature feature) { word(feature) &= ~bit(feature); }
  [[nodiscard]] constexpr bool contains(Feature feature) const {
    return (words_[index(feature) / 64] & bit(feature)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
  /// True when every member of `other` is a member of this set.
  [[nodiscard]] constexpr bool contains_all(const FeatureSet& other) const {
    return (other - *this).empty();
  }
  /// Members in the order of the enumeration.
  [[nodiscard]] std::vector<Feature> members() const {
    std::vector<Feature> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Feature::number_of); ++i) {
      if (contains(static_cast<Feature>(i))) {
        found.push_back(static_cast<Feature>(i));
      }
    }
    return found;
  }

  constexpr FeatureSet& operator|=(const FeatureSet& other) {
    words_[0] |= other.words_[0];
    words_[1] |= other.words_[1];
    return *this;
  }
  friend constexpr FeatureSet operator|(FeatureSet a, const FeatureSet& b) { return a |= b; }
  friend constexpr FeatureSet operator&(FeatureSet a, const FeatureSet& b) {
    a.words_[0] &= b.words_[0];
    a.words_[1] &= b.words_[1];
    return a;
  }
  friend constexpr FeatureSet operator-(FeatureSet a, const FeatureSet& b) {
    a.words_[0] &= ~b.words_[0];
    a.words_[1] &= ~b.words_[1];
    return a;
  }
  friend constexpr bool operator==(const FeatureSet& a, const FeatureSet& b) {
    return a.words_ == b.words_;
  }
  friend constexpr auto operator<=>(const FeatureSet& a, const FeatureSet& b) {
    return a.words_ <=> b.words_;
  }

  /// The two words of the set, for tables that are written as text.
  [[nodiscard]] constexpr const std::array<std::uint64_t, 2>& words() const { return words_; }
  static constexpr FeatureSet from_words(std::uint64_t low, std::uint64_t high) {
    FeatureSet set;
    set.words_ = {low, high};
    return set;
  }

 private:
  static constexpr std::size_t index(Feature feature) { return static_cast<std::size_t>(feature); }
  static constexpr std::uint64_t bit(Feature feature) {
    return std::uint64_t{1} << (index(feature) % 64);
  }
  constexpr std::uint64_t& word(Feature feature) { return words_[index(feature) / 64]; }

  static_assert(static_cast<std::size_t>(Feature::number_of) <= 128);
  std::array<std::uint64_t, 2> words_{};
};

using X86Features = FeatureSet<X86Feature>;
using ArmFeatures = FeatureSet<ArmFeature>;

/// psABI microarchitecture levels; `beyond` belongs to extensions that no level contains.
enum class X86Level : std::uint8_t {
  v1,
  v2,
  v3,
  v4,
  beyond,
};

/// Architecture versions whose mandatory extensions we tell apart.
enum class ArmLevel : std::uint8_t {
  armv8_0,
  armv8_1,
  armv8_2,
  armv8_3,
  armv8_4,
  armv8_5,
  armv8_6,
  armv9_0,
};

/// `avx512_vbmi2`, `3dnow`, `sse3`.
std::string_view to_string(X86Feature feature);
/// `atomics`, `asimddp`.
std::string_view to_string(ArmFeature feature);
/// `x86-64-v3`; `beyond` reads "beyond x86-64-v4".
std::string_view to_string(X86Level level);
/// `armv8.2-a`.
std::string_view to_string(ArmLevel level);
/// Names in the order of the enumeration, separated by ", ".
std::string to_string(const X86Features& features);
std::string to_string(const ArmFeatures& features);

/// Accepts the spelling of to_string and the kernel's other names: `pni`, `abm`, `osxsave`.
std::optional<X86Feature> parse_x86_feature(std::string_view text);
/// Accepts the spelling of to_string and the architecture's names: `lse`, `dotprod`, `fp16`.
std::optional<ArmFeature> parse_arm_feature(std::string_view text);
/// `x86-64-v2` or `v2`; nullopt for anything else.
std::optional<X86Level> parse_x86_level(std::string_view text);
/// `armv8.2-a`, and `armv8-a`, `armv9-a` for the first of each; nullopt for anything else.
std::optional<ArmLevel> parse_arm_level(std::string_view text);

/// The level that contains the extension, or `beyond`.
X86Level level_of(X86Feature feature);
/// The lowest level whose register state and members the set needs: v1 for an empty set or for
/// scalar extras such as `rdrand`, v3 for `avx_vnni`, v4 for `amx_tile`. Never `beyond`.
X86Level level_of(const X86Features& features);
/// Everything a level guarantees, lower levels included; the whole enumeration for `beyond`.
X86Features features_of(X86Level level);
/// Members that no level contains.
X86Features beyond_levels(const X86Features& features);

/// The first version in which the extension is mandatory, nullopt when it is optional in all.
std::optional<ArmLevel> level_of(ArmFeature feature);
/// The highest version that some member is mandatory in; optional members count for nothing.
ArmLevel level_of(const ArmFeatures& features);
/// Members that the version does not guarantee.
ArmFeatures beyond_level(const ArmFeatures& features, ArmLevel level);

}  // namespace fitment
