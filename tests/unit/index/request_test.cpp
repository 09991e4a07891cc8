// SPDX-License-Identifier: Apache-2.0
#include "index/basic_auth.h"
#include "index/negotiate.h"
#include "index/page_body.h"
#include "index/served_message.h"
#include "index/site_file.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(ParseRange, knows_the_forms_that_clients_send) {
  const auto middle = parse_range("bytes=10-19", 100);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->first, 10U);
  EXPECT_EQ(middle->count, 10U);
  EXPECT_EQ(parse_range("bytes=90-", 100)->count, 10U);
  EXPECT_EQ(parse_range("bytes=-7", 100)->first, 93U);
  EXPECT_EQ(parse_range("bytes=-700", 100)->count, 100U);
  EXPECT_EQ(parse_range("bytes=10-1000", 100)->count, 90U);
}

TEST(ParseRange, beyond_the_end_nothing_satisfies) {
  EXPECT_FALSE(parse_range("bytes=100-", 100)->is_satisfiable);
  EXPECT_FALSE(parse_range("bytes=-0", 100)->is_satisfiable);
  EXPECT_FALSE(parse_range("bytes=0-", 0)->is_satisfiable);
}

TEST(ParseRange, anything_else_means_the_whole) {
  for (const char* text : {"",
                           "bytes",
                           "bytes=",
                           "bytes=-",
                           "bytes=5-1",
                           "bytes=a-b",
                           "lines=1-2",
                           "bytes=0-1,3-4",
                           "bytes=99999999999999999999-"}) {
    EXPECT_FALSE(parse_range(text, 100)) << text;
  }
}

TEST(ChooseFormat, takes_the_heaviest) {
  EXPECT_EQ(choose_format("text/html;q=0.5, application/vnd.pypi.simple.v1+json;q=0.4", ""),
            PageFormat::plain);
  EXPECT_EQ(choose_format("application/vnd.pypi.simple.v1+json;q=0, text/html", ""),
            PageFormat::plain);
  EXPECT_EQ(choose_format("image/png", ""), std::nullopt);
  EXPECT_EQ(choose_format("text/html,application/xhtml+xml,*/*;q=0.8", ""), PageFormat::human);
  EXPECT_EQ(choose_format("text/html", "application/vnd.pypi.simple.v1+json"), PageFormat::json);
}

TEST(ChooseEncoding, prefers_zstd_among_equals) {
  EXPECT_EQ(choose_encoding("gzip, deflate"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("gzip, deflate, zstd"), Encoding::zstd);
  EXPECT_EQ(choose_encoding("gzip;q=1, zstd;q=0.1"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("gzip;q=0"), Encoding::identity);
  EXPECT_EQ(choose_encoding("identity"), Encoding::identity);
}

TEST(NamesEtag, takes_lists_weak_ones_and_the_star) {
  EXPECT_TRUE(names_etag("\"a\", \"b\"", "\"b\""));
  EXPECT_TRUE(names_etag("W/\"b\"", "\"b\""));
  EXPECT_TRUE(names_etag("*", "\"b\""));
  EXPECT_FALSE(names_etag("\"a\"", "\"b\""));
  EXPECT_FALSE(names_etag("", "\"b\""));
}

TEST(CarriesToken, as_user_password_or_bearer) {
  EXPECT_TRUE(carries_token("Bearer secret-token", "secret-token"));
  EXPECT_TRUE(carries_token("basic c2VjcmV0LXRva2VuOg==", "secret-token"));  // secret-token:
  EXPECT_TRUE(carries_token("Basic dTpzZWNyZXQtdG9rZW4=", "secret-token"));  // u:secret-token
  EXPECT_FALSE(carries_token("Basic dTpzZWNyZXQtdG9rZW4xMjM=", "secret-token"));
  EXPECT_FALSE(carries_token("Bearer secret-tokem", "secret-token"));
  EXPECT_FALSE(carries_token("", "secret-token"));
  EXPECT_FALSE(carries_token("Basic ====", "secret-token"));
}

TEST(ParseFilePath, takes_addresses_apart) {
  const auto path = parse_file_path("pytorch/cu128/torch/a%2Bb.whl/c.whl.metadata");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->backend, "cu128");
  EXPECT_EQ(path->origin, "a+b.whl");
  EXPECT_EQ(path->listed, "c.whl");
  EXPECT_TRUE(path->is_metadata);
  EXPECT_EQ(parse_file_path("a/-/torch/x/x")->backend, "");
  EXPECT_FALSE(parse_file_path("a/-/../x/x"));
  EXPECT_FALSE(parse_file_path("a/-/Torch/x/x"));
  EXPECT_FALSE(parse_file_path("a/-/torch/x"));
  EXPECT_FALSE(parse_file_path("a/-/torch/x/x/y"));
}

TEST(CompressPage, both_formats_have_their_magic) {
  const std::string bytes(10'000, 'x');
  EXPECT_EQ(compress_page(bytes, Encoding::gzip).substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(compress_page(bytes, Encoding::zstd).substr(0, 4), "\x28\xb5\x2f\xfd");
  EXPECT_LT(compress_page(bytes, Encoding::gzip).size(), 200U);
}

}  // namespace
}  // namespace fitment
