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

TEST(IndexFolder, a_page_whose_files_are_elsewhere_is_an_error_and_not_an_empty_project) {
  const Workshop shop;
  std::filesystem::create_directories(shop.root() / "index/a");
  const auto page_with = [&shop](const std::string& links) {
    EXPECT_TRUE(write_file_atomic(shop.root() / "index/a/index.html", links));
    return IndexFolder(shop.root() / "index").find("a");
  };
  const std::string missing = "<a href=\"a-1-py3-none-any.whl\">a-1-py3-none-any.whl</a>";
  const std::string outside = "<a href=\"../../a-2-py3-none-any.whl\">a-2-py3-none-any.whl</a>";
  const std::string elsewhere =
      "<a href=\"https://host/a-3-py3-none-any.whl\">a-3-py3-none-any.whl</a>";
  ASSERT_TRUE(write_file_atomic(shop.root() / "a-2-py3-none-any.whl", "outside"));

  const auto wrong = page_with(missing + outside);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::parse_error);
  EXPECT_NE(to_string(wrong.error()).find("lists 2 files, and none of them is in"),
            std::string::npos)
      << to_string(wrong.error());
  EXPECT_EQ(page_with(missing + elsewhere).value()->files.size(), 1);
  EXPECT_EQ(page_with("").value()->files.size(), 0);
}

}  // namespace
}  // namespace fitment
