// SPDX-License-Identifier: Apache-2.0
#include "isa/arm_decoder.h"
#include "isa/arm_verdict.h"
#include "support/elf_code_image.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(ArmDecoder, NeedsOfSingleWords) {
  struct Case {
    std::uint32_t word;
    const char* feature;
    const char* what;
  };
  for (const Case& one : std::vector<Case>{
           {0xd503201f, "", "nop"},
           {0xd503233f, "", "paciasp, a hint"},
           {0xd50323bf, "", "autiasp, a hint"},
           {0xd503245f, "", "bti c, a hint"},
           {0xd65f03c0, "", "ret"},
           {0xa9bf7bfd, "", "stp x29, x30, [sp, #-16]!"},
           {0x4ea1d400, "", "fsub v0.4s, v0.4s, v1.4s"},
           {0x4e21d400, "", "fadd v0.4s, v0.4s, v1.4s"},
           {0x1ee24000, "", "fcvt s0, h0: the baseline has it"},
           {0x885ffc01, "", "ldaxr w1, [x0]"},
           {0xb8200041, "atomics", "ldadd w0, w1, [x2]"},
           {0x88a07c41, "atomics", "cas w0, w1, [x2]"},
           {0xb8208041, "atomics", "swp w0, w1, [x2]"},
           {0x1ac14000, "crc32", "crc32b w0, w0, w1"},
           {0x4e284820, "aes", "aese v0.16b, v1.16b"},
           {0x4ee2e020, "pmull", "pmull2 v0.1q, v1.2d, v2.2d"},
           {0x5e024020, "sha2", "sha256h q0, q1, v2.4s"},
           {0xce628020, "sha512", "sha512h q0, q1, v2.2d"},
           {0xce020c20, "sha3", "eor3"},
           {0x1ee12800, "fphp", "fadd h0, h0, h1"},
           {0x4e421420, "asimdhp", "fadd v0.8h, v1.8h, v2.8h"},
           {0x4e829420, "asimddp", "sdot v0.4s, v1.16b, v2.16b"},
           {0x4e82a420, "i8mm", "smmla v0.4s, v1.16b, v2.16b"},
           {0x6e42fc20, "bf16", "bfdot v0.4s, v1.8h, v2.8h"},
           {0x1e7e0020, "jscvt", "fjcvtzs w0, d1"},
           {0xb8bfc020, "lrcpc", "ldapr w0, [x1]"},
           {0xd65f0bff, "paca", "retaa, no hint"},
           {0x04a10000, "sve", "add z0.s, z0.s, z1.s"},
           {0x04e0e3e0, "", "cntd x0: unwinders ask, in every file"},
           {0x04bf5020, "", "rdvl x0, #1"},
           {0x04a26020, "sve2", "mul z0.s, z1.s, z2.s"},
           {0xd53b2400, "rng", "mrs x0, rndr"},
           {0x00000000, "", "udf"},
       }) {
    const auto feature = arm_feature_of(one.word);
    EXPECT_EQ(feature ? to_string(*feature) : "", one.feature) << one.what;
  }
}

std::string words(const std::vector<std::uint32_t>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(ArmVerdict, SeparatesNeedsFromChoices) {
  // plain, scale_sve, a resolver that names `wide` by ADRP and ADD, wide, and libgcc's out-of-line
  // atomic.
  const std::string bytes = words({0xb8200041,
                                   0xd65f03c0,  // 0x1000 plain: ldadd
                                   0x04a10000,
                                   0xd65f03c0,  // 0x1008 scale_sve
                                   0x90000000,
                                   0x9100a000,
                                   0xd65f03c0,
                                   0xd503201f,  // 0x1010 resolve: &0x1028
                                   0xd503201f,
                                   0xd503201f,  // 0x1020
                                   0x4e829420,
                                   0xd65f03c0,  // 0x1028 wide: sdot
                                   0x90000010,
                                   0x39400210,
                                   0x34000070,
                                   0x88a07c41});  // 0x1030 cas behind the flag
  CodeImage image;
  image.machine = CodeMachine::aarch64;
  image.text.push_back({0x1000, bytes, false});
  image.functions = {{"plain", 0x1000, 8, true, false},
                     {"scale_sve", 0x1008, 8, true, false},
                     {"resolve", 0x1010, 16, false, true},
                     {"", 0x1028, 8, false, false},
                     {"", 0x1030, 16, false, false}};
  const ArmVerdict verdict = judge_arm(image, ListFunctions::yes);
  EXPECT_EQ(to_string(verdict.needed), "atomics");
  EXPECT_EQ(to_string(verdict.dispatched), "asimddp, sve");
  EXPECT_EQ(to_string(verdict.built_for), "armv8.1-a");
  EXPECT_TRUE(verdict.extras.empty());
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].function, "plain");
  EXPECT_EQ(verdict.evidence[0].address, 0x1000U);
  EXPECT_EQ(verdict.needing_functions, 4U);
  EXPECT_EQ(verdict.chosen_functions, 3U);
  ASSERT_TRUE(verdict.listed);
  std::vector<std::string_view> why;
  for (const ArmFunctionNeeds& one : *verdict.listed) {
    why.push_back(one.why);
  }
  EXPECT_EQ(why,
            (std::vector<std::string_view>{
                "", "named for a processor", "chosen by a resolver", "tests for atomics first"}));
  EXPECT_FALSE(judge_arm(image).listed);
}

// Debian's arm64 is built for armv8.0-a. libgcc's unwinder asks for the length of vectors.
TEST(ArmVerdict, StockLibrariesNeedTheBaseline) {
  for (const char* path : {"/usr/aarch64-linux-gnu/lib/libc.so.6",
                           "/usr/aarch64-linux-gnu/lib/libm.so.6",
                           "/usr/aarch64-linux-gnu/lib/libgcc_s.so.1",
                           "/usr/aarch64-linux-gnu/lib/libstdc++.so.6"}) {
    const auto loaded = testing_support::ElfCodeImage::load(path);
    if (loaded) {
      const ArmVerdict verdict = judge_arm(loaded->image());
      EXPECT_EQ(to_string(verdict.needed), "") << path;
      EXPECT_GT(verdict.functions, 100U) << path;
    }
  }
}

}  // namespace
}  // namespace fitment
