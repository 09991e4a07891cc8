// SPDX-License-Identifier: Apache-2.0
// Images on the disk: layouts, archives, what is missing or damaged in them.
#include "image/image.h"

#include "image/survey.h"
#include "support/image_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& reference) {
  const auto image = open_image(reference, std::nullopt);
  if (!image) {
    return to_string(image.error());
  }
  const auto survey = survey_image(*image, {});
  return survey ? "no error" : to_string(survey.error());
}

class Images : public testing::Test {
 protected:
  Images() { builder_.layer({{.name = "a", .data = "one"}}).layer({{.name = "b", .data = "two"}}); }
  Workshop shop_;
  ImageBuilder builder_{shop_};
};

TEST_F(Images, references_of_all_kinds) {
  const std::string layout = builder_.oci("layout", "v1");
  const std::string docker = builder_.docker("docker.tar");
  static_cast<void>(shop_.run({"tar", "-C", layout, "-cf", shop_.path("oci.tar"), "."}));
  for (const std::string& reference : {"oci:" + layout,
                                       "oci:" + layout + ":v1",
                                       layout,
                                       layout + ":v1",
                                       "docker-archive:" + docker,
                                       docker,
                                       docker + ":app:v1",
                                       "oci-archive:" + shop_.path("oci.tar") + ":v1",
                                       shop_.path("oci.tar")}) {
    const auto image = open_image(reference, std::nullopt);
    ASSERT_TRUE(image) << reference << to_string(image.error());
    EXPECT_EQ(image->layers.size(), 2U);
    EXPECT_EQ(image->layers[1].created_by, "step 2");
    EXPECT_EQ(image->tag, "v1");
    EXPECT_EQ(error_of(reference), "no error");
  }
  EXPECT_THAT(error_of(layout + ":v2"), HasSubstr("no image `v2`"));
  EXPECT_THAT(error_of("docker-archive:" + layout), HasSubstr("no manifest.json"));
  EXPECT_THAT(error_of("oci:" + docker), HasSubstr("no index.json"));
}

TEST_F(Images, registries_are_not_asked) {
  EXPECT_THAT(error_of("docker://debian:12"), HasSubstr("skopeo copy docker://debian:12 oci:"));
  EXPECT_THAT(error_of("nvidia/cuda:12.8.1"), HasSubstr("skopeo copy docker://nvidia/cuda:12.8.1"));
}

TEST_F(Images, an_archive_that_is_compressed_as_a_whole) {
  const std::string docker = builder_.docker("docker.tar");
  static_cast<void>(shop_.run({"gzip", docker}));
  EXPECT_THAT(error_of(docker + ".gz"), HasSubstr("gunzip"));
}

/// As Docker has written since version 25.
TEST_F(Images, an_archive_that_is_a_layout_as_well) {
  const std::string layout = builder_.oci("layout", "v1");
  const auto image = open_image(layout, std::nullopt);
  ASSERT_TRUE(image);
  shop_.write(
      "layout/manifest.json",
      fmt::format(
          R"([{{"Config":"blobs/sha256/{}","RepoTags":["r:5000/a:v1"],"Layers":["{}","{}"]}}])",
          sha256_hex(builder_.config()),
          image->layers[0].member,
          image->layers[1].member));
  static_cast<void>(shop_.run({"tar", "-C", layout, "-cf", shop_.path("both.tar"), "."}));
  const auto plain = open_image(shop_.path("both.tar"), std::nullopt);
  ASSERT_TRUE(plain) << to_string(plain.error());
  EXPECT_EQ(plain->manifest_digest, image->manifest_digest);
  const auto docker = open_image("docker-archive:" + shop_.path("both.tar"), std::nullopt);
  ASSERT_TRUE(docker) << to_string(docker.error());
  EXPECT_TRUE(docker->manifest_digest.empty());
  EXPECT_EQ(docker->tag, "v1");
  EXPECT_EQ(error_of("docker-archive:" + shop_.path("both.tar")), "no error");
}

TEST_F(Images, links_between_equal_layers_of_docker) {
  const std::string layer = tar_archive({{.name = "a", .data = "x"}});
  ImageBuilder same(shop_);
  same.layer(layer).layer(layer);
  shop_.write("d.tar",
              tar_archive({{.name = "c.json", .data = same.config()},
                           {.name = "1/layer.tar", .data = layer},
                           {.name = "2/layer.tar", .type = '2', .link = "../1/layer.tar"},
                           {.name = "manifest.json",
                            .data = R"([{"Config":"c.json","RepoTags":null,)"
                                    R"("Layers":["1/layer.tar","2/layer.tar"]}])"}}));
  EXPECT_EQ(error_of(shop_.path("d.tar")), "no error");
}

TEST_F(Images, what_chooses_among_several) {
  const std::string one = builder_.oci("both", "amd");
  const auto first = read_file(shop_.root() / "both/index.json");
  ImageBuilder other(shop_);
  static_cast<void>(other.layer({{.name = "c"}}).oci("both", "arm"));
  const auto second = read_file(shop_.root() / "both/index.json");
  const auto entry = [](const std::string& index, const std::string& arch) {
    const std::size_t start = index.find('[') + 1;
    std::string text = index.substr(start, index.rfind(']') - start);
    text.pop_back();
    return text + R"(,"platform":{"os":"linux","architecture":")" + arch + R"("}})";
  };
  // Both below one index, as images for several platforms are.
  const std::string nested = R"({"schemaVersion":2,"manifests":[)" + entry(*first, "amd64") + ","
                             + entry(*second, "arm64") + "]}";
  const std::string hex = sha256_hex(nested);
  shop_.write("both/blobs/sha256/" + hex, nested);
  shop_.write(
      "both/index.json",
      fmt::format(R"({{"manifests":[{{"mediaType":"{}","digest":"sha256:{}","size":{}}}]}})",
                  kOciIndex,
                  hex,
                  nested.size()));
  EXPECT_THAT(error_of(one), HasSubstr("holds 2 images"));
  const auto arm = open_image(one, OciPlatform{"linux", "arm64", {}});
  // The config says what the image is for, and this one's says amd64.
  ASSERT_FALSE(arm);
  EXPECT_THAT(to_string(arm.error()), HasSubstr("for linux/amd64"));
  const auto amd = open_image(one, OciPlatform{"linux", "amd64", {}});
  ASSERT_TRUE(amd) << to_string(amd.error());
  EXPECT_EQ(amd->layers.size(), 2U);
  EXPECT_FALSE(open_image(one, OciPlatform{"linux", "s390x", {}}));
}

TEST_F(Images, damaged_blobs) {
  const std::string layout = builder_.oci("layout");
  const auto image = open_image(layout, std::nullopt);
  ASSERT_TRUE(image);
  const std::string layer = layout + "/" + image->layers[0].member;
  const auto bytes = read_file(layer);

  shop_.write("layout/" + image->layers[0].member, *bytes + "x");
  EXPECT_THAT(error_of(layout), HasSubstr("and should have"));
  // The same size, and another archive in it than the documents say.
  std::string other =
      compressed(tar_archive({{.name = "a", .data = "two"}}), LayerCompression::gzip);
  other.resize(bytes->size());
  shop_.write("layout/" + image->layers[0].member, other);
  EXPECT_THAT(error_of(layout), testing::AnyOf(HasSubstr("digest"), HasSubstr("damaged")));
  std::filesystem::remove(layer);
  EXPECT_THAT(error_of(layout), HasSubstr("is missing"));

  shop_.write("layout/" + image->layers[0].member, *bytes);
  EXPECT_EQ(error_of(layout), "no error");
  const std::string config = "layout/blobs/sha256/" + sha256_hex(builder_.config());
  std::string changed = builder_.config();
  changed[2] = 'b';
  shop_.write(config, changed);
  EXPECT_THAT(error_of(layout), HasSubstr("its digest is"));
}

TEST_F(Images, a_diff_id_that_is_wrong) {
  const std::string layer = tar_archive({{.name = "a", .data = "x"}});
  ImageBuilder other(shop_);
  other.layer({{.name = "b"}});
  shop_.write("d.tar",
              tar_archive({{.name = "c.json", .data = other.config()},
                           {.name = "layer.tar", .data = layer},
                           {.name = "manifest.json",
                            .data = R"([{"Config":"c.json","Layers":["layer.tar"]}])"}}));
  EXPECT_THAT(error_of(shop_.path("d.tar")), HasSubstr("its diff_id"));
}

TEST(OciDocuments, what_is_wrong_in_them) {
  const auto refused = [](const auto& parsed, const std::string& why) {
    return !parsed && to_string(parsed.error()).find(why) != std::string::npos;
  };
  EXPECT_TRUE(refused(parse_oci_index("{", "x"), "not valid JSON"));
  EXPECT_TRUE(refused(parse_oci_index(R"({"a":1e999})", "x"), "number that is too large"));
  EXPECT_TRUE(refused(parse_oci_index("{}", "x"), "`manifests` is missing"));
  EXPECT_TRUE(refused(parse_oci_index(R"({"manifests":[{"digest":"md5:1","size":1}]})", "x"),
                      "not a SHA-256 digest"));
  EXPECT_TRUE(
      refused(parse_oci_index(R"({"manifests":[{"digest":"sha256:../../../etc/passwd"}]})", "x"),
              "not a SHA-256 digest"));
  EXPECT_TRUE(refused(parse_oci_index(std::string(200, '['), "x"), "nested too deeply"));
  EXPECT_TRUE(refused(parse_oci_manifest(R"({"schemaVersion":1})", "x"), "`config` is missing"));
  EXPECT_TRUE(refused(parse_image_config("{}", "x"), "`rootfs` is missing"));
  EXPECT_TRUE(refused(parse_docker_manifest("[1]", "x"), "list of images"));
  const std::string digest = "sha256:" + std::string(64, '0');
  const auto manifest = [&](const std::string& type) {
    return parse_oci_manifest(
        fmt::format(R"({{"config":{{"digest":"{0}","size":1}},)"
                    R"("layers":[{{"mediaType":"{1}","digest":"{0}","size":1}}]}})",
                    digest,
                    type),
        "x");
  };
  EXPECT_TRUE(
      refused(manifest("application/vnd.oci.image.layer.v1.tar+gzip+encrypted"), "encrypted"));
  EXPECT_TRUE(refused(manifest("text/plain"), "media type of a layer"));
}

TEST(OciDocuments, unknown_members_of_a_config_stay) {
  const std::string id = "sha256:" + std::string(64, '1');
  const std::string other = "sha256:" + std::string(64, '2');
  const std::string text = fmt::format(
      R"({{"os":"linux","x-y":[1,{{"z":null}}],"created":"2026-01-01T00:00:00Z",)"
      R"("rootfs":{{"type":"layers","diff_ids":["{0}","{0}"]}},)"
      R"("history":[{{"created_by":"a"}},{{"empty_layer":true}},{{"created_by":"b"}}]}})",
      id);
  ConfigChange change;
  change.diff_ids = {other, std::nullopt};
  change.labels["k"] = "v";
  change.created_by = "fitment";
  const auto changed = change_config(text, "x", change);
  ASSERT_TRUE(changed);
  EXPECT_THAT(*changed, HasSubstr(R"("x-y":[1,{"z":null}])"));
  EXPECT_THAT(*changed, HasSubstr(R"("Labels":{"k":"v"})"));
  const auto parsed = parse_image_config(*changed, "x");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->diff_ids, std::vector<std::string>{other});
  ASSERT_EQ(parsed->history.size(), 4U);
  EXPECT_FALSE(parsed->history[0].is_empty_layer);
  EXPECT_TRUE(parsed->history[2].is_empty_layer);
  EXPECT_EQ(parsed->history[3].created_by, "fitment");
}

}  // namespace
}  // namespace fitment
