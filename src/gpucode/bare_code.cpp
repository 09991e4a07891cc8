// SPDX-License-Identifier: Apache-2.0
#include "gpucode/bare_code.h"

#include "base/text.h"
#include "elf/elf_file.h"
#include "elf/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kElfHeader = 64;
constexpr std::uint8_t kNewCubinAbi = 8;
constexpr std::uint8_t kAmdAbiV4 = 2;  // EI_ABIVERSION of code object version 4

std::optional<CudaTarget> cubin_target(std::string_view start) {
  const auto abi = load_field<std::uint8_t>(start, 8);
  const auto flags = load_field<std::uint32_t>(start, 48);
  const std::uint32_t arch = abi >= kNewCubinAbi ? (flags >> 8U) & 0xffU : flags & 0xffU;
  auto target = parse_cuda_target(fmt::format("sm_{}", arch));
  if (!target) {
    return std::nullopt;
  }
  // The note names what ptxas was asked for. It may be cut off, and then the suffix is not known.
  constexpr std::string_view kOption = "-arch sm_";
  if (const std::size_t at = start.find(kOption); at != std::string_view::npos) {
    const std::string_view rest = start.substr(at + kOption.size(), 8);
    const auto asked = parse_cuda_target(
        fmt::format("sm_{}", rest.substr(0, rest.find_first_of(std::string_view(" \0", 2)))));
    if (asked && asked->number() == target->number()) {
      return *asked;
    }
  }
  return *target;
}

std::string amd_name(std::uint32_t machine) {
  // EF_AMDGPU_MACH_AMDGCN_*
  constexpr std::array<std::pair<std::uint32_t, std::string_view>, 48> kNames{{
      {0x020, "gfx600"},  {0x021, "gfx601"},  {0x022, "gfx700"},  {0x023, "gfx701"},
      {0x024, "gfx702"},  {0x025, "gfx703"},  {0x026, "gfx704"},  {0x028, "gfx801"},
      {0x029, "gfx802"},  {0x02a, "gfx803"},  {0x02b, "gfx810"},  {0x02c, "gfx900"},
      {0x02d, "gfx902"},  {0x02e, "gfx904"},  {0x02f, "gfx906"},  {0x030, "gfx908"},
      {0x031, "gfx909"},  {0x032, "gfx90c"},  {0x033, "gfx1010"}, {0x034, "gfx1011"},
      {0x035, "gfx1012"}, {0x036, "gfx1030"}, {0x037, "gfx1031"}, {0x038, "gfx1032"},
      {0x039, "gfx1033"}, {0x03a, "gfx602"},  {0x03b, "gfx705"},  {0x03c, "gfx805"},
      {0x03d, "gfx1035"}, {0x03e, "gfx1034"}, {0x03f, "gfx90a"},  {0x040, "gfx940"},
      {0x041, "gfx1100"}, {0x042, "gfx1013"}, {0x043, "gfx1150"}, {0x044, "gfx1103"},
      {0x045, "gfx1036"}, {0x046, "gfx1101"}, {0x047, "gfx1102"}, {0x048, "gfx1200"},
      {0x049, "gfx1250"}, {0x04a, "gfx1151"}, {0x04b, "gfx941"},  {0x04c, "gfx942"},
      {0x04e, "gfx1201"}, {0x04f, "gfx950"},  {0x055, "gfx1152"}, {0x058, "gfx1153"},
  }};
  for (const auto& [number, name] : kNames) {
    if (number == machine) {
      return std::string(name);
    }
  }
  return {};
}

/// Suffix of a feature whose two bits are 2 (off) or 3 (on); unsupported and any say nothing.
std::string_view feature_sign(std::uint32_t bits) {
  constexpr std::array<std::string_view, 4> kSigns{"", "", "-", "+"};
  return kSigns.at(bits & 3U);
}

std::optional<GpuTarget> code_object_target(std::string_view start) {
  const auto flags = load_field<std::uint32_t>(start, 48);
  std::string name = amd_name(flags & 0xffU);
  if (name.empty()) {
    return std::nullopt;
  }
  if (load_field<std::uint8_t>(start, 8) >= kAmdAbiV4) {
    const std::string_view sramecc = feature_sign(flags >> 10U);
    const std::string_view xnack = feature_sign(flags >> 8U);
    name += sramecc.empty() ? "" : fmt::format(":sramecc{}", sramecc);
    name += xnack.empty() ? "" : fmt::format(":xnack{}", xnack);
  }
  auto target = parse_gfx_target(name);
  return target ? std::optional<GpuTarget>(std::move(*target)) : std::nullopt;
}

/// The word after a PTX directive that starts a line.
std::string_view directive(std::string_view start, std::string_view name) {
  for (std::size_t at = start.find(name); at != std::string_view::npos;
       at = start.find(name, at + 1)) {
    const bool starts_line = at == 0 || start[at - 1] == '\n';
    const std::string_view rest = start.substr(at + name.size());
    if (starts_line && !rest.empty() && is_blank(rest.front())) {
      const std::string_view word = trim(rest.substr(0, rest.find('\n')));
      return word.substr(0, word.find_first_of(", \t/"));
    }
  }
  return {};
}

std::optional<GpuEntry> read_ptx(std::string_view start) {
  const std::string_view version = directive(start, ".version");
  const std::string_view name = directive(start, ".target");
  const std::size_t dot = version.find('.');
  if (dot == std::string_view::npos || !name.starts_with("sm_")) {
    return std::nullopt;
  }
  const auto major = parse_unsigned(version.substr(0, dot));
  const auto minor = parse_unsigned(version.substr(dot + 1));
  auto target = parse_cuda_target(name);
  constexpr std::uint64_t kHighest = 999;
  if (!major || !minor || !target || *major > kHighest || *minor > kHighest) {
    return std::nullopt;
  }
  target->is_virtual = true;
  GpuEntry entry;
  entry.kind = CodeKind::ptx;
  entry.target = *target;
  entry.version_major = static_cast<std::uint16_t>(*major);
  entry.version_minor = static_cast<std::uint16_t>(*minor);
  return entry;
}

std::optional<GpuEntry> read_elf(std::string_view start) {
  const auto machine = static_cast<ElfMachine>(load_field<std::uint16_t>(start, 18));
  if (start.size() < kElfHeader) {
    return std::nullopt;
  }
  GpuEntry entry;
  if (machine == ElfMachine::em_cuda) {
    entry.kind = CodeKind::cubin;
    if (const auto target = cubin_target(start)) {
      entry.target = *target;
    }
  } else if (machine == ElfMachine::em_amdgpu) {
    entry.kind = CodeKind::code_object;
    entry.target = code_object_target(start);
  } else {
    return std::nullopt;
  }
  if (!entry.target) {
    entry.target_text = fmt::format("e_flags {:#x}", load_field<std::uint32_t>(start, 48));
  }
  return entry;
}

}  // namespace

std::optional<GpuEntry> read_bare_code(const ByteSource& source, std::string_view start) {
  std::optional<GpuEntry> entry = looks_like_elf(start) ? read_elf(start) : read_ptx(start);
  if (entry) {
    entry->payload_bytes = source.size();
    entry->stored_bytes = source.size();
    entry->inflated_bytes = source.size();
  }
  return entry;
}

}  // namespace fitment
