// SPDX-License-Identifier: Apache-2.0
#include "stack/debian_status.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(DebianStatus, OnlyInstalledPackagesCount) {
  const auto packages = parse_debian_status(
      "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9\n"
      "Description: C library\n more words\n\n"
      "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n"
      "Package: tzdata\nVersion: 2025b\nArchitecture: all");
  ASSERT_EQ(packages.size(), 2U);
  EXPECT_EQ(packages[0].name + " " + packages[0].version + " " + packages[0].arch,
            "libc6 2.36-9 amd64");
  EXPECT_EQ(packages[1].name, "tzdata");
}

TEST(DebianStatus, AnythingElseIsEmpty) {
  EXPECT_TRUE(parse_debian_status("").empty());
  EXPECT_TRUE(parse_debian_status("\n\n\nVersion: 1\n\n").empty());
}

}  // namespace
}  // namespace fitment
