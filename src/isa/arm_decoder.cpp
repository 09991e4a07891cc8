// SPDX-License-Identifier: Apache-2.0
// Encodings from the Arm Architecture Reference Manual (DDI 0487), C4 "A64 instruction set
// encoding".
#include "isa/arm_decoder.h"

#include <array>
#include <cstddef>

namespace fitment {

namespace {

using F = ArmFeature;

/// A word belongs to the first row of its group that it matches.
struct ArmRow {
  std::uint32_t mask;
  std::uint32_t value;
  std::optional<ArmFeature> feature;  ///< nullopt: the baseline, carved out of a later row
};

// Loads and stores: op0 = x1x0.
constexpr auto kLoads = std::to_array<ArmRow>({
    {0x3ffffc00, 0x38bfc000, F::lrcpc},    // LDAPR
    {0xfffffc00, 0xf83fd000, F::ls64},     // LD64B
    {0xfffffc00, 0xf83f9000, F::ls64},     // ST64B
    {0xffe0fc00, 0xf820b000, F::ls64},     // ST64BV
    {0xffe0fc00, 0xf820a000, F::ls64},     // ST64BV0
    {0x3f20fc00, 0x38208000, F::atomics},  // SWP
    {0x3f208c00, 0x38200000, F::atomics},  // LDADD, LDCLR, LDEOR, LDSET, LDSMAX, ...
    {0x3fa07c00, 0x08a07c00, F::atomics},  // CAS
    {0xbfa07c00, 0x08207c00, F::atomics},  // CASP
    {0xff200400, 0xf8200400, F::paca},     // LDRAA, LDRAB
    {0x3f200c00, 0x19000000, F::ilrcpc},   // LDAPUR, STLUR
    {0x3b200c00, 0x19000400, F::mops},     // CPYF*, SET*
    {0xff200000, 0xd9200000, F::mte},      // STG, LDG, ...
    {0xffc00000, 0x68800000, F::mte},      // STGP
    {0xffc00000, 0x69000000, F::mte},
    {0xffc00000, 0x69800000, F::mte},
});

// Data processing with immediates: op0 = 100x.
constexpr auto kImmediates = std::to_array<ArmRow>({
    {0xffc0c000, 0x91800000, F::mte},   // ADDG
    {0xffc0c000, 0xd1800000, F::mte},   // SUBG
    {0x7fc00000, 0x11c00000, F::cssc},  // SMAX, SMIN, UMAX, UMIN
});

// Branches, exceptions, system: op0 = 101x.
constexpr auto kBranches = std::to_array<ArmRow>({
    {0xfe1ff800, 0xd61f0800, F::paca},   // BRAA, BLRAA, RETAA, ERETAA, ...
    {0xffffffff, 0xd500401f, F::flagm},  // CFINV
    {0xffffffff, 0xd500403f, F::flagm2},
    {0xffffffff, 0xd500405f, F::flagm2},
    {0xffffffff, 0xd50330ff, F::sb},
    {0xffffffe0, 0xd50b7c20, F::dcpop},  // DC CVAP
    {0xffffffe0, 0xd53b2400, F::rng},    // RNDR
    {0xffffffe0, 0xd53b2420, F::rng},    // RNDRRS
    {0xffffffe0, 0xd5031000, F::wfxt},
    {0xffffffe0, 0xd5031020, F::wfxt},
});

// Data processing with registers: op0 = x101.
constexpr auto kRegisters = std::to_array<ArmRow>({
    {0x7fe0e000, 0x1ac04000, F::crc32},
    {0xfffffc1f, 0x3a00080d, F::flagm},  // SETF8
    {0xfffffc1f, 0x3a00480d, F::flagm},  // SETF16
    {0xffe07c10, 0xba000400, F::flagm},  // RMIF
    {0xffff0000, 0xdac10000, F::paca},   // PACIA, AUTIA, XPACI, ...
    {0xffe0fc00, 0x9ac03000, F::paca},   // PACGA
    {0xffe0fc00, 0x9ac01000, F::mte},    // IRG
    {0xffe0fc00, 0x9ac01400, F::mte},    // GMI
    {0xffe0fc00, 0x9ac00000, F::mte},    // SUBP
    {0xffe0fc00, 0xbac00000, F::mte},    // SUBPS
    {0x7ffffc00, 0x5ac02000, F::cssc},   // ABS
    {0x7ffffc00, 0x5ac01c00, F::cssc},   // CNT
    {0x7ffffc00, 0x5ac01800, F::cssc},   // CTZ
    {0x7fe0f000, 0x1ac06000, F::cssc},   // SMAX, SMIN, UMAX, UMIN
});

// Floating point and Advanced SIMD: op0 = x111.
constexpr auto kVectors = std::to_array<ArmRow>({
    // Cryptography
    {0xffffcc00, 0x4e284800, F::aes},
    {0xbfe0fc00, 0x0ee0e000, F::pmull},
    {0xffe0cc00, 0x5e000000, F::sha1},
    {0xfffffc00, 0x5e280800, F::sha1},  // SHA1H
    {0xfffffc00, 0x5e281800, F::sha1},  // SHA1SU1
    {0xffe0cc00, 0x5e004000, F::sha2},
    {0xfffffc00, 0x5e282800, F::sha2},  // SHA256SU0
    {0xffe0fc00, 0xce608c00, F::sha3},  // RAX1
    {0xffe0f000, 0xce608000, F::sha512},
    {0xfffffc00, 0xcec08000, F::sha512},  // SHA512SU0
    {0xfffffc00, 0xcec08400, F::sm4},     // SM4E
    {0xffe0fc00, 0xce60c800, F::sm4},     // SM4EKEY
    {0xffe0f000, 0xce60c000, F::sm3},     // SM3PARTW1, SM3PARTW2
    {0xffe08000, 0xce400000, F::sm3},     // SM3SS1
    {0xffe0c000, 0xce408000, F::sm3},     // SM3TT1A, ...
    {0xffe08000, 0xce000000, F::sha3},    // EOR3
    {0xffe08000, 0xce200000, F::sha3},    // BCAX
    {0xffe00000, 0xce800000, F::sha3},    // XAR
    // Products
    {0x9fe0fc00, 0x0e809400, F::asimddp},  // SDOT, UDOT
    {0x9fc0f400, 0x0f80e000, F::asimddp},
    {0xbfe0fc00, 0x0e809c00, F::i8mm},  // USDOT
    {0xbfc0f400, 0x0f80f000, F::i8mm},
    {0xbfc0f400, 0x0f00f000, F::i8mm},  // SUDOT
    {0xdfe0fc00, 0x4e80a400, F::i8mm},  // SMMLA, UMMLA
    {0xffe0fc00, 0x4e80ac00, F::i8mm},  // USMMLA
    {0xbfe0fc00, 0x2e40fc00, F::bf16},  // BFDOT
    {0xbfc0f400, 0x0f40f000, F::bf16},
    {0xffe0fc00, 0x6e40ec00, F::bf16},  // BFMMLA
    {0xbfe0fc00, 0x2ec0fc00, F::bf16},  // BFMLALB, BFMLALT
    {0xbfc0f400, 0x0fc0f000, F::bf16},
    {0xfffffc00, 0x1e634000, F::bf16},  // BFCVT
    {0xbffffc00, 0x0ea16800, F::bf16},  // BFCVTN
    {0xbf20f400, 0x2e008400, F::asimdrdm},
    {0xff20f400, 0x7e008400, F::asimdrdm},
    {0xbf00d400, 0x2f00d000, F::asimdrdm},
    {0xff00d400, 0x7f00d000, F::asimdrdm},
    {0xbf20ec00, 0x2e00e400, F::fcma},  // FCADD
    {0xbf20e400, 0x2e00c400, F::fcma},  // FCMLA
    {0xbf009400, 0x2f001000, F::fcma},
    {0xbf60fc00, 0x0e20ec00, F::asimdfhm},  // FMLAL, FMLSL
    {0xbf60fc00, 0x2e20cc00, F::asimdfhm},  // FMLAL2, FMLSL2
    {0xbfc0b400, 0x0f800000, F::asimdfhm},
    {0xbfc0b400, 0x2f808000, F::asimdfhm},
    // Conversions
    {0xfffffc00, 0x1e7e0000, F::jscvt},
    {0xffbe7c00, 0x1e284000, F::frint},
    {0x9fbfec00, 0x0e21e800, F::frint},
    // Half precision
    {0xfffffc00, 0x1ee24000, std::nullopt},  // FCVT from half, which the baseline has
    {0xfffffc00, 0x1ee2c000, std::nullopt},
    {0x7fe00000, 0x1ee00000, F::fphp},
    {0x7fe00000, 0x1ec00000, F::fphp},
    {0xffc00000, 0x1fc00000, F::fphp},  // FMADD, ...
    {0xdf60c400, 0x5e400400, F::fphp},
    {0xdf7e0c00, 0x5e780800, F::fphp},
    {0xffbffc00, 0x5e30c800, F::fphp},
    {0xfffffc00, 0x5e30d800, F::fphp},
    {0xffbffc00, 0x5e30f800, F::fphp},
    {0xffc0b400, 0x5f001000, F::fphp},
    {0xdfc0f400, 0x5f009000, F::fphp},
    {0xdff0fc00, 0x5f10e400, F::fphp},
    {0xdff0fc00, 0x5f10fc00, F::fphp},
    {0x9f60c400, 0x0e400400, F::asimdhp},
    {0x9f7e0c00, 0x0e780800, F::asimdhp},
    {0xbfbffc00, 0x0e30c800, F::asimdhp},
    {0xbfbffc00, 0x0e30f800, F::asimdhp},
    {0xbfc0b400, 0x0f001000, F::asimdhp},
    {0x9fc0f400, 0x0f009000, F::asimdhp},
    {0xbff8fc00, 0x0f00fc00, F::asimdhp},
    {0x9ff0fc00, 0x0f10e400, F::asimdhp},
    {0x9ff0fc00, 0x0f10fc00, F::asimdhp},
});

// Scalable vectors: op0 = 0010. What is no SVE2 and none of its options is SVE.
constexpr auto kScalable = std::to_array<ArmRow>({
    // CNTB, CNTH, CNTW, CNTD, RDVL: the length of vectors. Unwinders ask for it where a frame of
    // vector code was met, so it tells nothing; vector code has other instructions as well.
    {0xff30fc00, 0x0420e000, std::nullopt},
    {0xfffff800, 0x04bf5000, std::nullopt},
    {0xff20c010, 0x25204000, F::sme},       // PSEL
    {0xffffe000, 0x052e8000, F::sme},       // REVD
    {0xff20f800, 0x4400c000, F::sme},       // SCLAMP, UCLAMP
    {0xfe70e000, 0xa4202000, F::svef64mm},  // LD1RO
    {0xfe60e000, 0xa4200000, F::svef64mm},
    {0xfe60c000, 0x84008000, F::sve2},  // LDNT1 by vector of addresses
    {0xfe60a000, 0xc4008000, F::sve2},
    {0xfe20e000, 0xe4002000, F::sve2},  // STNT1 by vector of addresses
    {0xff20f800, 0x44000000, F::sve},   // SDOT, UDOT
    {0xffa0f800, 0x44a00000, F::sve},   // by element
    {0xffe0fc00, 0x44807800, F::svei8mm},
    {0xffe0f800, 0x44a01800, F::svei8mm},
    {0xff20fc00, 0x45009800, F::svei8mm},
    {0xfffffbe0, 0x4520e000, F::sveaes},  // AESMC, AESIMC
    {0xfffff800, 0x4522e000, F::sveaes},  // AESE, AESD
    {0xffe0f800, 0x45006800, F::sveaes},  // PMULLB, PMULLT of 64 bits
    {0xffe0fc00, 0x4520f400, F::svesha3},
    {0xfffffc00, 0x4523e000, F::svesm4},
    {0xffe0fc00, 0x4520f000, F::svesm4},
    {0xff20f000, 0x4500b000, F::svebitperm},
    {0xfe000000, 0x44000000, F::sve2},
    {0xff20e000, 0x04206000, F::sve2},  // MUL, SMULH, ... unpredicated
    {0xff20f800, 0x04203800, F::sve2},  // EOR3, BSL, ...
    {0xff20fc00, 0x04203400, F::sve2},  // XAR
    {0xff3ee000, 0x04068000, F::sve2},  // SQSHL, UQSHL by immediate
    {0xff3ee000, 0x040c8000, F::sve2},  // SRSHR, URSHR
    {0xff3fe000, 0x040f8000, F::sve2},  // SQSHLU
    {0xff20e400, 0x25200000, F::sve2},  // WHILEGE, WHILEGT, WHILEHI, WHILEHS
    {0xff20fc00, 0x25203000, F::sve2},  // WHILEWR, WHILERW
    {0xffe0e000, 0x05600000, F::sve2},  // EXT, constructive
    {0xff3fe000, 0x052d8000, F::sve2},  // SPLICE, constructive
    {0xff20f800, 0x05202800, F::sve2},  // TBL of two, TBX
    {0xffe0e000, 0x05a00000, F::svef64mm},
    {0xffe0fc00, 0x64a0e400, F::svef32mm},
    {0xffe0fc00, 0x64e0e400, F::svef64mm},
    {0xffe0fc00, 0x64608000, F::svebf16},
    {0xffe0fc00, 0x64604000, F::svebf16},
    {0xffe0fc00, 0x6460e400, F::svebf16},  // BFMMLA
    {0xffe0f800, 0x64e08000, F::svebf16},  // BFMLALB, BFMLALT
    {0xffe0f000, 0x64e04000, F::svebf16},
    {0xffffe000, 0x658aa000, F::svebf16},  // BFCVT
    {0xffffe000, 0x648aa000, F::svebf16},  // BFCVTNT
    {0xffe0d000, 0x64a08000, F::sve2},     // FMLALB, FMLSLT, ...
    {0xffe0d000, 0x64a04000, F::sve2},
    {0xff38e000, 0x64108000, F::sve2},  // FADDP, FMAXP, ...
    {0xff3ce000, 0x6408a000, F::sve2},  // FCVTLT, FCVTNT, FCVTXNT
    {0xfff9e000, 0x6518a000, F::sve2},  // FLOGB
    {0xffffe000, 0x650aa000, F::sve2},  // FCVTX
    {0x1e000000, 0x04000000, F::sve},
});

template <std::size_t N>
std::optional<ArmFeature> first_match(const std::array<ArmRow, N>& rows, std::uint32_t word) {
  for (const ArmRow& row : rows) {
    if ((word & row.mask) == row.value) {
      return row.feature;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ArmFeature> arm_feature_of(std::uint32_t word) {
  switch (word >> 25U & 0xfU) {
    case 0x0:
      // SME shares the code of reserved words; those have bit 31 clear.
      return (word >> 31U) != 0 ? std::optional(F::sme) : std::nullopt;
    case 0x2:
      return first_match(kScalable, word);
    case 0x4:
    case 0x6:
    case 0xc:
    case 0xe:
      return first_match(kLoads, word);
    case 0x8:
    case 0x9:
      return first_match(kImmediates, word);
    case 0xa:
    case 0xb:
      return first_match(kBranches, word);
    case 0x5:
    case 0xd:
      return first_match(kRegisters, word);
    case 0x7:
    case 0xf:
      return first_match(kVectors, word);
    default:
      return std::nullopt;
  }
}

}  // namespace fitment
