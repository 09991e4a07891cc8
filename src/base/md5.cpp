// SPDX-License-Identifier: Apache-2.0
#include "base/md5.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <new>

namespace fitment {

std::uint64_t md5_start(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_md5(), nullptr) != 1) {
    throw std::bad_alloc();  // nothing else can be missing: the algorithm is linked in
  }
  std::uint64_t start = 0;
  for (std::size_t i = sizeof start; i-- > 0;) {
    start = start << 8U | digest.at(i);
  }
  return start;
}

}  // namespace fitment
