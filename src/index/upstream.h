// SPDX-License-Identifier: Apache-2.0
// Where pages and files of indexes come from. The rest of the module sees the world only through
// this, so that tests can stand in for it.
#pragma once

#include "base/byte_source.h"
#include "base/error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace fitment {

struct UpstreamPage {
  enum class State {
    found,
    not_modified,  ///< the page that the caller holds still counts
    absent,        ///< 404; also 403, which PyTorch's index answers for names that it lacks
  };
  State state = State::found;
  std::string url;  ///< after redirects: links are relative to it
  std::string content_type;
  std::string body;
  std::string sha256;  ///< of the body
};

/// Safe for many threads at once. Errors: network_error in words that may be shown to anybody:
/// without credentials.
class Upstream {
 public:
  virtual ~Upstream() = default;
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  /// A page. `known_sha256` is the page that the caller holds; empty: none.
  virtual Result<UpstreamPage> get_page(const std::string& url,
                                        const std::string& known_sha256) = 0;
  /// A small file: METADATA, variant metadata. not_found where there is none.
  virtual Result<std::string> get_file(const std::string& url, std::uint64_t limit) = 0;
  /// A file that is read here and there, such as a wheel. Error: network_error also for a large one
  /// on a server without ranges.
  virtual Result<std::unique_ptr<ByteSource>> open_file(const std::string& url) = 0;
  /// The same to be read from its beginning to its end.
  virtual Result<std::unique_ptr<ByteSource>> open_stream(const std::string& url) = 0;
  /// Whether this address answers with our credentials alone, so that clients cannot be sent there.
  [[nodiscard]] virtual bool is_private(const std::string& url) const = 0;
  /// Whether nothing on the network may be asked: pages that were fetched before are answers, and
  /// of files those that are kept.
  [[nodiscard]] virtual bool is_offline() const { return false; }
  /// The path of a file that is kept on this machine, by its SHA-256; empty: it is not.
  [[nodiscard]] virtual std::string find_kept(const std::string& sha256) const {
    static_cast<void>(sha256);
    return {};
  }

 protected:
  Upstream() = default;
};

}  // namespace fitment
