// SPDX-License-Identifier: Apache-2.0
#include "stack/unwind_ranges.h"

#include "elf/fields.h"

#include <map>

namespace fitment {

namespace {

// Pointer encodings (DW_EH_PE_*): the low bits say the form, 0x70 what it is relative to.
constexpr std::uint8_t kFormMask = 0x0f;
constexpr std::uint8_t kRelationMask = 0x70;
constexpr std::uint8_t kRelativeToPlace = 0x10;
constexpr std::uint8_t kUnsigned4 = 0x03;
constexpr std::uint8_t kSigned4 = 0x0b;
constexpr std::uint8_t kCommon = kRelativeToPlace | kSigned4;

/// LEB128 numbers are only skipped.
std::uint64_t skip_number(std::string_view bytes, std::uint64_t at) {
  while (at < bytes.size() && (load_field<std::uint8_t>(bytes, at) & 0x80U) != 0) {
    ++at;
  }
  return at + 1;
}

/// The encoding of the pointers of a common information entry whose version stands at `at`.
std::uint8_t pointer_encoding(std::string_view bytes, std::uint64_t at) {
  const std::string_view augmentation = load_text(bytes, at + 1);
  at += augmentation.size() + 2;
  for (int numbers = 0; numbers < 3; ++numbers) {  // code and data alignment, return register
    at = skip_number(bytes, at);
  }
  if (!augmentation.starts_with('z')) {
    return 0;
  }
  at = skip_number(bytes, at);
  for (const char letter : augmentation.substr(1)) {
    if (letter == 'R') {
      return load_field<std::uint8_t>(bytes, at);
    }
    if (letter == 'P') {
      const std::uint8_t form = load_field<std::uint8_t>(bytes, at) & kFormMask;
      at += form == kUnsigned4 || form == kSigned4 ? 5 : 9;
    } else if (letter == 'L') {
      ++at;
    }
  }
  return 0;
}

}  // namespace

std::vector<AddressRange> read_unwind_ranges(std::string_view eh_frame, std::uint64_t address) {
  std::vector<AddressRange> ranges;
  std::map<std::uint64_t, std::uint8_t> encodings;  // by offset of the common entry
  std::uint64_t offset = 0;
  while (offset + 8 <= eh_frame.size()) {
    const auto length = load_field<std::uint32_t>(eh_frame, offset);
    const std::uint64_t body = offset + 4;
    const auto id = load_field<std::uint32_t>(eh_frame, body);
    if (length == 0 || length == UINT32_MAX) {
      offset = body;  // an end mark of one input file, or the 64-bit form that nobody writes
      continue;
    }
    offset = body + length;
    if (id == 0) {
      encodings[body - 4] = pointer_encoding(eh_frame, body + 4);
      continue;
    }
    const auto common = id <= body ? encodings.find(body - id) : encodings.end();
    const std::uint8_t encoding = common == encodings.end() ? kCommon : common->second;
    const std::uint64_t at = body + 4;
    const std::uint8_t form = encoding & kFormMask;
    AddressRange range;
    if (form == kSigned4 || form == kUnsigned4) {
      range.address =
          static_cast<std::uint64_t>(std::int64_t{load_field<std::int32_t>(eh_frame, at)});
      range.size = load_field<std::uint32_t>(eh_frame, at + 4);
    } else {
      range.address = load_field<std::uint64_t>(eh_frame, at);
      range.size = load_field<std::uint64_t>(eh_frame, at + 8);
    }
    range.address += (encoding & kRelationMask) == kRelativeToPlace ? address + at : 0;
    if (range.size != 0) {
      ranges.push_back(range);
    }
  }
  return ranges;
}

}  // namespace fitment
