// SPDX-License-Identifier: Apache-2.0
// What threads hand to one another: blocks of bytes that several may read, in queues of a few.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace fitment {

/// Large enough that handing a block to another thread costs nothing beside filling it.
constexpr std::size_t kBlockBytes = 1U << 20U;

/// Room for a block, which nobody clears before it is filled.
class BlockBuffer {
  using Bytes = std::array<char, kBlockBytes>;

 public:
  BlockBuffer() : bytes_(std::make_unique_for_overwrite<Bytes>()) {}

  [[nodiscard]] char* end() { return bytes_->data() + size_; }
  [[nodiscard]] std::size_t room() const { return kBlockBytes - size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// So many bytes were written at end().
  void grow(std::size_t count) { size_ += count; }
  [[nodiscard]] std::string_view view() const { return {bytes_->data(), size_}; }

 private:
  std::unique_ptr<Bytes> bytes_;
  std::size_t size_ = 0;
};

using Block = std::shared_ptr<const BlockBuffer>;

/// Holds back whoever is faster. Closing it lets both sides go on.
class BlockQueue {
 public:
  /// False: nobody takes blocks any more.
  bool push(Block block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return blocks_.size() < kMost || is_closed_; });
    if (is_closed_) {
      return false;
    }
    blocks_.push_back(std::move(block));
    changed_.notify_all();
    return true;
  }

  /// None: closed, and all that was pushed has been taken.
  std::optional<Block> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !blocks_.empty() || is_closed_; });
    if (blocks_.empty()) {
      return std::nullopt;
    }
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    changed_.notify_all();
    return block;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t kMost = 4;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;
  bool is_closed_ = false;
};

}  // namespace fitment
