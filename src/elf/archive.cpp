// SPDX-License-Identifier: Apache-2.0
#include "elf/archive.h"

#include "base/text.h"
#include "elf/block_reader.h"
#include "elf/fields.h"

#include <fmt/format.h>

#include <optional>

namespace fitment {

namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::string_view kThinMagic = "!<thin>\n";
constexpr std::uint64_t kHeaderSize = 60;
constexpr std::uint64_t kLongNamesLimit = 64U << 20U;
constexpr std::uint64_t kNameLimit = 4096;

class ArchiveReader {
 public:
  explicit ArchiveReader(const ByteSource& source) : source_(source), reader_(source, 256, 256) {}

  Result<Archive> read();

 private:
  [[nodiscard]] Error bad(std::string message, std::uint64_t offset) const {
    return fail(ErrorCode::parse_error, std::move(message)).at({source_.name(), {}, {}, offset});
  }
  Status read_member(std::string_view name, std::uint64_t at, std::uint64_t size);
  [[nodiscard]] Result<std::string> long_name(std::string_view digits, std::uint64_t at) const;

  const ByteSource& source_;
  BlockReader reader_;
  Archive archive_;
  std::string long_names_;
};

Result<Archive> ArchiveReader::read() {
  FITMENT_TRY_ASSIGN(const std::string_view magic,
                     reader_.up_to(0, kMagic.size(), "the magic of an archive"));
  if (!looks_like_archive(magic)) {
    return bad("this is not an archive: it does not start with `!<arch>`", 0);
  }
  archive_.is_thin = magic == kThinMagic;
  std::uint64_t at = kMagic.size();
  while (at < source_.size()) {
    FITMENT_TRY_ASSIGN(const std::string_view row,
                       reader_.at(at, kHeaderSize, "the header of an archive member"));
    const std::string header(row);
    const std::string_view text(header);
    const auto size = parse_unsigned(trim(text.substr(48, 10)));
    if (text.substr(58) != "`\n" || !size) {
      return bad("this is not the header of an archive member", at);
    }
    const std::string_view name = trim(text.substr(0, 16));
    // In a thin archive only the tables have bytes here.
    const bool is_table = name == "/" || name == "//" || name == "/SYM64/" || name == "__.SYMDEF";
    const bool has_bytes = is_table || !archive_.is_thin;
    at += kHeaderSize;
    if (has_bytes && !source_.contains(at, *size)) {
      return bad(
          fmt::format(
              "the archive member claims {} bytes, but {} are left", *size, source_.size() - at),
          at - kHeaderSize);
    }
    if (name == "//") {
      FITMENT_TRY_ASSIGN(long_names_,
                         source_.read(at, *size, "the long names of an archive", kLongNamesLimit));
    } else if (!is_table) {
      FITMENT_TRY(read_member(name, at, *size));
    }
    if (has_bytes) {
      at += *size + (*size & 1U);
    }
  }
  return std::move(archive_);
}

Status ArchiveReader::read_member(std::string_view name, std::uint64_t at, std::uint64_t size) {
  ArchiveMember member{std::string(name), archive_.is_thin ? 0 : at, size};
  if (name.starts_with("#1/")) {
    const auto length = parse_unsigned(name.substr(3));
    if (!length || *length > size || *length > kNameLimit) {
      return bad(fmt::format("`{}` does not give the length of a member name", name),
                 at - kHeaderSize);
    }
    FITMENT_TRY_ASSIGN(const std::string_view bytes,
                       reader_.at(at, *length, "the name of an archive member"));
    member.name = load_text(bytes, 0);
    member.offset += *length;
    member.size -= *length;
    if (member.name.starts_with("__.SYMDEF")) {
      return {};
    }
  } else if (name.size() > 1 && name.front() == '/') {
    FITMENT_TRY_ASSIGN(member.name, long_name(name.substr(1), at - kHeaderSize));
  } else if (name.ends_with('/')) {
    member.name.pop_back();
  }
  archive_.members.push_back(std::move(member));
  return {};
}

Result<std::string> ArchiveReader::long_name(std::string_view digits, std::uint64_t at) const {
  // A member of a nested thin archive is `/123:456`; the second number is its place there.
  const auto offset = parse_unsigned(digits.substr(0, digits.find(':')));
  if (!offset || *offset >= long_names_.size()) {
    return bad(fmt::format("the member name `/{}` is outside the long names", digits), at);
  }
  const std::string_view rest = std::string_view(long_names_).substr(*offset, kNameLimit);
  std::string_view name = rest.substr(0, rest.find('\n'));
  if (name.ends_with('/')) {
    name.remove_suffix(1);
  }
  return std::string(name);
}

}  // namespace

bool looks_like_archive(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kThinMagic);
}

Result<Archive> read_archive(const ByteSource& source) {
  return ArchiveReader(source).read();
}

SubSource member_source(const ByteSource& archive, const ArchiveMember& member) {
  return {archive, member.offset, member.size, fmt::format("{}!{}", archive.name(), member.name)};
}

}  // namespace fitment
