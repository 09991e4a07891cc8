// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"
#include "image/block_queue.h"
#include "image/content_hash.h"

#include <cstdint>
#include <string>
#include <thread>

namespace fitment {

/// What tells whether bytes are what they should be.
enum class DigestKind {
  sha256,    ///< and the keyed hash
  same_run,  ///< the keyed hash alone: whether they are what this run has digested before
};

struct StreamDigest {
  std::string sha256;  ///< empty where it was not wanted
  ContentHash keyed;   ///< ContentHasher::start_keyed
};

/// Digests a stream in a thread of its own, so that it costs the reader nothing where a core is
/// free.
class DigestThread {
 public:
  explicit DigestThread(DigestKind kind) : kind_(kind) {
    keyed_.start_keyed();
    thread_ = std::jthread([this] { run(); });
  }
  DigestThread(const DigestThread&) = delete;
  DigestThread& operator=(const DigestThread&) = delete;
  DigestThread(DigestThread&&) = delete;
  DigestThread& operator=(DigestThread&&) = delete;
  ~DigestThread() { queue_.close(); }

  void add(Block block) {
    bytes_ += block->size();
    queue_.push(std::move(block));
  }
  /// Waits for the end of what was added. Call it once.
  StreamDigest finish() {
    queue_.close();
    thread_.join();
    return {kind_ == DigestKind::sha256 ? sha256_.hex() : std::string(), keyed_.value()};
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void run() {
    while (const auto block = queue_.pop()) {
      keyed_.add((*block)->view());
      if (kind_ == DigestKind::sha256) {
        sha256_.add((*block)->view());
      }
    }
  }

  DigestKind kind_;
  BlockQueue queue_;
  Sha256 sha256_;
  ContentHasher keyed_;
  std::uint64_t bytes_ = 0;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace fitment
