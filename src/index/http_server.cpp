// SPDX-License-Identifier: Apache-2.0
// Boost.Beast ends here: no other file includes it.
#include "index/http_server.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

namespace fitment {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kChunk = 256U << 10U;

using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;
using Parser = http::request_parser<http::string_body>;
using Head = http::response<http::empty_body>;

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

std::string text_of(const Parser& parser, http::field field) {
  return std::string(view_of(parser.get()[field]));
}

/// What is written for one answer.
struct Outgoing {
  Head head;
  std::shared_ptr<const std::string> body;
  std::shared_ptr<const ByteSource> file;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  bool keep_alive = false;
};

Outgoing prepare(const Parser& parser, ServedResponse response, bool keep_alive) {
  Outgoing out;
  out.keep_alive = keep_alive;
  out.file = std::move(response.file);
  out.body = std::move(response.body);
  out.head.version(parser.get().version());
  out.head.result(static_cast<unsigned>(response.status));
  const std::uint64_t size = out.file ? out.file->size() : out.body ? out.body->size() : 0;
  out.count = size;
  for (const auto& [name, value] : response.headers) {
    out.head.set(name, value);
  }
  if (out.file && response.status == 200) {
    out.head.set(http::field::accept_ranges, "bytes");
    // A range that holds for another state of the file means the whole of this one.
    const std::string if_range = text_of(parser, http::field::if_range);
    const bool holds = if_range.empty() || if_range == view_of(out.head[http::field::etag]);
    const auto range =
        holds ? parse_range(view_of(parser.get()[http::field::range]), size) : std::nullopt;
    if (range && !range->is_satisfiable) {
      out.head.result(http::status::range_not_satisfiable);
      out.head.set(http::field::content_range, fmt::format("bytes */{}", size));
      out.file.reset();
      out.count = 0;
    } else if (range) {
      out.head.result(http::status::partial_content);
      out.offset = range->first;
      out.count = range->count;
      out.head.set(http::field::content_range,
                   fmt::format("bytes {}-{}/{}", out.offset, out.offset + out.count - 1, size));
    }
  }
  out.head.set(http::field::server, "fitment");
  if (out.head.result() != http::status::not_modified) {
    out.head.set(http::field::content_type, response.content_type);
    out.head.content_length(out.count);
  }
  out.head.keep_alive(keep_alive);
  if (parser.get().method() == http::verb::head) {
    out.count = 0;
  }
  return out;
}

/// Path and query of a target, which may be written as a whole address.
void split_target(std::string_view target, ServedRequest& request) {
  if (!target.starts_with('/')) {
    const std::size_t scheme = target.find("://");
    const std::size_t slash =
        scheme == std::string_view::npos ? scheme : target.find('/', scheme + 3);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(mark + 1, target.size()));
}

ServedRequest request_of(Parser& parser) {
  ServedRequest request;
  request.method = parser.get().method() == http::verb::head
                       ? "GET"
                       : std::string(view_of(parser.get().method_string()));
  split_target(view_of(parser.get().target()), request);
  request.host = text_of(parser, http::field::host);
  request.accept = text_of(parser, http::field::accept);
  request.accept_encoding = text_of(parser, http::field::accept_encoding);
  request.if_none_match = text_of(parser, http::field::if_none_match);
  request.authorization = text_of(parser, http::field::authorization);
  request.content_type = text_of(parser, http::field::content_type);
  request.body = std::move(parser.get().body());
  return request;
}

class BeastServer final : public HttpServer {
 public:
  BeastServer(const HttpServerOptions& options, RequestHandler& handler)
      : options_(options),
        handler_(handler),
        threads_(options.threads != 0 ? options.threads
                                      : std::max(1U, std::thread::hardware_concurrency())),
        context_(static_cast<int>(threads_)),
        waiting_(options.waiting),
        acceptor_(asio::make_strand(context_)) {}

  ~BeastServer() override { stop(); }

  Status listen() {
    try {
      if (!options_.certificate.empty()) {
        tls_.emplace(asio::ssl::context::tls_server);
        tls_->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1
                          | asio::ssl::context::no_tlsv1_1);
        tls_->use_certificate_chain_file(options_.certificate.string());
        tls_->use_private_key_file(options_.key.string(), asio::ssl::context::pem);
      }
    } catch (const boost::system::system_error& error) {
      return fail(ErrorCode::parse_error,
                  fmt::format("cannot use the TLS files: {}", error.code().message()))
          .at({options_.certificate.string(), {}, {}, {}})
          .hint("a certificate chain and its key, both in PEM");
    }
    error_code error;
    const auto address =
        asio::ip::make_address(options_.host == "localhost" ? "127.0.0.1" : options_.host, error);
    if (error) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` is not an address to listen on", options_.host))
          .hint("give an IP address, such as 127.0.0.1, ::1 or 0.0.0.0");
    }
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) {
      acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
      acceptor_.bind(endpoint, error);
    }
    if (!error) {
      acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
      return fail(ErrorCode::io_error,
                  fmt::format("cannot listen on {} port {}: {}",
                              options_.host,
                              options_.port,
                              error.message()))
          .hint("`--port 0` takes any port that is free");
    }
    port_ = acceptor_.local_endpoint().port();
    return {};
  }

  void run() {
    raise_file_limit();
    is_accepting_ = true;  // no other thread runs yet
    asio::co_spawn(acceptor_.get_executor(), accept_all(), asio::detached);
    for (unsigned i = 0; i < threads_; ++i) {
      runners_.emplace_back([this] { context_.run(); });
    }
  }

  [[nodiscard]] std::uint16_t port() const override { return port_; }

  void stop() override {
    if (stopping_.exchange(true)) {
      return;
    }
    asio::post(acceptor_.get_executor(), [this] {
      error_code ignored;
      acceptor_.close(ignored);
    });
    {
      std::unique_lock<std::mutex> lock(mutex_);
      for (const std::shared_ptr<Connection>& connection : connections_) {
        asio::post(connection->executor, [connection] { close_idle(*connection); });
      }
      all_gone_.wait_for(
          lock, options_.leaving, [this] { return !is_accepting_ && connections_.empty(); });
    }
    context_.stop();
    for (std::thread& runner : runners_) {
      runner.join();
    }
    waiting_.stop();
    waiting_.join();
  }

 private:
  /// A connection that the server knows of, so that idle ones can be closed when it stops. What
  /// is in it is touched on its executor alone.
  struct Connection {
    asio::any_io_executor executor;
    beast::tcp_stream* stream = nullptr;  ///< null once the connection is over
    bool is_idle = true;
  };

  /// Ends what is known of a connection, however its coroutine ends.
  class Leaving {
   public:
    Leaving(BeastServer& server, std::shared_ptr<Connection> connection)
        : server_(server), connection_(std::move(connection)) {}
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;
    ~Leaving() {
      connection_->stream = nullptr;
      server_.forget(connection_);
    }

   private:
    BeastServer& server_;
    std::shared_ptr<Connection> connection_;
  };

  /// Each connection needs a descriptor, and files and indexes need some beside them.
  void raise_file_limit() const {
    constexpr rlim_t kOthers = 512;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
      const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, options_.most_connections + kOthers);
      if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        ::setrlimit(RLIMIT_NOFILE, &limit);
      }
    }
  }

  asio::awaitable<void> accept_all() {
    asio::steady_timer pause(acceptor_.get_executor());
    while (!stopping_) {
      error_code error;
      const auto strand = asio::make_strand(context_);
      tcp::socket socket =
          co_await acceptor_.async_accept(strand, asio::redirect_error(asio::use_awaitable, error));
      if (error) {
        if (!acceptor_.is_open()) {
          break;
        }
        // Out of descriptors, most likely: some will be free in a moment.
        pause.expires_after(std::chrono::milliseconds(50));
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      const std::shared_ptr<Connection> connection = admit(socket.get_executor());
      if (!connection) {
        continue;  // closes it
      }
      socket.set_option(tcp::no_delay(true), error);
      asio::co_spawn(
          connection->executor, serve(PlainStream(std::move(socket)), connection), asio::detached);
    }
    // Connections that nobody has taken yet are refused by this, so it is waited for.
    error_code ignored;
    acceptor_.close(ignored);
    const std::lock_guard<std::mutex> lock(mutex_);
    is_accepting_ = false;
    all_gone_.notify_all();
  }

  asio::awaitable<void> serve(PlainStream stream, std::shared_ptr<Connection> connection) {
    const Leaving leaving(*this, connection);
    if (tls_) {
      TlsStream secure(std::move(stream), *tls_);
      connection->stream = &beast::get_lowest_layer(secure);
      error_code error;
      if (stopping_) {
        co_return;
      }
      beast::get_lowest_layer(secure).expires_after(options_.receiving);
      co_await secure.async_handshake(asio::ssl::stream_base::server,
                                      asio::redirect_error(asio::use_awaitable, error));
      if (!error) {
        co_await serve_requests(secure, *connection);
        beast::get_lowest_layer(secure).expires_after(std::chrono::seconds(2));
        co_await secure.async_shutdown(asio::redirect_error(asio::use_awaitable, error));
      }
    } else {
      connection->stream = &stream;
      co_await serve_requests(stream, *connection);
      error_code ignored;
      stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }
  }

  template <typename Stream>
  asio::awaitable<void> serve_requests(Stream& stream, Connection& connection) {
    beast::flat_buffer buffer(options_.header_bytes + options_.body_bytes);
    for (;;) {
      Parser parser;
      parser.header_limit(options_.header_bytes);
      parser.body_limit(options_.body_bytes);
      if (!co_await receive(stream, buffer, parser, connection)) {
        co_return;
      }
      const bool keep_alive = parser.get().keep_alive() && !stopping_;
      const ServedRequest request = request_of(parser);
      std::optional<ServedResponse> response = handler_.answer_now(request);
      if (!response) {
        ServedResponse waited = co_await answer_waiting(request);
        response = std::move(waited);
      }
      Outgoing out = prepare(parser, std::move(*response), keep_alive);
      if (!co_await send(stream, out) || !keep_alive) {
        co_return;
      }
    }
  }

  /// False: the connection is over; a request that cannot be read has been answered.
  template <typename Stream>
  asio::awaitable<bool> receive(Stream& stream,
                                beast::flat_buffer& buffer,
                                Parser& parser,
                                Connection& connection) {
    error_code error;
    auto& lowest = beast::get_lowest_layer(stream);
    if (buffer.size() == 0) {
      if (stopping_) {
        co_return false;  // whoever closes the idle ones may have been here already
      }
      connection.is_idle = true;
      lowest.expires_after(options_.idle);
      const std::size_t read = co_await stream.async_read_some(
          buffer.prepare(4096), asio::redirect_error(asio::use_awaitable, error));
      buffer.commit(read);
      connection.is_idle = false;
      if (error) {
        co_return false;
      }
    }
    lowest.expires_after(options_.receiving);
    co_await http::async_read(
        stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
    if (!error) {
      co_return true;
    }
    const int status = status_of(error);
    if (status != 0) {
      Outgoing out = prepare(parser, text_response(status, error.message()), false);
      if (co_await send(stream, out)) {
        co_await drain(stream);
      }
    }
    co_return false;
  }

  /// Who is still sending would not read the answer if the connection broke at once.
  template <typename Stream>
  static asio::awaitable<void> drain(Stream& stream) {
    constexpr std::size_t kMost = 8U << 20U;
    error_code error;
    std::string ignored(kChunk, '\0');
    beast::get_lowest_layer(stream).expires_after(std::chrono::seconds(2));
    for (std::size_t read = 0; !error && read < kMost;) {
      read += co_await stream.async_read_some(asio::buffer(ignored),
                                              asio::redirect_error(asio::use_awaitable, error));
    }
  }

  static int status_of(const error_code& error) {
    if (error == http::error::header_limit) {
      return 431;
    }
    if (error == http::error::body_limit) {
      return 413;
    }
    if (error == http::error::end_of_stream || error == http::error::partial_message
        || error.category() != make_error_code(http::error::bad_method).category()) {
      return 0;  // nobody is there to be told
    }
    return 400;
  }

  asio::awaitable<ServedResponse> answer_waiting(const ServedRequest& request) {
    if (queued_ >= options_.most_queued) {
      co_return text_response(503, "too many requests are waiting; try again");
    }
    ++queued_;
    const auto work = [&] { return handler_.answer(request); };
    ServedResponse response = co_await elsewhere<ServedResponse>(work);
    --queued_;
    co_return response;
  }

  /// Runs `work` where it may wait, and comes back.
  template <typename T, typename Work>
  asio::awaitable<T> elsewhere(const Work& work) {
    std::optional<T> result;
    // Named, and holding references alone: g++ 12 destroys temporaries of a co_await twice.
    const auto initiate = [this, &work, &result](auto handler) {
      const auto executor = asio::get_associated_executor(handler);
      asio::post(waiting_, [&work, &result, executor, resume = std::move(handler)]() mutable {
        result.emplace(work());
        asio::post(executor, std::move(resume));
      });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(initiate,
                                                                         asio::use_awaitable);
    co_return std::move(*result);
  }

  template <typename Stream>
  asio::awaitable<bool> send(Stream& stream, Outgoing& out) {
    error_code error;
    auto& lowest = beast::get_lowest_layer(stream);
    lowest.expires_after(options_.sending);
    if (!out.file && out.count != 0 && out.count <= kChunk) {
      // Head and body in one write.
      http::response<http::span_body<const char>> whole(out.head.base());
      whole.body() = beast::span<const char>(out.body->data(), out.body->size());
      co_await http::async_write(stream, whole, asio::redirect_error(asio::use_awaitable, error));
      co_return !error;
    }
    http::response_serializer<http::empty_body> head(out.head);
    co_await http::async_write_header(
        stream, head, asio::redirect_error(asio::use_awaitable, error));
    std::string chunk;
    for (std::uint64_t done = 0; !error && done < out.count;) {
      const std::uint64_t count = std::min<std::uint64_t>(kChunk, out.count - done);
      const char* bytes = nullptr;
      if (out.file) {
        const std::uint64_t at = out.offset + done;
        const auto work = [&] { return out.file->read(at, count, "a file that is served"); };
        Result<std::string> read = co_await elsewhere<Result<std::string>>(work);
        if (!read) {
          co_return false;  // a length was promised: the client sees that the connection broke
        }
        chunk = std::move(*read);
        bytes = chunk.data();
      } else {
        bytes = out.body->data() + done;
      }
      lowest.expires_after(options_.sending);
      co_await asio::async_write(
          stream, asio::buffer(bytes, count), asio::redirect_error(asio::use_awaitable, error));
      done += count;
    }
    co_return !error;
  }

  /// Null: there are as many connections as may be.
  std::shared_ptr<Connection> admit(const asio::any_io_executor& executor) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_ || connections_.size() >= options_.most_connections) {
      return nullptr;
    }
    auto connection = std::make_shared<Connection>();
    connection->executor = executor;
    connections_.insert(connection);
    return connection;
  }
  void forget(const std::shared_ptr<Connection>& connection) {
    const std::lock_guard<std::mutex> lock(mutex_);
    connections_.erase(connection);
    if (connections_.empty()) {
      all_gone_.notify_all();
    }
  }
  /// On the executor of the connection. Those that wait for a request wait no longer.
  static void close_idle(const Connection& connection) {
    if (connection.stream != nullptr && connection.is_idle) {
      connection.stream->close();
    }
  }

  HttpServerOptions options_;
  RequestHandler& handler_;
  unsigned threads_;

  // Before the context, whose end destroys the coroutines that are left.
  std::mutex mutex_;
  std::condition_variable all_gone_;
  std::unordered_set<std::shared_ptr<Connection>> connections_;
  bool is_accepting_ = false;

  asio::io_context context_;
  asio::thread_pool waiting_;
  tcp::acceptor acceptor_;
  std::optional<asio::ssl::context> tls_;
  std::uint16_t port_ = 0;
  std::vector<std::thread> runners_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> queued_{0};
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options,
                                                      RequestHandler& handler) {
  auto server = std::make_unique<BeastServer>(options, handler);
  FITMENT_TRY(server->listen());
  server->run();
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace fitment
