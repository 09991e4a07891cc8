// SPDX-License-Identifier: Apache-2.0
#include "isa/tables/zydis_requirement.h"

#include <string_view>
#include <unordered_map>

namespace fitment {

namespace {

using F = X86Feature;

/// One of Zydis's instruction sets. Those of AVX-512 are looked up without their length suffix
/// (_128, _512, _SCALAR).
struct SetRow {
  std::string_view name;
  X86Features features;
  X86Role role = X86Role::plain;
};

const SetRow kSets[] = {
    // What every x86-64 processor has.
    {"I86", {}},
    {"I186", {}},
    {"I286REAL", {}},
    {"I286PROTECTED", {}},
    {"I386", {}},
    {"I486", {}},
    {"I486REAL", {}},
    {"PENTIUMREAL", {}},
    {"PENTIUMMMX", {}},
    {"PPRO", {}},
    {"LONGMODE", {}},
    {"AMD", {}},
    {"X87", {}},
    {"FCMOV", {}},
    {"CMOV", {}},
    {"FXSAVE", {}},
    {"FXSAVE64", {}},
    {"SSEMXCSR", {}},
    {"SSE2MMX", {}},
    {"SSE_PREFETCH", {}},
    {"CLFSH", {}},
    {"SSE", {}, X86Role::legacy_vector},
    {"SSE2", {}, X86Role::legacy_vector},
    // No-operations where they are not known.
    {"PAUSE", {}, X86Role::hint},
    {"FAT_NOP", {}, X86Role::hint},
    {"PREFETCH_NOP", {}, X86Role::hint},
    {"CLDEMOTE", {}, X86Role::hint},
    {"MPX", {}, X86Role::hint},
    // Levels.
    {"SSE3", {F::sse3}, X86Role::legacy_vector},
    {"SSE3X87", {F::sse3}},
    {"SSSE3", {F::ssse3}, X86Role::legacy_vector},
    {"SSSE3MMX", {F::ssse3}},
    {"SSE4", {F::sse4_1}, X86Role::legacy_vector},
    {"SSE42", {F::sse4_2}, X86Role::legacy_vector},
    {"POPCNT", {F::popcnt}},
    {"CMPXCHG16B", {F::cx16}},
    {"LAHF", {F::lahf_lm}},
    {"AVX", {F::avx}, X86Role::vex_vector},
    {"AVX2", {F::avx2}, X86Role::vex_vector},
    {"AVX2GATHER", {F::avx2}, X86Role::vex_vector},
    {"F16C", {F::f16c}, X86Role::vex_vector},
    {"FMA", {F::fma}, X86Role::vex_vector},
    {"BMI1", {F::bmi1}},
    {"BMI2", {F::bmi2}},
    {"LZCNT", {F::lzcnt}},
    {"MOVBE", {F::movbe}},
    {"AVX512F", {F::avx512f}, X86Role::vex_vector},
    {"AVX512BW", {F::avx512bw}, X86Role::vex_vector},
    {"AVX512CD", {F::avx512cd}, X86Role::vex_vector},
    {"AVX512DQ", {F::avx512dq}, X86Role::vex_vector},
    // Beyond.
    {"AVX512_IFMA", {F::avx512ifma}, X86Role::vex_vector},
    {"AVX512_VBMI", {F::avx512vbmi}, X86Role::vex_vector},
    {"AVX512_VBMI2", {F::avx512_vbmi2}, X86Role::vex_vector},
    {"AVX512_VNNI", {F::avx512_vnni}, X86Role::vex_vector},
    {"AVX512_BITALG", {F::avx512_bitalg}, X86Role::vex_vector},
    {"AVX512_VPOPCNTDQ", {F::avx512_vpopcntdq}, X86Role::vex_vector},
    {"AVX512_BF16", {F::avx512_bf16}, X86Role::vex_vector},
    {"AVX512_FP16", {F::avx512_fp16}, X86Role::vex_vector},
    {"AVX512_VP2INTERSECT", {F::avx512_vp2intersect}, X86Role::vex_vector},
    {"AVX512_GFNI", {F::gfni, F::avx512f}, X86Role::vex_vector},
    {"AVX512_VAES", {F::vaes, F::avx512f}, X86Role::vex_vector},
    {"AVX512_VPCLMULQDQ", {F::vpclmulqdq, F::avx512f}, X86Role::vex_vector},
    {"AVX512ER", {F::avx512er}, X86Role::vex_vector},
    {"AVX512PF", {F::avx512pf}, X86Role::vex_vector},
    {"AVX512_4FMAPS", {F::avx512_4fmaps}, X86Role::vex_vector},
    {"AVX512_4VNNIW", {F::avx512_4vnniw}, X86Role::vex_vector},
    {"AVX_VNNI", {F::avx_vnni}, X86Role::vex_vector},
    {"AVXAES", {F::aes, F::avx}, X86Role::vex_vector},
    {"AVX_GFNI", {F::gfni, F::avx}, X86Role::vex_vector},
    {"VAES", {F::vaes, F::avx}, X86Role::vex_vector},
    {"VPCLMULQDQ", {F::vpclmulqdq, F::avx}, X86Role::vex_vector},
    {"FMA4", {F::fma4}, X86Role::vex_vector},
    {"XOP", {F::xop}, X86Role::vex_vector},
    {"AMX_TILE", {F::amx_tile}},
    {"AMX_INT8", {F::amx_int8}},
    {"AMX_BF16", {F::amx_bf16}},
    {"AES", {F::aes}},
    {"PCLMULQDQ", {F::pclmulqdq}},
    {"GFNI", {F::gfni}},
    {"SHA", {F::sha_ni}},
    {"ADOX_ADCX", {F::adx}},
    {"RDRAND", {F::rdrand}},
    {"RDSEED", {F::rdseed}},
    {"TBM", {F::tbm}},
    {"SSE4A", {F::sse4a}},
    {"AMD3DNOW", {F::amd_3dnow}},
    {"PREFETCHWT1", {F::prefetchwt1}},
    {"LWP", {F::lwp}},
    {"KEYLOCKER", {F::kl}},
    {"KEYLOCKER_WIDE", {F::widekl}},
    {"PADLOCK_ACE", {F::phe}},
    {"PADLOCK_PHE", {F::phe}},
    {"PADLOCK_PMM", {F::phe}},
    {"PADLOCK_RNG", {F::phe}},
    {"XSAVE", {F::xsave}},
    {"XSAVEOPT", {F::xsaveopt}},
    {"XSAVEC", {F::xsavec}},
    {"XSAVES", {}, X86Role::privileged},
    {"RDWRFSGS", {F::fsgsbase}},
    {"RDTSCP", {F::rdtscp}},
    {"RDPID", {F::rdpid}},
    {"RDPRU", {F::rdpru}},
    {"PKU", {F::pku}},
    {"CLFLUSHOPT", {F::clflushopt}},
    {"CLWB", {F::clwb}},
    {"CLZERO", {F::clzero}},
    {"MOVDIR", {F::movdiri}},
    {"ENQCMD", {F::enqcmd}},
    {"WAITPKG", {F::waitpkg}},
    {"MONITORX", {F::monitorx}},
    {"SERIALIZE", {F::serialize}},
    {"RTM", {F::rtm}},
    {"TSX_LDTRK", {F::tsxldtrk}},
    {"CET", {F::user_shstk}},
    {"UINTR", {F::uintr}},
    {"PT", {F::ptwrite}},
    {"MCOMMIT", {F::mcommit}},
    {"HRESET", {}, X86Role::privileged},
    {"SGX", {F::sgx}},
    {"SGX_ENCLV", {}, X86Role::privileged},
    {"AMD_INVLPGB", {}, X86Role::privileged},
    {"INVPCID", {}, X86Role::privileged},
    {"MONITOR", {}, X86Role::privileged},
    {"PCONFIG", {}, X86Role::privileged},
    {"RDPMC", {}, X86Role::privileged},
    {"SMAP", {}, X86Role::privileged},
    {"SMX", {}, X86Role::privileged},
    {"SNP", {}, X86Role::privileged},
    {"SVM", {}, X86Role::privileged},
    {"TDX", {}, X86Role::privileged},
    {"VMFUNC", {}, X86Role::privileged},
    {"VTX", {}, X86Role::privileged},
    // Xeon Phi coprocessors of the first generation, which no x86-64 operating system runs on.
    {"KNCE", {}, X86Role::unknown},
    {"KNCJKBR", {}, X86Role::unknown},
    {"KNCSTREAM", {}, X86Role::unknown},
    {"KNCV", {}, X86Role::unknown},
    {"KNC_MISC", {}, X86Role::unknown},
    {"KNC_PF_HINT", {}, X86Role::unknown},
};

/// Single instructions whose set says too much, too little, or something else.
std::optional<X86Requirement> requirement_of_mnemonic(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_CPUID:
      return X86Requirement{{}, X86Role::detect};
    case ZYDIS_MNEMONIC_XGETBV:
      return X86Requirement{{F::xsave}, X86Role::detect};
    case ZYDIS_MNEMONIC_TZCNT:
      return X86Requirement{{}, X86Role::trailing_zeros};
    case ZYDIS_MNEMONIC_VZEROUPPER:
    case ZYDIS_MNEMONIC_VZEROALL:
      return X86Requirement{{F::avx}, X86Role::upper_clear};
    case ZYDIS_MNEMONIC_ENDBR32:
    case ZYDIS_MNEMONIC_ENDBR64:
    case ZYDIS_MNEMONIC_RDSSPD:
    case ZYDIS_MNEMONIC_RDSSPQ:
      return X86Requirement{{}, X86Role::hint};
    case ZYDIS_MNEMONIC_PREFETCHW:
      return X86Requirement{{F::prefetchw}, X86Role::hint};
    case ZYDIS_MNEMONIC_PREFETCH:
      return X86Requirement{{}, X86Role::hint};
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_MOVNTI:
      return X86Requirement{{}, X86Role::plain};
    case ZYDIS_MNEMONIC_CRC32:
      return X86Requirement{{F::sse4_2}, X86Role::plain};
    case ZYDIS_MNEMONIC_MOVDIR64B:
      return X86Requirement{{F::movdir64b}, X86Role::plain};
    case ZYDIS_MNEMONIC_PF2IW:
    case ZYDIS_MNEMONIC_PFNACC:
    case ZYDIS_MNEMONIC_PFPNACC:
    case ZYDIS_MNEMONIC_PI2FW:
    case ZYDIS_MNEMONIC_PSWAPD:
      return X86Requirement{{F::amd_3dnowext}, X86Role::plain};
    case ZYDIS_MNEMONIC_VPCLMULQDQ:
      if (instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX
          && instruction.avx.vector_length == 128) {
        return X86Requirement{{F::pclmulqdq, F::avx}, X86Role::vex_vector};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

const SetRow* find_set(std::string_view name) {
  static const std::unordered_map<std::string_view, const SetRow*> kIndex = [] {
    std::unordered_map<std::string_view, const SetRow*> index;
    for (const SetRow& row : kSets) {
      index.emplace(row.name, &row);
    }
    return index;
  }();
  const auto found = kIndex.find(name);
  return found == kIndex.end() ? nullptr : found->second;
}

}  // namespace

std::optional<X86Requirement> requirement_from_zydis(const ZydisDecodedInstruction& instruction) {
  if (const auto special = requirement_of_mnemonic(instruction)) {
    return special;
  }
  std::string_view name = ZydisISASetGetString(instruction.meta.isa_set);
  // The legacy set "INVALID" marks what XED has in no set: UD0, UD1 and multi-byte NOPs.
  if (instruction.meta.isa_set == ZYDIS_ISA_SET_INVALID) {
    return X86Requirement{{}, X86Role::plain};
  }
  bool needs_vl = false;
  if (name.substr(0, 6) == "AVX512") {
    const std::size_t cut = name.rfind('_');
    const std::string_view length = name.substr(cut + 1);
    needs_vl = length == "128" || length == "256";
    name = name.substr(0, cut);
  }
  const SetRow* row = find_set(name);
  if (row == nullptr) {
    return std::nullopt;
  }
  X86Requirement requirement{row->features, row->role};
  if (needs_vl) {
    requirement.features.insert(F::avx512vl);
  }
  return requirement;
}

}  // namespace fitment
