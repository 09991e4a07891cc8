// SPDX-License-Identifier: Apache-2.0
// Where functions start without symbols, and what each of them is counted to need.
#include "isa/function_scan.h"

#include "isa/x86_decoder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace fitment {
namespace {

constexpr std::uint64_t kBase = 0x401000;

/// `call target`, as found in text that starts at kBase.
void put_call(std::string& text, std::size_t at, std::size_t target) {
  const auto distance = static_cast<std::int32_t>(target) - static_cast<std::int32_t>(at + 5);
  text[at] = '\xe8';
  std::memcpy(text.data() + at + 1, &distance, sizeof distance);
}

TEST(FunctionScan, TextThatNothingCoversIsCutAtItsCalls) {
  std::string text(4096, '\x90');
  put_call(text, 0x20, 0x400);
  put_call(text, 0x420, 0x800);
  put_call(text, 0x840, 0x803);  // not aligned: no function starts there
  CodeImage image;
  image.text.push_back({kBase, text});
  const std::vector<FunctionScan> functions = find_functions(image);
  ASSERT_EQ(functions.size(), 3);
  EXPECT_EQ(functions[0].address, kBase);
  EXPECT_EQ(functions[1].address, kBase + 0x400);
  EXPECT_EQ(functions[2].address, kBase + 0x800);
  EXPECT_EQ(functions[2].size, text.size() - 0x800);
  EXPECT_FALSE(functions[1].is_known);
}

/// Functions of 1 to 40 bytes, more of them than are decoded at a time, up to the end of the text.
TEST(FunctionScan, EachFunctionIsCountedByItself) {
  const std::string vector("\xc5\xfc\x58\xc1", 4);  // vaddps ymm0, ymm0, ymm1
  const std::string legacy("\x66\x0f\x58\xc1", 4);  // addpd xmm0, xmm1
  const std::string unknown("\x06", 1);             // no instruction in 64-bit mode
  std::string text;
  CodeImage image;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::uint64_t start = text.size();
    for (std::size_t part = 0; part < i / 4; ++part) {
      text += part % 2 == 0 ? vector : legacy;
    }
    text += i % 3 == 0 ? unknown : std::string("\xc3", 1);
    image.unwind_ranges.push_back({kBase + start, text.size() - start});
  }
  image.text.push_back({kBase, text});
  const std::vector<FunctionScan> functions = scan_functions(image);
  ASSERT_EQ(functions.size(), image.unwind_ranges.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::size_t parts = i / 4;
    EXPECT_EQ(functions[i].vex_vectors, (parts + 1) / 2) << i;
    EXPECT_EQ(functions[i].legacy_vectors, parts / 2) << i;
    EXPECT_EQ(functions[i].unknown_bytes, i % 3 == 0 ? 1U : 0U) << i;
    EXPECT_EQ(functions[i].instructions, parts + (i % 3 == 0 ? 0U : 1U)) << i;
    EXPECT_EQ(functions[i].features.contains(X86Feature::avx), parts != 0) << i;
  }
}

}  // namespace
}  // namespace fitment
