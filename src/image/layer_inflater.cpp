// SPDX-License-Identifier: Apache-2.0
#include "image/layer_compression.h"

// For ZSTD_d_forceIgnoreChecksum.
#define ZSTD_STATIC_LINKING_ONLY  // NOLINT(readability-identifier-naming)
#include <fmt/format.h>
#include <zstd.h>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace fitment {

namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

Error damaged(std::string_view what) {
  return fail(ErrorCode::parse_error, fmt::format("its {} data are damaged", what))
      .hint("fetch or export the image again");
}

class PlainInflater final : public LayerInflater {
 public:
  Status inflate(std::string_view& in, char*& out, std::size_t& room) override {
    const std::size_t count = std::min(in.size(), room);
    std::memcpy(out, in.data(), count);
    in.remove_prefix(count);
    out += count;
    room -= count;
    return {};
  }
  [[nodiscard]] bool is_complete() const override { return true; }
};

class GzipInflater final : public LayerInflater {
 public:
  GzipInflater() { is_started_ = inflateInit2(&stream_, kGzipOnly) == Z_OK; }
  GzipInflater(const GzipInflater&) = delete;
  GzipInflater& operator=(const GzipInflater&) = delete;
  ~GzipInflater() override { inflateEnd(&stream_); }

  Status inflate(std::string_view& in, char*& out, std::size_t& room) override {
    if (!is_started_) {
      return fail(ErrorCode::internal, "zlib could not be started");
    }
    if (is_between_) {
      if (in.empty()) {
        return {};
      }
      inflateReset(&stream_);  // another member
      is_between_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = limited(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = limited(room);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return damaged("gzip");
    }
    is_between_ = code == Z_STREAM_END;
    in.remove_prefix(limited(in.size()) - stream_.avail_in);
    const std::size_t made = limited(room) - stream_.avail_out;
    out += made;
    room -= made;
    return {};
  }
  [[nodiscard]] bool is_complete() const override { return is_between_; }

 private:
  static constexpr int kGzipOnly = MAX_WBITS + 16;
  static uInt limited(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  z_stream stream_{};
  bool is_started_ = false;
  bool is_between_ = false;
};

class ZstdInflater final : public LayerInflater {
 public:
  /// Every layer is digested as a whole: checksums of frames would be a second look at the same.
  ZstdInflater() : stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ != nullptr) {
      ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_forceIgnoreChecksum, ZSTD_d_ignoreChecksum);
    }
  }

  Status inflate(std::string_view& in, char*& out, std::size_t& room) override {
    if (stream_ == nullptr) {
      return fail(ErrorCode::internal, "zstd could not be started");
    }
    if (is_between_ && in.empty()) {
      return {};
    }
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    const std::size_t code = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(code) != 0) {
      return damaged("zstd");
    }
    is_between_ = code == 0;
    in.remove_prefix(from.pos);
    out += to.pos;
    room -= to.pos;
    return {};
  }
  [[nodiscard]] bool is_complete() const override { return is_between_; }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool is_between_ = false;
};

}  // namespace

std::string_view to_string(LayerCompression compression) {
  switch (compression) {
    case LayerCompression::none:
      return "none";
    case LayerCompression::gzip:
      return "gzip";
    case LayerCompression::zstd:
      break;
  }
  return "zstd";
}

std::optional<LayerCompression> parse_layer_compression(std::string_view word) {
  for (const auto compression :
       {LayerCompression::none, LayerCompression::gzip, LayerCompression::zstd}) {
    if (word == to_string(compression)) {
      return compression;
    }
  }
  return std::nullopt;
}

LayerCompression detect_compression(std::string_view start) {
  if (start.starts_with(kGzipMagic)) {
    return LayerCompression::gzip;
  }
  // A skippable frame, as programs put before or behind the data (50 to 5f 2a 4d 18).
  const bool is_skippable = start.size() >= 4 && start.substr(1, 3) == "\x2a\x4d\x18"
                            && (static_cast<unsigned char>(start[0]) & 0xf0U) == 0x50U;
  return start.starts_with(kZstdMagic) || is_skippable ? LayerCompression::zstd
                                                       : LayerCompression::none;
}

std::unique_ptr<LayerInflater> make_inflater(LayerCompression compression) {
  switch (compression) {
    case LayerCompression::gzip:
      return std::make_unique<GzipInflater>();
    case LayerCompression::zstd:
      return std::make_unique<ZstdInflater>();
    case LayerCompression::none:
      break;
  }
  return std::make_unique<PlainInflater>();
}

}  // namespace fitment
