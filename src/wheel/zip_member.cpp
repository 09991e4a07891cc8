// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_member.h"

#include "base/sub_source.h"
#include "wheel/quote.h"
#include "wheel/zip_format.h"

#include <fmt/format.h>

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

constexpr std::size_t kBlock = 256U << 10U;
constexpr const char* kFetchAgain = "the archive is damaged; fetch or build it again";

Error damaged(const ByteSource& archive, std::uint64_t offset, std::string message) {
  return fail(ErrorCode::parse_error, std::move(message)).at({archive.name(), {}, {}, offset});
}

Status check_readable(const ByteSource& archive, const ZipEntry& entry) {
  const auto refuse = [&](std::string message) {
    return fail(ErrorCode::unsupported, std::move(message))
        .at({archive.name(), {}, {}, entry.local_offset});
  };
  if (entry.is_encrypted()) {
    return refuse(fmt::format("member {} is encrypted", quote(entry.name)))
        .hint("wheels must not be encrypted: installers refuse this one as well");
  }
  if ((entry.flags & kPatched) != 0) {
    return refuse(fmt::format("member {} is a patch of another file", quote(entry.name)));
  }
  if (entry.method != ZipMethod::stored && entry.method != ZipMethod::deflated) {
    return refuse(fmt::format("member {} is compressed by method {}, which is not read",
                              quote(entry.name),
                              static_cast<unsigned>(entry.method)))
        .hint("members of wheels are stored (0) or deflated (8); repack the archive");
  }
  return {};
}

/// Sizes of the local header, with those of its zip64 field in their place.
struct LocalSizes {
  std::uint64_t compressed = 0;
  std::uint64_t inflated = 0;
};

Status read_local_zip64(std::string_view extra,
                        std::uint64_t origin,
                        const ByteSource& archive,
                        LocalSizes& sizes) {
  ByteReader reader(extra, origin, archive.name());
  while (reader.remaining() >= 4) {
    FITMENT_TRY_ASSIGN(const std::uint16_t id, reader.u16());
    FITMENT_TRY_ASSIGN(const std::uint16_t size, reader.u16());
    const std::uint64_t start = origin + reader.position();
    FITMENT_TRY_ASSIGN(const std::string_view data, reader.bytes(size));
    if (id != kZip64Extra) {
      continue;
    }
    ByteReader values(data, start, archive.name());
    for (std::uint64_t* value : {&sizes.inflated, &sizes.compressed}) {
      if (*value == kIn64Bits) {
        FITMENT_TRY_ASSIGN(*value, values.u64());
      }
    }
    return {};
  }
  return {};
}

/// Inflates raw deflate data block by block.
class Inflater {
 public:
  Inflater(const ByteSource& archive, const ZipEntry& entry, std::uint64_t data_offset)
      : archive_(archive), entry_(entry), offset_(data_offset), left_(entry.compressed_size) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater&&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  Status run(ScratchBytes& out);

 private:
  Status fill();
  [[nodiscard]] Error bad(std::string_view what) const {
    return damaged(archive_,
                   offset_ - stream_.avail_in,
                   fmt::format("member {}: {}", quote(entry_.name), what))
        .hint(kFetchAgain);
  }

  const ByteSource& archive_;
  const ZipEntry& entry_;
  std::uint64_t offset_;  // of the next block
  std::uint64_t left_;
  z_stream stream_{};
  std::string in_;
};

Status Inflater::fill() {
  const std::uint64_t count = std::min<std::uint64_t>(left_, kBlock);
  in_.resize(count);
  FITMENT_TRY(archive_.read_exact(offset_, count, in_.data(), "a member"));
  offset_ += count;
  left_ -= count;
  stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
  stream_.avail_in = static_cast<uInt>(count);
  return {};
}

Status Inflater::run(ScratchBytes& out) {
  if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  std::vector<char> block(kBlock);
  uLong crc = ::crc32(0, nullptr, 0);
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    if (stream_.avail_in == 0) {
      if (left_ == 0) {
        return bad("its data end too early");
      }
      FITMENT_TRY(fill());
    }
    stream_.next_out = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_out = static_cast<uInt>(block.size());
    code = inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return bad("its deflate data are damaged");
    }
    const std::size_t made = block.size() - stream_.avail_out;
    if (made > entry_.size - out.size()) {
      return bad(fmt::format("it inflates to more than the {} bytes that it claims", entry_.size));
    }
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(made));
    FITMENT_TRY(out.append({block.data(), made}));
  }
  if (stream_.avail_in > 0 || left_ > 0) {
    return bad("bytes follow its deflate data");
  }
  if (out.size() != entry_.size) {
    return bad(fmt::format("it inflates to {} bytes and claims {}", out.size(), entry_.size));
  }
  if (crc != entry_.crc32) {
    return bad(fmt::format("its CRC is {:08x} and should be {:08x}", crc, entry_.crc32));
  }
  return {};
}

Status check_stored_crc(const ByteSource& archive, const ZipEntry& entry, std::uint64_t offset) {
  std::vector<char> block(kBlock);
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t done = 0; done < entry.size;) {
    const std::uint64_t count = std::min<std::uint64_t>(kBlock, entry.size - done);
    FITMENT_TRY(archive.read_exact(offset + done, count, block.data(), "a member"));
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(count));
    done += count;
  }
  if (crc != entry.crc32) {
    return damaged(archive,
                   offset,
                   fmt::format("member {}: its CRC is {:08x} and should be {:08x}",
                               quote(entry.name),
                               crc,
                               entry.crc32))
        .hint(kFetchAgain);
  }
  return {};
}

Status check_limits(const ByteSource& archive, const ZipEntry& entry, const ZipLimits& limits) {
  if (entry.size > limits.member_bytes) {
    return damaged(archive,
                   entry.record_offset,
                   fmt::format("member {} claims {} bytes, more than the {} that are inflated",
                               quote(entry.name),
                               entry.size,
                               limits.member_bytes));
  }
  if (entry.size > limits.free_bytes && entry.size / limits.ratio > entry.compressed_size) {
    return damaged(
        archive,
        entry.record_offset,
        fmt::format("member {} claims to inflate from {} to {} bytes, as only a zip bomb "
                    "does",
                    quote(entry.name),
                    entry.compressed_size,
                    entry.size));
  }
  return {};
}

}  // namespace

Result<ZipDataPlace> find_zip_data(const ByteSource& archive, const ZipEntry& entry) {
  FITMENT_TRY(check_readable(archive, entry));
  FITMENT_TRY_ASSIGN(const std::string head,
                     archive.read(entry.local_offset, kLocalHeaderBytes, "the header of a member"));
  ByteReader reader(head, entry.local_offset, archive.name());
  FITMENT_TRY_ASSIGN(const std::uint32_t signature, reader.u32());
  if (signature != kLocalHeader) {
    return damaged(archive,
                   entry.local_offset,
                   fmt::format("there is no header of member {} here", quote(entry.name)));
  }
  FITMENT_TRY(reader.skip(2));
  FITMENT_TRY_ASSIGN(const std::uint16_t flags, reader.u16());
  FITMENT_TRY_ASSIGN(const std::uint16_t method, reader.u16());
  FITMENT_TRY(reader.skip(4));  // time and date
  FITMENT_TRY_ASSIGN(const std::uint32_t crc, reader.u32());
  LocalSizes sizes;
  FITMENT_TRY_ASSIGN(sizes.compressed, reader.u32());
  FITMENT_TRY_ASSIGN(sizes.inflated, reader.u32());
  FITMENT_TRY_ASSIGN(const std::uint16_t name_size, reader.u16());
  FITMENT_TRY_ASSIGN(const std::uint16_t extra_size, reader.u16());
  const std::uint64_t names_offset = entry.local_offset + kLocalHeaderBytes;
  FITMENT_TRY_ASSIGN(
      const std::string names,
      archive.read(names_offset, std::uint64_t{name_size} + extra_size, "the name of a member"));
  ZipDataPlace place;
  place.extra = names.substr(name_size);
  place.offset = names_offset + name_size + extra_size;
  if (place.offset > entry.region_end || entry.region_end - place.offset < entry.compressed_size) {
    return damaged(archive,
                   entry.local_offset,
                   fmt::format("members overlap: the data of {} reach into what follows",
                               quote(entry.name)))
        .hint("archives like this unpack to more than they hold; do not install it");
  }
  FITMENT_TRY(read_local_zip64(place.extra, names_offset + name_size, archive, sizes));

  constexpr std::uint16_t kThatMatter = kEncrypted | kPatched | kStrongEncryption | kDescriptor;
  const bool sizes_follow = entry.has_descriptor() && sizes.compressed == 0 && sizes.inflated == 0;
  const bool agree =
      std::string_view(names).substr(0, name_size) == entry.name
      && method == static_cast<std::uint16_t>(entry.method)
      && (flags & kThatMatter) == (entry.flags & kThatMatter)
      && (sizes_follow
          || (sizes.compressed == entry.compressed_size && sizes.inflated == entry.size))
      && ((entry.has_descriptor() && crc == 0) || crc == entry.crc32);
  if (!agree) {
    return damaged(archive,
                   entry.local_offset,
                   fmt::format("the header and the directory disagree about member {}",
                               quote(entry.name)))
        .hint("another program may read this archive in another way; do not install it");
  }
  if (entry.method == ZipMethod::stored && entry.compressed_size != entry.size) {
    return damaged(archive,
                   entry.record_offset,
                   fmt::format("member {} is stored and has two sizes", quote(entry.name)));
  }
  return place;
}

Result<std::unique_ptr<ByteSource>> open_zip_member(const ByteSource& archive,
                                                    const ZipEntry& entry,
                                                    std::string name,
                                                    const ScratchOptions& scratch,
                                                    const ZipLimits& limits) {
  FITMENT_TRY_ASSIGN(const ZipDataPlace place, find_zip_data(archive, entry));
  if (entry.method == ZipMethod::stored) {
    FITMENT_TRY(check_stored_crc(archive, entry, place.offset));
    return std::unique_ptr<ByteSource>(
        std::make_unique<SubSource>(archive, place.offset, entry.size, std::move(name)));
  }
  FITMENT_TRY(check_limits(archive, entry, limits));
  ScratchBytes bytes(scratch);
  FITMENT_TRY(Inflater(archive, entry, place.offset).run(bytes));
  return bytes.finish(std::move(name));
}

Result<std::string> read_zip_start(const ByteSource& archive,
                                   const ZipEntry& entry,
                                   std::size_t count) {
  constexpr std::uint64_t kEnough = 4096;  // deflate may put tables before the first byte
  FITMENT_TRY_ASSIGN(const ZipDataPlace place, find_zip_data(archive, entry));
  if (entry.method == ZipMethod::stored) {
    return archive.read(place.offset, std::min<std::uint64_t>(count, entry.size), "a member");
  }
  FITMENT_TRY_ASSIGN(
      std::string in,
      archive.read(place.offset, std::min(kEnough, entry.compressed_size), "a member"));
  std::string out(std::min<std::uint64_t>(count, entry.size), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = inflate(&stream, Z_SYNC_FLUSH);
  inflateEnd(&stream);
  if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
    return damaged(archive,
                   place.offset,
                   fmt::format("member {}: its deflate data are damaged", quote(entry.name)))
        .hint(kFetchAgain);
  }
  out.resize(out.size() - stream.avail_out);
  return out;
}

Result<std::string> read_zip_member(const ByteSource& archive,
                                    const ZipEntry& entry,
                                    std::uint64_t limit) {
  ZipLimits limits;
  limits.member_bytes = limit;
  ScratchOptions memory;
  memory.in_memory_bytes = limit;
  const std::string name = member_name(archive.name(), entry.name);
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source,
                     open_zip_member(archive, entry, name, memory, limits));
  return source->read(0, source->size(), "the member", limit);
}

std::string member_name(std::string_view archive, std::string_view member) {
  return fmt::format("{}: {}", archive, member);
}

}  // namespace fitment
