// SPDX-License-Identifier: Apache-2.0
// Where control goes after an instruction, and what memory it names: the little that dispatch
// analysis needs beyond length and class. Inline: it runs for every instruction of a library.
#pragma once

#include "isa/x86_short_decoder.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace fitment::x86 {

/// An instruction in place: `bytes` start with it and reach at least to its end.
struct Placed {
  X86Instruction instruction;
  const std::uint8_t* bytes;
  std::uint64_t address;

  [[nodiscard]] std::uint64_t next() const { return address + instruction.length; }
  [[nodiscard]] std::uint8_t opcode() const { return bytes[instruction.opcode_offset]; }
  /// Meaningful when there is a ModRM byte.
  [[nodiscard]] std::uint8_t modrm() const { return bytes[instruction.opcode_offset + 1]; }
  [[nodiscard]] std::uint8_t digit() const { return modrm() >> 3U & 7U; }
  [[nodiscard]] bool is(X86Instruction::Map map, std::uint8_t value) const {
    return instruction.map == map && opcode() == value;
  }
};

inline std::uint64_t signed_field(const std::uint8_t* at, std::size_t size) {
  if (size == 1) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(*at)});
  }
  std::int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return static_cast<std::uint64_t>(std::int64_t{value});
}

/// What comes after an instruction.
struct Flow {
  enum class Kind : std::uint8_t {
    next,
    call,           ///< to `target`, then next
    jump,           ///< to `target`
    branch,         ///< to `target` or next
    indirect_jump,  ///< not known: a table, a pointer, a tail call
    end,            ///< return, trap, or no instruction
  };
  Kind kind = Kind::next;
  std::uint64_t target = 0;
};

inline Flow flow_of(const Placed& at) {
  using Map = X86Instruction::Map;
  using Kind = Flow::Kind;
  const X86Instruction& instruction = at.instruction;
  if (instruction.is_unknown()) {
    return {Kind::end, 0};
  }
  const std::uint8_t opcode = at.opcode();
  const auto target = [&] {
    return at.next()
           + signed_field(at.bytes + instruction.length - instruction.immediate,
                          instruction.immediate);
  };
  if (instruction.map == Map::one_byte) {
    if (opcode == 0xe8) {
      return {Kind::call, target()};
    }
    if (opcode == 0xe9 || opcode == 0xeb) {
      return {Kind::jump, target()};
    }
    if ((opcode & 0xf0U) == 0x70 || (opcode & 0xfcU) == 0xe0) {
      return {Kind::branch, target()};
    }
    if (opcode == 0xc3 || opcode == 0xc2 || opcode == 0xcb || opcode == 0xca || opcode == 0xcc
        || opcode == 0xf4) {
      return {Kind::end, 0};
    }
    if (opcode == 0xff && (at.digit() == 4 || at.digit() == 5)) {
      return {Kind::indirect_jump, 0};
    }
  } else if (instruction.map == Map::two_byte) {
    if ((opcode & 0xf0U) == 0x80) {
      return {Kind::branch, target()};
    }
    if (opcode == 0x0b || opcode == 0xb9 || opcode == 0xff) {
      return {Kind::end, 0};
    }
  }
  return {};
}

/// The address of an operand that is fixed: relative to rip, or a plain 32-bit number.
inline std::optional<std::uint64_t> fixed_operand(const Placed& at) {
  if (!at.instruction.has_modrm) {
    return std::nullopt;
  }
  const std::uint8_t* modrm = at.bytes + at.instruction.opcode_offset + 1;
  if ((*modrm & 0xc7U) == 5) {
    return at.next() + signed_field(modrm + 1, 4);
  }
  if ((*modrm & 0xc7U) == 4 && modrm[1] == 0x25) {
    return signed_field(modrm + 2, 4);
  }
  return std::nullopt;
}

/// How an instruction uses its memory operand.
enum class Access : std::uint8_t {
  read,
  write,
  address,  ///< LEA: the operand itself is not touched here
};

inline Access access_of(const Placed& at) {
  using Map = X86Instruction::Map;
  const std::uint8_t opcode = at.opcode();
  if (at.instruction.map == Map::one_byte) {
    switch (opcode) {
      case 0x8d:
        return Access::address;
      case 0x80:
      case 0x81:
      case 0x83:
        return at.digit() == 7 ? Access::read : Access::write;  // 7: compare
      case 0x08:
      case 0x09:
      case 0x20:
      case 0x21:
      case 0x88:
      case 0x89:
      case 0xc6:
      case 0xc7:
        return Access::write;
      default:
        return Access::read;
    }
  }
  if (at.instruction.map == Map::two_byte) {
    switch (opcode) {
      case 0x11:
      case 0x29:
      case 0x7f:
      case 0xab:
      case 0xb1:
      case 0xd6:
      case 0x13:
      case 0x17:
        return Access::write;
      default:
        return Access::read;
    }
  }
  return Access::read;
}

/// Decodes `size` bytes at `offset` of a text range, one after the other; `visit(const Placed&)`
/// returns false to stop. An instruction that would end behind the stretch is unknown. Of a stretch
/// that leaves the text only what lies in it is decoded: sections of a damaged file may overlap.
template <typename Visit>
void walk(std::string_view text,
          std::uint64_t text_address,
          std::size_t offset,
          std::size_t size,
          const Visit& visit) {
  const auto* bytes =
      reinterpret_cast<const std::uint8_t*>(text.data());  // NOLINT(*-reinterpret-cast)
  const std::size_t end =
      offset < text.size() ? offset + std::min(size, text.size() - offset) : offset;
  while (offset < end) {
    const bool is_padded = text.size() - offset > kX86Padding;
    X86Instruction instruction =
        is_padded ? decode_short(bytes + offset) : decode_x86(text.substr(offset));
    if (instruction.length > end - offset) {
      instruction = {};
    }
    if (!visit(Placed{instruction, bytes + offset, text_address + offset})) {
      return;
    }
    offset += instruction.length;
  }
}

}  // namespace fitment::x86
