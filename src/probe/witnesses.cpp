// SPDX-License-Identifier: Apache-2.0
#include "probe/witnesses.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fitment {

namespace {

Error bad_line(const std::string& source, std::size_t line, std::string message) {
  return fail(ErrorCode::parse_error, std::move(message)).at({source, line});
}

std::optional<std::uint32_t> parse_word(std::string_view text) {
  const auto value = parse_hex(text);
  if (!value || *value > std::numeric_limits<std::uint32_t>::max()) {
    return {};
  }
  return static_cast<std::uint32_t>(*value);
}

/// `eax=0x00000001`
std::optional<std::uint32_t> parse_register(std::string_view word, std::string_view name) {
  if (!word.starts_with(name) || word.size() <= name.size() || word[name.size()] != '=') {
    return {};
  }
  return parse_word(word.substr(name.size() + 1));
}

std::optional<CpuidLeaf> parse_leaf(const std::vector<std::string_view>& words) {
  constexpr std::size_t kWords = 6;
  if (words.size() != kWords || !words[1].ends_with(':')) {
    return {};
  }
  const auto leaf = parse_word(words[0]);
  const auto subleaf = parse_word(words[1].substr(0, words[1].size() - 1));
  constexpr std::array<std::string_view, 4> kNames{"eax", "ebx", "ecx", "edx"};
  std::array<std::uint32_t, 4> registers{};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto value = parse_register(words[i + 2], kNames.at(i));
    if (!value) {
      return {};
    }
    registers.at(i) = *value;
  }
  if (!leaf || !subleaf) {
    return {};
  }
  return CpuidLeaf{*leaf, *subleaf, registers[0], registers[1], registers[2], registers[3]};
}

}  // namespace

const CpuidLeaf* CpuidTable::find(std::uint32_t leaf, std::uint32_t subleaf) const {
  const auto found = std::find_if(leaves.begin(), leaves.end(), [&](const CpuidLeaf& row) {
    return row.leaf == leaf && row.subleaf == subleaf;
  });
  return found == leaves.end() ? nullptr : &*found;
}

Result<CpuidTable> parse_cpuid(std::string_view text, const std::string& source) {
  constexpr std::size_t kMostLeaves = 4096;
  CpuidTable table;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    const auto words = split_words(line);
    if (words.empty() || words.front().starts_with('#') || words.front().starts_with("CPU")) {
      continue;
    }
    if (words.front() == "xcr0" && words.size() == 2) {
      const auto value = parse_hex(words[1]);
      if (!value) {
        return bad_line(source, number, fmt::format("`{}` is not a hexadecimal number", words[1]));
      }
      table.xcr0 = *value;
      continue;
    }
    const auto leaf = parse_leaf(words);
    if (!leaf || table.leaves.size() == kMostLeaves) {
      return bad_line(source, number, fmt::format("`{}` is not a CPUID leaf", trim(line)))
          .hint("leaves look like 0x00000007 0x00: eax=0x0 ebx=0x0 ecx=0x0 edx=0x0");
    }
    table.leaves.push_back(*leaf);
  }
  return table;
}

std::string to_string(const CpuidTable& table) {
  std::string text;
  for (const CpuidLeaf& row : table.leaves) {
    text += fmt::format("{:#010x} {:#04x}: eax={:#010x} ebx={:#010x} ecx={:#010x} edx={:#010x}\n",
                        row.leaf,
                        row.subleaf,
                        row.eax,
                        row.ebx,
                        row.ecx,
                        row.edx);
  }
  if (table.xcr0) {
    text += fmt::format("xcr0 {:#018x}\n", *table.xcr0);
  }
  return text;
}

Result<AuxiliaryVector> parse_auxv(std::string_view text, const std::string& source) {
  AuxiliaryVector auxv;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    const auto words = split_words(line);
    if (words.empty() || words.front().starts_with('#')) {
      continue;
    }
    const std::string_view name = words.front();
    if (words.size() != 2 || (name != "HWCAP" && name != "HWCAP2" && name != "PLATFORM")) {
      return bad_line(source, number, fmt::format("`{}` is not an auxiliary value", trim(line)))
          .hint("values are HWCAP, HWCAP2 and PLATFORM");
    }
    if (name == "PLATFORM") {
      auxv.platform = words[1];
      continue;
    }
    const auto value = parse_hex(words[1]);
    if (!value) {
      return bad_line(source, number, fmt::format("`{}` is not a hexadecimal number", words[1]));
    }
    (name == "HWCAP" ? auxv.hwcap : auxv.hwcap2) = *value;
  }
  return auxv;
}

std::string to_string(const AuxiliaryVector& auxv) {
  return fmt::format("HWCAP {:#x}\nHWCAP2 {:#x}\n", auxv.hwcap, auxv.hwcap2)
         + (auxv.platform.empty() ? "" : fmt::format("PLATFORM {}\n", auxv.platform));
}

Result<KernelName> parse_uname(std::string_view text, const std::string& source) {
  const auto words = split_words(text);
  constexpr std::size_t kWords = 4;
  if (words.size() != kWords) {
    return bad_line(source, 1, fmt::format("`{}` is not the output of `uname -snrm`", trim(text)));
  }
  return KernelName{
      std::string(words[0]), std::string(words[1]), std::string(words[2]), std::string(words[3])};
}

std::string to_string(const KernelName& kernel) {
  return fmt::format("{} {} {} {}\n", kernel.system, kernel.node, kernel.release, kernel.machine);
}

}  // namespace fitment
