// SPDX-License-Identifier: Apache-2.0
#include "store/http_client.h"

#include "base/random_seed.h"
#include "store/http_fault.h"
#include "store/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kWorthwhileBytes = 1U << 20U;

class MemorySink final : public BodySink {
 public:
  MemorySink(std::string_view url, std::uint64_t limit) : url_(url), limit_(limit) {}

  Status begin(const FetchHead& head) override {
    body_.clear();
    return head.content_length.value_or(0) > limit_ ? too_long() : Status();
  }
  Status take(std::string_view bytes) override {
    if (bytes.size() > limit_ - body_.size()) {
      return too_long();
    }
    body_.append(bytes);
    return {};
  }
  std::string release() { return std::move(body_); }

 private:
  [[nodiscard]] Status too_long() const {
    return fail(ErrorCode::network_error,
                fmt::format("{} is longer than {} bytes", shown_address(url_), limit_))
        .hint("is this the address of an index?");
  }

  std::string_view url_;
  std::uint64_t limit_;
  std::string body_;
};

bool is_redirect(const FetchHead& head) {
  constexpr std::array<int, 5> kRedirects{301, 302, 303, 307, 308};
  return std::find(kRedirects.begin(), kRedirects.end(), head.status) != kRedirects.end();
}

/// Where to ask next. Errors: no address, or one that gives up what the first one promised.
Result<std::string> redirect_target(const FetchHead& head) {
  if (!is_http_address(head.location)) {
    return fail(
        ErrorCode::network_error,
        fmt::format(
            "{} redirects to no address (status {})", shown_address(head.url), head.status));
  }
  if (origin_of(head.url).starts_with("https:")
      && !origin_of(head.location).starts_with("https:")) {
    return fail(ErrorCode::network_error,
                fmt::format("{} redirects from https to {}",
                            shown_address(head.url),
                            shown_address(head.location)))
        .hint("anybody could change what comes from there; give the address of another index");
  }
  return head.location;
}

/// Credentials that stood in an address count for its origin, redirects within it included.
class CredentialFinder {
 public:
  explicit CredentialFinder(const CredentialTable& table) : table_(table) {}

  /// Takes them out of the address.
  const Credentials* take(std::string& url) {
    Address address = split_credentials(url);
    url = std::move(address.url);
    const std::string origin = origin_of(url);
    if (address.credentials) {
      return &(told_[origin] = std::move(*address.credentials));
    }
    const auto told = told_.find(origin);
    if (told != told_.end()) {
      return &told->second;
    }
    const auto known = table_.find(origin);
    return known == table_.end() ? nullptr : &known->second;
  }

 private:
  const CredentialTable& table_;
  CredentialTable told_;
};

struct Attempt {
  FetchHead head;
  std::optional<TransferFault> fault;

  [[nodiscard]] bool is_passing() const {
    return fault ? fault->is_passing : is_passing_status(head.status);
  }
};

/// One attempt with all its redirects.
Attempt attempt(const CurlLibrary& curl,
                ConnectionPool& pool,
                const HttpOptions& options,
                FetchRequest request,
                BodySink& sink) {
  CredentialFinder finder(options.credentials);
  const std::string first = shown_address(request.url);
  for (int hop = 0; hop <= options.redirects; ++hop) {
    const Credentials* credentials = finder.take(request.url);
    auto head = transfer(curl, pool, options, request, credentials, sink);
    if (!head) {
      return {{}, std::move(head).error()};
    }
    if (!is_redirect(*head)) {
      return {std::move(*head), {}};
    }
    auto target = redirect_target(*head);
    if (!target) {
      return {{}, TransferFault{std::move(target).error()}};
    }
    request.url = std::move(*target);
  }
  return {
      {},
      TransferFault{fail(ErrorCode::network_error,
                         fmt::format("{} redirects more than {} times", first, options.redirects))
                        .hint("the server redirects in a circle; ask its operator")}};
}

}  // namespace

HttpClient::HttpClient(HttpOptions options)
    : options_(std::move(options)), pool_(std::make_unique<ConnectionPool>()) {}

HttpClient::~HttpClient() = default;

void HttpClient::cancel() {
  pool_->cancel();
}

Result<FetchHead> HttpClient::send(const FetchRequest& request, BodySink& sink) {
  if (!is_http_address(request.url)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not an address to fetch", shown_address(request.url)))
        .hint("addresses start with https:// or http://");
  }
  if (options_.is_offline) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`--offline` forbids asking {}", shown_address(request.url)))
        .hint("mirror it into a folder and give that, or leave out --offline");
  }
  FITMENT_TRY_ASSIGN(const CurlLibrary* curl, curl_library());
  RetrySchedule schedule(options_.retry, static_cast<std::uint32_t>(random_seed()));
  while (true) {
    const std::uint64_t kept = sink.kept();
    FetchRequest asked = request;
    sink.ask(asked);
    Attempt tried = attempt(*curl, *pool_, options_, std::move(asked), sink);
    if (sink.kept() >= kept + kWorthwhileBytes) {
      schedule.restart();
    }
    const auto delay = tried.is_passing() ? schedule.next(parse_retry_after(
                           tried.head.retry_after, std::chrono::system_clock::now()))
                                          : std::nullopt;
    if (!delay || !pool_->sleep(*delay)) {
      if (tried.fault) {
        return std::move(tried.fault->error);
      }
      return std::move(tried.head);
    }
  }
}

Result<FetchAnswer> HttpClient::get(const FetchRequest& request, std::uint64_t limit) {
  MemorySink sink(request.url, limit);
  FITMENT_TRY_ASSIGN(FetchHead head, send(request, sink));
  return FetchAnswer{std::move(head), sink.release()};
}

}  // namespace fitment
