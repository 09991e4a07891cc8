// SPDX-License-Identifier: Apache-2.0
// The whole server in this process, with an index that a test stands in for.
#include "index/server.h"

#include "index/route_file.h"
#include "support/machines.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <list>
#include <thread>

namespace fitment {
namespace {

/// Knows every project but those that are called `absent` or `broken`.
class StubUpstream final : public Upstream {
 public:
  Result<UpstreamPage> get_page(const std::string& url, const std::string& known) override {
    ++asked;
    if (url.find("/broken/") != std::string::npos) {
      return fail(ErrorCode::network_error, "the index is down");
    }
    UpstreamPage page;
    page.url = url;
    page.content_type = "text/html";
    page.sha256 = "1";
    if (url.find("/absent/") != std::string::npos) {
      page.state = UpstreamPage::State::absent;
    } else if (known == page.sha256) {
      page.state = UpstreamPage::State::not_modified;
    } else {
      for (const char* label : {"cpu", "cu126", "cu128"}) {
        page.body += "<a href=\"torch-2.8.0%2B" + std::string(label)
                     + "-cp312-cp312-linux_x86_64.whl\" data-core-metadata=\"true\">x</a>\n";
      }
    }
    return page;
  }
  Result<std::string> get_file(const std::string& /*url*/, std::uint64_t /*limit*/) override {
    return std::string("Metadata-Version: 2.1\nName: torch\nVersion: 2.8.0\n");
  }
  Result<std::unique_ptr<ByteSource>> open_file(const std::string& /*url*/) override {
    return fail(ErrorCode::network_error, "no ranges");
  }
  Result<std::unique_ptr<ByteSource>> open_stream(const std::string& url) override {
    return open_file(url);
  }
  [[nodiscard]] bool is_private(const std::string& /*url*/) const override { return false; }

  std::atomic<int> asked{0};
};

/// One connection that stays open.
class Client {
 public:
  explicit Client(const std::string& url) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      ADD_FAILURE() << "cannot connect";
    }
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(socket_); }

  /// The whole answer, head and body; empty when the connection broke.
  [[nodiscard]] std::string ask(const std::string& request) const {
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
      return {};
    }
    std::string answer;
    for (;;) {
      const std::size_t end = answer.find("\r\n\r\n");
      const std::size_t length = answer.find("Content-Length: ");
      if (end != std::string::npos) {
        const std::size_t body = length < end ? std::stoul(answer.substr(length + 16)) : 0;
        if (answer.size() >= end + 4 + body) {
          return answer;
        }
      }
      std::array<char, 4096> buffer{};
      const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (count <= 0) {
        EXPECT_FALSE(count < 0 && errno == EAGAIN) << "the server neither answers nor hangs up";
        return {};
      }
      answer.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  [[nodiscard]] std::string get(const std::string& path) const {
    return ask("GET " + path
               + " HTTP/1.1\r\nHost: x\r\nAccept: application/vnd.pypi.simple.v1+json\r\n\r\n");
  }

 private:
  int socket_;
};

struct Running {
  std::shared_ptr<StubUpstream> upstream = std::make_shared<StubUpstream>();
  std::unique_ptr<IndexServer> server;
};

Running start(std::chrono::milliseconds refresh = std::chrono::minutes(1),
              const HttpServerOptions& http = {}) {
  Running running;
  IndexServerInput input;
  input.http = http;
  input.catalog = std::make_shared<const Catalog>();
  input.routes = parse_routes("[[index]]\nname = 'a'\nurl = 'https://host/simple'\nnames = ['*']\n",
                              "fitment.toml",
                              *input.catalog)
                     .value();
  Machine first = testing_support::nvidia_machine({"sm_90"}, "12.8");
  first.name = "first";
  Machine second = testing_support::plain_machine();
  second.name = "second";
  input.machines = {first, second};
  input.upstream = running.upstream;
  input.source.refresh = refresh;
  running.server = IndexServer::start(std::move(input)).value();
  return running;
}

TEST(IndexServer, serves_from_this_process) {
  const Running running = start();
  Client client(running.server->url());
  const std::string page = client.get("/simple/torch/");
  EXPECT_NE(page.find("200 OK"), std::string::npos) << page;
  EXPECT_NE(page.find("https://host/simple/torch/torch-2.8.0%2Bcu128"), std::string::npos);
  EXPECT_NE(client.get("/m/second/simple/torch/").find("200 OK"), std::string::npos);
  EXPECT_NE(client.get("/simple/absent/").find("404 Not Found"), std::string::npos);
  const std::string fault = client.get("/simple/broken/");
  EXPECT_NE(fault.find("502 Bad Gateway"), std::string::npos);
  EXPECT_NE(fault.find("the index is down"), std::string::npos);
}

TEST(IndexServer, asks_the_index_once_for_all_machines) {
  const Running running = start();
  Client client(running.server->url());
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(client.get("/simple/torch/"), "");
    EXPECT_NE(client.get("/m/second/simple/torch/"), "");
  }
  EXPECT_EQ(running.upstream->asked, 1);
}

TEST(IndexServer, many_clients_at_once_while_pages_change_and_machines_come) {
  const Running running = start(std::chrono::milliseconds(2));
  std::atomic<int> good{0};
  std::list<std::jthread> threads;
  constexpr int kThreads = 8;
  constexpr int kRounds = 60;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Client client(running.server->url());
      const std::string machine =
          R"({"schema": "fitment.machine/1", "name": "m)" + std::to_string(thread) + "\"}";
      for (int round = 0; round < kRounds; ++round) {
        const std::string name = std::to_string(round % 7);
        good += client.get("/simple/torch/").find("200 OK") != std::string::npos ? 1 : 0;
        good += client.get("/m/second/simple/p" + name + "/").find("200 OK") != std::string::npos
                    ? 1
                    : 0;
        good += client.get("/b/cu126/simple/torch/").find("200 OK") != std::string::npos ? 1 : 0;
        good += client.ask(
                          "POST /m/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                          "Content-Length: "
                          + std::to_string(machine.size()) + "\r\n\r\n" + machine)
                            .find("201 Created")
                        != std::string::npos
                    ? 1
                    : 0;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(good, 4 * kThreads * kRounds);
}

// The server would wait for an hour for an answer under way, so each connection must end by itself.
TEST(IndexServer, stops_under_load_without_waiting_for_anybody_who_waits) {
  HttpServerOptions patient;
  patient.leaving = std::chrono::hours(1);
  patient.idle = std::chrono::hours(1);
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    const Running running = start(std::chrono::milliseconds(1), patient);
    Client never_asked(running.server->url());
    Client waits(running.server->url());
    ASSERT_FALSE(waits.get("/simple/torch/").empty());
    std::atomic<int> answered{0};
    std::list<Client> clients;
    std::list<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      Client& client = clients.emplace_back(running.server->url());
      threads.emplace_back([&client, &answered] {
        while (!client.get("/simple/torch/").empty()) {
          ++answered;
        }
      });
    }
    while (answered < round) {
      std::this_thread::yield();
    }
    running.server->stop();
    EXPECT_EQ(waits.get("/simple/torch/"), "");
    EXPECT_EQ(never_asked.get("/simple/torch/"), "");
  }
}

TEST(IndexServer, takes_as_many_connections_as_it_may_and_more_when_some_have_left) {
  HttpServerOptions few;
  few.most_connections = 2;
  const Running running = start(std::chrono::minutes(1), few);
  Client first(running.server->url());
  EXPECT_NE(first.get("/simple/torch/"), "");
  {
    Client second(running.server->url());
    EXPECT_NE(second.get("/simple/torch/"), "");
    EXPECT_EQ(Client(running.server->url()).get("/simple/torch/"), "");
  }
  while (Client(running.server->url()).get("/simple/torch/").empty()) {
    std::this_thread::yield();
  }
  EXPECT_NE(first.get("/simple/torch/"), "");
}

}  // namespace
}  // namespace fitment
