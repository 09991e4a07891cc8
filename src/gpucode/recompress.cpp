// SPDX-License-Identifier: Apache-2.0
#include "gpucode/recompress.h"

#include "elf/fields.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace fitment {

namespace {

constexpr std::uint64_t kInflatedLimit = 1U << 30U;  // of one entry
constexpr std::uint64_t kLargestRatio = 4096;        // no compiler's output shrinks that much
constexpr std::uint64_t kSmallest = 256;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;

Error damaged(std::string message) {
  return fail(ErrorCode::parse_error, std::move(message));
}

/// The continuation bytes of a length in LZ4: 255 means that more follow.
bool read_length(std::string_view block, std::size_t& at, std::uint64_t& length) {
  unsigned char byte = 0;
  do {
    if (at >= block.size()) {
      return false;
    }
    byte = static_cast<unsigned char>(block[at++]);
    length += byte;
  } while (byte == 255);
  return true;
}

Result<std::string> inflate_zstd_frame(std::string_view frame, std::uint64_t size) {
  std::string bytes(size, '\0');
  const std::size_t made = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(made) != 0U) {
    return damaged(fmt::format("the zstd data are damaged: {}", ZSTD_getErrorName(made)));
  }
  if (made != size) {
    return damaged(fmt::format("{} bytes of zstd data instead of {}", made, size));
  }
  return bytes;
}

Result<std::string> compress(std::string_view code, int level) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  std::string frame(ZSTD_compressBound(code.size()), '\0');
  const std::size_t made =
      ZSTD_compressCCtx(context.get(), frame.data(), frame.size(), code.data(), code.size(), level);
  if (ZSTD_isError(made) != 0U) {
    return fail(ErrorCode::internal, fmt::format("zstd failed: {}", ZSTD_getErrorName(made)));
  }
  frame.resize(made);
  return frame;
}

}  // namespace

Result<std::string> inflate_lz4_block(std::string_view block, std::uint64_t size) {
  // A token (literals in the upper half, match length minus 4 in the lower), literals, and unless
  // the block ends here a distance of 16 bits back into what was written.
  std::string out;
  out.reserve(size);
  std::size_t at = 0;
  while (at < block.size()) {
    const auto token = static_cast<unsigned char>(block[at++]);
    std::uint64_t literals = token >> 4U;
    if (literals == 15 && !read_length(block, at, literals)) {
      return damaged("LZ4 data that end inside a length");
    }
    if (literals > block.size() - at || literals > size - out.size()) {
      return damaged("LZ4 data with more literals than there are");
    }
    out += block.substr(at, literals);
    at += literals;
    if (at == block.size()) {
      break;
    }
    if (block.size() - at < 2) {
      return damaged("LZ4 data that end inside a distance");
    }
    const std::uint64_t distance = load_field<std::uint16_t>(block, at);
    at += 2;
    std::uint64_t length = token & 15U;
    if (length == 15 && !read_length(block, at, length)) {
      return damaged("LZ4 data that end inside a length");
    }
    length += 4;
    if (distance == 0 || distance > out.size() || length > size - out.size()) {
      return damaged("LZ4 data that point outside of what was written");
    }
    for (std::uint64_t i = 0; i < length; ++i) {  // the match may overlap what it writes
      out += out[out.size() - distance];
    }
  }
  if (out.size() != size) {
    return damaged(fmt::format("{} bytes of LZ4 data instead of {}", out.size(), size));
  }
  return out;
}

bool may_recompress(const GpuEntry& entry) {
  const bool is_code = entry.kind == CodeKind::cubin || entry.kind == CodeKind::ptx;
  const bool is_other =
      entry.compression == Compression::none || entry.compression == Compression::lz4;
  return is_code && is_other && entry.payload_bytes >= kSmallest;
}

Result<std::string> inflate_entry(const ByteSource& source, const GpuEntry& entry) {
  const std::uint64_t at = entry.offset + entry.header_bytes;
  if (entry.compression == Compression::none) {
    return source.read(at, entry.payload_bytes, "GPU code", kInflatedLimit);
  }
  if (!entry.inflated_bytes || entry.compressed_bytes > entry.payload_bytes
      || *entry.inflated_bytes > kInflatedLimit
      || *entry.inflated_bytes / kLargestRatio > entry.compressed_bytes) {
    return damaged("compressed GPU code whose sizes cannot be true")
        .at({source.name(), {}, {}, entry.offset});
  }
  FITMENT_TRY_ASSIGN(const std::string stored,
                     source.read(at, entry.compressed_bytes, "GPU code", kInflatedLimit));
  auto code = entry.compression == Compression::lz4
                  ? inflate_lz4_block(stored, *entry.inflated_bytes)
              : entry.compression == Compression::zstd
                  ? inflate_zstd_frame(stored, *entry.inflated_bytes)
                  : Result<std::string>(
                      fail(ErrorCode::unsupported, "GPU code in a compression that is not known"));
  if (!code) {
    return std::move(code).error().at({source.name(), {}, {}, entry.offset});
  }
  return code;
}

Result<std::optional<std::string>> recompress_entry(const ByteSource& source,
                                                    const GpuEntry& entry,
                                                    int level) {
  FITMENT_TRY_ASSIGN(std::string code, inflate_entry(source, entry));
  if (entry.kind == CodeKind::ptx) {
    // The toolkit compresses text without the zeros behind it.
    code.resize(code.find_last_not_of('\0') + 1);
  }
  FITMENT_TRY_ASSIGN(const std::string frame, compress(code, level));
  const std::uint64_t payload = (frame.size() + 7) / 8 * 8;
  if (payload >= entry.payload_bytes || code.empty()) {
    return std::optional<std::string>();
  }
  FITMENT_TRY_ASSIGN(const std::string again, inflate_zstd_frame(frame, code.size()));
  if (again != code) {
    return fail(ErrorCode::internal, "zstd did not return what it was given");
  }
  FITMENT_TRY_ASSIGN(
      std::string bytes,
      source.read(entry.offset, entry.header_bytes, "the header of GPU code", kInflatedLimit));
  store_field<std::uint64_t>(bytes, 0x08, payload);
  store_field<std::uint32_t>(bytes, 0x10, static_cast<std::uint32_t>(frame.size()));
  store_field<std::uint64_t>(bytes, 0x28, (entry.flags & ~kFlagLz4) | kFlagZstd);
  store_field<std::uint64_t>(bytes, 0x38, code.size());
  bytes += frame;
  bytes.resize(entry.header_bytes + payload);
  return std::optional<std::string>(std::move(bytes));
}

}  // namespace fitment
