// SPDX-License-Identifier: Apache-2.0
#include "isa/function_scan.h"

#include "isa/x86_short_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

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
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
    return a.address < b.address;
  });
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

/// Code that nothing covers: hand-written assembly without unwind information. Empty where nothing
/// is covered at all.
std::vector<AddressRange> find_gaps(const CodeImage& image, const TextRange& text) {
  std::vector<AddressRange> gaps;
  const std::vector<AddressRange> covered = covered_ranges(image, text);
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const std::uint64_t start = align_up(covered[i].address + covered[i].size);
    const std::uint64_t end =
        i + 1 < covered.size() ? covered[i + 1].address : text.address + text.bytes.size();
    if (start < end) {
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
  const char* bytes = text.bytes.data();
  for (std::size_t i = 1; i + 6 <= text.bytes.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if (byte == 0xe8) {
      found(text.address + i + 5
            + static_cast<std::uint64_t>(std::int64_t{signed_32(bytes + i + 1)}));
    } else if (byte == 0x8d && (static_cast<std::uint8_t>(bytes[i + 1]) & 0xc7U) == 5
               && (static_cast<std::uint8_t>(bytes[i - 1]) & 0xf8U) == 0x48) {
      found(text.address + i + 6
            + static_cast<std::uint64_t>(std::int64_t{signed_32(bytes + i + 2)}));
    }
  }
}

/// Starts of functions while they are collected: address -> index of a symbol, or -1.
using Starts = std::unordered_map<std::uint64_t, std::int32_t>;

void cut_gaps(const CodeImage& image, Starts& starts) {
  std::vector<AddressRange> gaps;
  for (const TextRange& text : image.text) {
    if (!text.is_plt) {
      const std::vector<AddressRange> own = find_gaps(image, text);
      gaps.insert(gaps.end(), own.begin(), own.end());
    }
  }
  if (gaps.empty()) {
    return;
  }
  std::sort(
      gaps.begin(), gaps.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  for (const AddressRange& gap : gaps) {
    starts.try_emplace(gap.address, -1);
  }
  const auto cut = [&](std::uint64_t address) {
    const auto next = std::upper_bound(
        gaps.begin(), gaps.end(), address, [](std::uint64_t at, const AddressRange& gap) {
          return at < gap.address;
        });
    if (address % kAlignment == 0 && next != gaps.begin() && std::prev(next)->contains(address)) {
      starts.try_emplace(address, -1);
    }
  };
  for (const TextRange& text : image.text) {
    for_each_code_reference(text, cut);
  }
  for (const CodeSlot& slot : image.slots) {
    cut(slot.target);
  }
}

/// Of several symbols at one address the exported one names the function, then the first.
void add_symbols(const CodeImage& image, Starts& starts) {
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    const auto [found, added] = starts.try_emplace(image.functions[i].address, index);
    if (!added) {
      const CodeFunction& known = image.functions[static_cast<std::size_t>(found->second)];
      const CodeFunction& other = image.functions[i];
      if ((other.is_exported && !known.is_exported) || (other.is_resolver && !known.is_resolver)) {
        found->second = index;
      }
    }
  }
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

/// How often each requirement was met in one function.
using Histogram = std::array<std::uint32_t, 256>;

void count_instructions(std::string_view bytes, std::size_t readable, Histogram& histogram) {
  const auto* start =
      reinterpret_cast<const std::uint8_t*>(bytes.data());  // NOLINT(*-reinterpret-cast)
  const std::size_t size = bytes.size();
  const std::size_t padded = readable > kX86Padding ? std::min(size, readable - kX86Padding) : 0;
  std::size_t at = 0;
  while (at < padded) {
    const X86Instruction instruction = x86::decode_short(start + at);
    ++histogram[instruction.requirement];
    at += instruction.length;
  }
  while (at < size) {
    const X86Instruction instruction = decode_x86(bytes.substr(at));
    ++histogram[instruction.requirement];
    at += instruction.length;
  }
}

void summarize(const Histogram& histogram, FunctionScan& function) {
  bool clears_upper = false;
  for (std::size_t i = 0; i < x86::kTables.requirement_count; ++i) {
    const std::uint32_t count = histogram[i];
    if (count == 0) {
      continue;
    }
    const X86Requirement& requirement = requirement_of(static_cast<std::uint8_t>(i));
    switch (requirement.role) {
      case X86Role::unknown:
        function.unknown_bytes += count;
        continue;
      case X86Role::legacy_vector:
        function.legacy_vectors += count;
        break;
      case X86Role::vex_vector:
        function.vex_vectors += count;
        break;
      case X86Role::upper_clear:
        clears_upper = true;
        function.instructions += count;
        continue;
      case X86Role::detect:
        function.has_detection = true;
        break;
      default:
        break;
    }
    function.instructions += count;
    if (requirement.role != X86Role::hint) {
      function.features |= requirement.features;
    }
  }
  if (clears_upper && function.vex_vectors != 0) {
    function.features.insert(X86Feature::avx);
  }
}

}  // namespace

std::vector<FunctionScan> find_functions(const CodeImage& image) {
  std::vector<FunctionScan> functions;
  if (image.machine != CodeMachine::x86_64) {
    return functions;
  }
  Starts starts;
  add_symbols(image, starts);
  for (const AddressRange& range : image.unwind_ranges) {
    starts.try_emplace(range.address, -1);
  }
  cut_gaps(image, starts);
  std::vector<std::pair<std::uint64_t, std::int32_t>> sorted(starts.begin(), starts.end());
  std::sort(sorted.begin(), sorted.end());

  for (const TextRange* text : texts_in_order(image)) {
    const std::uint64_t end = text->address + text->bytes.size();
    auto next =
        std::lower_bound(sorted.begin(), sorted.end(), std::pair{text->address, std::int32_t{-2}});
    if (next == sorted.end() || next->first != text->address) {
      next = sorted.insert(next, {text->address, -1});
    }
    for (; next != sorted.end() && next->first < end; ++next) {
      const auto after = std::next(next);
      const std::uint64_t limit = after == sorted.end() ? end : std::min(after->first, end);
      functions.push_back({.address = next->first,
                           .size = limit - next->first,
                           .symbol = next->second,
                           .is_plt = text->is_plt});
    }
  }
  return functions;
}

std::vector<FunctionScan> scan_functions(const CodeImage& image) {
  std::vector<FunctionScan> functions = find_functions(image);
  Histogram histogram{};
  auto function = functions.begin();
  for (const TextRange* text : texts_in_order(image)) {
    for (; function != functions.end() && text->address <= function->address
           && function->address - text->address < text->bytes.size();
         ++function) {
      const std::size_t offset = function->address - text->address;
      histogram.fill(0);
      count_instructions(
          text->bytes.substr(offset, function->size), text->bytes.size() - offset, histogram);
      summarize(histogram, *function);
    }
  }
  return functions;
}

std::string name_of(const CodeImage& image, const FunctionScan& function) {
  if (function.symbol >= 0) {
    return image.functions[static_cast<std::size_t>(function.symbol)].name;
  }
  return fmt::format("sub_{:x}", function.address);
}

}  // namespace fitment
