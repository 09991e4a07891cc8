// SPDX-License-Identifier: Apache-2.0
// AMD offload bundles that are compressed as a whole, written here and not by the code under test.
#pragma once

#include "support/fatbin_builder.h"

#include <zstd.h>

#include <zlib.h>

#include <cstdint>
#include <string>

namespace fitment {

/// `version` 1 to 3. The hash is not that of the bytes.
inline std::string build_compressed_bundle(const std::string& plain, int version, bool zstd) {
  std::string data(ZSTD_compressBound(plain.size()) + compressBound(plain.size()), '\0');
  if (zstd) {
    data.resize(ZSTD_compress(data.data(), data.size(), plain.data(), plain.size(), 3));
  } else {
    uLongf size = data.size();
    compress(reinterpret_cast<Bytef*>(data.data()),
             &size,
             reinterpret_cast<const Bytef*>(plain.data()),
             plain.size());
    data.resize(size);
  }
  const std::size_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  const int width = version == 3 ? 8 : 4;
  std::string bytes = "CCOB";
  fatbin_detail::put(bytes, static_cast<std::uint64_t>(version), 2);
  fatbin_detail::put(bytes, zstd ? 1 : 0, 2);
  if (version > 1) {
    fatbin_detail::put(bytes, header + data.size(), width);
  }
  fatbin_detail::put(bytes, plain.size(), width);
  fatbin_detail::put(bytes, 0x1122334455667788, 8);
  return bytes + data;
}

}  // namespace fitment
