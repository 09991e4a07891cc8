// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"
#include "image/layer_compression.h"

#include <fmt/format.h>
#include <zstd.h>

#include <zlib.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace fitment {

namespace {

// Larger chunks compress better (less than 1 % from here on) and cost memory, one a thread.
constexpr std::size_t kChunk = 4U << 20U;
constexpr std::size_t kMostThreads = 8;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;

/// A gzip member without name and time.
Result<std::string> gzip_chunk(std::string_view bytes) {
  constexpr int kGzip = MAX_WBITS + 16;
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY)
      != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) {
    return fail(ErrorCode::internal, "zlib did not end a member");
  }
  return out;
}

/// A zstd frame with its checksum.
Result<std::string> zstd_chunk(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  if (context == nullptr) {
    return fail(ErrorCode::internal, "zstd could not be started");
  }
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) {
    return fail(ErrorCode::internal, fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  }
  out.resize(size);
  return out;
}

}  // namespace

LayerDeflater::LayerDeflater(LayerCompression compression, ByteSink& out)
    : compression_(compression),
      out_(out),
      most_(kChunk
            * std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads)) {}

Status LayerDeflater::write(std::string_view bytes) {
  if (compression_ == LayerCompression::none) {
    return out_.write(bytes);
  }
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), most_ - gathered_.size());
    gathered_ += bytes.substr(0, count);
    bytes.remove_prefix(count);
    if (gathered_.size() == most_) {
      FITMENT_TRY(flush());
    }
  }
  return {};
}

Status LayerDeflater::flush() {
  const std::size_t chunks = (gathered_.size() + kChunk - 1) / kChunk;
  std::vector<Result<std::string>> done(chunks, std::string());
  for_each_index(chunks, kMostThreads, [&](std::size_t i) {
    const std::string_view bytes = std::string_view(gathered_).substr(i * kChunk, kChunk);
    done[i] = compression_ == LayerCompression::gzip ? gzip_chunk(bytes) : zstd_chunk(bytes);
  });
  for (const Result<std::string>& chunk : done) {
    FITMENT_TRY(chunk);
    FITMENT_TRY(out_.write(*chunk));
  }
  gathered_.clear();
  return {};
}

Status LayerDeflater::finish() {
  return compression_ == LayerCompression::none || gathered_.empty() ? Status() : flush();
}

}  // namespace fitment
