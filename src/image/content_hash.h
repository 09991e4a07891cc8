// SPDX-License-Identifier: Apache-2.0
// A fast hash (XXH3, 128 bits) that tells equal contents. It finds duplicates and compares trees
// that fitment itself wrote; nothing is deleted or trusted because of it, since whoever means harm
// can make two contents of one hash. What must be trusted has its SHA-256 checked.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace fitment {

struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const ContentHash&, const ContentHash&) = default;
};

ContentHash hash_content(std::string_view bytes);

/// Of bytes that come one after another; used again and again.
class ContentHasher {
 public:
  ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;
  ContentHasher(ContentHasher&&) = delete;
  ContentHasher& operator=(ContentHasher&&) = delete;
  ~ContentHasher();

  void start();
  /// With a key that only this run knows: nobody can prepare two contents of one such hash, and
  /// hashes of other runs cannot be compared.
  void start_keyed();
  void add(std::string_view bytes);
  [[nodiscard]] ContentHash value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitment
