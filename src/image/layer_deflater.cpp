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

/// Gzip members without name and time.
class GzipChunks final : public ChunkDeflater {
 public:
  GzipChunks() {
    constexpr int kGzip = MAX_WBITS + 16;
    constexpr int kMemoryLevel = 8;
    is_started_ =
        deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY)
        == Z_OK;
  }
  GzipChunks(const GzipChunks&) = delete;
  GzipChunks& operator=(const GzipChunks&) = delete;
  ~GzipChunks() override { deflateEnd(&stream_); }

  Result<std::string_view> deflate(std::string_view bytes) override {
    if (!is_started_ || deflateReset(&stream_) != Z_OK) {
      return fail(ErrorCode::internal, "zlib could not be started");
    }
    out_.resize(std::max<std::size_t>(out_.size(),
                                      deflateBound(&stream_, static_cast<uLong>(bytes.size()))));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
    if (::deflate(&stream_, Z_FINISH) != Z_STREAM_END) {
      return fail(ErrorCode::internal, "zlib did not end a member");
    }
    return std::string_view(out_).substr(0, stream_.total_out);
  }

 private:
  z_stream stream_{};
  bool is_started_ = false;
  std::string out_;
};

/// Zstd frames with their checksums.
class ZstdChunks final : public ChunkDeflater {
 public:
  ZstdChunks() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (context_ != nullptr) {
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstdLevel);
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    }
  }

  Result<std::string_view> deflate(std::string_view bytes) override {
    if (context_ == nullptr) {
      return fail(ErrorCode::internal, "zstd could not be started");
    }
    out_.resize(std::max(out_.size(), ZSTD_compressBound(bytes.size())));
    const std::size_t size =
        ZSTD_compress2(context_.get(), out_.data(), out_.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0) {
      return fail(ErrorCode::internal, fmt::format("zstd: {}", ZSTD_getErrorName(size)));
    }
    return std::string_view(out_).substr(0, size);
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::string out_;
};

}  // namespace

LayerDeflater::~LayerDeflater() = default;

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
  while (deflaters_.size() < chunks) {
    if (compression_ == LayerCompression::gzip) {
      deflaters_.push_back(std::make_unique<GzipChunks>());
    } else {
      deflaters_.push_back(std::make_unique<ZstdChunks>());
    }
  }
  std::vector<Result<std::string_view>> done(chunks, std::string_view());
  for_each_index(chunks, kMostThreads, [&](std::size_t i) {
    done[i] = deflaters_[i]->deflate(std::string_view(gathered_).substr(i * kChunk, kChunk));
  });
  for (const Result<std::string_view>& chunk : done) {
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
