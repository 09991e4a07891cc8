// SPDX-License-Identifier: Apache-2.0
// The decoder's tables against Zydis itself, over every function of the libraries that are
// installed.
#include "isa/function_scan.h"
#include "isa/tables/zydis_requirement.h"
#include "isa/x86_decoder.h"
#include "isa/x86_short_decoder.h"
#include "support/elf_code_image.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace fitment {
namespace {

/// What the two decoders disagree about.
struct Disagreement {
  std::size_t instructions = 0;
  std::size_t different = 0;  ///< both know the bytes, and say another length or other needs
  std::size_t one_sided =
      0;  ///< one calls them undefined: constants in text, where nothing is right
  std::string first;
};

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

class ZydisAgreement : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(ZYAN_SUCCESS(
        ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)));
  }

  void compare(const FunctionScan& function, std::string_view bytes, Disagreement& found) const {
    std::size_t at = 0;
    while (at < bytes.size()) {
      const X86Instruction ours = decode_x86(bytes.substr(at));
      ZydisDecodedInstruction theirs;
      ZydisDecoderContext context;
      const bool known = ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
          &decoder_, &context, bytes.data() + at, bytes.size() - at, &theirs));
      ++found.instructions;
      if (ours.is_unknown() == known) {
        ++found.one_sided;
      } else if (known && !same(ours, theirs)) {
        ++found.different;
        found.first = fmt::format("{:x}: {}, ours {} bytes {}, Zydis {} bytes {}",
                                  function.address + at,
                                  hex_of(bytes.substr(at, 15)),
                                  ours.length,
                                  to_string(requirement_of(ours).features),
                                  theirs.length,
                                  ZydisMnemonicGetString(theirs.mnemonic));
      }
      at += known ? theirs.length : ours.length;
    }
  }

  static bool same(const X86Instruction& ours, const ZydisDecodedInstruction& theirs) {
    const auto requirement = requirement_from_zydis(theirs);
    return requirement && theirs.length == ours.length
           && requirement->features == requirement_of(ours).features
           && requirement->role == requirement_of(ours).role;
  }

  ZydisDecoder decoder_{};
};

/// The whole of the largest libraries takes a minute without optimisation; every n-th function
/// tells enough for each day. FITMENT_WHOLE_LIBRARIES=1 compares all.
std::uint64_t bytes_to_compare() {
  constexpr std::uint64_t kSample = 500'000;
  const char* whole = std::getenv("FITMENT_WHOLE_LIBRARIES");  // NOLINT(concurrency-mt-unsafe)
  return whole == nullptr || *whole == '\0' ? kSample : ~std::uint64_t{0};
}

TEST_P(ZydisAgreement, OnLengthAndNeeds) {
  const auto loaded = testing_support::ElfCodeImage::load(GetParam());
  if (!loaded) {
    GTEST_SKIP() << GetParam() << " is not installed";
  }
  Disagreement found;
  const std::vector<FunctionScan> functions = find_functions(loaded->image());
  std::uint64_t total = 0;
  for (const FunctionScan& function : functions) {
    total += function.size;
  }
  const std::size_t step = static_cast<std::size_t>(total / bytes_to_compare()) + 1;
  for (std::size_t i = 0; i < functions.size(); i += step) {
    for (const TextRange& text : loaded->image().text) {
      if (AddressRange{text.address, text.bytes.size()}.contains(functions[i].address)) {
        compare(functions[i],
                text.bytes.substr(functions[i].address - text.address, functions[i].size),
                found);
      }
    }
  }
  EXPECT_GT(found.instructions, 10'000U);
  EXPECT_EQ(found.different, 0U) << found.first;
  EXPECT_LT(found.one_sided, found.instructions / 1000);
  RecordProperty("different", std::to_string(found.different));
  RecordProperty("instructions", std::to_string(found.instructions));
  RecordProperty("one_sided", std::to_string(found.one_sided));
}

INSTANTIATE_TEST_SUITE_P(
    Installed,
    ZydisAgreement,
    testing::Values("/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1",
                    "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
                    "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
                    "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                    "/usr/lib/x86_64-linux-gnu/libc.so.6",
                    "/usr/lib/x86_64-linux-gnu/libm.so.6",
                    "/usr/lib/x86_64-linux-gnu/libx265.so.199",
                    "/usr/lib/x86_64-linux-gnu/libavcodec.so.59",
                    "/usr/lib/x86_64-linux-gnu/libdav1d.so.6",
                    "/usr/lib/python3/dist-packages/numpy/core/"
                    "_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
                    "/usr/bin/node"));

}  // namespace
}  // namespace fitment
