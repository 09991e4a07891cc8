// SPDX-License-Identifier: Apache-2.0
#include "elf/archive_edit.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

namespace {

constexpr std::uint64_t kMagicSize = 8;
constexpr std::uint64_t kHeaderSize = 60;
constexpr std::uint64_t kSizeAt = 48;
constexpr std::uint64_t kSizeWidth = 10;
constexpr std::uint64_t kTableLimit = 256U << 20U;

/// Big-endian numbers, as archives have them.
std::uint64_t load_big(std::string_view bytes, std::uint64_t at, std::uint64_t width) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < width; ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

void store_big(std::string& bytes, std::uint64_t at, std::uint64_t width, std::uint64_t value) {
  for (std::uint64_t i = 0; i < width; ++i) {
    bytes[at + width - 1 - i] = static_cast<char>(value >> (8 * i) & 0xffU);
  }
}

struct RawMember {
  std::uint64_t header = 0;  ///< offset
  std::uint64_t size = 0;    ///< of its bytes, with a BSD name
  std::string name;
  std::uint64_t new_header = 0;
  const Splice* replaced = nullptr;

  [[nodiscard]] std::uint64_t bytes() const { return header + kHeaderSize; }
  [[nodiscard]] std::uint64_t new_size() const {
    return replaced != nullptr ? replaced->size() : size;
  }
};

Result<std::vector<RawMember>> read_raw(const ByteSource& source, const ReplacedMembers& replaced) {
  std::vector<RawMember> members;
  std::uint64_t at = kMagicSize;
  while (at < source.size()) {
    FITMENT_TRY_ASSIGN(const std::string header,
                       source.read(at, kHeaderSize, "the header of an archive member"));
    const std::string_view text(header);
    const auto size = parse_unsigned(trim(text.substr(kSizeAt, kSizeWidth)));
    if (!size || !source.contains(at + kHeaderSize, *size)) {
      return fail(ErrorCode::parse_error, "this is not the header of an archive member")
          .at({source.name(), {}, {}, at});
    }
    RawMember member{at, *size, std::string(trim(text.substr(0, 16))), 0, nullptr};
    if (member.name.starts_with("__.SYMDEF")) {
      return fail(ErrorCode::unsupported, "archives with a BSD table of symbols are not rewritten")
          .at({source.name(), {}, {}, at});
    }
    if (const auto found = replaced.find(member.bytes()); found != replaced.end()) {
      member.replaced = &found->second;
    }
    at = member.bytes() + member.size + (member.size & 1U);
    members.push_back(std::move(member));
  }
  return members;
}

/// The table of symbols: a number, that many offsets of headers, names.
Result<std::string> moved_symbols(const ByteSource& source,
                                  const RawMember& table,
                                  const std::vector<RawMember>& members) {
  const std::uint64_t width = table.name == "/" ? 4 : 8;
  FITMENT_TRY_ASSIGN(
      std::string bytes,
      source.read(table.bytes(), table.size, "the symbols of an archive", kTableLimit));
  const std::uint64_t count = bytes.size() >= width ? load_big(bytes, 0, width) : 0;
  if (count > (bytes.size() - std::min<std::uint64_t>(bytes.size(), width)) / width) {
    return fail(ErrorCode::parse_error, "the table of symbols claims more than it holds")
        .at({source.name(), {}, {}, table.bytes()});
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = width * (i + 1);
    const std::uint64_t old = load_big(bytes, at, width);
    const auto member = std::lower_bound(
        members.begin(), members.end(), old, [](const RawMember& m, std::uint64_t header) {
          return m.header < header;
        });
    if (member == members.end() || member->header != old) {
      return fail(ErrorCode::parse_error,
                  fmt::format("the table of symbols names {:#x}, where no member is", old))
          .at({source.name(), {}, {}, table.bytes() + at});
    }
    store_big(bytes, at, width, member->new_header);
  }
  return bytes;
}

}  // namespace

Result<Splice> edit_archive(const ByteSource& source, const ReplacedMembers& replaced) {
  FITMENT_TRY_ASSIGN(const std::string magic,
                     source.read(0, kMagicSize, "the magic of an archive"));
  if (magic != "!<arch>\n") {
    return fail(ErrorCode::unsupported, "only archives that hold their members are rewritten")
        .at({source.name(), {}, {}, 0});
  }
  FITMENT_TRY_ASSIGN(std::vector<RawMember> members, read_raw(source, replaced));
  std::uint64_t at = kMagicSize;
  for (RawMember& member : members) {
    member.new_header = at;
    at += kHeaderSize + member.new_size() + (member.new_size() & 1U);
  }
  Splice out;
  out.copy(0, kMagicSize);
  for (const RawMember& member : members) {
    if (member.replaced == nullptr) {
      out.copy(member.header, kHeaderSize);
      if (member.name == "/" || member.name == "/SYM64/") {
        FITMENT_TRY_ASSIGN(const std::string symbols, moved_symbols(source, member, members));
        out.bytes(symbols);
      } else {
        out.copy(member.bytes(), member.size);
      }
    } else {
      const std::string size = fmt::format("{:<10}", member.new_size());
      if (size.size() != kSizeWidth) {
        return fail(ErrorCode::unsupported, "a member that is too large for an archive");
      }
      out.copy(member.header, kSizeAt);
      out.bytes(size);
      out.copy(member.header + kSizeAt + kSizeWidth, kHeaderSize - kSizeAt - kSizeWidth);
      out.append(*member.replaced, member.bytes());
    }
    if ((member.new_size() & 1U) != 0) {
      out.bytes("\n");
    }
  }
  return out;
}

}  // namespace fitment
