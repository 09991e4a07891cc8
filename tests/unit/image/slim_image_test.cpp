// SPDX-License-Identifier: Apache-2.0
// Images made smaller: what leaves their layers, what stays and why, and who accepts the result.
#include "base/digest.h"
#include "image/audit_image.h"
#include "image/slim_apply.h"
#include "slim/targets.h"
#include "support/fatbin_builder.h"
#include "support/fatbin_library.h"
#include "support/image_builder.h"
#include "wheel/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSite = "opt/venv/lib/python3.12/site-packages/";

class SlimImage : public testing::Test {
 protected:
  SlimImage() { slice_.policy.targets = *parse_keep_targets("sm_86"); }

  /// Plans and applies; the names of the result's entries, layer by layer, as they are seen.
  void slim(const std::string& reference, const std::string& output = "out") {
    const auto image = open_image(reference, std::nullopt);
    ASSERT_TRUE(image) << to_string(image.error());
    SurveyOptions how;
    how.keeps_text = tells_of_python;
    how.wants_results = true;
    how.slice = slice_;
    const auto survey = survey_image(*image, how);
    ASSERT_TRUE(survey) << to_string(survey.error());
    auto plan = plan_image_slim(*survey, wishes_);
    ASSERT_TRUE(plan) << to_string(plan.error());
    plan_ = std::move(*plan);
    auto result = apply_image_slim(*image, *survey, plan_, options_, shop_.root() / output);
    ASSERT_TRUE(result) << to_string(result.error());
    result_ = std::move(*result);
    for (std::size_t i = 0; i < plan_.layers.size(); ++i) {
      if (result_.layers[i]) {
        EXPECT_EQ(result_.layers[i]->bytes, plan_.layers[i].after_bytes);
      }
    }
  }

  /// Names in the archives of a layout's layers.
  std::vector<std::vector<std::string>> names(const std::string& output = "out") const {
    std::vector<std::vector<std::string>> all;
    const auto image = open_image(shop_.path(output), std::nullopt);
    EXPECT_TRUE(image) << to_string(image.error());
    for (const ImageLayer& layer : image->layers) {
      const auto blob = image->store->open(layer.member);
      const auto stream = LayerStream::open(**blob);
      TarReader reader(**stream);
      auto& list = all.emplace_back();
      for (auto entry = reader.next(); entry && *entry; entry = reader.next()) {
        list.push_back((*entry)->path);
      }
    }
    return all;
  }

  Workshop shop_;
  ImageBuilder builder_{shop_};
  SliceOptions slice_;
  ImageSlimOptions options_;
  ImageSlimWishes wishes_{.classes = {kSlimClasses.begin(), kSlimClasses.end()}};
  ImageSlimPlan plan_;
  SlimmedImage result_;
};

TEST_F(SlimImage, what_later_layers_hide_leaves_and_whiteouts_with_it) {
  builder_
      .layer({{.name = "a", .data = "1"}, {.name = "b", .data = "2"}, {.name = "d/x", .data = "3"}})
      .layer({{.name = ".wh.a"}, {.name = "d/.wh..wh..opq"}, {.name = "d/y", .data = "4"}})
      .layer({{.name = "b", .data = "5"}, {.name = ".wh.c"}});
  slim(builder_.oci("in"));
  // Of the first layer nothing is left.
  EXPECT_THAT(names(), ElementsAre(ElementsAre("d/y"), ElementsAre("b")));
  EXPECT_EQ(plan_.hidden.files, 3U);
  EXPECT_EQ(plan_.whiteouts, 3U);
  const auto image = open_image(shop_.path("out"), std::nullopt);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->config.history.size(), 4U);
  EXPECT_TRUE(image->config.history[0].is_empty_layer);
  EXPECT_EQ(image->layers[0].created_by, "step 2");
}

TEST_F(SlimImage, layers_without_a_change_keep_their_digest) {
  const std::string in = builder_.layer({{.name = "a", .data = "1"}}, LayerCompression::zstd)
                             .layer({{.name = "b", .data = "2"}})
                             .layer({{.name = "b", .data = "3"}}, LayerCompression::none)
                             .oci("in");
  slim(in);
  const auto before = open_image(in, std::nullopt);
  const auto after = open_image(shop_.path("out"), std::nullopt);
  ASSERT_EQ(after->layers.size(), 2U);
  EXPECT_EQ(before->layers[0].digest, after->layers[0].digest);
  EXPECT_EQ(before->layers[2].digest, after->layers[1].digest);
  EXPECT_EQ(after->layers[1].media_type, kOciLayer);
}

TEST_F(SlimImage, an_entry_that_nobody_touched_keeps_its_bytes) {
  const std::string odd = tar_pax({{"SCHILY.xattr.user.x", "y"}, {"mtime", "1.25"}})
                          + tar_member({.name = "./odd", .data = "data", .mode = 04755, .uid = 9});
  const std::string sparse = tar_pax({{"GNU.sparse.name", "hole"},
                                      {"GNU.sparse.size", "10000"},
                                      {"GNU.sparse.map", "0,4,8192,2"}})
                             + tar_member({.name = "G/hole", .data = "abcdef"});
  slim(builder_.layer(tar_member({.name = "gone", .data = "1"}) + odd + sparse + tar_end())
           .layer({{.name = ".wh.gone"}})
           .oci("in"));
  options_.compression = LayerCompression::none;
  slim(shop_.path("in"), "plain");
  const auto image = open_image(shop_.path("plain"), std::nullopt);
  const auto blob = image->store->read(image->layers[0].member);
  ASSERT_TRUE(blob);
  EXPECT_EQ(*blob, odd + sparse + tar_end());
}

TEST_F(SlimImage, what_a_hard_link_shares_stays) {
  slim(builder_
           .layer({{.name = "a", .data = "1"},
                   {.name = "b", .type = '1', .link = "a"},
                   {.name = "c", .data = "2"}})
           .layer({{.name = ".wh.a"}, {.name = ".wh.c"}})
           .oci("in"));
  EXPECT_THAT(names(), ElementsAre(ElementsAre("a", "b"), ElementsAre(".wh.a")));
  EXPECT_EQ(plan_.shared.files, 1U);
}

TEST_F(SlimImage, a_hidden_link_that_names_lead_through_stays) {
  slim(builder_
           .layer({{.name = "usr/lib/", .type = '5'},
                   {.name = "lib", .type = '2', .link = "usr/lib"},
                   {.name = "old", .type = '2', .link = "usr/lib"}})
           .layer({{.name = "lib/x", .data = "1"}, {.name = "old/y", .data = "2"}})
           .layer({{.name = "lib/", .type = '5'}, {.name = ".wh.old"}, {.name = "usr/lib/.wh.y"}})
           .oci("in"));
  EXPECT_THAT(names(),
              ElementsAre(ElementsAre("usr/lib/", "lib", "old"),
                          ElementsAre("lib/x"),
                          ElementsAre("lib/", ".wh.old")));
}

TEST_F(SlimImage, layers_that_are_kept_keep_what_hides_them) {
  wishes_.kept_layers = 1;
  const std::string in = builder_.layer({{.name = "a", .data = "1"}, {.name = "d/x", .data = "1"}})
                             .layer({{.name = ".wh.a"}, {.name = "b", .data = "2"}})
                             .layer({{.name = ".wh.b"}, {.name = "d", .data = "a file"}})
                             .layer({{.name = "d/", .type = '5'}, {.name = "d/y", .data = "3"}})
                             .oci("in");
  slim(in);
  // The file d goes from the tree, but keeps d/x away.
  EXPECT_THAT(names(),
              ElementsAre(ElementsAre("a", "d/x"),
                          ElementsAre(".wh.a"),
                          ElementsAre("d"),
                          ElementsAre("d/", "d/y")));
  EXPECT_TRUE(result_.layers[0]->is_kept);
}

TEST_F(SlimImage, a_hidden_folder_that_something_needed_stands_in_stays) {
  wishes_.kept_layers = 1;
  slim(builder_.layer({{.name = "a", .data = "a file"}})
           .layer({{.name = "a/", .type = '5'},
                   {.name = "a/x", .data = "1"},
                   {.name = "b", .type = '1', .link = "a/x"}})
           .layer({{.name = ".wh.a"}})
           .oci("in"));
  EXPECT_THAT(names(),
              ElementsAre(ElementsAre("a"), ElementsAre("a/", "a/x", "b"), ElementsAre(".wh.a")));
}

TEST_F(SlimImage, gpu_code_dead_weight_and_records) {
  const std::string fatbin =
      build_fatbin({{.arch = 86, .payload = 4096}, {.arch = 90, .payload = 1U << 16U}});
  build_fatbin_library(shop_, "libk.so", {.containers = {fatbin}});
  const auto library = read_file(shop_.root() / "libk.so");
  ASSERT_TRUE(library);
  const std::string record =
      "k/__init__.py,,1\nk/libk.so,sha256=x,1\nk/libk.a,,\nk.dist-info/RECORD,,\n";
  const std::string site(kSite);
  slim(builder_
           .layer({{.name = "opt/venv/pyvenv.cfg", .data = "home = /usr/bin\nversion = 3.12.3\n"},
                   {.name = site + "k/__init__.py", .data = "import os\n"},
                   {.name = site + "k-1.dist-info/METADATA",
                    .data = "Metadata-Version: 2.1\nName: k\nVersion: 1\n"},
                   {.name = site + "k-1.dist-info/RECORD", .data = record}})
           .layer({{.name = site + "k/libk.so", .data = *library, .mode = 0755},
                   {.name = site + "k/libk.a", .data = "!<arch>\n"},
                   {.name = "opt/same.so", .type = '1', .link = site + "k/libk.so"}})
           .oci("in"));
  EXPECT_THAT(names()[1], ElementsAre(site + "k/libk.so", "opt/same.so"));
  EXPECT_THAT(plan_.records, ElementsAre("/" + site + "k-1.dist-info/RECORD"));
  ASSERT_EQ(result_.proof.size(), 3U);

  // The RECORD tells what is there.
  const auto image = open_image(shop_.path("out"), std::nullopt);
  SurveyOptions how;
  how.keeps_text = tells_of_python;
  const auto survey = survey_image(*image, how);
  ASSERT_TRUE(survey);
  const LayerEntry* entry = survey->tree.find("/" + site + "k-1.dist-info/RECORD");
  const auto text = survey->texts->read(entry->text_at, entry->bytes, "RECORD");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, testing::Not(HasSubstr("libk.a")));
  const LayerEntry* sliced = survey->tree.find("/" + site + "k/libk.so");
  EXPECT_THAT(*text, HasSubstr(fmt::format(",{}\n", sliced->bytes)));
  EXPECT_LT(sliced->bytes, library->size());
  ASSERT_EQ(survey->binaries.size(), 1U);
  EXPECT_THAT(survey->binaries[0].gpu_code, testing::SizeIs(1));

  // And the file is what slim makes of it on a disk.
  const auto source = open_file_source(shop_.root() / "libk.so");
  const auto plan = plan_slice(**source, slice_);
  ASSERT_TRUE(
      apply_slice(shop_.root() / "libk.so", *plan, slice_, {.output = shop_.root() / "s.so"}));
  const auto alone = read_file(shop_.root() / "s.so");
  EXPECT_THAT(*text, HasSubstr("sha256=" + record_digest(sha256_hex(*alone))));
  EXPECT_EQ(hash_content(*alone), sliced->content);
}

TEST_F(SlimImage, same_input_same_bytes) {
  const std::string in =
      builder_
          .layer({{.name = "a", .data = std::string(9'000'000, 'x')}, {.name = "b", .data = "1"}})
          .layer({{.name = ".wh.b"}})
          .oci("in");
  for (const LayerCompression how :
       {LayerCompression::none, LayerCompression::gzip, LayerCompression::zstd}) {
    options_.compression = how;
    slim(in, fmt::format("one-{}", to_string(how)));
    const std::string first = result_.manifest_digest;
    slim(in, fmt::format("two-{}", to_string(how)));
    EXPECT_EQ(first, result_.manifest_digest);
  }
}

TEST_F(SlimImage, an_archive_of_docker_becomes_a_layout) {
  slim(builder_.layer({{.name = "a", .data = "1"}}, LayerCompression::none)
           .layer({{.name = "b", .data = "2"}}, LayerCompression::none)
           .layer({{.name = ".wh.b"}}, LayerCompression::none)
           .docker("in.tar"));
  const auto image = open_image(shop_.path("out") + ":v1", std::nullopt);
  ASSERT_TRUE(image) << to_string(image.error());
  ASSERT_EQ(image->layers.size(), 1U);
  EXPECT_EQ(image->layers[0].media_type, std::string(kOciLayer) + "+zstd");
  EXPECT_EQ(image->layers[0].diff_id,
            "sha256:" + sha256_hex(tar_archive({{.name = "a", .data = "1"}})));
}

TEST_F(SlimImage, nothing_is_left_of_a_result_that_cannot_be_proven) {
  const std::string in = builder_.layer({{.name = "a", .data = "1"}, {.name = "b"}})
                             .layer({{.name = ".wh.a"}})
                             .oci("in");
  const auto image = open_image(in, std::nullopt);
  const auto survey = survey_image(*image, {});
  auto plan = plan_image_slim(*survey, {});
  ASSERT_TRUE(plan);
  plan->actions[0] = EntryAction::keep;  // the whiteout goes, and the file would be seen again
  const auto result = apply_image_slim(*image, *survey, *plan, options_, shop_.root() / "out");
  ASSERT_FALSE(result);
  EXPECT_THAT(to_string(result.error()), HasSubstr("not proven: `/a` is new"));
  EXPECT_THAT(shop_.run({"ls", "-A", shop_.path(".")}), "in\n");
}

TEST_F(SlimImage, what_is_in_the_way_stays) {
  const std::string in = builder_.layer({{.name = "a", .data = "1"}}).oci("in");
  shop_.write("out/mine", "x");
  const auto image = open_image(in, std::nullopt);
  const auto survey = survey_image(*image, {});
  const auto plan = plan_image_slim(*survey, {});
  const auto result = apply_image_slim(*image, *survey, *plan, options_, shop_.root() / "out");
  ASSERT_FALSE(result);
  EXPECT_THAT(to_string(result.error()), HasSubstr("is there already"));
}

TEST_F(SlimImage, audits_of_both) {
  const std::string in = builder_
                             .layer({{.name = "a", .data = std::string(1000, 'a')},
                                     {.name = "b", .data = std::string(2000, 'b')},
                                     {.name = "c", .data = std::string(3000, 'c')}})
                             .layer({{.name = ".wh.a"},
                                     {.name = "b", .data = std::string(2000, 'b'), .mode = 0600},
                                     {.name = "d", .data = std::string(3000, 'c')}})
                             .oci("in");
  const auto audit_of = [](const std::string& path) {
    const auto image = open_image(path, std::nullopt);
    const auto survey = survey_image(*image, {});
    return audit_image(*image, *survey, {});
  };
  const ImageAudit before = audit_of(in);
  ASSERT_EQ(before.waste.size(), 3U);
  EXPECT_EQ(before.waste[0].bytes, 1000U);
  EXPECT_EQ(before.waste[1].kind, ImageWaste::copied);
  EXPECT_EQ(before.waste[1].bytes, 2000U);
  EXPECT_EQ(before.waste[2].kind, ImageWaste::duplicates);
  EXPECT_EQ(before.waste[2].bytes, 3000U);
  EXPECT_EQ(before.wasted_bytes(), 6000U);
  EXPECT_FALSE(parse_waste_limit("5.9kB")->is_passed(before));
  EXPECT_TRUE(parse_waste_limit("6kB")->is_passed(before));
  EXPECT_TRUE(parse_waste_limit("60%")->is_passed(before));
  EXPECT_FALSE(parse_waste_limit("50%")->is_passed(before));
  EXPECT_FALSE(parse_waste_limit("many"));
  slim(in);
  const ImageAudit after = audit_of(shop_.path("out"));
  EXPECT_EQ(after.wasted_bytes(), 3000U);  // the duplicate
  EXPECT_EQ(after.seen_bytes, before.seen_bytes);
}

}  // namespace
}  // namespace fitment
