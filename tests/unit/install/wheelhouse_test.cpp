// SPDX-License-Identifier: Apache-2.0
#include "install/wheelhouse.h"

#include "base/digest.h"
#include "support/http_server.h"
#include "support/workshop.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string report_of(const std::string& url,
                      const std::string& sha256,
                      const std::string& more = "") {
  return fmt::format(
      R"({{"version": "1", "pip_version": "23.2.1", "install": [{{"metadata": {{"name": "A.b", "version": "1.0"}},
      "requested": true, {}"download_info": {{"url": "{}", "archive_info": {{"hashes": {{"sha256": "{}"}}}}}}}}]}})",
      more,
      url,
      sha256);
}

TEST(PipReport, SaysWhatWasInstalled) {
  const auto report = parse_pip_report(report_of("https://h/a_b-1.0-py3-none-any.whl", "AB"), "r");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->pip_version, "23.2.1");
  ASSERT_EQ(report->packages.size(), 1);
  EXPECT_EQ(report->packages[0].name, "A.b");
  EXPECT_EQ(report->packages[0].sha256, "ab");
  EXPECT_TRUE(report->packages[0].is_requested);
}

TEST(PipReport, OldPipsNameTheHashOtherwise) {
  const auto report = parse_pip_report(
      R"({"version": "1", "install": [{"metadata": {"name": "a", "version": "1"},
          "download_info": {"url": "u", "archive_info": {"hash": "sha256=cd"}}}]})",
      "r");
  EXPECT_EQ(report.value().packages.at(0).sha256, "cd");
}

TEST(PipReport, WrongReportsAreErrors) {
  EXPECT_EQ(parse_pip_report("{", "r").error().code(), ErrorCode::parse_error);
  EXPECT_EQ(parse_pip_report("{}", "r").error().code(), ErrorCode::unsupported);
  EXPECT_EQ(parse_pip_report(R"({"version": "2"})", "r").error().code(), ErrorCode::unsupported);
  EXPECT_EQ(parse_pip_report(R"({"version": "1", "install": [3]})", "r").error().code(),
            ErrorCode::parse_error);
  EXPECT_EQ(parse_pip_report(std::string(1000, '['), "r").error().code(), ErrorCode::parse_error);
  EXPECT_EQ(parse_pip_report(R"({"version": 1e999})", "r").error().code(), ErrorCode::parse_error);
}

TEST(Wheelhouse, TakesWheelsOfIndexesAlone) {
  const auto plan = [](const std::string& text) {
    return plan_wheelhouse(parse_pip_report(text, "r").value());
  };
  const auto files = plan(report_of("https://h/x/a_b-1.0%2Bcpu-py3-none-any.whl", "ab"));
  ASSERT_TRUE(files);
  EXPECT_EQ(files->at(0).name, "a-b");
  EXPECT_EQ(files->at(0).filename, "a_b-1.0+cpu-py3-none-any.whl");
  for (const std::string& url : {std::string("https://u:secret@h/a_b-1.0.tar.gz"),
                                 std::string("git+https://h/a.git"),
                                 std::string("https://h/%2e%2e%2fa_b-1.0-py3-none-any.whl")}) {
    const auto wrong = plan(report_of(url, ""));
    ASSERT_FALSE(wrong) << url;
    EXPECT_EQ(wrong.error().code(), ErrorCode::unsupported);
    EXPECT_THAT(to_string(wrong.error()), Not(HasSubstr("secret")));
  }
  EXPECT_FALSE(plan(report_of("https://h/a_b-1.0-py3-none-any.whl", "", "\"is_direct\": true, ")));
}

std::function<Result<StoredFile>(const WheelhouseFile&)> fetch_through(HttpClient& client,
                                                                       const Store& store) {
  return [&](const WheelhouseFile& file) {
    return store.fetch(client, {file.url, file.filename, file.sha256, {}});
  };
}

TEST(Wheelhouse, HoldsFilesHashesAndACommand) {
  const std::string bytes = "a wheel";
  HttpTestServer server(
      [&](const TestRequest& request) { return TestAnswer::file(request, bytes); });
  const Workshop shop;
  const std::string url = server.url("/a_b-1.0-py3-none-any.whl");
  auto files =
      plan_wheelhouse(parse_pip_report(report_of(url, sha256_hex(bytes)), "r").value()).value();
  HttpClient client({});
  const Store store(shop.root() / "cache");
  std::vector<std::string> told;
  const auto folder = shop.root() / "house";
  const auto tell = [&told](const WheelhouseFile& file) { told.push_back(file.filename); };
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(apply_wheelhouse(fetch_through(client, store), folder, files, tell));
  }
  EXPECT_EQ(told.size(), 2);
  EXPECT_EQ(read_file(folder / "a_b-1.0-py3-none-any.whl").value(), bytes);
  EXPECT_EQ(read_file(folder / "requirements.txt").value(),
            fmt::format("a-b==1.0 --hash=sha256:{}\n", sha256_hex(bytes)));
  EXPECT_EQ(read_file(folder / "SHA256SUMS").value(),
            fmt::format("{}  a_b-1.0-py3-none-any.whl\n", sha256_hex(bytes)));
  EXPECT_EQ(server.requests().size(), 1);
  EXPECT_THAT(wheelhouse_command("house"),
              testing::IsSupersetOf({"--no-index", "--require-hashes", "house"}));
}

TEST(Wheelhouse, OtherBytesLeaveNoList) {
  HttpTestServer server(
      [](const TestRequest& request) { return TestAnswer::file(request, "evil"); });
  const Workshop shop;
  auto files = plan_wheelhouse(
                   parse_pip_report(
                       report_of(server.url("/a_b-1.0-py3-none-any.whl"), sha256_hex("good")), "r")
                       .value())
                   .value();
  HttpClient client({});
  const auto folder = shop.root() / "house";
  const Store store(shop.root() / "cache");
  EXPECT_FALSE(apply_wheelhouse(fetch_through(client, store), folder, files, [](const auto&) {}));
  EXPECT_FALSE(std::filesystem::exists(folder / "requirements.txt"));
}

}  // namespace
}  // namespace fitment
