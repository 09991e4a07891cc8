// SPDX-License-Identifier: Apache-2.0
#include "stack/stack.h"

#include "support/elf_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

void add(MemoryView& view,
         const std::string& site,
         const std::string& name,
         const std::string& version,
         const std::string& record = {}) {
  const std::string info = site + "/" + name + "-" + version + ".dist-info/";
  view.add_file(info + "METADATA",
                "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
  view.add_file(info + "WHEEL",
                "Wheel-Version: 1.0\nTag: py3-none-any\nTag: cp312-abi3-linux_x86_64\n");
  view.add_file(info + "INSTALLER", "uv\n");
  view.add_file(info + "RECORD", record);
}

TEST(Stack, FirstOnThePathHidesTheOthers) {
  MemoryView view;
  add(view, "/user", "Torch", "2.6.0");
  add(view, "/env", "torch", "2.8.0");
  add(view, "/env", "einops", "0.8");
  const Stack stack = read_stack(view, {.sites = {"/user", "/env"}});
  ASSERT_THAT(stack.distributions, SizeIs(3));
  EXPECT_EQ(to_string(stack.find("torch")->metadata.version), "2.6.0");
  EXPECT_THAT(stack.shadowed_by,
              ElementsAre(std::nullopt, std::nullopt, std::optional<std::size_t>(0)));
  EXPECT_EQ(stack.find("torch")->installer, "uv");
  EXPECT_THAT(stack.find("einops")->tags, ElementsAre("py3-none-any", "cp312-abi3-linux_x86_64"));
  EXPECT_EQ(stack.find("numpy"), nullptr);
}

TEST(Stack, DamageInOneDistributionLeavesTheOthers) {
  MemoryView view;
  add(view, "/s", "good", "1.0", "good.py,,\n");
  add(view, "/s", "torn", "1.0", "\"torn.py,,\n");
  view.add_file("/s/bad-1.dist-info/METADATA", "Name: bad\n");
  view.add_file("/s/none-1.dist-info/RECORD", "");
  view.add_file("/s/~orch-2.8.0.dist-info/METADATA", "what pip leaves behind");
  const Stack stack = read_stack(view, {.sites = {"/s", "/gone"}});
  EXPECT_THAT(stack.distributions, SizeIs(2));
  EXPECT_FALSE(stack.find("torn")->has_record);
  EXPECT_TRUE(stack.find("good")->has_record);
  std::vector<std::string> places;
  for (const SiteProblem& problem : stack.problems) {
    places.push_back(problem.path);
  }
  EXPECT_THAT(places,
              ElementsAre("/s/bad-1.dist-info/METADATA",
                          "/s/none-1.dist-info/METADATA",
                          "/s/torn-1.0.dist-info/RECORD",
                          "/gone"));
}

TEST(Stack, KnowsBinariesAndTheirOwners) {
  MemoryView view;
  const std::string library = build_elf_image({.soname = "libx.so.1"});
  view.add_file("/s/x/lib/libx.so.1", library);
  view.add_file("/s/x/_x.cpython-312-x86_64-linux-gnu.so", build_elf_image({}));
  view.add_file("/s/x/text.so", "no ELF file");
  view.add_file("/s/x/cut.so", library.substr(0, 40));
  add(view,
      "/s",
      "x",
      "1.0",
      "x/lib/libx.so.1,,\nx/_x.cpython-312-x86_64-linux-gnu.so,,\nx/text.so,,\nx/cut.so,,\n"
      "../../../../etc/shadow.so,,\n");
  const Stack stack = read_stack(view, {.sites = {"/s"}});
  ASSERT_THAT(stack.binaries, SizeIs(2));
  EXPECT_TRUE(stack.binaries[0].is_extension_module);
  EXPECT_EQ(stack.binaries[1].name(), "libx.so.1");
  EXPECT_FALSE(stack.binaries[1].is_extension_module);
  EXPECT_EQ(stack.owner_of("/s/x/lib/libx.so.1"), std::size_t{0});
  EXPECT_FALSE(stack.owner_of("/s/y.so").has_value());
  ASSERT_THAT(stack.problems, SizeIs(1)) << "the cut file";
  EXPECT_THAT(stack.problems[0].text, HasSubstr("/s/x/cut.so"));
}

}  // namespace
}  // namespace fitment
