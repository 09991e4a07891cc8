// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"
#include "image/block_queue.h"

#include <cstdint>
#include <string>
#include <thread>

namespace fitment {

/// SHA-256 of a stream in a thread of its own, so that it costs the reader nothing where a core is
/// free.
class DigestThread {
 public:
  DigestThread()
      : thread_([this] {
          while (const auto block = queue_.pop()) {
            digest_.add(**block);
          }
        }) {}
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
  std::string hex() {
    queue_.close();
    thread_.join();
    return digest_.hex();
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  BlockQueue queue_;
  Sha256 digest_;
  std::uint64_t bytes_ = 0;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace fitment
