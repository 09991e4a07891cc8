// SPDX-License-Identifier: Apache-2.0
#include "base/path_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace fitment {
namespace {

/// Walks over links by their places; whatever else is asked for is a folder.
Result<std::string> walk(const std::string& path, const std::map<std::string, std::string>& links) {
  return walk_path(path, [&](const std::string& place, bool) -> Result<std::optional<std::string>> {
    const auto link = links.find(place);
    return link == links.end() ? std::nullopt : std::optional(link->second);
  });
}

TEST(PathWalk, NeverLeavesTheRoot) {
  EXPECT_EQ(walk("/a/./b//c/", {}).value(), "/a/b/c");
  EXPECT_EQ(walk("a/b", {}).value(), "/a/b");
  EXPECT_EQ(walk("/../../a/../b", {}).value(), "/b");
  EXPECT_EQ(walk("", {}).value(), "/");
  EXPECT_EQ(walk("/a/x", {{"/a", "../../../b"}}).value(), "/b/x");
}

TEST(PathWalk, LinksStartWhereTheyLieOrAtTheRoot) {
  const std::map<std::string, std::string> links{
      {"/lib", "usr/lib"}, {"/usr/lib/x.so", "x.so.1"}, {"/etc/y", "/lib/x.so"}};
  EXPECT_EQ(walk("/lib/x.so", links).value(), "/usr/lib/x.so.1");
  EXPECT_EQ(walk("/etc/y", links).value(), "/usr/lib/x.so.1");
  EXPECT_EQ(walk("/etc/y/../z", links).value(), "/usr/lib/z");
}

TEST(PathWalk, EndsWhereLinksDoNot) {
  EXPECT_EQ(walk("/a", {{"/a", "a"}}).error().message(), "`/a` goes through more than 40 links");
  std::map<std::string, std::string> forty;
  for (int i = 0; i < 40; ++i) {
    forty["/" + std::to_string(i)] = std::to_string(i + 1);
  }
  EXPECT_EQ(walk("/0", forty).value(), "/40");
  forty["/40"] = "41";
  EXPECT_EQ(walk("/0", forty).error().code(), ErrorCode::io_error);
  EXPECT_EQ(walk(std::string(70'000, 'a'), {}).error().code(), ErrorCode::io_error);
}

TEST(PathWalk, TellsWhatIsLastAndPassesErrorsOn) {
  std::vector<std::pair<std::string, bool>> seen;
  const auto walked = walk_path(
      "/a/b", [&](const std::string& place, bool is_last) -> Result<std::optional<std::string>> {
        seen.emplace_back(place, is_last);
        if (is_last) {
          return fail(ErrorCode::not_found, "there is none");
        }
        return std::optional<std::string>();
      });
  EXPECT_EQ(walked.error().message(), "there is none");
  EXPECT_EQ(seen, (std::vector<std::pair<std::string, bool>>{{"/a", false}, {"/a/b", true}}));
}

}  // namespace
}  // namespace fitment
