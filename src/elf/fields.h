// SPDX-License-Identifier: Apache-2.0
// Little-endian numbers out of table rows and into them. Tables are read whole, in rows of a
// checked size, so that a field needs no error path of its own.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fitment {

/// The number at `at`; zero where the bytes end before it (a caller that checked its row size never
/// sees that).
template <typename T>
T load_field(std::string_view bytes, std::uint64_t at) {
  T value{};
  if (at <= bytes.size() && sizeof(T) <= bytes.size() - at) {
    std::memcpy(&value, bytes.data() + at, sizeof(T));
  }
  return value;
}

/// Puts the number at `at`, which with its bytes must be inside.
template <typename T>
void store_field(std::string& bytes, std::uint64_t at, T value) {
  if (at <= bytes.size() && sizeof(T) <= bytes.size() - at) {
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
}

/// The bytes of a number alone.
template <typename T>
std::string field_bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  store_field(bytes, 0, value);
  return bytes;
}

/// The text that starts at `at` and ends at a NUL or at the end of the bytes; empty when `at` is
/// outside.
inline std::string_view load_text(std::string_view bytes, std::uint64_t at) {
  if (at >= bytes.size()) {
    return {};
  }
  const std::string_view rest = bytes.substr(at);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace fitment
