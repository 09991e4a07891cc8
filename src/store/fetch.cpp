// SPDX-License-Identifier: Apache-2.0
#include "store/fetch.h"

#include "store/curl_library.h"

#include <fmt/format.h>

namespace fitment {

namespace {

/// What the write callback fills.
struct Sink {
  std::string body;
  std::uint64_t limit = 0;
  bool too_long = false;
};

std::size_t take_bytes(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto* sink = static_cast<Sink*>(context);
  const std::size_t total = size * count;
  if (sink->body.size() + total > sink->limit) {
    sink->too_long = true;
    return 0;
  }
  sink->body.append(bytes, total);
  return total;
}

/// One transfer; frees what libcurl gave.
class Transfer {
 public:
  explicit Transfer(const CurlLibrary& curl) : curl_(curl), handle_(curl.easy_init()) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    curl_.slist_free_all(headers_);
    curl_.easy_cleanup(handle_);
  }

  void prepare(const std::string& url, const FetchOptions& options, Sink& sink) {
    headers_ = curl_.slist_append(headers_, ("Accept: " + options.accept).c_str());
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_HTTPHEADER, headers_);
    set(CURLOPT_USERAGENT, "fitment");
    set(CURLOPT_ACCEPT_ENCODING, "");  // whatever libcurl can decode
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, static_cast<long>(options.redirects));
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_timeout.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_WRITEFUNCTION, &take_bytes);
    set(CURLOPT_WRITEDATA, &sink);
  }

  CURLcode perform() { return curl_.easy_perform(handle_); }

  [[nodiscard]] long status() const {
    long code = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }
  [[nodiscard]] std::string text(CURLINFO info) const {
    const char* value = nullptr;
    curl_.easy_getinfo(handle_, info, &value);
    return value == nullptr ? "" : value;
  }

 private:
  template <typename T>
  void set(CURLoption option, T value) {
    curl_.easy_setopt(handle_, option, value);
  }

  const CurlLibrary& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
};

}  // namespace

Result<FetchedPage> fetch_page(const std::string& url, const FetchOptions& options) {
  FITMENT_TRY_ASSIGN(const CurlLibrary* curl, curl_library());
  Sink sink{.limit = options.limit};
  Transfer transfer(*curl);
  transfer.prepare(url, options, sink);
  const CURLcode code = transfer.perform();
  if (sink.too_long) {
    return fail(ErrorCode::network_error,
                fmt::format("{} is longer than {} bytes", url, options.limit));
  }
  if (code != CURLE_OK) {
    return fail(ErrorCode::network_error,
                fmt::format("cannot fetch {}: {}", url, curl->easy_strerror(code)));
  }
  constexpr long kOk = 200;
  constexpr long kNotFound = 404;
  if (transfer.status() != kOk) {
    const ErrorCode kind =
        transfer.status() == kNotFound ? ErrorCode::not_found : ErrorCode::network_error;
    return fail(kind, fmt::format("{} answered with status {}", url, transfer.status()));
  }
  return FetchedPage{transfer.text(CURLINFO_EFFECTIVE_URL),
                     transfer.text(CURLINFO_CONTENT_TYPE),
                     std::move(sink.body)};
}

}  // namespace fitment
