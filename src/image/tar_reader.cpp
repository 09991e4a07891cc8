// SPDX-License-Identifier: Apache-2.0
#include "image/tar_reader.h"

#include "base/text.h"
#include "image/tar_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fitment {

namespace {

constexpr std::uint64_t kLongestHeaders = 8U << 20U;  // of one entry, with its map of holes
constexpr std::uint64_t kLongestExtension = 1U << 20U;
constexpr std::uint64_t kLongestGlobal = 64U << 10U;  // of all: every entry gets a copy
constexpr std::string_view kKnownTypes = "01234567SgxXLK";

Error refuse(std::string message) {
  return fail(ErrorCode::parse_error, std::move(message));
}

Result<std::uint64_t> pax_number(const std::string& key, const std::string& value) {
  // Times may have fractions; everything else is a whole number.
  const auto number = parse_unsigned(value);
  if (!number) {
    return refuse(fmt::format("`{}` in its extended header is no number", key));
  }
  return *number;
}

Result<std::int64_t> pax_seconds(const std::string& value) {
  const std::string_view whole = std::string_view(value).substr(0, value.find('.'));
  std::int64_t seconds = 0;
  const auto [end, code] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  if (code != std::errc() || end != whole.data() + whole.size()) {
    return refuse("`mtime` in its extended header is no number");
  }
  return seconds;
}

/// Names and sizes of all entries to come. Programs that unpack layers do not heed global headers,
/// so that they would see other files; no honest archive has them.
bool may_be_global(std::string_view key) {
  return key != "path" && key != "linkpath" && key != "size" && !key.starts_with("GNU.sparse.");
}

/// A long name's text up to its NUL.
std::string long_name(const std::string& data) {
  return data.substr(0, data.find('\0'));
}

}  // namespace

Error TarReader::located(Error error, const std::string& path, std::uint64_t offset) const {
  if (!path.empty()) {
    error = std::move(error).while_doing(fmt::format("reading the entry `{}`", path));
  }
  return std::move(error).at({stream_.name(), {}, {}, offset});
}

/// None at the end of the stream, where that is allowed.
Result<std::optional<std::string>> TarReader::block(bool may_end) {
  std::string bytes;
  while (bytes.size() < kTarBlock) {
    FITMENT_TRY_ASSIGN(const std::string_view part, stream_.next(kTarBlock - bytes.size()));
    if (part.empty()) {
      if (may_end && bytes.empty()) {
        return std::optional<std::string>();
      }
      return refuse("the archive ends inside of an entry")
          .at({stream_.name(), {}, {}, stream_.position()});
    }
    bytes += part;
  }
  return std::optional(std::move(bytes));
}

Result<std::string> TarReader::own_data(std::uint64_t size) {
  if (size > kLongestExtension) {
    return refuse(
        fmt::format("it has an extended header of {} bytes, more than the {} that are read",
                    size,
                    kLongestExtension));
  }
  std::string bytes;
  while (bytes.size() < tar_padded(size)) {
    FITMENT_TRY_ASSIGN(const auto part, block(false));
    bytes += *part;
  }
  return bytes;
}

Status TarReader::skip_data() {
  const std::uint64_t count = left_ + padding_;
  left_ = 0;
  padding_ = 0;
  if (count > 0) {
    auto skipped = stream_.skip(count);
    if (!skipped) {
      return located(std::move(skipped).error(), current_, stream_.position());
    }
  }
  return {};
}

Result<std::string_view> TarReader::data(std::uint64_t most) {
  if (left_ == 0) {
    return std::string_view();
  }
  auto part = stream_.next(std::min(most, left_));
  if (part && part->empty()) {
    part = refuse(fmt::format("its data end {} bytes too early", left_));
  }
  if (!part) {
    return located(std::move(part).error(), current_, stream_.position());
  }
  left_ -= part->size();
  return *part;
}

/// Behind the last entry there must be nothing but zeros: programs that go on reading after the
/// end would see other files.
Status TarReader::end() {
  for (;;) {
    const std::uint64_t at = stream_.position();
    constexpr std::uint64_t kPart = 64U << 10U;
    FITMENT_TRY_ASSIGN(const std::string_view part, stream_.next(kPart));
    if (part.empty()) {
      return {};
    }
    const std::size_t other = part.find_first_not_of('\0');
    if (other != std::string_view::npos) {
      return refuse("bytes follow the end of the archive").at({stream_.name(), {}, {}, at + other});
    }
  }
}

Result<std::optional<TarEntry>> TarReader::next() {
  FITMENT_TRY(skip_data());
  TarEntry entry;
  PaxRecords own;
  entry.offset = stream_.position();
  for (bool is_complete = false; !is_complete;) {
    FITMENT_TRY_ASSIGN(const auto header, block(entry.raw.empty()));
    if (!header) {
      return std::optional<TarEntry>();
    }
    if (entry.raw.empty() && is_zero_block(*header)) {
      FITMENT_TRY(end());
      return std::optional<TarEntry>();
    }
    auto taken = take_header(*header, entry, own);
    if (!taken) {
      return located(std::move(taken).error(), entry.path, entry.offset);
    }
    is_complete = *taken;
  }
  left_ = entry.data_bytes;
  padding_ = tar_padded(left_) - left_;
  current_ = entry.path;
  return std::optional(std::move(entry));
}

/// True when the entry's own header was reached.
Result<bool> TarReader::take_header(std::string_view header_block,
                                    TarEntry& entry,
                                    PaxRecords& own) {
  FITMENT_TRY_ASSIGN(const TarHeader header, parse_tar_header(header_block));
  if (kKnownTypes.find(header.type) == std::string_view::npos) {
    entry.path = header.name;
    return fail(ErrorCode::unsupported,
                fmt::format("it is of type {:#04x}, which is not known",
                            static_cast<unsigned char>(header.type)));
  }
  entry.raw += header_block;
  switch (header.type) {
    case 'x':
    case 'X':
    case kTarGlobal: {
      FITMENT_TRY_ASSIGN(const std::string data, own_data(header.size));
      entry.raw += data;
      FITMENT_TRY_ASSIGN(PaxRecords records,
                         parse_pax(std::string_view(data).substr(0, header.size)));
      if (header.type == kTarGlobal) {
        if (entry.raw.size() != kTarBlock + data.size()) {
          return refuse("a global header stands between an entry and its own headers");
        }
        for (const auto& [key, value] : records) {
          if (!may_be_global(key)) {
            return refuse(fmt::format("a global header gives the `{}` of all entries", key));
          }
        }
        global_bytes_ += header.size;
        if (global_bytes_ > kLongestGlobal) {
          return refuse("its global headers are too long");
        }
        global_.insert(global_.end(), records.begin(), records.end());
        entry.type = kTarGlobal;
        return true;
      }
      own.insert(own.end(), records.begin(), records.end());
      break;
    }
    case 'L':
    case 'K': {
      FITMENT_TRY_ASSIGN(const std::string data, own_data(header.size));
      entry.raw += data;
      (header.type == 'L' ? entry.path : entry.link) = long_name(data.substr(0, header.size));
      break;
    }
    default:
      FITMENT_TRY(complete(entry, header, own));
      return true;
  }
  if (entry.raw.size() > kLongestHeaders) {
    return refuse("its headers are too long");
  }
  return false;
}

/// Puts together what the header and the extended headers say.
Status TarReader::complete(TarEntry& entry, const TarHeader& header, const PaxRecords& own) {
  if (entry.path.empty()) {
    entry.path = header.name;
  }
  if (entry.link.empty()) {
    entry.link = header.link;
  }
  entry.pax = global_;
  entry.pax.insert(entry.pax.end(), own.begin(), own.end());
  const auto text = [&](std::string_view key, std::string& to) {
    if (const std::string* value = find_pax(entry.pax, key)) {
      to = *value;
    }
  };
  text("path", entry.path);
  text("linkpath", entry.link);
  text("GNU.sparse.name", entry.path);
  entry.type = header.type;
  if (entry.type == '0' && entry.path.ends_with('/')) {
    entry.type = kTarFolder;  // as V7 wrote folders
  }
  entry.mode = header.mode;
  entry.uid = header.uid;
  entry.gid = header.gid;
  entry.mtime = header.mtime;
  entry.device_major = header.device_major;
  entry.device_minor = header.device_minor;
  std::uint64_t size = header.size;
  for (const auto& [key, number] : {std::pair<std::string, std::uint64_t*>{"size", &size},
                                    {"uid", &entry.uid},
                                    {"gid", &entry.gid}}) {
    if (const std::string* value = find_pax(entry.pax, key)) {
      FITMENT_TRY_ASSIGN(*number, pax_number(key, *value));
    }
  }
  if (const std::string* value = find_pax(entry.pax, "mtime")) {
    FITMENT_TRY_ASSIGN(entry.mtime, pax_seconds(*value));
  }
  constexpr std::uint64_t kLargest = 1ULL << 62U;
  if (size > kLargest) {
    return refuse(fmt::format("it claims {} bytes", size));
  }
  // Links and the like have no data, whatever the header says (POSIX); a folder's or a hard link's
  // size would be read by some programs and not by others.
  if (!entry.is_file() && size != 0) {
    return refuse(fmt::format("it claims {} bytes of data and is no file", size));
  }
  entry.data_bytes = size;
  entry.file_bytes = size;

  FITMENT_TRY_ASSIGN(std::optional<SparseMap> map, sparse_map_of(entry.pax));
  if (header.type == 'S') {
    map = SparseMap{header.runs, header.real_size, false};
    for (bool has_more = header.has_more_runs; has_more;) {
      FITMENT_TRY_ASSIGN(const auto more, block(false));
      entry.raw += *more;
      FITMENT_TRY(parse_sparse_block(*more, map->runs, has_more));
      if (entry.raw.size() > kLongestHeaders) {
        return refuse("its map of holes is too long");
      }
    }
  }
  if (map && entry.is_file()) {
    if (map->is_in_data) {
      FITMENT_TRY(read_sparse_map(entry, map->runs));
    }
    FITMENT_TRY(check_sparse_runs(map->runs, map->real_size, entry.data_bytes));
    entry.file_bytes = map->real_size;
    entry.runs = std::move(map->runs);
  }
  return {};
}

Status TarReader::read_sparse_map(TarEntry& entry, std::vector<SparseRun>& runs) {
  SparseMapReader reader;
  for (bool is_complete = false; !is_complete;) {
    if (entry.data_bytes < kTarBlock || entry.raw.size() > kLongestHeaders) {
      return refuse("its map of holes is cut off or too long");
    }
    FITMENT_TRY_ASSIGN(const auto part, block(false));
    entry.raw += *part;
    entry.data_bytes -= kTarBlock;
    FITMENT_TRY_ASSIGN(is_complete, reader.add(*part));
  }
  runs = reader.take();
  return {};
}

Result<std::string> tar_headers_with_size(const TarEntry& entry, std::uint64_t size) {
  if (entry.runs) {
    return fail(ErrorCode::internal, "a sparse file cannot have another size");
  }
  std::string changed;
  for (std::size_t at = 0; at < entry.raw.size();) {
    const std::string_view head = std::string_view(entry.raw).substr(at, kTarBlock);
    FITMENT_TRY_ASSIGN(const TarHeader header, parse_tar_header(head));
    const bool is_last = std::string_view("xXLK").find(header.type) == std::string_view::npos;
    if (is_last) {
      return changed + tar_header_with_size(head, size);
    }
    const std::string_view data =
        std::string_view(entry.raw).substr(at + kTarBlock, tar_padded(header.size));
    at += kTarBlock + data.size();
    if (header.type != 'x' && header.type != 'X') {
      changed += head;
      changed += data;
      continue;
    }
    FITMENT_TRY_ASSIGN(PaxRecords records, parse_pax(data.substr(0, header.size)));
    for (auto& [key, value] : records) {
      if (key == "size") {
        value = std::to_string(size);
      }
    }
    std::string text = write_pax(records);
    changed += tar_header_with_size(head, text.size());
    text.resize(tar_padded(text.size()));
    changed += text;
  }
  return fail(ErrorCode::internal, "an entry without a header of its own");
}

}  // namespace fitment
