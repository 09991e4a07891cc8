// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fitment {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// The same of a whole source, block by block. Errors: those of reading.
Result<std::string> sha256_hex(const ByteSource& source);

/// SHA-256 of bytes that come one after another.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  Sha256(Sha256&&) = delete;
  Sha256& operator=(Sha256&&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  /// The bytes of a source from `begin` to `end`. Errors: those of reading.
  Status add(const ByteSource& source, std::uint64_t begin, std::uint64_t end);
  /// Of everything that was added. Call it once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitment
