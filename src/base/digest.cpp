// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace fitment {

namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

std::string hex_of(const Digest& digest) {
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += fmt::format("{:02x}", byte);
  }
  return hex;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Digest digest{};
  // The one-shot function, not EVP: EVP fetches an algorithm through the provider store, which
  // costs a start-up.
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return hex_of(digest);
}

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr
      || EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();  // nothing else can be missing: the algorithm is linked in
  }
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  Digest digest{};
  EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr);
  return hex_of(digest);
}

Status Sha256::add(const ByteSource& source, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kBlock = 1U << 20U;
  std::string block(std::min(kBlock, end - begin), '\0');
  for (std::uint64_t at = begin; at < end; at += kBlock) {
    const std::uint64_t count = std::min(kBlock, end - at);
    FITMENT_TRY(source.read_exact(at, count, block.data(), "the bytes of a digest"));
    add({block.data(), count});
  }
  return {};
}

Result<std::string> sha256_hex(const ByteSource& source) {
  Sha256 digest;
  FITMENT_TRY(digest.add(source, 0, source.size()));
  return digest.hex();
}

}  // namespace fitment
