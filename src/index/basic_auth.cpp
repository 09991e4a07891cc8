// SPDX-License-Identifier: Apache-2.0
#include "index/basic_auth.h"

#include "base/text.h"

#include <openssl/crypto.h>

#include <cstdint>
#include <optional>
#include <string>

namespace fitment {

namespace {

bool is_same(std::string_view given, std::string_view token) {
  return given.size() == token.size()
         && ::CRYPTO_memcmp(given.data(), token.data(), token.size()) == 0;
}

std::optional<std::uint32_t> base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') {
    return static_cast<std::uint32_t>(c - 'A');
  }
  if (c >= 'a' && c <= 'z') {
    return static_cast<std::uint32_t>(c - 'a' + 26);
  }
  if (is_digit(c)) {
    return static_cast<std::uint32_t>(c - '0' + 52);
  }
  return c == '+' ? std::optional(62U) : c == '/' ? std::optional(63U) : std::nullopt;
}

/// Up to the first character that is none of base64's.
std::string decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const auto digit = base64_digit(c);
    if (!digit) {
      break;
    }
    bits = (bits << 6U) | *digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 0xffU);
    }
  }
  return bytes;
}

}  // namespace

bool carries_token(std::string_view authorization, std::string_view token) {
  const std::size_t blank = authorization.find(' ');
  if (blank == std::string_view::npos) {
    return false;
  }
  const std::string scheme = to_lower(authorization.substr(0, blank));
  const std::string_view value = trim(authorization.substr(blank));
  if (scheme == "bearer") {
    return is_same(value, token);
  }
  if (scheme != "basic") {
    return false;
  }
  const std::string pair = decode_base64(value);
  const std::size_t colon = std::min(pair.find(':'), pair.size());
  const std::string_view view(pair);
  const bool is_user = is_same(view.substr(0, colon), token);
  const bool is_password = is_same(view.substr(std::min(colon + 1, view.size())), token);
  return is_user || is_password;
}

}  // namespace fitment
