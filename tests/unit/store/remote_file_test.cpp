// SPDX-License-Identifier: Apache-2.0
#include "store/remote_file.h"

#include "support/http_server.h"
#include "support/workshop.h"
#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"
#include "wheel/zip_writer.h"

#include <gmock/gmock.h>

#include <atomic>

namespace fitment {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class RemoteFileTest : public testing::Test {
 protected:
  static HttpOptions quick() {
    HttpOptions options;
    options.retry = {
        .attempts = 2, .first_delay = milliseconds(1), .longest_delay = milliseconds(1)};
    return options;
  }
  void SetUp() override {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bytes_[i] = static_cast<char>(i * 31 >> 5U);
    }
  }

  RemoteFileOptions small_{.tail_bytes = 1000, .block_bytes = 256, .most_blocks = 64};
  std::string bytes_ = std::string(100'003, '\0');
  HttpClient client_{quick()};
};

TEST_F(RemoteFileTest, ReadsTheEndWithOneRequest) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  const auto file = open_address(client_, server.url("/whl/a%2Bb.whl?sig=secret"), small_);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ((*file)->name(), server.url("/whl/a+b.whl"));
  EXPECT_EQ((*file)->size(), bytes_.size());
  EXPECT_EQ((*file)->read(bytes_.size() - 500, 500, "the end").value(),
            bytes_.substr(bytes_.size() - 500));
  EXPECT_EQ(server.requests().size(), 1);
}

TEST_F(RemoteFileTest, ReadsAnyPart) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  const auto file = open_address(client_, server.url("/x"), small_);
  ASSERT_TRUE(file);
  for (const auto& [offset, count] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1},
                                                            {255, 2},
                                                            {0, 100'003},
                                                            {50'000, 20'000},
                                                            {100'002, 1},
                                                            {99'000, 1003},
                                                            {7, 0}}) {
    EXPECT_EQ((*file)->read(offset, count, "a part").value(), bytes_.substr(offset, count))
        << offset;
  }
  EXPECT_EQ((*file)->read(100'000, 4, "a part").error().code(), ErrorCode::parse_error);
}

TEST_F(RemoteFileTest, AsksForNothingTwice) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  const auto file = open_address(client_, server.url("/x"), small_);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->read(1000, 2000, "a part"));
  ASSERT_TRUE((*file)->read(1500, 700, "a part"));
  EXPECT_EQ(server.requests().size(), 2);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=768-3071");
}

TEST_F(RemoteFileTest, SmallFilesComeAtOnce) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, "tiny"); });
  const auto file = open_address(client_, server.url("/x"), small_);
  EXPECT_EQ((*file)->read(0, 4, "all").value(), "tiny");
  EXPECT_EQ(server.requests().size(), 1);
}

TEST_F(RemoteFileTest, NoRangesMeanTheWhole) {
  HttpTestServer server([&](const TestRequest&) { return TestAnswer::of(200, bytes_); });
  const auto file = open_address(client_, server.url("/x.whl"), small_);
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->name(), server.url("/x.whl"));
  EXPECT_EQ((*file)->read(0, bytes_.size(), "all").value(), bytes_);
  EXPECT_EQ(server.requests().size(), 1);
  RemoteFileOptions little = small_;
  little.largest_whole = 1000;
  EXPECT_EQ(open_address(client_, server.url("/x"), little).error().code(), ErrorCode::unsupported);
}

TEST_F(RemoteFileTest, RangesWithoutTails) {
  for (const int refusal : {416, 501}) {
    HttpTestServer server([&](const TestRequest& request) {
      return request.header("range").starts_with("bytes=-") ? TestAnswer::of(refusal, "")
                                                            : TestAnswer::file(request, bytes_);
    });
    const auto file = open_address(client_, server.url("/x"), small_);
    ASSERT_TRUE(file);
    EXPECT_EQ((*file)->read(10, 10, "a part").value(), bytes_.substr(10, 10));
    EXPECT_EQ(server.requests()[1].method, "HEAD");
  }
}

TEST_F(RemoteFileTest, WrongRangesAreErrors) {
  for (const char* range : {"bytes 0-255/100003", "bytes 256-511/99", "bytes 256-511", "x"}) {
    HttpTestServer server([&](const TestRequest& request) {
      return request.header("range").starts_with("bytes=-")
                 ? TestAnswer::file(request, bytes_)
                 : TestAnswer::of(
                     206, std::string(256, 'x'), fmt::format("Content-Range: {}\r\n", range));
    });
    const auto file = open_address(client_, server.url("/x"), small_);
    ASSERT_TRUE(file);
    const auto read = (*file)->read(256, 256, "a part");
    ASSERT_FALSE(read) << range;
    EXPECT_THAT(read.error().message(), HasSubstr("another part"));
  }
}

TEST_F(RemoteFileTest, AFileThatChangesIsAnError) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest& request) {
    return TestAnswer::file(request, bytes_, asked++ == 0 ? "\"one\"" : "\"two\"");
  });
  const auto file = open_address(client_, server.url("/x"), small_);
  ASSERT_TRUE(file);
  EXPECT_THAT((*file)->read(0, 10, "a part").error().message(),
              HasSubstr("changed while it was read"));
}

TEST_F(RemoteFileTest, AbsentAndForbidden) {
  HttpTestServer server([](const TestRequest& request) {
    return TestAnswer::of(std::stoi(request.path.substr(1)), "");
  });
  EXPECT_EQ(open_address(client_, server.url("/404")).error().code(), ErrorCode::not_found);
  EXPECT_EQ(open_address(client_, server.url("/403")).error().code(), ErrorCode::network_error);
  EXPECT_EQ(open_address(client_, server.url("/500")).error().code(), ErrorCode::network_error);
}

TEST_F(RemoteFileTest, TheMetadataOfALargeWheelCostTwoRequests) {
  std::string wheel;
  ZipWriter writer(
      [&](std::string_view part) {
        wheel += part;
        return Status();
      },
      {});
  const std::string metadata = "Metadata-Version: 2.1\nName: a\nVersion: 1.0\n";
  ASSERT_TRUE(
      writer.add({.name = "a/lib.so", .method = ZipMethod::stored}, std::string(4U << 20U, 'x')));
  ASSERT_TRUE(writer.add({.name = "a-1.0.dist-info/METADATA"}, metadata));
  ASSERT_TRUE(writer.add({.name = "a-1.0.dist-info/WHEEL"}, "Wheel-Version: 1.0\n"));
  ASSERT_TRUE(
      writer.add({.name = "a/z.so", .method = ZipMethod::stored}, std::string(1U << 20U, 'x')));
  ASSERT_TRUE(writer.finish());
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, wheel); });
  const auto file = open_address(client_, server.url("/a-1.0-py3-none-any.whl"));
  ASSERT_TRUE(file);
  const auto archive = read_wheel_archive(**file);
  ASSERT_TRUE(archive) << to_string(archive.error());
  const ZipEntry* entry = archive->zip.find(archive->dist_info + "/METADATA");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(read_zip_member(**file, *entry, 1U << 20U).value(), metadata);
  EXPECT_EQ(server.requests().size(), 2);
}

TEST_F(RemoteFileTest, FilesOfThisMachine) {
  const Workshop shop;
  shop.write("a b.whl", bytes_);
  EXPECT_EQ(
      (*open_address(client_, "file://" + replace_all(shop.path("a b.whl"), " ", "%20")))->size(),
      bytes_.size());
  EXPECT_EQ((*open_address(client_, shop.path("a b.whl")))->size(), bytes_.size());
}

}  // namespace
}  // namespace fitment
