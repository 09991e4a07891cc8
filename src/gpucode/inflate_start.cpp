// SPDX-License-Identifier: Apache-2.0
#include "gpucode/inflate_start.h"

#include <fmt/format.h>
#include <zstd.h>

#include <zlib.h>

#include <memory>

namespace fitment {

namespace {

Result<std::string> inflate_zstd(std::string_view compressed, std::size_t limit) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  std::string text(limit, '\0');
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  ZSTD_outBuffer out{text.data(), text.size(), 0};
  while (in.pos < in.size && out.pos < out.size) {
    const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0U) {
      return fail(ErrorCode::parse_error,
                  fmt::format("the zstd data are damaged: {}", ZSTD_getErrorName(left)));
    }
    if (left == 0) {
      break;
    }
  }
  text.resize(out.pos);
  return text;
}

Result<std::string> inflate_zlib(std::string_view compressed, std::size_t limit) {
  std::string text(limit, '\0');
  z_stream stream{};
  std::string in(compressed);  // zlib's interface is not const
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  if (inflateInit(&stream) != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  const int code = inflate(&stream, Z_SYNC_FLUSH);
  const std::size_t made = text.size() - stream.avail_out;
  inflateEnd(&stream);
  if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
    return fail(ErrorCode::parse_error, "the zlib data are damaged");
  }
  text.resize(made);
  return text;
}

}  // namespace

Result<std::string> inflate_start(std::string_view compressed,
                                  Compression compression,
                                  std::size_t limit) {
  switch (compression) {
    case Compression::zstd:
      return inflate_zstd(compressed, limit);
    case Compression::zlib:
      return inflate_zlib(compressed, limit);
    case Compression::none:
      return std::string(compressed.substr(0, limit));
    case Compression::lz4:
    case Compression::unknown:
      break;
  }
  return fail(ErrorCode::unsupported, "this compression is not read");
}

}  // namespace fitment
