// SPDX-License-Identifier: Apache-2.0
#include "index/index_folder.h"

#include "base/digest.h"
#include "base/files.h"
#include "support/workshop.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(FileDigests, ForgetsWhatIsGone) {
  const Workshop shop;
  FileDigests digests(10);
  for (int i = 0; i < 100; ++i) {
    const std::filesystem::path file = shop.root() / std::to_string(i);
    ASSERT_TRUE(write_file_atomic(file, file.string()));
    EXPECT_EQ(digests.sha256(file).value(), sha256_hex(file.string()));
    EXPECT_LE(digests.size(), 10);
    if (i % 3 != 0) {
      std::filesystem::remove(file);
    }
  }
  // A file with other bytes is another file.
  const std::filesystem::path kept = shop.root() / "0";
  ASSERT_TRUE(write_file_atomic(kept, "other bytes"));
  EXPECT_EQ(digests.sha256(kept).value(), sha256_hex(std::string("other bytes")));
}

}  // namespace
}  // namespace fitment
