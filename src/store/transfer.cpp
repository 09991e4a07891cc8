// SPDX-License-Identifier: Apache-2.0
#include "store/transfer.h"

#include "store/http_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fitment {

namespace {

// Numbers of options that the header of libcurl 7.85 marks as outdated; older libraries know no
// others.
constexpr auto kProtocolsBits = static_cast<CURLoption>(181);  // CURLOPT_PROTOCOLS
constexpr long kHttpBits = 3;                                  // CURLPROTO_HTTP | HTTPS

class CurlHandle {
 public:
  CurlHandle(const CurlLibrary& curl, ConnectionPool& pool)
      : curl_(curl), pool_(pool), handle_(pool.take(curl)) {}
  CurlHandle(const CurlHandle&) = delete;
  CurlHandle& operator=(const CurlHandle&) = delete;
  ~CurlHandle() {
    if (handle_ != nullptr) {
      curl_.easy_reset(handle_);
      pool_.give_back(handle_);
    }
    curl_.slist_free_all(headers_);
  }

  [[nodiscard]] bool is_there() const { return handle_ != nullptr; }

  template <typename T>
  CURLcode set(CURLoption option, T value) {
    return curl_.easy_setopt(handle_, option, value);
  }
  void set_text(CURLoption option, const std::string& value) { set(option, value.c_str()); }

  void add_header(const std::string& line) {
    headers_ = curl_.slist_append(headers_, line.c_str());
  }

  CURLcode perform() {
    set(CURLOPT_HTTPHEADER, headers_);
    return curl_.easy_perform(handle_);
  }

  [[nodiscard]] std::string text(CURLINFO info) const {
    const char* value = nullptr;
    curl_.easy_getinfo(handle_, info, &value);
    return value == nullptr ? "" : value;
  }

 private:
  const CurlLibrary& curl_;
  ConnectionPool& pool_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
};

/// What libcurl's callbacks fill.
struct Receiver {
  BodySink& sink;
  const std::atomic<bool>& is_cancelled;
  const FetchRequest& request;
  FetchHead head = {};
  bool has_begun = false;
  std::uint64_t dropped = 0;
  std::optional<Error> error = {};

  /// So much of an error page has come that the connection is not worth its rest.
  [[nodiscard]] bool is_dropped() const {
    constexpr std::uint64_t kMostDropped = 256U << 10U;
    return dropped > kMostDropped;
  }
  bool begin() {
    constexpr int kPartial = 206;
    has_begun = true;
    if (head.status == kPartial && !request.range) {
      return keep(
          fail(ErrorCode::network_error,
               fmt::format("{} sent a part when all was asked for", shown_address(request.url))));
    }
    return keep(sink.begin(head));
  }
  bool keep(Status status) {
    if (!status) {
      error = std::move(status).error();
    }
    return !error.has_value();
  }
};

std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto* receiver = static_cast<Receiver*>(context);
  take_header_line({bytes, size * count}, receiver->head);
  return size * count;
}

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto* receiver = static_cast<Receiver*>(context);
  const std::string_view text(bytes, size * count);
  if (!receiver->head.is_success()) {
    receiver->dropped += text.size();  // nobody reads what an error page says
    return receiver->is_dropped() ? 0 : text.size();
  }
  const bool is_kept =
      (receiver->has_begun || receiver->begin()) && receiver->keep(receiver->sink.take(text));
  return is_kept ? text.size() : 0;
}

int watch(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Receiver*>(context)->is_cancelled ? 1 : 0;
}

std::string range_text(const ByteRange& range) {
  if (range.is_tail) {
    return fmt::format("-{}", range.first);
  }
  return range.last ? fmt::format("{}-{}", range.first, *range.last)
                    : fmt::format("{}-", range.first);
}

void set_request(CurlHandle& handle, const FetchRequest& request) {
  handle.set_text(CURLOPT_URL, request.url);
  handle.set(CURLOPT_NOBODY, request.is_head ? 1L : 0L);
  handle.add_header("Accept: " + request.accept);
  if (request.wants_compression) {
    handle.set(CURLOPT_ACCEPT_ENCODING, "");  // whatever libcurl can decode
  } else {
    handle.add_header("Accept-Encoding: identity");
  }
  if (!request.if_none_match.empty()) {
    handle.add_header("If-None-Match: " + request.if_none_match);
  }
  if (!request.if_modified_since.empty()) {
    handle.add_header("If-Modified-Since: " + request.if_modified_since);
  }
  if (request.range) {
    handle.add_header("Range: bytes=" + range_text(*request.range));
    if (!request.if_range.empty()) {
      handle.add_header("If-Range: " + request.if_range);
    }
  }
}

void set_ways(CurlHandle& handle, const HttpOptions& options, const Credentials* credentials) {
  if (!options.ca_file.empty()) {
    handle.set_text(CURLOPT_CAINFO, options.ca_file.string());
  }
  if (credentials != nullptr) {
    handle.set(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    handle.set_text(CURLOPT_USERNAME, credentials->user);
    handle.set_text(CURLOPT_PASSWORD, credentials->password);
  } else if (!options.netrc.empty()) {
    handle.set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    handle.set_text(CURLOPT_NETRC_FILE, options.netrc.string());
  }
  handle.set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  handle.set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.slowest));
  handle.set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
}

/// An empty text keeps libcurl from asking the environment.
void set_proxy(CurlHandle& handle, const HttpOptions& options, std::string_view url) {
  handle.set_text(CURLOPT_PROXY,
                  origin_of(url).starts_with("https") ? options.https_proxy : options.http_proxy);
  handle.set_text(CURLOPT_NOPROXY, options.no_proxy);
}

/// False when this libcurl cannot be kept to http and https.
bool set_protocols(CurlHandle& handle) {
  return handle.set(CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
         || handle.set(kProtocolsBits, kHttpBits) == CURLE_OK;
}

struct CurlWords {
  CURLcode code;
  bool is_passing;
  std::string_view what;  ///< empty: libcurl's own words
  std::string_view hint;
};

constexpr std::string_view kNetworkHint = "check the network; behind a proxy set HTTPS_PROXY";
constexpr std::string_view kLaterHint = "try again; what was fetched of a file is kept";

constexpr std::array<CurlWords, 14> kCurlWords{{
    {CURLE_COULDNT_RESOLVE_PROXY, true, "the proxy's name is unknown", "check HTTPS_PROXY"},
    {CURLE_COULDNT_RESOLVE_HOST, true, "its name is unknown", kNetworkHint},
    {CURLE_COULDNT_CONNECT, true, "nothing answers there", kNetworkHint},
    {CURLE_OPERATION_TIMEDOUT, true, "it takes too long", kNetworkHint},
    {CURLE_PARTIAL_FILE, true, "it ended before its end", kLaterHint},
    {CURLE_GOT_NOTHING, true, "the connection was closed without an answer", kLaterHint},
    {CURLE_SEND_ERROR, true, "the connection broke", kLaterHint},
    {CURLE_RECV_ERROR, true, "the connection broke", kLaterHint},
    {CURLE_HTTP2, true, "the connection broke", kLaterHint},
    {CURLE_HTTP2_STREAM, true, "the connection broke", kLaterHint},
    {CURLE_SSL_CONNECT_ERROR, true, "", kNetworkHint},
    {CURLE_PEER_FAILED_VERIFICATION,
     false,
     "",
     "if your network has its own certificate, name its file in SSL_CERT_FILE"},
    {CURLE_SSL_CACERT_BADFILE, false, "", "SSL_CERT_FILE names a file of certificates"},
    {CURLE_ABORTED_BY_CALLBACK, false, "it was given up", ""},
}};

TransferFault curl_fault(CURLcode code, std::string_view own_words, std::string_view url) {
  const auto* found = std::find_if(kCurlWords.begin(),
                                   kCurlWords.end(),
                                   [code](const CurlWords& words) { return words.code == code; });
  const bool is_known = found != kCurlWords.end();
  Error error = fail(ErrorCode::network_error,
                     fmt::format("cannot fetch {}: {}",
                                 shown_address(url),
                                 is_known && !found->what.empty() ? found->what : own_words));
  if (is_known && !found->hint.empty()) {
    error = std::move(error).hint(std::string(found->hint));
  }
  return {std::move(error), is_known && found->is_passing};
}

}  // namespace

tl::expected<FetchHead, TransferFault> transfer(const CurlLibrary& curl,
                                                ConnectionPool& pool,
                                                const HttpOptions& options,
                                                const FetchRequest& request,
                                                const Credentials* credentials,
                                                BodySink& sink) {
  CurlHandle handle(curl, pool);
  if (!handle.is_there() || !set_protocols(handle)) {
    return tl::unexpected(
        TransferFault{fail(ErrorCode::unsupported, "libcurl of this machine is too old")
                          .hint("install libcurl 7.20 or newer")});
  }
  Receiver receiver{.sink = sink, .is_cancelled = pool.is_cancelled(), .request = request};
  std::array<char, CURL_ERROR_SIZE> own_words{};
  set_request(handle, request);
  set_ways(handle, options, credentials);
  set_proxy(handle, options, request.url);
  handle.set(CURLOPT_USERAGENT, "fitment");
  handle.set(CURLOPT_NOSIGNAL, 1L);
  handle.set(CURLOPT_ERRORBUFFER, own_words.data());
  handle.set(CURLOPT_HEADERFUNCTION, &take_header);
  handle.set(CURLOPT_HEADERDATA, &receiver);
  handle.set(CURLOPT_WRITEFUNCTION, &take_body);
  handle.set(CURLOPT_WRITEDATA, &receiver);
  handle.set(CURLOPT_NOPROGRESS, 0L);
  handle.set(CURLOPT_XFERINFOFUNCTION, &watch);
  handle.set(CURLOPT_XFERINFODATA, &receiver);
  const CURLcode code = handle.perform();
  if (receiver.error) {
    return tl::unexpected(TransferFault{std::move(*receiver.error)});
  }
  if (code != CURLE_OK && !receiver.is_dropped()) {
    const std::string_view words = own_words.data();
    return tl::unexpected(
        curl_fault(code, words.empty() ? curl.easy_strerror(code) : words, request.url));
  }
  receiver.head.url = request.url;
  receiver.head.location = handle.text(CURLINFO_REDIRECT_URL);
  // A body of no bytes calls nobody.
  if (receiver.head.is_success() && !receiver.has_begun && !receiver.begin()) {
    return tl::unexpected(TransferFault{std::move(*receiver.error)});
  }
  return std::move(receiver.head);
}

ConnectionPool::~ConnectionPool() {
  for (CURL* handle : idle_) {
    curl_->easy_cleanup(handle);
  }
}

CURL* ConnectionPool::take(const CurlLibrary& curl) {
  const std::scoped_lock lock(mutex_);
  curl_ = &curl;
  if (idle_.empty()) {
    return curl.easy_init();
  }
  CURL* handle = idle_.back();
  idle_.pop_back();
  return handle;
}

void ConnectionPool::give_back(CURL* handle) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(handle);
}

void ConnectionPool::cancel() {
  const std::scoped_lock lock(mutex_);
  is_cancelled_ = true;
  wake_.notify_all();
}

bool ConnectionPool::sleep(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return is_cancelled_.load(); });
}

}  // namespace fitment
