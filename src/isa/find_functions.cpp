// SPDX-License-Identifier: Apache-2.0
#include "isa/function_scan.h"
#include "isa/x86_decoder.h"

#include <algorithm>
#include <cstring>

namespace fitment {

namespace {

/// Compilers and assemblers align what is called to 16 bytes, and pad with less.
constexpr std::uint64_t kAlignment = 16;

std::uint64_t align_up(std::uint64_t address) {
  return address > ~kAlignment ? address : (address + kAlignment - 1) & ~(kAlignment - 1);
}

/// Sorted ranges of one text range that symbols with a size and unwind ranges cover, overlaps
/// merged.
std::vector<AddressRange> covered_ranges(const CodeImage& image, const TextRange& text) {
  const AddressRange whole{text.address, text.bytes.size()};
  std::vector<AddressRange> ranges;
  const auto add = [&](std::uint64_t address, std::uint64_t size) {
    if (whole.contains(address) && size != 0) {
      ranges.push_back({address, std::min(size, whole.address + whole.size - address)});
    }
  };
  for (const AddressRange& range : image.unwind_ranges) {
    add(range.address, range.size);
  }
  for (const CodeFunction& function : image.functions) {
    add(function.address, function.size);
  }
  const auto by_address = [](const AddressRange& a, const AddressRange& b) {
    return a.address < b.address;
  };
  if (!std::is_sorted(
          ranges.begin(), ranges.end(), by_address)) {  // linkers write unwind ranges in order
    std::sort(ranges.begin(), ranges.end(), by_address);
  }
  std::vector<AddressRange> merged;
  for (const AddressRange& range : ranges) {
    if (!merged.empty() && range.address <= merged.back().address + merged.back().size) {
      AddressRange& last = merged.back();
      last.size = std::max(last.size, range.address + range.size - last.address);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

/// Nothing but no-operations, traps and zeros.
bool is_padding(std::string_view bytes) {
  while (!bytes.empty()) {
    const X86Instruction instruction = decode_x86(bytes);
    const auto opcode = static_cast<std::uint8_t>(bytes[instruction.opcode_offset]);
    const bool is_nop =
        requirement_of(instruction).role == X86Role::hint
        || (instruction.map == X86Instruction::Map::one_byte && (opcode == 0x90 || opcode == 0xcc));
    if (!is_nop && bytes[0] != 0) {
      return false;
    }
    bytes.remove_prefix(is_nop ? instruction.length : 1);
  }
  return true;
}

/// Code that nothing covers: hand-written assembly without unwind information, and all of a program
/// in Go that was stripped.
std::vector<AddressRange> find_gaps(const CodeImage& image, const TextRange& text) {
  std::vector<AddressRange> gaps;
  const std::vector<AddressRange> covered = covered_ranges(image, text);
  if (covered.empty()) {
    gaps.push_back({text.address, text.bytes.size()});
  }
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const std::uint64_t start = align_up(covered[i].address + covered[i].size);
    const std::uint64_t end =
        i + 1 < covered.size() ? covered[i + 1].address : text.address + text.bytes.size();
    const bool is_x86 = image.machine == CodeMachine::x86_64;
    if (start < end
        && !(is_x86 && is_padding(text.bytes.substr(start - text.address, end - start)))) {
      gaps.push_back({start, end - start});
    }
  }
  return gaps;
}

std::int32_t signed_32(const char* at) {
  std::int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Calls `found` with every address that a byte pattern of a direct call or a rip-relative LEA
/// names. Decoding is not needed: an accidental pattern hits an aligned address of a gap rarely,
/// and then only cuts a function in two.
template <typename Found>
void for_each_code_reference(const TextRange& text, const Found& found) {
  constexpr std::size_t kTail = 6;
  const char* bytes = text.bytes.data();
  const auto for_each_byte = [&](char wanted, const auto& visit) {
    std::size_t at = 1;
    while (at + kTail <= text.bytes.size()) {
      const void* hit = std::memchr(bytes + at, wanted, text.bytes.size() - kTail + 1 - at);
      if (hit == nullptr) {
        return;
      }
      at = static_cast<std::size_t>(static_cast<const char*>(hit) - bytes);
      visit(at);
      ++at;
    }
  };
  const auto distance = [&](std::size_t at) {
    return static_cast<std::uint64_t>(std::int64_t{signed_32(bytes + at)});
  };
  for_each_byte('\xe8', [&](std::size_t at) { found(text.address + at + 5 + distance(at + 1)); });
  for_each_byte('\x8d', [&](std::size_t at) {
    const bool is_relative = (static_cast<std::uint8_t>(bytes[at + 1]) & 0xc7U) == 5;
    const bool is_wide = (static_cast<std::uint8_t>(bytes[at - 1]) & 0xf8U) == 0x48;
    if (is_relative && is_wide) {
      found(text.address + at + 6 + distance(at + 2));
    }
  });
}

/// A start of a function while they are collected: its address, and the symbol there or -1.
struct Start {
  std::uint64_t address = 0;
  std::int32_t symbol = -1;
  bool is_known = false;  ///< by a symbol or an unwind range
  std::uint8_t rank = 4;  ///< of several at one address the lowest counts
};
using Starts = std::vector<Start>;

/// Gaps of less than this together are start files and padding: not worth a search for their parts.
constexpr std::uint64_t kWorthCutting = 1024;

void cut_gaps(const CodeImage& image, Starts& starts) {
  std::vector<AddressRange> gaps;
  std::uint64_t total = 0;
  for (const TextRange& text : image.text) {
    if (!text.is_plt) {
      for (const AddressRange& gap : find_gaps(image, text)) {
        gaps.push_back(gap);
        total += gap.size;
      }
    }
  }
  for (const AddressRange& gap : gaps) {
    starts.push_back({gap.address, -1});
  }
  if (total < kWorthCutting || image.machine != CodeMachine::x86_64) {
    return;
  }
  std::sort(
      gaps.begin(), gaps.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  const auto cut = [&](std::uint64_t address) {
    if (address % kAlignment != 0) {
      return;
    }
    const auto next = std::upper_bound(
        gaps.begin(), gaps.end(), address, [](std::uint64_t at, const AddressRange& gap) {
          return at < gap.address;
        });
    if (next != gaps.begin() && std::prev(next)->contains(address)) {
      starts.push_back({address, -1});
    }
  };
  for (const TextRange& text : image.text) {
    for_each_code_reference(text, cut);
  }
  for (const CodeSlot& slot : image.slots) {
    cut(slot.target);
  }
}

/// All starts by address, each once. Of several symbols at one address an exported one names the
/// function, then a resolver, then the first.
Starts collect_starts(const CodeImage& image) {
  Starts starts;
  starts.reserve(image.functions.size() + image.unwind_ranges.size());
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const CodeFunction& function = image.functions[i];
    const std::uint8_t rank = function.is_exported ? 0 : function.is_resolver ? 1 : 2;
    starts.push_back({function.address, static_cast<std::int32_t>(i), true, rank});
  }
  for (const AddressRange& range : image.unwind_ranges) {
    starts.push_back({range.address, -1, true, 3});
  }
  cut_gaps(image, starts);
  std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) {
    return a.address != b.address ? a.address < b.address
                                  : std::pair{a.rank, a.symbol} < std::pair{b.rank, b.symbol};
  });
  starts.erase(std::unique(starts.begin(),
                           starts.end(),
                           [](const Start& a, const Start& b) { return a.address == b.address; }),
               starts.end());
  return starts;
}

/// Text ranges by address; those that cannot lie in memory are left out.
std::vector<const TextRange*> texts_in_order(const CodeImage& image) {
  std::vector<const TextRange*> texts;
  for (const TextRange& text : image.text) {
    if (!text.bytes.empty() && text.bytes.size() <= ~text.address) {
      texts.push_back(&text);
    }
  }
  std::sort(texts.begin(), texts.end(), [](const auto* a, const auto* b) {
    return a->address < b->address;
  });
  return texts;
}

}  // namespace

std::vector<FunctionScan> find_functions(const CodeImage& image) {
  std::vector<FunctionScan> functions;
  const Starts starts = collect_starts(image);
  functions.reserve(starts.size() + image.text.size());
  for (const TextRange* text : texts_in_order(image)) {
    const std::uint64_t end = text->address + text->bytes.size();
    auto next = std::lower_bound(
        starts.begin(), starts.end(), text->address, [](const Start& start, std::uint64_t address) {
          return start.address < address;
        });
    std::uint64_t address = text->address;
    while (address < end) {
      Start start;
      if (next != starts.end() && next->address == address) {
        start = *next;
        ++next;
      }
      const std::uint64_t limit = next == starts.end() ? end : std::min(next->address, end);
      functions.push_back({.address = address,
                           .size = limit - address,
                           .symbol = start.symbol,
                           .is_plt = text->is_plt,
                           .is_known = start.is_known});
      address = limit;
    }
  }
  return functions;
}

}  // namespace fitment
