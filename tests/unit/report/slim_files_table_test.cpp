// SPDX-License-Identifier: Apache-2.0
#include "report/slim_files_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

SlimFile removed(std::string path, std::uint64_t bytes) {
  SlimFile file;
  file.action = SlimAction::remove;
  file.plan.path = std::move(path);
  file.plan.before_bytes = bytes;
  return file;
}

std::string table_of(const std::vector<SlimFile>& files) {
  std::vector<const SlimFile*> listed;
  listed.reserve(files.size());
  for (const SlimFile& file : files) {
    listed.push_back(&file);
  }
  return slim_files_table(listed, 2, {.width = 60});
}

TEST(SlimFilesTable, RowsThatTellNothingAreCounted) {
  std::vector<SlimFile> files{removed("lib/libbig.a", 1'000'000)};
  for (int i = 0; i < 20; ++i) {
    files.push_back(removed(fmt::format("include/h{}.h", i), 13));
  }
  EXPECT_EQ(table_of(files),
            "  file        before  after            risk\n"
            "  lib/\n"
            "    libbig.a  1.0 MB    0 B  -100.0 %  none  ░░░░░░\n"
            "  and 20 smaller files that change, 2 files that stay; `--json` lists them\n");
}

TEST(SlimFilesTable, AFewAreListedHoweverSmall) {
  const std::string text =
      table_of({removed("lib/libbig.a", 1'000'000), removed("include/h.h", 13)});
  EXPECT_NE(text.find("h.h"), std::string::npos) << text;
}

}  // namespace
}  // namespace fitment
