// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fitment {

/// How many bytes of texts are taken out of a table. Its rows may share their texts, so a small
/// file can claim more than memory holds; what linkers write stays far below.
class TextAllowance {
 public:
  /// `bytes`: of the file or section that holds the texts.
  explicit TextAllowance(std::uint64_t bytes) : left_(kFree + kTimes * bytes) {}

  /// False: the file claims too much.
  [[nodiscard]] bool take(std::uint64_t bytes) {
    if (bytes > left_) {
      return false;
    }
    left_ -= bytes;
    return true;
  }

 private:
  static constexpr std::uint64_t kFree = 64U << 20U;
  static constexpr std::uint64_t kTimes = 8;

  std::uint64_t left_;
};

}  // namespace fitment
