// SPDX-License-Identifier: Apache-2.0
#include "isa/x86_decoder.h"

#include "base/text.h"
#include "isa/x86_flow.h"
#include "isa/x86_short_decoder.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace fitment {
namespace {

/// "f3 0f bd c1" as bytes.
std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (const std::string_view word : split_words(hex)) {
    bytes.push_back(static_cast<char>(parse_hex(word).value()));
  }
  return bytes;
}

struct Case {
  const char* hex;
  const char* features;
  X86Role role;
  const char* what;
};

/// Each case is one whole instruction: its length is that of its bytes.
void expect_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const std::string bytes = bytes_of(one.hex);
    const X86Instruction found = decode_x86(bytes + std::string(16, '\x90'));
    EXPECT_EQ(found.length, bytes.size()) << one.what;
    EXPECT_EQ(to_string(requirement_of(found).features), one.features) << one.what;
    EXPECT_EQ(requirement_of(found).role, one.role) << one.what;
    EXPECT_EQ(decode_x86(bytes).length, bytes.size()) << one.what << " at the end of the bytes";
  }
}

TEST(X86Decoder, LengthsOfTheBaseline) {
  expect_all({
      {"90", "", X86Role::plain, "nop"},
      {"c3", "", X86Role::plain, "ret"},
      {"f3 c3", "", X86Role::plain, "rep ret"},
      {"48 89 e5", "", X86Role::plain, "mov rbp, rsp"},
      {"48 8d 05 44 33 22 11", "", X86Role::plain, "lea rax, [rip + disp32]"},
      {"8b 44 24 08", "", X86Role::plain, "mov eax, [rsp + 8]"},
      {"8b 04 25 44 33 22 11", "", X86Role::plain, "mov eax, [disp32] by SIB without base"},
      {"8b 84 d8 44 33 22 11", "", X86Role::plain, "mov eax, [rax + rbx*8 + disp32]"},
      {"48 b8 88 77 66 55 44 33 22 11", "", X86Role::plain, "mov rax, imm64"},
      {"b8 44 33 22 11", "", X86Role::plain, "mov eax, imm32"},
      {"66 b8 22 11", "", X86Role::plain, "mov ax, imm16"},
      {"66 48 b8 88 77 66 55 44 33 22 11", "", X86Role::plain, "mov rax, imm64 with a useless 66"},
      {"48 a1 88 77 66 55 44 33 22 11", "", X86Role::plain, "mov rax, [moffs64]"},
      {"67 a1 44 33 22 11", "", X86Role::plain, "mov eax, [moffs32]"},
      {"c8 10 00 00", "", X86Role::plain, "enter 16, 0"},
      {"f7 c1 44 33 22 11", "", X86Role::plain, "test ecx, imm32: immediate by ModRM.reg"},
      {"f7 d9", "", X86Role::plain, "neg ecx"},
      {"f6 c1 01", "", X86Role::plain, "test cl, imm8"},
      {"66 f7 c1 22 11", "", X86Role::plain, "test cx, imm16"},
      {"e8 44 33 22 11", "", X86Role::plain, "call rel32"},
      {"66 e8 44 33 22 11", "", X86Role::plain, "call rel32 with a useless 66"},
      {"0f 85 44 33 22 11", "", X86Role::plain, "jne rel32"},
      {"f0 48 0f b1 0b", "", X86Role::plain, "lock cmpxchg [rbx], rcx"},
      {"64 48 8b 04 25 28 00 00 00", "", X86Role::plain, "mov rax, fs:[0x28]"},
      {"66 2e 0f 1f 84 00 00 00 00 00", "", X86Role::hint, "nopw cs:[rax + rax + 0]"},
      {"66 66 2e 0f 1f 84 00 00 00 00 00", "", X86Role::hint, "the 11-byte nop"},
      {"0f 05", "", X86Role::plain, "syscall"},
      {"0f 0b", "", X86Role::plain, "ud2"},
      {"0f 23 38", "", X86Role::plain, "mov dr7, rax with mod 0: still registers"},
      {"40 48 89 e5", "", X86Role::plain, "of two REX the last counts"},
      {"48 67 8b 00", "", X86Role::plain, "a REX before another prefix is void"},
  });
}

TEST(X86Decoder, HintsNeedNothing) {
  expect_all({
      {"f3 90", "", X86Role::hint, "pause"},
      {"f3 0f 1e fa", "", X86Role::hint, "endbr64"},
      {"0f 18 08", "", X86Role::plain, "prefetcht0"},
      {"f3 48 0f 1e c8", "", X86Role::hint, "rdsspq"},
      {"f2 c3", "", X86Role::plain, "bnd ret"},
      {"3e ff e0", "", X86Role::plain, "notrack jmp rax"},
      {"f2 f0 48 0f b1 0b", "", X86Role::plain, "xacquire lock cmpxchg"},
  });
}

TEST(X86Decoder, LookAlikes) {
  expect_all({
      {"0f bd c1", "", X86Role::plain, "bsr"},
      {"f3 0f bd c1", "lzcnt", X86Role::plain, "lzcnt"},
      {"f3 48 0f bd c1", "lzcnt", X86Role::plain, "lzcnt, 64 bit"},
      {"66 f3 0f bd c1", "lzcnt", X86Role::plain, "lzcnt, 16 bit"},
      {"0f bc c1", "", X86Role::plain, "bsf"},
      {"f3 0f bc c1", "", X86Role::trailing_zeros, "tzcnt or rep bsf"},
      {"f3 0f b8 c1", "popcnt", X86Role::plain, "popcnt"},
      {"0f 38 f0 07", "movbe", X86Role::plain, "movbe eax, [rdi]"},
      {"66 0f 38 f1 07", "movbe", X86Role::plain, "movbe [rdi], ax"},
      {"f2 0f 38 f0 c1", "sse4_2", X86Role::plain, "crc32 eax, cl"},
      {"f2 48 0f 38 f1 c1", "sse4_2", X86Role::plain, "crc32 rax, rcx"},
      {"66 f2 0f 38 f1 c1", "sse4_2", X86Role::plain, "crc32 eax, cx"},
      {"0f c7 0f", "", X86Role::plain, "cmpxchg8b"},
      {"48 0f c7 0f", "cx16", X86Role::plain, "cmpxchg16b"},
      {"0f c7 f0", "rdrand", X86Role::plain, "rdrand"},
      {"0f c7 f8", "rdseed", X86Role::plain, "rdseed"},
      {"f3 0f c7 f8", "rdpid", X86Role::plain, "rdpid"},
      {"0f ae 07", "", X86Role::plain, "fxsave"},
      {"0f ae 27", "xsave", X86Role::plain, "xsave"},
      {"0f ae 37", "xsaveopt", X86Role::plain, "xsaveopt"},
      {"66 0f ae 37", "clwb", X86Role::plain, "clwb"},
      {"66 0f ae 3f", "clflushopt", X86Role::plain, "clflushopt"},
      {"0f ae f8", "", X86Role::plain, "sfence"},
      {"0f a2", "", X86Role::detect, "cpuid"},
      {"0f 01 d0", "xsave", X86Role::detect, "xgetbv"},
      {"0f 01 f9", "rdtscp", X86Role::plain, "rdtscp"},
      {"0f 01 d5", "rtm", X86Role::plain, "xend"},
      {"c7 f8 44 33 22 11", "rtm", X86Role::plain, "xbegin"},
      {"8f c0", "", X86Role::plain, "pop rax by ModRM, not XOP"},
      {"9f", "lahf_lm", X86Role::plain, "lahf"},
      {"f3 0f ae c0", "fsgsbase", X86Role::plain, "rdfsbase"},
  });
}

TEST(X86Decoder, LegacyVectorsAndCryptography) {
  expect_all({
      {"0f 58 c1", "", X86Role::legacy_vector, "addps"},
      {"f2 0f 58 c1", "", X86Role::legacy_vector, "addsd"},
      {"66 41 0f 6f 44 24 10", "", X86Role::legacy_vector, "movdqa xmm0, [r12 + 16]"},
      {"f2 0f d0 c1", "sse3", X86Role::legacy_vector, "addsubps"},
      {"66 0f 38 00 c1", "ssse3", X86Role::legacy_vector, "pshufb"},
      {"66 0f 3a 0f c1 08", "ssse3", X86Role::legacy_vector, "palignr"},
      {"66 0f 38 40 c1", "sse4_1", X86Role::legacy_vector, "pmulld"},
      {"66 0f 3a 63 c1 08", "sse4_2", X86Role::legacy_vector, "pcmpistri"},
      {"66 0f 38 dc c1", "aes", X86Role::plain, "aesenc"},
      {"66 0f 3a 44 c1 11", "pclmulqdq", X86Role::plain, "pclmulqdq"},
      {"0f 38 cb c1", "sha_ni", X86Role::plain, "sha256rnds2"},
      {"66 0f 38 cf c1", "gfni", X86Role::plain, "gf2p8mulb"},
      {"66 0f 38 f6 c1", "adx", X86Role::plain, "adcx"},
      {"f2 0f 78 c1 04 08", "sse4a", X86Role::plain, "insertq"},
      {"0f 0f c1 9e", "3dnow", X86Role::plain, "pfadd"},
      {"0f 0f 44 24 08 b7", "3dnow", X86Role::plain, "pmulhrw mm0, [rsp + 8]"},
  });
}

TEST(X86Decoder, VexAndXop) {
  expect_all({
      {"c5 f8 77", "avx", X86Role::upper_clear, "vzeroupper"},
      {"c5 f0 58 c2", "avx", X86Role::vex_vector, "vaddps xmm"},
      {"c5 fe 6f 06", "avx", X86Role::vex_vector, "vmovdqu ymm0, [rsi]"},
      {"c5 f1 fe c2", "avx", X86Role::vex_vector, "vpaddd xmm"},
      {"c5 f5 fe c2", "avx2", X86Role::vex_vector, "vpaddd ymm"},
      {"c4 e2 71 b8 c2", "fma", X86Role::vex_vector, "vfmadd231ps"},
      {"c4 e2 79 13 c1", "f16c", X86Role::vex_vector, "vcvtph2ps"},
      {"c4 e2 69 92 04 08", "avx2", X86Role::vex_vector, "vgatherdps xmm0, [rax + xmm1], xmm2"},
      {"c4 e2 70 f2 c2", "bmi1", X86Role::plain, "andn"},
      {"c4 e2 71 f7 c2", "bmi2", X86Role::plain, "shlx"},
      {"c4 e3 7b f0 c1 05", "bmi2", X86Role::plain, "rorx"},
      {"c4 e2 71 dc c2", "avx, aes", X86Role::vex_vector, "vaesenc xmm"},
      {"c4 e2 75 dc c2", "avx, vaes", X86Role::vex_vector, "vaesenc ymm"},
      {"c4 e3 71 44 c2 11", "avx, pclmulqdq", X86Role::vex_vector, "vpclmulqdq xmm"},
      {"c4 e3 75 44 c2 11", "avx, vpclmulqdq", X86Role::vex_vector, "vpclmulqdq ymm"},
      {"c4 e2 71 50 c2", "avx_vnni", X86Role::vex_vector, "vpdpbusd, VEX"},
      {"c5 f8 92 c8", "avx512f", X86Role::vex_vector, "kmovw k1, eax"},
      {"c4 e1 fb 92 c8", "avx512bw", X86Role::vex_vector, "kmovq k1, rax"},
      {"c4 e3 71 69 c2 30", "fma4", X86Role::vex_vector, "vfmaddpd, four registers"},
      {"8f e8 78 c0 c1 05", "xop", X86Role::vex_vector, "vprotb"},
      {"8f e9 70 01 ca", "tbm", X86Role::plain, "blcfill"},
  });
}

TEST(X86Decoder, Evex) {
  expect_all({
      {"62 f1 74 48 58 c2", "avx512f", X86Role::vex_vector, "vaddps zmm"},
      {"62 f1 74 28 58 c2", "avx512f, avx512vl", X86Role::vex_vector, "vaddps ymm, EVEX"},
      {"62 f1 74 18 58 c2",
       "avx512f",
       X86Role::vex_vector,
       "vaddps zmm with rounding: length is the rounding mode"},
      {"62 f1 74 38 58 c2", "avx512f", X86Role::vex_vector, "the same, another rounding mode"},
      {"62 f1 74 38 58 00", "avx512f, avx512vl", X86Role::vex_vector, "vaddps ymm with broadcast"},
      {"62 f1 7f 48 6f 44 24 01", "avx512bw", X86Role::vex_vector, "vmovdqu8 zmm0, [rsp + 64]"},
      {"62 f1 7f 08 6f 06", "avx512bw, avx512vl", X86Role::vex_vector, "vmovdqu8 xmm0, [rsi]"},
      {"62 f2 fd 48 c4 c1", "avx512cd", X86Role::vex_vector, "vpconflictq"},
      {"62 f2 f5 48 40 c2", "avx512dq", X86Role::vex_vector, "vpmullq"},
      {"62 f1 fd 08 6e c0", "avx512f", X86Role::vex_vector, "vmovq xmm0, rax: scalar, no VL"},
      {"62 f2 75 48 50 c2", "avx512_vnni", X86Role::vex_vector, "vpdpbusd zmm"},
      {"62 f2 75 48 8d c2", "avx512vbmi", X86Role::vex_vector, "vpermb"},
      {"62 f2 f5 48 b4 c2", "avx512ifma", X86Role::vex_vector, "vpmadd52luq"},
      {"62 f2 76 48 52 c2", "avx512_bf16", X86Role::vex_vector, "vdpbf16ps"},
      {"62 f5 74 48 58 c2", "avx512_fp16", X86Role::vex_vector, "vaddph"},
      {"62 f2 75 48 dc c2", "avx512f, vaes", X86Role::vex_vector, "vaesenc zmm"},
      {"62 f2 75 28 dc c2", "avx512f, avx512vl, vaes", X86Role::vex_vector, "vaesenc ymm, EVEX"},
      {"62 f2 75 48 cf c2", "avx512f, gfni", X86Role::vex_vector, "vgf2p8mulb zmm"},
  });
}

TEST(X86Decoder, TilesAndWhatCameLater) {
  expect_all({
      {"c4 e2 78 49 c0", "amx_tile", X86Role::plain, "tilerelease"},
      {"c4 e2 7b 4b 0c 18", "amx_tile", X86Role::plain, "tileloadd tmm1, [rax + rbx]"},
      {"c4 e2 73 5e c2", "amx_int8", X86Role::plain, "tdpbssd"},
      {"c4 e2 72 5c c2", "amx_bf16", X86Role::plain, "tdpbf16ps"},
      {"c4 e2 73 5c c2", "amx_fp16", X86Role::plain, "tdpfp16ps"},
      {"c4 e2 f1 b4 c2", "avx_ifma", X86Role::vex_vector, "vpmadd52luq, VEX"},
      {"c4 e2 73 50 c2", "avx_vnni_int8", X86Role::vex_vector, "vpdpbssd"},
      {"c4 e2 7a b0 06", "avx_ne_convert", X86Role::vex_vector, "vcvtneebf162ps"},
      {"c4 e2 71 e6 06", "cmpccxadd", X86Role::plain, "cmpbexadd"},
      {"0f 38 fc 0e", "raoint", X86Role::plain, "aadd"},
      {"d5 18 89 c0", "apx", X86Role::plain, "mov r16, rax: REX2"},
      {"d5 80 af c1", "apx", X86Role::plain, "imul by REX2, map 1"},
      {"62 f4 7c 18 01 c1", "apx", X86Role::plain, "add eax, ecx, eax: EVEX map 4"},
      {"62 f4 7c 18 81 c1 44 33 22 11",
       "apx",
       X86Role::plain,
       "add with new destination and imm32"},
      {"62 f4 7d 18 81 c1 22 11", "apx", X86Role::plain, "the same, 16 bit"},
  });
}

TEST(X86Decoder, UndefinedBytesAreUnknownAndOneByteLong) {
  for (const char* hex : {"06",
                          "27",
                          "62 f1 70 48 58 c2",
                          "c5 f8 ff c1",
                          "0f ff",
                          "ff f8",
                          "66 c5 f8 77",
                          "48 c5 f8 77",
                          "0f 0f c1 00",
                          "8f ea ff ff c1",
                          "c4 ff 78 00 c0",
                          "d5 00 70 00",
                          "0f 38 ff c0",
                          "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"}) {
    const X86Instruction found = decode_x86(bytes_of(hex) + std::string(16, '\0'));
    if (std::string_view(hex) == "0f ff") {
      EXPECT_FALSE(found.is_unknown()) << "ud0 is defined to fault";
      continue;
    }
    EXPECT_TRUE(found.is_unknown()) << hex;
    EXPECT_EQ(found.length, 1) << hex;
    EXPECT_EQ(requirement_of(found).role, X86Role::unknown) << hex;
  }
}

TEST(X86Decoder, AnInstructionThatIsCutOffIsUnknown) {
  const std::string whole = bytes_of("62 f1 7f 48 6f 84 24 44 33 22 11");
  EXPECT_EQ(decode_x86(whole).length, whole.size());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const X86Instruction found = decode_x86(whole.substr(0, size));
    EXPECT_TRUE(found.is_unknown()) << size;
    EXPECT_EQ(found.length, 1) << size;
  }
}

TEST(X86Decoder, TellsWhereTheOpcodeAndTheImmediateAre) {
  const X86Instruction lea = decode_x86(bytes_of("48 8d 05 44 33 22 11"));
  EXPECT_EQ(lea.opcode_offset, 1);
  EXPECT_TRUE(lea.has_modrm);
  EXPECT_EQ(lea.immediate, 0);
  const X86Instruction call = decode_x86(bytes_of("f2 e8 44 33 22 11"));
  EXPECT_EQ(call.map, X86Instruction::Map::one_byte);
  EXPECT_EQ(call.opcode_offset, 1);
  EXPECT_EQ(call.immediate, 4);
  EXPECT_FALSE(call.has_modrm);
  EXPECT_EQ(decode_x86(bytes_of("0f 85 00 00 00 00")).map, X86Instruction::Map::two_byte);
  EXPECT_EQ(decode_x86(bytes_of("c5 f8 77")).map, X86Instruction::Map::vector);
}

// Random bytes with the starts that reach the special ways more often than chance would.
TEST(X86Decoder, TheShortWayAgreesWithTheGeneralOne) {
  constexpr std::array<std::uint8_t, 16> kStarts{0x66,
                                                 0xf2,
                                                 0xf3,
                                                 0x0f,
                                                 0xc4,
                                                 0xc5,
                                                 0x62,
                                                 0x8f,
                                                 0x48,
                                                 0x41,
                                                 0xd5,
                                                 0x67,
                                                 0x38,
                                                 0x3a,
                                                 0xa1,
                                                 0xf7};
  std::mt19937 random(20240601);
  std::array<std::uint8_t, kX86Padding> bytes{};
  for (int round = 0; round < 300'000; ++round) {
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random());
    }
    for (std::size_t i = 0; i < random() % 4; ++i) {
      bytes[i] = kStarts[random() % kStarts.size()];
    }
    const X86Instruction general = decode_x86_padded(bytes.data());
    const X86Instruction quick = x86::decode_short(bytes.data());
    ASSERT_EQ(quick.length, general.length) << round;
    ASSERT_EQ(quick.requirement, general.requirement) << round;
    ASSERT_EQ(quick.opcode_offset, general.opcode_offset) << round;
    ASSERT_EQ(quick.immediate, general.immediate) << round;
    ASSERT_EQ(quick.has_modrm, general.has_modrm) << round;
    ASSERT_EQ(quick.map, general.map) << round;
    ASSERT_TRUE(general.length >= 1 && general.length <= 15);
  }
}

// A function of one section may claim bytes beyond another that overlaps it.
TEST(X86Decoder, WalksNeverLeaveTheText) {
  const std::string text(40, '\x90');
  const auto visited = [&](std::size_t offset, std::size_t size) {
    std::size_t count = 0;
    x86::walk(text, 0x1000, offset, size, [&](const x86::Placed&) { return ++count > 0; });
    return count;
  };
  EXPECT_EQ(visited(0, 40), 40U);
  EXPECT_EQ(visited(30, 1000), 10U);
  EXPECT_EQ(visited(30, std::string::npos), 10U);
  EXPECT_EQ(visited(41, 10), 0U);
}

}  // namespace
}  // namespace fitment
