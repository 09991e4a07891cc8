// SPDX-License-Identifier: Apache-2.0
#include "elf/file_view.h"

#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

/// The same tree on the disk and in memory.
class Views : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    for (const std::string path : {"lib/x.so.1", "usr/lib/y.so"}) {
      shop_.write("root/" + path, "bytes of " + path);
      memory_.add_file("/" + path, "bytes of " + path);
    }
    shop_.write("outside", "secret");
    const std::pair<const char*, const char*> links[] = {{"lib/x.so", "x.so.1"},
                                                         {"lib64", "/usr/lib"},
                                                         {"up", "../../../../lib/x.so"},
                                                         {"loop", "loop2"},
                                                         {"loop2", "/loop"},
                                                         {"dead", "/no/such"},
                                                         {"escape", "../outside"}};
    for (const auto& [path, target] : links) {
      shop_.link(std::string("root/") + path, target);
      memory_.add_link(std::string("/") + path, target);
    }
    disk_ = std::make_unique<DirectoryView>(shop_.path("root"));
  }
  [[nodiscard]] const FileView& view() const {
    return GetParam() ? static_cast<const FileView&>(*disk_) : memory_;
  }
  Workshop shop_;
  MemoryView memory_;
  std::unique_ptr<DirectoryView> disk_;
};

TEST_P(Views, FollowLinksInsideTheRoot) {
  EXPECT_EQ(view().resolve("/lib/x.so").value(), "/lib/x.so.1");
  EXPECT_EQ(view().resolve("/lib64/y.so").value(), "/usr/lib/y.so");
  EXPECT_EQ(view().resolve("/up").value(), "/lib/x.so.1");
  EXPECT_EQ(view().resolve("/lib/../lib/./x.so").value(), "/lib/x.so.1");
  EXPECT_EQ(view().resolve("/../..").value(), "/");
  EXPECT_EQ(view().read("/lib64/y.so", 100).value(), "bytes of usr/lib/y.so");
  EXPECT_EQ(view().kind("/lib64"), FileKind::folder);
  EXPECT_EQ(view().entry_kind("/lib64"), FileKind::link);
}

TEST_P(Views, RefuseLoopsEscapesAndDeadLinks) {
  EXPECT_EQ(view().resolve("/loop").error().code(), ErrorCode::io_error);
  for (const char* path : {"/dead", "/escape", "/lib/x.so.1/y", "/none"}) {
    EXPECT_EQ(view().resolve(path).error().code(), ErrorCode::not_found) << path;
    EXPECT_FALSE(view().exists(path)) << path;
    EXPECT_FALSE(view().open(path)) << path;
  }
}

TEST_P(Views, ListFolders) {
  EXPECT_THAT(view().list("/lib").value(), ElementsAre("x.so", "x.so.1"));
  EXPECT_THAT(view().list("/").value(),
              ElementsAre("dead", "escape", "lib", "lib64", "loop", "loop2", "up", "usr"));
  EXPECT_FALSE(view().list("/none"));
}

INSTANTIATE_TEST_SUITE_P(DiskAndMemory, Views, testing::Bool());

}  // namespace
}  // namespace fitment
