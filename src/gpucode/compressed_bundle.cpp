// SPDX-License-Identifier: Apache-2.0
#include "gpucode/compressed_bundle.h"

#include "base/md5.h"
#include "elf/fields.h"
#include "gpucode/inflate_start.h"

#include <fmt/format.h>
#include <zstd.h>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestRatio = 4096;  // no code shrinks that much
constexpr int kZstdLevel = 12;

Error damaged(const ByteSource& source, const GpuContainer& container, std::string message) {
  return fail(ErrorCode::parse_error, std::move(message))
      .at({source.name(), {}, {}, container.offset});
}

Result<std::string> compress_zstd(std::string_view plain) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  // Code objects of one source for several targets repeat one another over megabytes.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_enableLongDistanceMatching, 1);
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t made =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), plain.data(), plain.size());
  if (ZSTD_isError(made) != 0U) {
    return fail(ErrorCode::internal, fmt::format("zstd failed: {}", ZSTD_getErrorName(made)));
  }
  frame.resize(made);
  return frame;
}

Result<std::string> compress_zlib(std::string_view plain) {
  uLongf size = compressBound(plain.size());
  std::string data(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(data.data()),
                             &size,
                             reinterpret_cast<const Bytef*>(plain.data()),
                             plain.size(),
                             Z_BEST_COMPRESSION);
  if (code != Z_OK) {
    return fail(ErrorCode::internal, "zlib failed");
  }
  data.resize(size);
  return data;
}

}  // namespace

std::optional<CompressedBundle> parse_compressed_bundle(std::string_view bytes) {
  CompressedBundle bundle;
  if (!bytes.starts_with(kCompressedMagic)) {
    return std::nullopt;
  }
  bundle.version = load_field<std::uint16_t>(bytes, 4);
  const auto method = load_field<std::uint16_t>(bytes, 6);
  bundle.compression = method == 0   ? Compression::zlib
                       : method == 1 ? Compression::zstd
                                     : Compression::unknown;
  switch (bundle.version) {
    case 1:
      bundle.header_bytes = 20;
      bundle.inflated_bytes = load_field<std::uint32_t>(bytes, 8);
      break;
    case 2:
      bundle.header_bytes = 24;
      bundle.total_bytes = load_field<std::uint32_t>(bytes, 8);
      bundle.inflated_bytes = load_field<std::uint32_t>(bytes, 12);
      break;
    case 3:
      bundle.header_bytes = 32;
      bundle.total_bytes = load_field<std::uint64_t>(bytes, 8);
      bundle.inflated_bytes = load_field<std::uint64_t>(bytes, 16);
      break;
    default:
      return std::nullopt;
  }
  if (bytes.size() < bundle.header_bytes
      || (bundle.total_bytes && *bundle.total_bytes < bundle.header_bytes)) {
    return std::nullopt;
  }
  bundle.hash = load_field<std::uint64_t>(bytes, bundle.header_bytes - sizeof bundle.hash);
  return bundle;
}

Result<std::string> inflate_bundle(const ByteSource& source, const GpuContainer& container) {
  FITMENT_TRY_ASSIGN(const std::string start,
                     source.read(container.offset,
                                 std::min(container.size, kLongestCompressedHeader),
                                 "a compressed offload bundle"));
  const auto header = parse_compressed_bundle(start);
  if (!header || header->header_bytes > container.size) {
    return damaged(source, container, "the header of a compressed offload bundle is damaged");
  }
  const std::uint64_t stored = container.size - header->header_bytes;
  if (header->inflated_bytes > kInflatedBundleLimit || stored > kInflatedBundleLimit) {
    return fail(ErrorCode::unsupported,
                fmt::format("an offload bundle of {} bytes", header->inflated_bytes))
        .at({source.name(), {}, {}, container.offset});
  }
  if (header->inflated_bytes / kLargestRatio > stored) {
    return damaged(source, container, "a compressed offload bundle whose sizes cannot be true");
  }
  FITMENT_TRY_ASSIGN(const std::string compressed,
                     source.read(container.offset + header->header_bytes,
                                 stored,
                                 "a compressed offload bundle",
                                 kInflatedBundleLimit));
  // One byte more than there should be, to see that there is none.
  auto plain = inflate_start(compressed, header->compression, header->inflated_bytes + 1);
  if (!plain) {
    return std::move(plain).error().at({source.name(), {}, {}, container.offset});
  }
  if (plain->size() != header->inflated_bytes) {
    return damaged(source,
                   container,
                   fmt::format("a compressed offload bundle that does not inflate to {} bytes",
                               header->inflated_bytes));
  }
  return plain;
}

Result<std::string> compress_bundle(std::string_view plain, const CompressedBundle& like) {
  if (like.compression != Compression::zstd && like.compression != Compression::zlib) {
    return fail(ErrorCode::unsupported, "this compression is not written");
  }
  FITMENT_TRY_ASSIGN(
      const std::string data,
      like.compression == Compression::zstd ? compress_zstd(plain) : compress_zlib(plain));
  const std::uint64_t total = like.header_bytes + data.size();
  constexpr std::uint64_t kShort = std::numeric_limits<std::uint32_t>::max();
  const bool is_long = like.version == 3;
  if (!is_long && (total > kShort || plain.size() > kShort)) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} bytes in a bundle of version {}", plain.size(), like.version));
  }
  std::string bytes(like.header_bytes, '\0');
  bytes.replace(0, kCompressedMagic.size(), kCompressedMagic);
  store_field<std::uint16_t>(bytes, 4, like.version);
  store_field<std::uint16_t>(bytes, 6, like.compression == Compression::zstd ? 1 : 0);
  if (is_long) {
    store_field<std::uint64_t>(bytes, 8, total);
    store_field<std::uint64_t>(bytes, 16, plain.size());
  } else {
    const std::size_t inflated_at = like.total_bytes ? 12 : 8;
    store_field<std::uint32_t>(bytes, 8, static_cast<std::uint32_t>(total));
    store_field<std::uint32_t>(bytes, inflated_at, static_cast<std::uint32_t>(plain.size()));
  }
  store_field<std::uint64_t>(bytes, like.header_bytes - sizeof(std::uint64_t), md5_start(plain));
  return bytes + data;
}

}  // namespace fitment
