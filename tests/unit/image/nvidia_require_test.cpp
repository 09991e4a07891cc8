// SPDX-License-Identifier: Apache-2.0
#include "image/nvidia_require.h"

#include "base/text.h"
#include "catalog/catalog.h"
#include "slim/targets.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

class NvidiaRequires : public testing::Test {
 protected:
  static Build build(std::string_view backend, std::string_view toolkit, std::string_view code) {
    Build made;
    made.backend = parse_backend(backend).value();
    if (!toolkit.empty()) {
      made.toolkit = DottedVersion::parse(toolkit).value();
    }
    if (!code.empty()) {
      made.cuda_code.emplace();
      for (const std::string_view word : split_words(code)) {
        made.cuda_code->push_back(parse_cuda_target(word).value());
      }
    }
    return made;
  }
  std::string demands(const Build& made, std::string_view targets, bool slimmed = true) {
    const auto require = nvidia_require(
        made, parse_keep_targets(targets).value(), slimmed, *catalog_.cuda().value());
    return require ? require->cuda + " | " + require->arch : "nothing";
  }

  Catalog catalog_;
};

TEST_F(NvidiaRequires, TheFloorIsThatOfTheMajor) {
  EXPECT_EQ(demands(build("cu128", "12.8.1", "sm_80 sm_90"), "sm_90"),
            "cuda>=12.0,driver>=525 | arch>=9.0,arch<10.0");
  EXPECT_EQ(demands(build("cu118", "11.8.0", "sm_80"), "sm_80"),
            "cuda>=11.0,driver>=450 | arch>=8.0,arch<9.0");
}

TEST_F(NvidiaRequires, PtxNeedsTheDriverOfItsToolkit) {
  EXPECT_EQ(demands(build("cu128", "12.8.1", "sm_80 compute_80"), "sm_90"),
            "cuda>=12.8,driver>=570 | arch>=9.0");
}

TEST_F(NvidiaRequires, EachMajorIsAWayOfItsOwn) {
  EXPECT_EQ(demands(build("cu126", "12.6.3", "sm_80 sm_86 sm_90"), "sm_80,sm_86,sm_90"),
            "cuda>=12.0,driver>=525 | arch>=8.0,arch<9.0 arch>=9.0,arch<10.0");
}

TEST_F(NvidiaRequires, PtxThatWasKeptOpensTheEnd) {
  EXPECT_EQ(demands(build("cu126", "12.6.3", "sm_90 compute_90"), "sm_90+ptx"),
            "cuda>=12.0,driver>=525 | arch>=9.0");
}

TEST_F(NvidiaRequires, WhatWasNotSlimmedServesAllItWasBuiltFor) {
  EXPECT_EQ(demands(build("cu126", "12.6.3", "sm_70 sm_80 sm_90 sm_90a"), "sm_90", false),
            "cuda>=12.0,driver>=525 | arch>=7.0,arch<8.0 arch>=8.0,arch<9.0 arch>=9.0,arch<10.0");
}

TEST_F(NvidiaRequires, OtherVendorsAreAskedNothing) {
  EXPECT_EQ(demands(build("rocm6.4", "", ""), "gfx942"), "nothing");
  EXPECT_EQ(demands(build("cpu", "", ""), "sm_90"), "nothing");
}

}  // namespace
}  // namespace fitment
