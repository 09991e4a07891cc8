// SPDX-License-Identifier: Apache-2.0
#include "image/tar_header.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fitment {

namespace {

struct Field {
  std::size_t offset;
  std::size_t size;
  std::string_view name;
};

constexpr Field kName{0, 100, "name"};
constexpr Field kMode{100, 8, "mode"};
constexpr Field kUid{108, 8, "owner"};
constexpr Field kGid{116, 8, "group"};
constexpr Field kSize{124, 12, "size"};
constexpr Field kMtime{136, 12, "time"};
constexpr Field kChecksum{148, 8, "checksum"};
constexpr std::size_t kType = 156;
constexpr Field kLink{157, 100, "link target"};
constexpr Field kMagic{257, 6, "magic"};
constexpr Field kMajor{329, 8, "device number"};
constexpr Field kMinor{337, 8, "device number"};
constexpr Field kPrefix{345, 155, "prefix"};
constexpr std::size_t kFirstRun = 386;
constexpr std::size_t kRunsInHeader = 4;
constexpr std::size_t kRunsInBlock = 21;
constexpr std::size_t kNumber = 12;
constexpr std::size_t kMoreInHeader = 482;
constexpr std::size_t kMoreInBlock = 504;
constexpr Field kRealSize{483, 12, "size"};

std::string_view bytes_of(std::string_view block, const Field& field) {
  return block.substr(field.offset, field.size);
}

std::string text_of(std::string_view block, const Field& field) {
  const std::string_view bytes = bytes_of(block, field);
  return std::string(bytes.substr(0, std::min(bytes.find('\0'), bytes.size())));
}

Error bad_number(const Field& field) {
  return fail(ErrorCode::parse_error, fmt::format("the {} in its header is no number", field.name));
}

Result<std::int64_t> signed_number(std::string_view block, const Field& field) {
  const std::string_view bytes = bytes_of(block, field);
  const auto first = static_cast<unsigned char>(bytes.front());
  if ((first & 0x80U) != 0) {  // big-endian, two's complement after the marking bit
    const bool is_negative = (first & 0x40U) != 0;
    std::uint64_t value = is_negative ? ~std::uint64_t{0} : 0;
    value = (value << 6U) | (first & 0x3fU);
    for (const char c : bytes.substr(1)) {
      const std::uint64_t top = value >> 55U;
      if (top != 0 && top != 0x1ff) {
        return bad_number(field);
      }
      value = (value << 8U) | static_cast<unsigned char>(c);
    }
    return static_cast<std::int64_t>(value);
  }
  std::size_t at = 0;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\0')) {
    ++at;
  }
  std::int64_t value = 0;  // at most twelve octal digits: 36 bits
  for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '7'; ++at) {
    value = value * 8 + (bytes[at] - '0');
  }
  const std::string_view rest = bytes.substr(at);
  if (rest.find_first_not_of(std::string_view(" \0", 2)) != std::string_view::npos) {
    return bad_number(field);
  }
  return value;
}

Result<std::uint64_t> number(std::string_view block, const Field& field) {
  FITMENT_TRY_ASSIGN(const std::int64_t value, signed_number(block, field));
  if (value < 0) {
    return fail(ErrorCode::parse_error,
                fmt::format("the {} in its header is negative", field.name));
  }
  return static_cast<std::uint64_t>(value);
}

/// The sum of the block with blanks for the checksum; old programs added signed bytes.
template <typename Byte>
std::int64_t sum_of(std::string_view block) {
  const auto add = [](std::int64_t sum, char c) { return sum + static_cast<Byte>(c); };
  const std::string_view own = bytes_of(block, kChecksum);
  return std::accumulate(block.begin(), block.end(), std::int64_t{0}, add)
         - std::accumulate(own.begin(), own.end(), std::int64_t{0}, add)
         + std::int64_t{' '} * static_cast<std::int64_t>(own.size());
}

Status check_sum(std::string_view block) {
  FITMENT_TRY_ASSIGN(const std::int64_t stated, signed_number(block, kChecksum));
  const std::int64_t real = sum_of<unsigned char>(block);
  if (stated != real && stated != sum_of<signed char>(block)) {
    return fail(ErrorCode::parse_error,
                fmt::format("the checksum of its header is {:o} and should be {:o}", stated, real))
        .hint("this is no tar archive, or it is damaged");
  }
  return {};
}

Status take_runs(std::string_view block,
                 std::size_t offset,
                 std::size_t count,
                 std::vector<SparseRun>& runs) {
  for (std::size_t i = 0; i < count; ++i) {
    const Field start{offset + i * 2 * kNumber, kNumber, "place of a sparse run"};
    const Field size{start.offset + kNumber, kNumber, "size of a sparse run"};
    if (block[start.offset] == '\0' && block[size.offset] == '\0') {
      return {};
    }
    SparseRun run;
    FITMENT_TRY_ASSIGN(run.offset, number(block, start));
    FITMENT_TRY_ASSIGN(run.size, number(block, size));
    runs.push_back(run);
  }
  return {};
}

void put_octal(std::string& block, const Field& field, std::uint64_t value) {
  const std::string digits = fmt::format("{:0{}o}", value, field.size - 1);
  block.replace(field.offset, field.size, digits + '\0');
}

void put_size(std::string& block, std::uint64_t size) {
  constexpr std::uint64_t kLargestOctal = (1ULL << 33U) - 1;
  if (size <= kLargestOctal) {
    put_octal(block, kSize, size);
    return;
  }
  std::string bytes(kSize.size, '\0');
  for (std::size_t i = 0; i < sizeof(size); ++i) {
    bytes[bytes.size() - 1 - i] = static_cast<char>((size >> (8 * i)) & 0xffU);
  }
  bytes.front() = '\x80';
  block.replace(kSize.offset, kSize.size, bytes);
}

}  // namespace

bool is_zero_block(std::string_view block) {
  return block.find_first_not_of('\0') == std::string_view::npos;
}

Result<TarHeader> parse_tar_header(std::string_view block) {
  FITMENT_TRY(check_sum(block));
  TarHeader header;
  header.name = text_of(block, kName);
  header.link = text_of(block, kLink);
  header.type = block[kType] == '\0' ? '0' : block[kType];
  FITMENT_TRY_ASSIGN(header.mode, number(block, kMode));
  FITMENT_TRY_ASSIGN(header.uid, number(block, kUid));
  FITMENT_TRY_ASSIGN(header.gid, number(block, kGid));
  FITMENT_TRY_ASSIGN(header.size, number(block, kSize));
  FITMENT_TRY_ASSIGN(header.mtime, signed_number(block, kMtime));
  const std::string_view magic = bytes_of(block, kMagic);
  const bool is_gnu = magic == "ustar ";
  if (is_gnu || magic == std::string_view("ustar\0", 6)) {
    FITMENT_TRY_ASSIGN(header.device_major, number(block, kMajor));
    FITMENT_TRY_ASSIGN(header.device_minor, number(block, kMinor));
  }
  if (!is_gnu && magic.starts_with("ustar")) {
    const std::string prefix = text_of(block, kPrefix);
    if (!prefix.empty()) {
      header.name = prefix + "/" + header.name;
    }
  }
  if (header.type == 'S') {
    FITMENT_TRY(take_runs(block, kFirstRun, kRunsInHeader, header.runs));
    FITMENT_TRY_ASSIGN(header.real_size, number(block, kRealSize));
    header.has_more_runs = block[kMoreInHeader] != '\0';
  }
  return header;
}

Status parse_sparse_block(std::string_view block, std::vector<SparseRun>& runs, bool& has_more) {
  has_more = block[kMoreInBlock] != '\0';
  return take_runs(block, 0, kRunsInBlock, runs);
}

std::string tar_header_with_size(std::string_view block, std::uint64_t size) {
  std::string changed(block);
  put_size(changed, size);
  const auto sum = static_cast<std::uint64_t>(sum_of<unsigned char>(changed));
  changed.replace(kChecksum.offset, kChecksum.size, fmt::format("{:06o}", sum) + '\0' + ' ');
  return changed;
}

}  // namespace fitment
