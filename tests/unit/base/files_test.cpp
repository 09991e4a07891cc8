// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include "base/missing_path.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace fitment {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fitment-files.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Files, WritesAtomicallyAndKeepsTheMode) {
  const auto path = folder_ / "tool";
  ASSERT_TRUE(write_file_atomic(path, "one"));
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_TRUE(write_file_atomic(path, "two"));
  EXPECT_EQ(read_file(path).value(), "two");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0755));
  EXPECT_EQ(list_folder(folder_).value(), std::vector<std::string>{"tool"});
}

TEST_F(Files, SaysWhatIsWrong) {
  const auto missing = read_file(folder_ / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::not_found);
  EXPECT_EQ(read_file(folder_).error().code(), ErrorCode::invalid_argument);
  ASSERT_TRUE(write_file_atomic(folder_ / "long", "123456"));
  EXPECT_EQ(read_file(folder_ / "long", 5).error().code(), ErrorCode::parse_error);
  EXPECT_EQ(list_folder(folder_ / "missing").error().code(), ErrorCode::not_found);
  EXPECT_EQ(write_file_atomic(folder_ / "no" / "x", "").error().code(), ErrorCode::not_found);
}

TEST_F(Files, ReadsFilesOfProc) {
  EXPECT_FALSE(read_file("/proc/self/status").value().empty());
}

TEST_F(Files, MissingPathsAreExplained) {
  ASSERT_TRUE(write_file_atomic(folder_ / "libcudart.so.13", ""));
  std::filesystem::create_symlink("gone", folder_ / "link");
  const std::string here = folder_.string();
  EXPECT_EQ(explain_missing_path(folder_ / "libcudart.so.12"),
            "did you mean `" + here + "/libcudart.so.13`?");
  EXPECT_EQ(explain_missing_path(folder_ / "libcudart.so.13" / "x"),
            "`" + here + "/libcudart.so.13` is a file");
  EXPECT_EQ(explain_missing_path(folder_ / "link"),
            "`" + here + "/link` is a link to `gone`, which does not exist");
  EXPECT_EQ(explain_missing_path(folder_ / "absent" / "x.json"),
            "`" + here + "/absent` does not exist either");
  EXPECT_EQ(explain_missing_path(folder_ / "something"), "");
  EXPECT_EQ(explain_missing_path(folder_ / "libcudart.so.13"), "");
  EXPECT_EQ(explain_missing_path("no-such-name-here"),
            "relative paths start at `" + std::filesystem::current_path().string() + "`");
  EXPECT_EQ(explain_missing_path(""), "the path is empty");
  EXPECT_EQ(read_file(folder_ / "absent").error().missing_path(), (folder_ / "absent").string());
}

}  // namespace
}  // namespace fitment
