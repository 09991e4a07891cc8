// SPDX-License-Identifier: Apache-2.0
#include "store/page_cache.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "store/page_file.h"
#include "support/http_server.h"
#include "support/workshop.h"

#include <gmock/gmock.h>

#include <atomic>

namespace fitment {
namespace {

using std::chrono::milliseconds;

class PageCacheTest : public testing::Test {
 protected:
  static HttpOptions quick() {
    HttpOptions options;
    options.retry = {
        .attempts = 2, .first_delay = milliseconds(1), .longest_delay = milliseconds(1)};
    return options;
  }
  /// As an index does that knows ETags.
  TestAnswer answer(const TestRequest& request) {
    const std::scoped_lock lock(mutex_);
    const std::string etag = fmt::format("\"{}\"", sha256_hex(page_).substr(0, 8));
    const std::string headers = fmt::format("ETag: {}\r\nContent-Type: text/html\r\n", etag);
    if (request.path == "/absent/") {
      return TestAnswer::of(403, "");
    }
    return request.header("if-none-match") == etag ? TestAnswer::of(304, "", headers)
                                                   : TestAnswer::of(200, page_, headers);
  }
  void set_page(const std::string& page) {
    const std::scoped_lock lock(mutex_);
    page_ = page;
  }

  Workshop shop_;
  std::mutex mutex_;
  std::string page_ = "<a>one</a>";
  HttpTestServer server_{[this](const TestRequest& request) { return answer(request); }};
  HttpClient client_{quick()};
  Store store_{shop_.root() / "cache"};
  PageCache cache_{client_, store_};
};

TEST_F(PageCacheTest, AsksWhetherAPageHasChanged) {
  const PageQuery query{.url = server_.url("/a/")};
  const auto first = cache_.get(query);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->status, 200);
  EXPECT_EQ(first->body, "<a>one</a>");
  EXPECT_EQ(first->content_type, "text/html");
  EXPECT_EQ(first->url, server_.url("/a/"));
  EXPECT_EQ(cache_.get(query).value().body, "<a>one</a>");
  EXPECT_NE(server_.requests().back().header("if-none-match"), "");
  set_page("<a>two</a>");
  const auto third = cache_.get(query);
  EXPECT_EQ(third.value().body, "<a>two</a>");
  EXPECT_NE(third.value().sha256, first->sha256);
}

TEST_F(PageCacheTest, FreshPagesAreTakenAsTheyAre) {
  const PageQuery query{.url = server_.url("/a/"), .fresh_for = std::chrono::hours(1)};
  EXPECT_FALSE(cache_.get(query).value().is_stale);
  EXPECT_EQ(cache_.get(query).value().body, "<a>one</a>");
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST_F(PageCacheTest, AKnownPageIsNotReadAgain) {
  PageQuery query{.url = server_.url("/a/")};
  query.known_sha256 = cache_.get(query).value().sha256;
  const auto again = cache_.get(query);
  EXPECT_TRUE(again.value().is_known);
  EXPECT_EQ(again.value().body, "");
}

TEST_F(PageCacheTest, AcceptsAreDifferentPages) {
  EXPECT_TRUE(cache_.get({.url = server_.url("/a/"), .accept = "text/html"}));
  EXPECT_TRUE(cache_.get({.url = server_.url("/a/"), .accept = "application/json"}));
  EXPECT_EQ(server_.requests().back().header("if-none-match"), "");
}

TEST_F(PageCacheTest, OfflineTakesWhatIsThere) {
  ASSERT_TRUE(cache_.get({.url = server_.url("/a/")}));
  HttpOptions options = quick();
  options.is_offline = true;
  HttpClient client(options);
  PageCache offline(client, store_);
  const auto page = offline.get({.url = server_.url("/a/")});
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->is_stale);
  EXPECT_EQ(page->body, "<a>one</a>");
  EXPECT_EQ(offline.get({.url = server_.url("/b/")}).error().code(), ErrorCode::invalid_argument);
}

TEST_F(PageCacheTest, StaleOnlyWhenAsked) {
  std::string url;
  {
    HttpTestServer gone([](const TestRequest&) { return TestAnswer::of(200, "page"); });
    url = gone.url("/a/");
    ASSERT_TRUE(cache_.get({.url = url}));
  }
  EXPECT_EQ(cache_.get({.url = url}).error().code(), ErrorCode::network_error);
  const auto page = cache_.get({.url = url, .takes_stale = true});
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->is_stale);
}

TEST_F(PageCacheTest, AbsentPagesAreAnswers) {
  EXPECT_EQ(cache_.get({.url = server_.url("/absent/")}).value().status, 403);
}

TEST_F(PageCacheTest, DamagedPagesAreFetchedAgain) {
  const PageQuery query{.url = server_.url("/a/"), .fresh_for = std::chrono::hours(1)};
  ASSERT_TRUE(cache_.get(query));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(store_.pages_folder())) {
    if (entry.is_regular_file()) {
      const auto bytes = read_file(entry.path());
      ASSERT_TRUE(write_file_atomic(entry.path(), bytes->substr(0, bytes->size() - 3)));
    }
  }
  EXPECT_EQ(cache_.get(query).value().body, "<a>one</a>");
  EXPECT_EQ(server_.requests().size(), 2);
}

TEST_F(PageCacheTest, ManyClientsAskOnce) {
  const PageQuery query{.url = server_.url("/a/"), .fresh_for = std::chrono::hours(1)};
  std::atomic<int> wrong = 0;
  for_each_index(50, 16, [&](std::size_t) {
    const auto page = cache_.get(query);
    wrong += page && page->body == "<a>one</a>" ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST(PageFile, ReadsWhatItWrites) {
  const PageFile page{"https://h/", "", "\"e\"", "", sha256_hex("a\nb"), "a\nb"};
  const std::string bytes = write_page_file(page);
  const auto read = parse_page_file(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->etag, "\"e\"");
  EXPECT_EQ(read->body, "a\nb");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(parse_page_file(std::string_view(bytes).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace fitment
