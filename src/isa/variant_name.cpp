// SPDX-License-Identifier: Apache-2.0
#include "isa/variant_name.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

using F = X86Feature;

struct TokenRow {
  std::string_view token;
  X86Level level;     ///< everything of this level, and
  X86Features extra;  ///< these
  bool is_exact;
  bool is_at_end = false;  ///< counts only where the name ends with it
};

constexpr X86Features kCrypto{F::aes, F::pclmulqdq, F::rdrand};
constexpr X86Features kSkylakeServer{
    F::aes, F::pclmulqdq, F::rdrand, F::rdseed, F::adx, F::clflushopt, F::clwb};
constexpr X86Features kIceLake = kSkylakeServer
                                 | X86Features{F::avx512ifma,
                                               F::avx512vbmi,
                                               F::avx512_vbmi2,
                                               F::avx512_vnni,
                                               F::avx512_bitalg,
                                               F::avx512_vpopcntdq,
                                               F::vaes,
                                               F::vpclmulqdq,
                                               F::gfni,
                                               F::sha_ni,
                                               F::rdpid};
constexpr X86Features kSapphireRapids =
    kIceLake
    | X86Features{
        F::avx512_bf16, F::avx512_fp16, F::avx_vnni, F::amx_tile, F::amx_int8, F::amx_bf16};

// In order of how much they tell: the first token that a name holds counts. NumPy's groups are
// those of its "CPU build options"; processor names are those that GCC's -march knows.
constexpr std::array<TokenRow, 65> kTokens{{
    {"avx512_spr", X86Level::v4, kSapphireRapids, true},
    {"avx512_icl", X86Level::v4, kIceLake, true},
    {"avx512_cnl", X86Level::v4, {F::avx512ifma, F::avx512vbmi}, true},
    {"avx512_clx", X86Level::v4, {F::avx512_vnni}, true},
    {"avx512_skx", X86Level::v4, {}, true},
    {"avx512_knl", X86Level::v3, {F::avx512f, F::avx512cd, F::avx512er, F::avx512pf}, true},
    {"avx512icl", X86Level::v4, kIceLake, false},
    {"avx512bw", X86Level::v3, {F::avx512f, F::avx512bw}, true},
    {"avx512dq", X86Level::v3, {F::avx512f, F::avx512dq}, true},
    {"avx512cd", X86Level::v3, {F::avx512f, F::avx512cd}, true},
    {"avx512vl", X86Level::v3, {F::avx512f, F::avx512vl}, true},
    {"avx512f", X86Level::v3, {F::avx512f}, true},
    {"avx512", X86Level::v4, kSapphireRapids, false},
    {"x86_64_v4", X86Level::v4, {}, true},
    {"x86_64_v3", X86Level::v3, {}, true},
    {"x86_64_v2", X86Level::v2, {}, true},
    {"sapphirerapids", X86Level::v4, kSapphireRapids, true},
    {"cooperlake",
     X86Level::v4,
     kSkylakeServer | X86Features{F::avx512_vnni, F::avx512_bf16},
     true},
    {"icelake", X86Level::v4, kIceLake, true},
    {"skylakex", X86Level::v4, kSkylakeServer, true},
    {"skylake_avx512", X86Level::v4, kSkylakeServer, true},
    {"avx10", X86Level::v4, kSapphireRapids, false},
    {"_evex", X86Level::v4, {}, false},
    {"_vaes", X86Level::v3, kIceLake, false},
    {"haswell", X86Level::v3, kCrypto, true},
    {"avx2", X86Level::v3, {}, true},
    {"bdver", X86Level::v3, kCrypto | X86Features{F::fma4, F::xop, F::tbm}, false},
    {"bulldozer", X86Level::v3, kCrypto | X86Features{F::fma4, F::xop}, false},
    {"piledriver", X86Level::v3, kCrypto | X86Features{F::fma4, F::xop, F::tbm}, false},
    {"steamroller", X86Level::v3, kCrypto | X86Features{F::fma4, F::xop, F::tbm}, false},
    {"excavator", X86Level::v3, kCrypto | X86Features{F::fma4, F::xop, F::tbm}, false},
    {"znver", X86Level::v3, kCrypto | X86Features{F::sha_ni, F::adx, F::rdseed}, false},
    {"_zen", X86Level::v3, kCrypto | X86Features{F::sha_ni, F::adx, F::rdseed}, false},
    {"fma4", X86Level::v3, {F::fma4, F::xop}, false},
    {"fma3", X86Level::v3, {}, false},
    {"_fma", X86Level::v3, {}, false},
    {".fma", X86Level::v3, {}, false},
    {"_bmi2", X86Level::v3, {}, false},
    {"_bmi1", X86Level::v3, {}, false},
    {"_xop", X86Level::v3, {F::fma4, F::xop}, false},
    // The vector ABI of libmvec: c is AVX, d AVX2, e AVX-512.
    {"_zgve", X86Level::v4, {}, false},
    {"_zgvd", X86Level::v3, {}, false},
    {"_zgvc", X86Level::v2, {F::avx}, false},
    {"sandybridge", X86Level::v2, {F::avx, F::aes, F::pclmulqdq}, true},
    {"_avx", X86Level::v2, {F::avx, F::aes, F::pclmulqdq}, false},
    {".avx", X86Level::v2, {F::avx, F::aes, F::pclmulqdq}, false},
    {"shaext", X86Level::v3, {F::sha_ni}, false},
    {"aesni", X86Level::v2, {F::aes, F::pclmulqdq, F::avx}, false},
    {"westmere", X86Level::v2, kCrypto, true},
    {"nehalem", X86Level::v2, {}, true},
    {"penryn", X86Level::v1, {F::sse3, F::ssse3, F::sse4_1}, false},
    {"dunnington", X86Level::v1, {F::sse3, F::ssse3, F::sse4_1}, false},
    {"core2", X86Level::v1, {F::sse3, F::ssse3, F::sse4_1}, false},
    {"barcelona", X86Level::v1, {F::sse3, F::sse4a, F::popcnt, F::lzcnt}, false},
    {"bobcat", X86Level::v1, {F::sse3, F::ssse3, F::sse4a, F::popcnt, F::lzcnt}, false},
    {"opteron_sse3", X86Level::v1, {F::sse3}, false},
    {"_atom", X86Level::v1, {F::sse3, F::ssse3}, false, true},
    {"_nano", X86Level::v1, {F::sse3, F::ssse3, F::sse4_1}, false, true},
    {"prescott", X86Level::v1, {F::sse3}, false},
    {"sse4", X86Level::v2, {}, false},
    {"ssse3", X86Level::v1, {F::sse3, F::ssse3}, false},
    {"popcnt", X86Level::v2, {}, false},
    {"clmul", X86Level::v2, {F::aes, F::pclmulqdq}, false},
    {"_clm", X86Level::v2, {F::pclmulqdq}, false},
    {"_sse", X86Level::v2, {F::pclmulqdq}, false},
}};

// Libraries have a hundred thousand long names, nearly all without a token: what four characters
// some token starts with is looked up first.
constexpr std::size_t kStart = 4;
constexpr std::size_t kFilterSize = 4096;

constexpr std::size_t filter_slot(const char* at) {
  std::size_t hash = 0;
  for (std::size_t i = 0; i < kStart; ++i) {
    hash = hash * 37 + static_cast<unsigned char>(at[i]);
  }
  return hash % kFilterSize;
}

constexpr std::array<bool, kFilterSize> kFilter = [] {
  std::array<bool, kFilterSize> filter{};
  for (const TokenRow& row : kTokens) {
    filter[filter_slot(row.token.data())] = true;
  }
  return filter;
}();

}  // namespace

std::optional<NamedVariant> find_variant(std::string_view name) {
  const std::string lower = to_lower(name);
  std::size_t best = kTokens.size();
  for (std::size_t at = 0; at + kStart <= lower.size(); ++at) {
    if (!kFilter[filter_slot(lower.data() + at)]) {
      continue;
    }
    const std::string_view rest = std::string_view(lower).substr(at);
    for (std::size_t i = 0; i < best; ++i) {
      const TokenRow& row = kTokens[i];
      if (row.is_at_end ? rest == row.token : rest.starts_with(row.token)) {
        best = i;
      }
    }
  }
  if (best == kTokens.size()) {
    return std::nullopt;
  }
  const TokenRow& row = kTokens[best];
  return NamedVariant{row.token, features_of(row.level) | row.extra, row.is_exact};
}

}  // namespace fitment
