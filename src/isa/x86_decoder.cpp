// SPDX-License-Identifier: Apache-2.0
#include "isa/x86_decoder.h"

#include "isa/x86_short_decoder.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

using x86::Entry;
using x86::kTables;
using Map = X86Instruction::Map;

constexpr std::uint32_t kLongestInstruction = 15;

bool is_rex(std::uint8_t byte) {
  return (byte & 0xf0U) == 0x40U;
}

/// The legacy prefixes and REX that stand before an instruction.
struct Prefixes {
  std::uint32_t count = 0;
  bool operand_size = false;  ///< 66
  bool address_size = false;  ///< 67
  bool lock = false;
  std::uint32_t repeat = 0;  ///< 2: F3, 3: F2; the last one counts
  std::uint8_t rex = 0;      ///< only where it stands right before the opcode

  [[nodiscard]] std::uint32_t w() const { return rex >> 3U & 1U; }
  /// Index of the mandatory prefix in the legacy rows.
  [[nodiscard]] std::uint32_t mandatory() const {
    return repeat == 0 ? static_cast<std::uint32_t>(operand_size)
                       : repeat + (operand_size ? 2U : 0U);
  }
  /// VEX, EVEX and XOP take over the meaning of these and may not follow them.
  [[nodiscard]] bool forbid_vector() const {
    return operand_size || lock || repeat != 0 || rex != 0;
  }
};

Prefixes read_prefixes(const std::uint8_t* at) {
  Prefixes prefixes;
  while (prefixes.count < kLongestInstruction) {
    const std::uint8_t byte = at[prefixes.count];
    switch (byte) {
      case 0x66:
        prefixes.operand_size = true;
        break;
      case 0x67:
        prefixes.address_size = true;
        break;
      case 0xf0:
        prefixes.lock = true;
        break;
      case 0xf2:
      case 0xf3:
        prefixes.repeat = byte == 0xf3 ? 2 : 3;
        break;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
        break;
      default:
        if (!is_rex(byte)) {
          return prefixes;
        }
        prefixes.rex = byte;
        ++prefixes.count;
        continue;
    }
    prefixes.rex = 0;
    ++prefixes.count;
  }
  return prefixes;
}

/// An instruction and the cell that its row was found in.
struct Located {
  X86Instruction instruction;
  std::uint32_t cell = 0;
};

/// Looks an opcode up in the row of a cell and fills in what its entry tells.
Located look_up(std::uint32_t cell,
                const std::uint8_t* at,
                const std::uint8_t* opcode,
                Map map,
                const Prefixes& prefixes) {
  Entry entry = kTables.rows[kTables.row_of[cell]][*opcode];
  if ((entry & x86::kDepends) != 0) {
    entry = kTables.dependent[entry & 0xffffU][opcode[1]];
  }
  X86Instruction found;
  found.map = map;
  found.requirement = static_cast<std::uint8_t>(entry);
  found.opcode_offset = static_cast<std::uint8_t>(opcode - at);
  found.has_modrm = (entry >> 16U & 0xffU) != 0;
  found.immediate = static_cast<std::uint8_t>(entry >> 8U);
  std::uint32_t length = found.opcode_offset + x86::length_from_opcode(entry, opcode[1], opcode[2]);
  if ((entry & x86::kAddress) != 0 && prefixes.address_size) {
    length -= 4;
    found.immediate = 4;
  }
  if (found.is_unknown() || length > kLongestInstruction
      || (x86::flags_at(entry, opcode[1]) & x86::kMemoryOnly) != 0) {
    return {};
  }
  if ((entry & x86::kSuffix) != 0) {
    const std::uint8_t suffix = at[length - 1];
    const unsigned known = kTables.amd_3dnow_suffixes[suffix / 8U];
    if ((known >> suffix % 8U & 1U) == 0) {
      return {};
    }
  }
  found.length = static_cast<std::uint8_t>(length);
  return {found, cell};
}

Located decode_vex(const std::uint8_t* at, const std::uint8_t* escape, const Prefixes& prefixes) {
  const bool is_short = escape[0] == 0xc5;
  const std::uint8_t last = is_short ? escape[1] : escape[2];
  const std::uint32_t map = is_short ? 1U : escape[1] & 0x1fU;
  const std::uint32_t w = is_short ? 0U : last >> 7U;
  if (map >= x86::kVectorMaps) {
    return {};
  }
  const std::uint8_t* opcode = escape + (is_short ? 2 : 3);
  return look_up(
      x86::vex_cell(map, last & 3U, w, last >> 2U & 1U), at, opcode, Map::vector, prefixes);
}

Located decode_xop(const std::uint8_t* at, const std::uint8_t* escape, const Prefixes& prefixes) {
  const std::uint32_t map = (escape[1] & 0x1fU) - 8U;
  if (map >= x86::kXopMaps) {
    return {};
  }
  const std::uint8_t last = escape[2];
  return look_up(x86::xop_cell(map, last & 3U, last >> 7U, last >> 2U & 1U),
                 at,
                 escape + 3,
                 Map::vector,
                 prefixes);
}

Located decode_evex(const std::uint8_t* at, const std::uint8_t* escape, const Prefixes& prefixes) {
  const std::uint32_t map = escape[1] & 7U;
  const std::uint8_t second = escape[2];
  const std::uint8_t third = escape[3];
  const bool rounds = (third & 0x10U) != 0 && escape[5] >= 0xc0;
  const std::uint32_t length = rounds && map != 4 ? x86::kRoundedLength : third >> 5U & 3U;
  if (length == x86::kRoundedLength && !rounds) {
    return {};
  }
  // APX frees two bits that were fixed, for registers 16 to 31 as base and index; an index needs
  // memory.
  const bool has_apx_index = (second & 4U) == 0;
  if (has_apx_index && map != 4 && escape[5] >= 0xc0) {
    return {};
  }
  Located found = look_up(x86::evex_cell(map, second & 3U, second >> 7U, length),
                          at,
                          escape + 4,
                          Map::vector,
                          prefixes);
  const bool has_apx_base = (escape[1] & 8U) != 0;
  if ((has_apx_base || has_apx_index) && !found.instruction.is_unknown()) {
    found.instruction.requirement = x86::kApxRequirement;
  }
  return found;
}

/// APX's REX2: one byte of payload, then an opcode of the first two maps.
Located decode_rex2(const std::uint8_t* at, const std::uint8_t* escape, const Prefixes& prefixes) {
  const std::uint8_t payload = escape[1];
  const std::uint32_t map = payload >> 7U;
  const std::uint8_t* opcode = escape + 2;
  Located found;
  if (map == 0 && *opcode == 0xa1) {  // JMPABS
    found.instruction.length = static_cast<std::uint8_t>(opcode - at + 9);
    found.instruction.opcode_offset = static_cast<std::uint8_t>(opcode - at);
    found.instruction.immediate = 8;
  } else {
    const std::uint32_t high = *opcode >> 4U;
    const bool has_no_form =
        map == 0 ? high == 4 || high == 7 || high == 0xa || high == 0xe : high == 3 || high == 8;
    if (has_no_form) {
      return {};
    }
    found = look_up(x86::legacy_cell(map, prefixes.mandatory(), payload >> 3U & 1U),
                    at,
                    opcode,
                    X86Instruction::map_of(map),
                    prefixes);
    if (found.instruction.is_unknown()) {
      return {};
    }
  }
  if (found.instruction.length > kLongestInstruction) {
    return {};
  }
  found.instruction.requirement = x86::kApxRequirement;
  return found;
}

Located locate(const std::uint8_t* at) {
  const Prefixes prefixes = read_prefixes(at);
  if (prefixes.count >= kLongestInstruction) {
    return {};
  }
  const std::uint8_t* opcode = at + prefixes.count;
  switch (*opcode) {
    case 0xc4:
    case 0xc5:
      return prefixes.forbid_vector() ? Located{} : decode_vex(at, opcode, prefixes);
    case 0x62:
      return prefixes.forbid_vector() ? Located{} : decode_evex(at, opcode, prefixes);
    case 0xd5:
      return prefixes.rex != 0 ? Located{} : decode_rex2(at, opcode, prefixes);
    case 0x8f:
      if ((opcode[1] & 0x1fU) >= 8) {
        return prefixes.forbid_vector() ? Located{} : decode_xop(at, opcode, prefixes);
      }
      break;
    default:
      break;
  }
  std::uint32_t map = 0;
  if (*opcode == 0x0f) {
    ++opcode;
    map = 1;
    if (*opcode == 0x38 || *opcode == 0x3a) {
      map = *opcode == 0x38 ? 2 : 3;
      ++opcode;
    }
  }
  return look_up(x86::legacy_cell(map, prefixes.mandatory(), prefixes.w()),
                 at,
                 opcode,
                 X86Instruction::map_of(map),
                 prefixes);
}

/// The bytes with zeros behind them.
std::array<std::uint8_t, kX86Padding> padded(std::string_view bytes) {
  std::array<std::uint8_t, kX86Padding> copy{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), copy.size()), copy.begin());
  return copy;
}

}  // namespace

X86Instruction decode_x86_padded(const std::uint8_t* at) {
  return locate(at).instruction;
}

X86Instruction decode_x86(std::string_view bytes) {
  const X86Instruction found = decode_x86_padded(padded(bytes).data());
  return found.length > bytes.size() ? X86Instruction{} : found;
}

std::string_view x86_mnemonic(std::string_view bytes) {
  const auto copy = padded(bytes);
  const Located found = locate(copy.data());
  if (found.instruction.is_unknown() || found.instruction.length > bytes.size()) {
    return "";
  }
  const std::uint8_t* opcode = copy.data() + found.instruction.opcode_offset;
  std::uint16_t name = kTables.name_rows[kTables.name_row_of[found.cell]][*opcode];
  if ((name & x86::kNameDepends) != 0) {
    name = kTables.dependent_names[name - x86::kNameDepends][opcode[1]];
  }
  return kTables.names[name];
}

}  // namespace fitment
