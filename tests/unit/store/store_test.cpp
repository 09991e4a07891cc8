// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "support/http_server.h"
#include "support/workshop.h"

#include <gmock/gmock.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>

namespace fitment {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kFetched = 0;
constexpr int kFailed = 1;

std::string many_bytes(std::size_t count) {
  std::string bytes;
  for (std::uint32_t i = 0; bytes.size() < count; i = i * 1664525U + 1013904223U + 1U) {
    bytes.append(reinterpret_cast<const char*>(&i), sizeof i);
  }
  bytes.resize(count);
  return bytes;
}

class StoreTest : public testing::Test {
 protected:
  static HttpOptions quick() {
    HttpOptions options;
    options.stall_timeout = std::chrono::seconds(60);  // on any machine
    options.retry = {
        .attempts = 3, .first_delay = milliseconds(1), .longest_delay = milliseconds(2)};
    return options;
  }
  [[nodiscard]] WantedFile wanted(const HttpTestServer& server) const {
    return {server.url("/whl/a%2Bb-1.0-py3-none-any.whl"), "", sha256_hex(bytes_), bytes_.size()};
  }
  [[nodiscard]] std::vector<std::string> partials() const {
    return list_folder(store_.partial_folder()).value_or(std::vector<std::string>());
  }
  /// In a child, which `body` may end or limit.
  void in_child(const std::function<int()>& body, ProcessOutcome& outcome) const {
    auto run = run_in_child([&](int) { return body(); }, std::chrono::seconds(60));
    ASSERT_TRUE(run);
    outcome = std::move(*run);
  }

  Workshop shop_;
  Store store_{shop_.root() / "cache"};
  std::string bytes_ = many_bytes(3U << 20U);
  HttpClient client_{quick()};
};

TEST_F(StoreTest, FetchesOnceAndKeepsUnderTheHash) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  const auto first = store_.fetch(client_, wanted(server));
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_TRUE(first->is_new);
  EXPECT_EQ(first->path.filename(), "a+b-1.0-py3-none-any.whl");
  EXPECT_EQ(first->path.parent_path().filename(), sha256_hex(bytes_));
  EXPECT_EQ(read_file(first->path).value(), bytes_);
  struct stat info {};
  ASSERT_EQ(::stat(first->path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0444U);
  EXPECT_TRUE(partials().empty());

  const auto second = store_.fetch(client_, wanted(server));
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->is_new);
  EXPECT_EQ(second->path, first->path);
  EXPECT_EQ(server.requests().size(), 1);
  EXPECT_EQ(server.requests().front().header("accept-encoding"), "identity");
  HttpOptions offline = quick();
  offline.is_offline = true;
  HttpClient nobody(offline);
  EXPECT_TRUE(store_.fetch(nobody, wanted(server)));
}

TEST_F(StoreTest, WithoutAHashTheBytesDecide) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  const auto file = store_.fetch(client_, {server.url("/nightly.whl"), "", "", {}});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->sha256, sha256_hex(bytes_));
  EXPECT_TRUE(store_.find(sha256_hex(bytes_)));
}

TEST_F(StoreTest, OtherBytesAreRefused) {
  HttpTestServer server([&](const TestRequest& request) {
    return TestAnswer::file(request, many_bytes(bytes_.size() - 1) + "x");
  });
  const auto file = store_.fetch(client_, wanted(server));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::network_error);
  EXPECT_THAT(to_string(file.error()),
              AllOf(HasSubstr("has the SHA-256"), HasSubstr("do not use it")));
  EXPECT_TRUE(partials().empty());
  EXPECT_FALSE(store_.find(sha256_hex(bytes_)));
}

TEST_F(StoreTest, OtherLengthsAreRefusedBeforeTheyCome) {
  HttpTestServer server([&](const TestRequest& request) {
    return request.path == "/untold" ? TestAnswer{"HTTP/1.1 200 OK\r\n\r\n" + bytes_ + "more", true}
                                     : TestAnswer::file(request, bytes_ + "more");
  });
  for (const char* path : {"/told", "/untold"}) {
    WantedFile file = wanted(server);
    file.url = server.url(path);
    const auto stored = store_.fetch(client_, file);
    ASSERT_FALSE(stored);
    EXPECT_THAT(to_string(stored.error()), HasSubstr("its index states"));
  }
}

TEST_F(StoreTest, GoesOnWhereTheConnectionBroke) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest& request) {
    const TestAnswer answer = TestAnswer::file(request, bytes_);
    return asked++ == 0 ? answer.cut(1U << 20U) : answer;
  });
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2);
  EXPECT_EQ(requests[1].header("range"), "bytes=2097152-");
  EXPECT_EQ(requests[1].header("if-range"), "\"one\"");
}

TEST_F(StoreTest, ASlowLinkIsNotGivenUpWhileItGainsGround) {
  HttpTestServer server([&](const TestRequest& request) {
    TestAnswer answer = TestAnswer::file(request, bytes_);
    const std::size_t head = answer.bytes.find("\r\n\r\n");
    constexpr std::size_t kPart = (1U << 20U) + 1000;
    if (answer.bytes.size() > head + kPart) {
      answer = {answer.bytes.substr(0, head + kPart), true};
    }
    return answer;
  });
  bytes_ = many_bytes(8U << 20U);
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
  EXPECT_EQ(server.requests().size(), 8);
}

TEST_F(StoreTest, AnotherFileBehindTheAddressBeginsAnew) {
  const std::string old = many_bytes(bytes_.size() / 2) + std::string(bytes_.size() / 2, 'x');
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest& request) {
    return asked++ == 0 ? TestAnswer::file(request, old, "\"old\"").cut(1000)
                        : TestAnswer::file(request, bytes_, "\"new\"");
  });
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
}

TEST_F(StoreTest, PiecesThatDoNotFitAreFetchedWhole) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest& request) {
    // A server that claims that both are one file.
    return asked++ == 0 ? TestAnswer::file(request, std::string(bytes_.size(), 'x')).cut(1000)
                        : TestAnswer::file(request, bytes_);
  });
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
  EXPECT_EQ(server.requests().size(), 3);
}

TEST_F(StoreTest, NoRangesMeanTheWholeAgain) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest&) {
    const TestAnswer whole = TestAnswer::of(200, bytes_);
    return asked++ == 0 ? whole.cut(1000) : whole;
  });
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
}

TEST_F(StoreTest, WrongRangesMeanTheWholeAgain) {
  for (const char* range : {"bytes 0-99/3145728", "bytes 7-3145727/3145728", "nonsense", ""}) {
    std::atomic<int> asked = 0;
    HttpTestServer server([&](const TestRequest& request) {
      if (asked++ == 0) {
        return TestAnswer::file(request, bytes_).cut(1000);
      }
      return request.header("range").empty()
                 ? TestAnswer::file(request, bytes_)
                 : TestAnswer::of(206, "wrong", fmt::format("Content-Range: {}\r\n", range));
    });
    const Store store(shop_.root() / fmt::format("cache-{}", sha256_hex(range)));
    const auto stored = store.fetch(client_, wanted(server));
    ASSERT_TRUE(stored) << range << to_string(stored.error());
    EXPECT_EQ(server.requests().size(), 3);
  }
}

TEST_F(StoreTest, AbsentFilesLeaveNothing) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(404, "no"); });
  const auto stored = store_.fetch(client_, wanted(server));
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code(), ErrorCode::not_found);
  EXPECT_TRUE(partials().empty());
}

TEST_F(StoreTest, AKilledProcessLeavesWhatItHad) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  ProcessOutcome killed;
  in_child(
      [&] {
        HttpClient client(quick());
        static_cast<void>(
            store_.fetch(client, wanted(server), [](std::uint64_t done, std::uint64_t) {
              if (done > 1U << 20U) {
                ::raise(SIGKILL);
              }
            }));
        return kFailed;
      },
      killed);
  ASSERT_EQ(killed.end, ProcessOutcome::End::signalled);
  EXPECT_FALSE(store_.find(sha256_hex(bytes_)));
  ASSERT_EQ(partials().size(), 1);
  const auto had = std::filesystem::file_size(store_.partial_folder() / partials().front());
  EXPECT_GT(had, 1U << 20U);

  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
  EXPECT_EQ(server.requests().back().header("range"), fmt::format("bytes={}-", had));
  EXPECT_TRUE(partials().empty());
}

TEST_F(StoreTest, AProcessKilledBehindTheLastByteAsksNobody) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  shop_.write("cache/partial/" + sha256_hex(bytes_), bytes_);
  ASSERT_TRUE(store_.fetch(client_, wanted(server)));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(StoreTest, AWholeLeftoverOfUnknownSizeIsTaken) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  WantedFile file = wanted(server);
  file.size.reset();
  shop_.write("cache/partial/" + sha256_hex(bytes_), bytes_);
  ASSERT_TRUE(store_.fetch(client_, file));
  EXPECT_EQ(server.requests().size(), 1);

  const Store other(shop_.root() / "other");
  shop_.write("other/partial/" + sha256_hex(bytes_), std::string(bytes_.size() + 5, 'x'));
  ASSERT_TRUE(other.fetch(client_, file));
}

TEST_F(StoreTest, WithoutAHashABrokenDownloadBeginsAnew) {
  std::atomic<int> asked = 0;
  HttpTestServer server([&](const TestRequest& request) {
    const TestAnswer answer = TestAnswer::file(request, bytes_);
    return asked++ == 0 ? answer.cut(1000) : answer;
  });
  const auto stored = store_.fetch(client_, {server.url("/nightly.whl"), "", "", {}});
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->sha256, sha256_hex(bytes_));
  EXPECT_EQ(server.requests().back().header("range"), "");
}

TEST_F(StoreTest, ALeftoverThatIsTooLongOrWrongIsReplaced) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  for (const std::size_t length : {bytes_.size() + 1, bytes_.size(), bytes_.size() / 2}) {
    const Store store(shop_.root() / fmt::format("cache-{}", length));
    shop_.write(fmt::format("cache-{}/partial/{}", length, sha256_hex(bytes_)),
                std::string(length, 'x'));
    const auto stored = store.fetch(client_, wanted(server));
    ASSERT_TRUE(stored) << length << to_string(stored.error());
  }
}

TEST_F(StoreTest, ManyProcessesFetchOnce) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  std::atomic<int> fetched = 0;
  for_each_index(6, 6, [&](std::size_t) {
    ProcessOutcome outcome;
    in_child(
        [&] {
          HttpClient client(quick());
          const auto stored = store_.fetch(client, wanted(server));
          return stored && read_file(stored->path).value_or("") == bytes_ ? kFetched : kFailed;
        },
        outcome);
    fetched += outcome.ok() ? 1 : 0;
  });
  EXPECT_EQ(fetched, 6);
  EXPECT_EQ(server.requests().size(), 1);
}

TEST_F(StoreTest, AFullDiskIsSaidAndLeavesNothing) {
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes_); });
  ProcessOutcome outcome;
  in_child(
      [&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1U << 20U, 1U << 20U};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        HttpClient client(quick());
        const auto stored = store_.fetch(client, wanted(server));
        const bool is_right = !stored && stored.error().code() == ErrorCode::io_error
                              && to_string(stored.error()).find("cache gc") != std::string::npos;
        return is_right ? kFetched : kFailed;
      },
      outcome);
  EXPECT_TRUE(outcome.ok());
  EXPECT_TRUE(partials().empty());
}

TEST_F(StoreTest, FilesOfThisMachineAreVerifiedInPlace) {
  shop_.write("wheels/a-1.0-py3-none-any.whl", bytes_);
  const std::string path = shop_.path("wheels/a-1.0-py3-none-any.whl");
  const auto stored = store_.fetch(client_, {"file://" + path, "", sha256_hex(bytes_), {}});
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->path, path);
  EXPECT_FALSE(store_.fetch(client_, {path, "", sha256_hex("other"), {}}));
  EXPECT_EQ(store_.fetch(client_, {path + "x", "", "", {}}).error().code(), ErrorCode::not_found);
}

TEST_F(StoreTest, KeepsWhatIsMadeHere) {
  const auto source = memory_source(bytes_, "derived.whl");
  const auto added = store_.add(*source, "../../derived.whl");
  ASSERT_TRUE(added);
  EXPECT_EQ(read_file(added->path).value(), bytes_);
  EXPECT_EQ(added->path.parent_path().filename(), sha256_hex(bytes_));
  EXPECT_EQ(store_.add(*source, "again.whl").value().path, added->path);
}

TEST_F(StoreTest, SecretsAreNotTold) {
  HttpTestServer server([](const TestRequest&) { return TestAnswer::of(403, ""); });
  const std::string url =
      replace_all(server.url("/x.whl?X-Signature=secret"), "http://", "http://user:secret@");
  const auto stored = store_.fetch(client_, {url, "", "", {}});
  ASSERT_FALSE(stored);
  EXPECT_THAT(to_string(stored.error()), Not(HasSubstr("secret")));
}

TEST(SafeFileName, HoldsNoPath) {
  EXPECT_EQ(safe_file_name("a+b.whl"), "a+b.whl");
  EXPECT_EQ(safe_file_name("../x"), "file.._x");
  EXPECT_EQ(safe_file_name(""), "file");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n", 4)), "a_b_");
}

}  // namespace
}  // namespace fitment
