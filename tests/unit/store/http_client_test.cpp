// SPDX-License-Identifier: Apache-2.0
#include "store/http_client.h"

#include "base/parallel.h"
#include "store/http_fault.h"
#include "support/http_server.h"
#include "support/workshop.h"

#include <gmock/gmock.h>

#include <atomic>

namespace fitment {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

HttpOptions quick() {
  HttpOptions options;
  options.connect_timeout = options.stall_timeout = std::chrono::seconds(60);  // on any machine
  options.retry = {.attempts = 3, .first_delay = milliseconds(1), .longest_delay = milliseconds(2)};
  return options;
}

Result<FetchAnswer> get(HttpClient& client,
                        const std::string& url,
                        std::uint64_t limit = 1U << 20U) {
  FetchRequest request;
  request.url = url;
  return client.get(request, limit);
}

TEST(HttpClient, KeepsConnections) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(200, "hello"); });
  HttpClient client(quick());
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(get(client, server.url("/x")).value().body, "hello");
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, ServesManyThreads) {
  HttpTestServer server(
      [](const TestRequest& request) { return TestAnswer::of(200, request.path); });
  HttpOptions options = quick();
  HttpClient client(options);
  std::atomic<int> wrong = 0;
  for_each_index(64, 16, [&](std::size_t i) {
    const std::string path = fmt::format("/{}", i);
    const auto response = get(client, server.url(path));
    wrong += response && response->body == path ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(server.connections(), 16);
}

TEST(HttpClient, StatusesAreValuesAndErrorsInWords) {
  HttpTestServer server([](const TestRequest& request) {
    return TestAnswer::of(std::stoi(request.path.substr(1)), "no");
  });
  HttpClient client(quick());
  for (const int status : {204, 304, 401, 403, 404, 410, 451}) {
    const auto response = get(client, server.url(fmt::format("/{}", status)));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->head.status, status);
    EXPECT_EQ(response->body, "");
  }
  EXPECT_TRUE(check_status(200, "https://h/"));
  EXPECT_EQ(check_status(404, "https://h/").error().code(), ErrorCode::not_found);
  EXPECT_EQ(check_status(410, "https://h/").error().code(), ErrorCode::not_found);
  EXPECT_EQ(check_status(403, "https://h/").error().code(), ErrorCode::network_error);
  EXPECT_EQ(check_status(304, "https://h/").error().code(), ErrorCode::network_error);
  EXPECT_THAT(
      check_status(401, "https://u:p@h/?t=s").error().message(),
      testing::AllOf(HasSubstr("https://h/"), Not(HasSubstr("u:p")), Not(HasSubstr("t=s"))));
}

TEST(HttpClient, TriesAgainWhatMayPass) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    return asked++ < 2 ? TestAnswer::of(asked == 1 ? 500 : 429, "", "Retry-After: 0\r\n")
                       : TestAnswer::of(200, "at last");
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().body, "at last");
  EXPECT_EQ(asked, 3);
}

TEST(HttpClient, GivesUpWithTheLastAnswer) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    ++asked;
    return TestAnswer::of(503, "");
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().head.status, 503);
  EXPECT_EQ(asked, 3);
}

TEST(HttpClient, DoesNotWaitAsLongAsAServerLikes) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    ++asked;
    return TestAnswer::of(429, "", "Retry-After: 86400\r\n");
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().head.status, 429);
  EXPECT_EQ(asked, 1);
}

TEST(HttpClient, DoesNotRepeatWhatIsFinal) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    ++asked;
    return TestAnswer::of(404, "");
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().head.status, 404);
  EXPECT_EQ(asked, 1);
}

TEST(HttpClient, CutAnswersAreTriedAgain) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    const TestAnswer whole = TestAnswer::of(200, std::string(1000, 'x'));
    return asked++ == 0 ? whole.cut(300) : whole;
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().body.size(), 1000);
  EXPECT_EQ(asked, 2);
}

TEST(HttpClient, AlwaysCutIsAnError) {
  HttpTestServer server(
      [&](const TestRequest&) { return TestAnswer::of(200, std::string(1000, 'x')).cut(300); });
  HttpClient client(quick());
  const auto response = get(client, server.url("/page"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::network_error);
  EXPECT_THAT(response.error().message(), HasSubstr("/page: it ended before its end"));
}

TEST(HttpClient, StallsEnd) {
  HttpTestServer server([](const TestRequest& request) {
    const TestAnswer whole = TestAnswer::of(200, std::string(1000, 'x'));
    // The rest never comes, and the connection stays.
    return TestAnswer{whole.bytes.substr(0, whole.bytes.size() - 1), request.path.empty()};
  });
  HttpOptions options = quick();
  options.stall_timeout = std::chrono::seconds(1);
  options.retry.attempts = 1;
  HttpClient client(options);
  const auto response = get(client, server.url("/"));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message(), HasSubstr("it takes too long"));
}

TEST(HttpClient, NothingListens) {
  int closed_port = 0;
  {
    HttpTestServer server([](const TestRequest&) { return TestAnswer::of(200, ""); });
    closed_port = std::stoi(server.url("").substr(std::string("http://127.0.0.1:").size()));
  }
  HttpClient client(quick());
  const auto response =
      get(client, fmt::format("http://u:secret@127.0.0.1:{}/x?sig=secret", closed_port));
  ASSERT_FALSE(response);
  EXPECT_THAT(to_string(response.error()),
              testing::AllOf(HasSubstr("nothing answers there"), Not(HasSubstr("secret"))));
}

TEST(HttpClient, FollowsRedirects) {
  HttpTestServer server([](const TestRequest& request) {
    return request.path == "/a" ? TestAnswer::of(301, "moved", "Location: b/c\r\n")
                                : TestAnswer::of(200, request.path);
  });
  HttpClient client(quick());
  const auto response = get(client, server.url("/a"));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "/b/c");
  EXPECT_EQ(response->head.url, server.url("/b/c"));
}

TEST(HttpClient, RedirectLoopsEnd) {
  HttpTestServer server(
      [](const TestRequest&) { return TestAnswer::of(302, "", "Location: /again\r\n"); });
  HttpClient client(quick());
  const auto response = get(client, server.url("/start"));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message(), HasSubstr("/start redirects more than 10 times"));
  EXPECT_EQ(server.requests().size(), 11);
}

TEST(HttpClient, RedirectsLeadToHttpOnly) {
  HttpTestServer server([](const TestRequest&) {
    return TestAnswer::of(302, "", "Location: file:///etc/passwd\r\n");
  });
  HttpClient client(quick());
  const auto response = get(client, server.url("/"));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message(), HasSubstr("redirects to no address"));
}

TEST(HttpClient, CredentialsStayWithTheirOrigin) {
  HttpTestServer other([](const TestRequest& request) {
    return TestAnswer::of(200, request.header("authorization"));
  });
  HttpTestServer server([&](const TestRequest& request) {
    return request.path == "/away"
               ? TestAnswer::of(302, "", "Location: " + other.url("/x") + "\r\n")
           : request.path == "/home" ? TestAnswer::of(302, "", "Location: /y\r\n")
                                     : TestAnswer::of(200, request.header("authorization"));
  });
  HttpOptions options = quick();
  options.credentials[origin_of(server.url("/"))] = {"user", "secret"};
  HttpClient client(options);
  constexpr const char* kBasic = "Basic dXNlcjpzZWNyZXQ=";
  EXPECT_EQ(get(client, server.url("/z")).value().body, kBasic);
  EXPECT_EQ(get(client, server.url("/home")).value().body, kBasic);
  EXPECT_EQ(get(client, server.url("/away")).value().body, "");

  HttpClient plain(quick());
  const std::string told = replace_all(server.url("/home"), "http://", "http://user:secret@");
  const auto response = get(plain, told);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, kBasic);
  EXPECT_EQ(response->head.url, server.url("/y"));
  EXPECT_EQ(
      get(plain, replace_all(server.url("/away"), "http://", "http://user:secret@")).value().body,
      "");
}

TEST(HttpClient, ReadsNetrc) {
  const Workshop shop;
  shop.write("netrc", "machine 127.0.0.1 login user password secret\n");
  HttpTestServer server([](const TestRequest& request) {
    return TestAnswer::of(200, request.header("authorization"));
  });
  HttpOptions options = quick();
  options.netrc = shop.path("netrc");
  HttpClient client(options);
  EXPECT_EQ(get(client, server.url("/")).value().body, "Basic dXNlcjpzZWNyZXQ=");
  options.netrc = shop.path("missing");
  HttpClient without(options);
  EXPECT_EQ(get(without, server.url("/")).value().body, "");
}

TEST(HttpClient, AsksTheProxyUnlessToldOtherwise) {
  HttpTestServer proxy(
      [](const TestRequest& request) { return TestAnswer::of(200, "proxy got " + request.path); });
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(200, "direct"); });
  HttpOptions options = quick();
  options.http_proxy = proxy.url("");
  HttpClient client(options);
  EXPECT_EQ(get(client, "http://index.invalid/x").value().body, "proxy got http://index.invalid/x");
  options.no_proxy = "127.0.0.1,example.org";
  HttpClient direct(options);
  EXPECT_EQ(get(direct, server.url("/")).value().body, "direct");
}

TEST(HttpClient, LongPagesAreRefused) {
  HttpTestServer server([](const TestRequest& request) {
    const std::string body(50U << 20U, ' ');
    return request.path == "/told" ? TestAnswer::of(200, body)
                                   : TestAnswer{"HTTP/1.1 200 OK\r\n\r\n" + body, true};
  });
  HttpClient client(quick());
  for (const char* path : {"/told", "/untold"}) {
    const auto response = get(client, server.url(path), 1U << 20U);
    ASSERT_FALSE(response);
    EXPECT_THAT(response.error().message(), HasSubstr("is longer than 1048576 bytes"));
  }
  EXPECT_EQ(get(client, server.url("/told"), 64U << 20U).value().body.size(), 50U << 20U);
}

TEST(HttpClient, APartThatNobodyAskedForIsNoPage) {
  HttpTestServer server([](const TestRequest&) {
    return TestAnswer::of(206, "half", "Content-Range: bytes 0-3/8\r\n");
  });
  HttpClient client(quick());
  const auto response = get(client, server.url("/"));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message(), HasSubstr("a part when all was asked for"));
}

TEST(HttpClient, EndlessErrorPagesAreCutOff) {
  HttpTestServer server([](const TestRequest&) {
    return TestAnswer{"HTTP/1.1 404 No\r\n\r\n" + std::string(8U << 20U, 'x'), true};
  });
  HttpClient client(quick());
  EXPECT_EQ(get(client, server.url("/")).value().head.status, 404);
}

TEST(HttpClient, OfflineAsksNobody) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(200, ""); });
  HttpOptions options = quick();
  options.is_offline = true;
  HttpClient client(options);
  const auto response = get(client, server.url("/"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(server.requests().empty());
}

TEST(HttpClient, CancelEndsWaiting) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(503, ""); });
  HttpOptions options = quick();
  options.retry = {.attempts = 100,
                   .first_delay = std::chrono::hours(1),
                   .longest_delay = std::chrono::hours(1)};
  HttpClient client(options);
  std::jthread canceller([&] {
    while (server.requests().empty()) {
      std::this_thread::yield();
    }
    client.cancel();
  });
  const auto response = get(client, server.url("/"));
  EXPECT_TRUE(!response || response->head.status == 503);
  EXPECT_FALSE(get(client, server.url("/")));
}

TEST(HttpClient, FaultsOfTlsAreErrors) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(200, ""); });
  HttpOptions options = quick();
  options.retry.attempts = 1;
  options.connect_timeout = milliseconds(300);
  HttpClient client(options);
  // A server that speaks no TLS.
  const auto response = get(client, replace_all(server.url("/"), "http://", "https://"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::network_error);
  options.ca_file = "/nowhere/ca.pem";
  HttpClient without(options);
  EXPECT_FALSE(get(without, replace_all(server.url("/"), "http://", "https://")));
}

}  // namespace
}  // namespace fitment
