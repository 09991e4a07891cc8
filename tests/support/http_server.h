// SPDX-License-Identifier: Apache-2.0
// A small HTTP server on loopback for tests, which can do everything wrong that a server can. A
// thread for each connection; what a request is answered with is a function of the test.
#pragma once

#include "base/text.h"

#include <fmt/format.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fitment {

struct TestRequest {
  std::string method;
  std::string path;
  std::map<std::string, std::string> headers;  ///< names in lower case

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

/// Bytes for the client. Without `Connection: close` in them the connection stays.
struct TestAnswer {
  std::string bytes;
  bool is_last = false;  ///< close the connection behind it

  static TestAnswer of(int status,
                       const std::string& body,
                       const std::string& headers = "",
                       bool is_head = false) {
    return {fmt::format("HTTP/1.1 {} Test\r\nContent-Length: {}\r\n{}\r\n{}",
                        status,
                        body.size(),
                        headers,
                        is_head ? "" : body)};
  }
  /// As a server does that knows ranges and ETags.
  static TestAnswer file(const TestRequest& request,
                         const std::string& bytes,
                         const std::string& etag = "\"one\"") {
    const std::string validators = fmt::format("ETag: {}\r\nAccept-Ranges: bytes\r\n", etag);
    const bool is_head = request.method == "HEAD";
    const std::string range = request.header("range");
    const std::string condition = request.header("if-range");
    if (range.empty() || (!condition.empty() && condition != etag)) {
      return of(200, bytes, validators, is_head);
    }
    const auto ends = split(std::string_view(range).substr(6), '-');
    std::size_t first = parse_unsigned(ends[0]).value_or(0);
    std::size_t last =
        std::min(parse_unsigned(ends[1]).value_or(bytes.size() - 1), bytes.size() - 1);
    if (ends[0].empty()) {
      first = bytes.size() - std::min(bytes.size(), parse_unsigned(ends[1]).value_or(0));
      last = bytes.size() - 1;
    }
    if (first >= bytes.size()) {
      return of(416, "", fmt::format("Content-Range: bytes */{}\r\n", bytes.size()));
    }
    return of(
        206,
        bytes.substr(first, last - first + 1),
        fmt::format("{}Content-Range: bytes {}-{}/{}\r\n", validators, first, last, bytes.size()),
        is_head);
  }
  /// The first bytes of a good answer, then the connection closes.
  [[nodiscard]] TestAnswer cut(std::size_t missing) const {
    return {bytes.substr(0, bytes.size() - missing), true};
  }
};

class HttpTestServer {
 public:
  using Handler = std::function<TestAnswer(const TestRequest&)>;

  explicit HttpTestServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 64);
    socklen_t length = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  HttpTestServer(const HttpTestServer&) = delete;
  HttpTestServer& operator=(const HttpTestServer&) = delete;
  ~HttpTestServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::scoped_lock lock(mutex_);
      for (const int fd : open_) {
        ::shutdown(fd, SHUT_RDWR);
      }
    }
    for (std::thread& thread : threads_) {
      thread.join();
    }
    ::close(listener_);
  }

  [[nodiscard]] std::string url(const std::string& path) const {
    return fmt::format("http://127.0.0.1:{}{}", port_, path);
  }
  [[nodiscard]] std::vector<TestRequest> requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }
  [[nodiscard]] std::size_t connections() const {
    const std::scoped_lock lock(mutex_);
    return threads_.size();
  }

 private:
  void accept_all() {
    while (true) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) {
        return;
      }
      const std::scoped_lock lock(mutex_);
      open_.push_back(fd);
      threads_.emplace_back([this, fd] { serve(fd); });
    }
  }

  void serve(int fd) {
    std::string text;
    std::array<char, 4096> block{};
    for (bool is_open = true; is_open;) {
      const std::size_t end = text.find("\r\n\r\n");
      if (end == std::string::npos) {
        const ssize_t got = ::recv(fd, block.data(), block.size(), 0);
        is_open = got > 0;
        text.append(block.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        continue;
      }
      const TestRequest request = parse(text.substr(0, end));
      text.erase(0, end + 4);
      {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(request);
      }
      const TestAnswer answer = handler_(request);
      is_open = send_all(fd, answer.bytes) && !answer.is_last;
    }
    ::shutdown(fd, SHUT_RDWR);
    const std::scoped_lock lock(mutex_);
    std::erase(open_, fd);
    ::close(fd);
  }

  static bool send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  static TestRequest parse(const std::string& text) {
    TestRequest request;
    const auto lines = split_lines(text);
    const auto words = split_words(lines.front());
    request.method = words.at(0);
    request.path = words.at(1);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::size_t colon = lines[i].find(':');
      request.headers[to_lower(lines[i].substr(0, colon))] = trim(lines[i].substr(colon + 1));
    }
    return request;
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::thread acceptor_;
  mutable std::mutex mutex_;
  std::vector<std::thread> threads_;
  std::vector<int> open_;
  std::vector<TestRequest> requests_;
};

}  // namespace fitment
