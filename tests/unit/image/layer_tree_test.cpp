// SPDX-License-Identifier: Apache-2.0
// What layers make on top of one another, and layers that mean harm.
#include "image/survey.h"
#include "support/image_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Layers = std::vector<std::vector<TarMember>>;

Result<ImageSurvey> survey(const Layers& layers) {
  const Workshop shop;
  ImageBuilder builder(shop);
  for (const auto& layer : layers) {
    builder.layer(layer, LayerCompression::none);
  }
  FITMENT_TRY_ASSIGN(const Image image, open_image(builder.oci("i"), std::nullopt));
  return survey_image(image, {});
}

std::string error_of(const std::vector<TarMember>& layer) {
  const auto result = survey({layer});
  return result ? "no error" : to_string(result.error());
}

std::vector<std::string> seen(const ImageSurvey& survey) {
  std::vector<std::string> paths;
  for (const auto& [path, id] : survey.tree.paths()) {
    paths.emplace_back(path);
  }
  return paths;
}

TEST(LayerTree, whiteouts_hide_what_is_below_and_not_what_stands_beside_them) {
  const auto result = survey({{{.name = "d/", .type = '5'},
                               {.name = "d/old", .data = "x"},
                               {.name = "e/", .type = '5'},
                               {.name = "e/f/g", .data = "y"},
                               {.name = "h", .data = "z"}},
                              {{.name = "d/", .type = '5'},
                               {.name = "d/.wh..wh..opq"},
                               {.name = "d/new", .data = "n"},
                               {.name = ".wh.e"},
                               {.name = ".wh.nothing"},
                               {.name = ".wh..wh.plnk/1.2"}}});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_THAT(seen(*result), ElementsAre("/d", "/d/new", "/h"));
  const LayerTree& tree = result->tree;
  EXPECT_EQ(tree.entry(1).fate, EntryFate::deleted);
  EXPECT_EQ(tree.entry(3).fate, EntryFate::deleted);
  EXPECT_EQ(tree.entry(0).fate, EntryFate::seen);  // merged
  EXPECT_TRUE(tree.entry(8).hides);
  EXPECT_FALSE(tree.entry(9).hides);
}

TEST(LayerTree, replaced_and_copied_files) {
  const auto result =
      survey({{{.name = "a", .data = "1"}, {.name = "b", .data = "1"}},
              {{.name = "a", .data = "2"}, {.name = "b", .data = "1", .mode = 0600}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->tree.entry(0).fate, EntryFate::replaced);
  EXPECT_EQ(result->tree.entry(1).fate, EntryFate::copied);
}

TEST(LayerTree, folders_become_files_and_the_other_way_round) {
  const auto result = survey(
      {{{.name = "a/b", .data = "1"}, {.name = "c", .data = "2"}},
       {{.name = "a", .data = "3"}, {.name = "c/", .type = '5'}, {.name = "c/d", .data = "4"}}});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_THAT(seen(*result), ElementsAre("/a", "/c", "/c/d"));
}

TEST(LayerTree, links_of_lower_layers_are_followed_inside_of_the_image) {
  const auto result = survey({{{.name = "usr/lib/", .type = '5'},
                               {.name = "lib", .type = '2', .link = "usr/lib"},
                               {.name = "abs", .type = '2', .link = "/usr/../../usr/lib"}},
                              {{.name = "lib/x", .data = "1"}, {.name = "abs/y", .data = "2"}}});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_THAT(seen(*result), ElementsAre("/abs", "/lib", "/usr/lib", "/usr/lib/x", "/usr/lib/y"));
}

TEST(LayerTree, a_hidden_file_whose_hard_link_is_seen_is_needed) {
  const auto result = survey(
      {{{.name = "a", .data = "1"}, {.name = "b", .type = '1', .link = "a"}}, {{.name = ".wh.a"}}});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->tree.entry(0).is_needed);
  EXPECT_EQ(result->tree.find("/b")->bytes, 1U);
}

TEST(LayerTree, names_that_lead_outside) {
  EXPECT_THAT(error_of({{.name = "/etc/passwd"}}),
              HasSubstr("the entry `/etc/passwd` is absolute"));
  EXPECT_THAT(error_of({{.name = "a/../../etc/passwd"}}), HasSubstr("climbs with `..`"));
  EXPECT_THAT(error_of({{.name = ".."}}), HasSubstr("climbs"));
  EXPECT_THAT(error_of({{.name = "h", .type = '1', .link = "/etc/passwd"}}),
              HasSubstr("the hard link target `/etc/passwd` is absolute"));
  EXPECT_THAT(error_of({{.name = "h", .type = '1', .link = "../x"}}), HasSubstr("`h`"));
  EXPECT_THAT(error_of({{.name = "h", .type = '1', .link = "missing"}}),
              HasSubstr("hard link to `/missing`, where no file is"));
  EXPECT_THAT(error_of({{.name = std::string(300, 'x').substr(0, 100) + "/" + std::string(50, 'y'),
                         .data = ""}}),
              "no error");
  EXPECT_THAT(error_of({{.name = "./", .type = '2', .link = "x"}}), HasSubstr("root"));
}

TEST(LayerTree, ways_through_links) {
  EXPECT_THAT(error_of({{.name = "x", .type = '2', .link = "/etc"}, {.name = "x/passwd"}}),
              HasSubstr("the entry `x/passwd` goes through the link `/x` of its own layer"));
  EXPECT_THAT(error_of({{.name = "x", .type = '2', .link = "/etc"},
                        {.name = "y", .type = '1', .link = "x/passwd"}}),
              HasSubstr("`y`"));
  const auto loop =
      survey({{{.name = "a", .type = '2', .link = "b"}, {.name = "b", .type = '2', .link = "a"}},
              {{.name = "a/x"}}});
  ASSERT_FALSE(loop);
  EXPECT_THAT(to_string(loop.error()), HasSubstr("too many links"));
  const auto below_file = survey({{{.name = "a"}}, {{.name = "a/b"}}});
  ASSERT_FALSE(below_file);
  EXPECT_THAT(to_string(below_file.error()), HasSubstr("which is no folder"));
}

TEST(LayerTree, devices_holes_and_doubles) {
  EXPECT_THAT(error_of({{.name = "dev/sda", .type = '4', .major = 8}}),
              HasSubstr("the entry `dev/sda` is a device node (block 8:0)"));
  EXPECT_THAT(error_of({{.name = "tmp/mem", .type = '3', .major = 1, .minor = 1}}),
              HasSubstr("device node"));
  EXPECT_EQ(error_of({{.name = "dev/null", .type = '3', .major = 1, .minor = 3}}), "no error");
  EXPECT_THAT(error_of({{.name = "a", .data = "1"}, {.name = "./a", .data = "2"}}),
              HasSubstr("`a` stands in the layer twice"));
  EXPECT_EQ(error_of({{.name = "a/", .type = '5'}, {.name = "a/", .type = '5'}}), "no error");
  EXPECT_THAT(error_of({{.name = "a/b"}, {.name = "a"}}), HasSubstr("folder of its own layer"));
  EXPECT_THAT(error_of({{.name = ".wh."}}), HasSubstr("whiteout of nothing"));
  EXPECT_THAT(error_of({{.name = ".wh..."}}), HasSubstr("whiteout of nothing"));
  EXPECT_THAT(error_of({{.name = ".wh.a/b"}}), HasSubstr("below a whiteout"));
  const Workshop shop;
  ImageBuilder builder(shop);
  builder.layer(tar_pax({{"GNU.sparse.size", "1000000000000"}, {"GNU.sparse.map", "0,1"}})
                + tar_member({.name = "var/log/lastlog", .data = "x"}) + tar_end());
  const auto image = open_image(builder.oci("i"), std::nullopt);
  const auto giant = survey_image(*image, {});
  ASSERT_FALSE(giant);
  EXPECT_THAT(to_string(giant.error()), HasSubstr("`var/log/lastlog` claims 1000000000000 bytes"));
  EXPECT_THAT(to_string(giant.error()), HasSubstr("layer 1 of 1"));
}

}  // namespace
}  // namespace fitment
