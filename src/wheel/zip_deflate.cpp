// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_deflate.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace fitment {

namespace {

constexpr std::size_t kBlock = 256U << 10U;

}  // namespace

Result<Deflated> deflate_source(const ByteSource& source, ScratchBytes& out, int level) {
  z_stream stream{};
  constexpr int kMemory = 8;
  if (deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> ended(&stream, &deflateEnd);
  std::string in;
  std::vector<char> block(kBlock);
  uLong crc = ::crc32(0, nullptr, 0);
  std::uint64_t done = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    if (stream.avail_in == 0 && done < source.size()) {
      in.resize(std::min<std::uint64_t>(kBlock, source.size() - done));
      FITMENT_TRY(source.read_exact(done, in.size(), in.data(), "a new member"));
      done += in.size();
      crc = ::crc32(crc, reinterpret_cast<const Bytef*>(in.data()), static_cast<uInt>(in.size()));
      stream.next_in = reinterpret_cast<Bytef*>(in.data());
      stream.avail_in = static_cast<uInt>(in.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = deflate(&stream, done == source.size() ? Z_FINISH : Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return fail(ErrorCode::internal, "zlib could not deflate");
    }
    FITMENT_TRY(out.append({block.data(), block.size() - stream.avail_out}));
  }
  return Deflated{static_cast<std::uint32_t>(crc), out.size()};
}

Result<std::uint32_t> crc_of(const ByteSource& source) {
  std::vector<char> block(std::min<std::uint64_t>(kBlock, source.size()));
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t done = 0; done < source.size();) {
    const std::uint64_t part = std::min<std::uint64_t>(block.size(), source.size() - done);
    FITMENT_TRY(source.read_exact(done, part, block.data(), "a new member"));
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(part));
    done += part;
  }
  return static_cast<std::uint32_t>(crc);
}

Result<std::string> deflate_text(std::string_view text, int level) {
  ScratchBytes deflated({.in_memory_bytes = UINT64_MAX, .folder = {}});
  FITMENT_TRY(deflate_source(*memory_source(std::string(text), "a new member"), deflated, level));
  const std::unique_ptr<ByteSource> bytes = deflated.finish("a new member");
  return bytes->read(0, bytes->size(), "a new member", UINT64_MAX);
}

std::uint32_t crc_of(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

Result<int> find_deflate_level(std::string_view text, std::string_view deflated) {
  for (const int level : {kUsualDeflateLevel, 9, 1, 2, 3, 4, 5, 7, 8}) {
    FITMENT_TRY_ASSIGN(const std::string again, deflate_text(text, level));
    if (again == deflated) {
      return level;
    }
  }
  return kUsualDeflateLevel;
}

}  // namespace fitment
