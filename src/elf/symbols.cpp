// SPDX-License-Identifier: Apache-2.0
#include "elf/symbols.h"

#include "elf/block_reader.h"
#include "elf/fields.h"
#include "elf/text_allowance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kSymbolSize = 24;
constexpr std::uint64_t kRelocationSize = 24;  // Elf64_Rela; the only form on both machines
constexpr std::uint64_t kSymbolLimit = 16U << 20U;
constexpr std::uint64_t kStringsLimit = 512U << 20U;
constexpr std::uint64_t kVersionLimit = 32768;  // a version index has 15 bits
constexpr std::uint16_t kHiddenBit = 0x8000;
constexpr std::uint16_t kBaseFlag = 1;  // VER_FLG_BASE
constexpr std::uint16_t kWeakFlag = 2;  // VER_FLG_WEAK

}  // namespace

bool DynamicSymbol::is_export() const {
  const bool visible =
      visibility == SymbolVisibility::stv_default || visibility == SymbolVisibility::stv_protected;
  return is_defined && visible && binding != SymbolBinding::stb_local && !name.empty()
         && type != SymbolType::stt_section && type != SymbolType::stt_file;
}

std::string to_string(const DynamicSymbol& symbol) {
  if (symbol.version.empty()) {
    return std::string(symbol.name);
  }
  const bool is_default = symbol.is_defined && !symbol.is_hidden_version;
  return fmt::format("{}{}{}", symbol.name, is_default ? "@@" : "@", symbol.version);
}

/// Fills the tables one after another.
class DynamicSymbols::Reader {
 public:
  Reader(const ElfFile& elf, const Dynamic& dynamic, DynamicSymbols& out)
      : elf_(elf), dynamic_(dynamic), out_(out) {}

  Status read_strings();
  Status read_defined();
  Status read_needed();
  Status read_symbols();

 private:
  [[nodiscard]] Error bad(std::string message, std::uint64_t offset) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at({elf_.source().name(), {}, {}, offset});
  }
  [[nodiscard]] Result<std::string_view> text(std::uint64_t at, std::uint64_t origin);
  /// Whoever keeps names copies them.
  Status count_name(std::string_view name, std::uint64_t origin);
  [[nodiscard]] Result<std::uint64_t> count_symbols() const;
  [[nodiscard]] Result<std::uint64_t> count_by_gnu_hash(std::uint64_t address) const;
  [[nodiscard]] Result<std::uint64_t> count_by_relocations() const;
  void name_version(DynamicSymbol& symbol) const;
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> version_names() const;

  const ElfFile& elf_;
  const Dynamic& dynamic_;
  DynamicSymbols& out_;
  std::vector<std::pair<std::string_view, std::string_view>> versions_;  // by index: name, library
  TextAllowance names_{0};  // of the strings, once they are read
};

Status DynamicSymbols::Reader::read_strings() {
  const auto address = dynamic_.value_of(DynamicTag::dt_strtab);
  if (!address) {
    return {};
  }
  const auto place = elf_.find_address(*address);
  if (!place) {
    return bad(
        fmt::format("the dynamic strings are at address {:#x}, which no segment holds", *address),
        elf_.header().segment_table_offset);
  }
  const std::uint64_t size = std::min(
      dynamic_.value_of(DynamicTag::dt_strsz).value_or(place->available), place->available);
  if (size > kStringsLimit || !elf_.source().contains(place->offset, size)) {
    return bad(fmt::format("the dynamic strings claim {} bytes", size), place->offset);
  }
  out_.strings_.resize(size);
  names_ = TextAllowance(size);
  return elf_.source().read_exact(place->offset, size, out_.strings_.data(), "the dynamic strings");
}

Status DynamicSymbols::Reader::count_name(std::string_view name, std::uint64_t origin) {
  if (!names_.take(name.size())) {
    return bad("the names of the dynamic symbols are too long", origin);
  }
  return {};
}

Result<std::string_view> DynamicSymbols::Reader::text(std::uint64_t at, std::uint64_t origin) {
  const std::string_view strings(out_.strings_.data(), out_.strings_.size());
  if (at > 0 && at >= strings.size()) {
    return bad(fmt::format("a name at {:#x} is outside the dynamic strings", at), origin);
  }
  const std::string_view name = load_text(strings, at);
  FITMENT_TRY(count_name(name, origin));
  return name;
}

// Verdef: version, flags, index, count (u16 each), hash, aux, next (u32 each); Verdaux: name, next.
Status DynamicSymbols::Reader::read_defined() {
  const auto address = dynamic_.value_of(DynamicTag::dt_verdef);
  const std::uint64_t count = dynamic_.value_of(DynamicTag::dt_verdefnum).value_or(0);
  const auto place = address ? elf_.find_address(*address) : std::nullopt;
  if (!place) {
    return {};
  }
  BlockReader reader(elf_.source());
  std::uint64_t at = place->offset;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i >= kVersionLimit) {
      return bad(fmt::format("the object claims to define {} versions", count), at);
    }
    FITMENT_TRY_ASSIGN(std::string_view row, reader.at(at, 20, "a version definition"));
    const DefinedVersion version{
        .name = {},
        .index = static_cast<std::uint16_t>(load_field<std::uint16_t>(row, 4) & ~kHiddenBit),
        .is_base = (load_field<std::uint16_t>(row, 2) & kBaseFlag) != 0};
    const auto aux = load_field<std::uint32_t>(row, 12);
    const auto next = load_field<std::uint32_t>(row, 16);
    FITMENT_TRY_ASSIGN(row, reader.at(at + aux, 8, "the name of a version definition"));
    out_.defined_.push_back(version);
    FITMENT_TRY_ASSIGN(out_.defined_.back().name,
                       text(load_field<std::uint32_t>(row, 0), at + aux));
    if (next == 0) {
      break;
    }
    at += next;
  }
  return {};
}

// Verneed: version, count (u16 each), file, aux, next (u32 each);
// Vernaux: hash (u32), flags, index (u16 each), name, next (u32 each).
Status DynamicSymbols::Reader::read_needed() {
  const auto address = dynamic_.value_of(DynamicTag::dt_verneed);
  const std::uint64_t files = dynamic_.value_of(DynamicTag::dt_verneednum).value_or(0);
  const auto place = address ? elf_.find_address(*address) : std::nullopt;
  if (!place) {
    return {};
  }
  BlockReader reader(elf_.source());
  std::uint64_t at = place->offset;
  for (std::uint64_t i = 0; i < files; ++i) {
    FITMENT_TRY_ASSIGN(std::string_view row, reader.at(at, 16, "a version requirement"));
    const auto count = load_field<std::uint16_t>(row, 2);
    const auto file = load_field<std::uint32_t>(row, 4);
    std::uint64_t aux_at = at + load_field<std::uint32_t>(row, 8);
    const auto next = load_field<std::uint32_t>(row, 12);
    FITMENT_TRY_ASSIGN(const std::string_view library, text(file, at));
    for (std::uint16_t k = 0; k < count; ++k) {
      if (out_.needed_.size() >= kVersionLimit) {
        return bad("the object claims to need more versions than can be numbered", aux_at);
      }
      FITMENT_TRY_ASSIGN(row, reader.at(aux_at, 16, "the name of a version requirement"));
      const auto aux_next = load_field<std::uint32_t>(row, 12);
      NeededVersion version{
          .library = library,
          .name = {},
          .index = static_cast<std::uint16_t>(load_field<std::uint16_t>(row, 6) & ~kHiddenBit),
          .is_weak = (load_field<std::uint16_t>(row, 4) & kWeakFlag) != 0};
      FITMENT_TRY_ASSIGN(version.name, text(load_field<std::uint32_t>(row, 8), aux_at));
      out_.needed_.push_back(version);
      if (aux_next == 0) {
        break;
      }
      aux_at += aux_next;
    }
    if (next == 0 || i >= kVersionLimit) {
      break;
    }
    at += next;
  }
  return {};
}

std::vector<std::pair<std::string_view, std::string_view>> DynamicSymbols::Reader::version_names()
    const {
  std::vector<std::pair<std::string_view, std::string_view>> names(2);
  const auto put = [&](std::uint16_t index, std::string_view name, std::string_view library) {
    if (index >= names.size()) {
      names.resize(std::size_t{index} + 1);
    }
    names[index] = {name, library};
  };
  for (const DefinedVersion& version : out_.defined_) {
    if (!version.is_base) {
      put(version.index, version.name, {});
    }
  }
  for (const NeededVersion& version : out_.needed_) {
    put(version.index, version.name, version.library);
  }
  return names;
}

Result<std::uint64_t> DynamicSymbols::Reader::count_symbols() const {
  if (const auto hash = dynamic_.value_of(DynamicTag::dt_hash)) {
    FITMENT_TRY_ASSIGN(const std::string row, elf_.bytes_at(*hash, 8, "the symbol hash table"));
    return load_field<std::uint32_t>(row, 4);  // nchain
  }
  const std::uint64_t address = dynamic_.value_of(DynamicTag::dt_symtab).value_or(0);
  if (const auto sections = elf_.read_sections()) {
    const ElfSection* section = sections->find(SectionType::sht_dynsym);
    if (section != nullptr && section->address == address) {
      return section->size / kSymbolSize;
    }
  }
  std::uint64_t count = 0;
  if (const auto hash = dynamic_.value_of(DynamicTag::dt_gnu_hash)) {
    FITMENT_TRY_ASSIGN(count, count_by_gnu_hash(*hash));
  }
  FITMENT_TRY_ASSIGN(const std::uint64_t used, count_by_relocations());
  count = std::max(count, used);
  const std::uint64_t strings = dynamic_.value_of(DynamicTag::dt_strtab).value_or(0);
  if (count <= 1 && strings > address) {
    count = (strings - address) / kSymbolSize;
  }
  return count;
}

// Header: buckets, first hashed symbol, bloom words, bloom shift; then the bloom filter, the
// buckets (first symbol of each) and one hash per symbol, whose lowest bit ends a chain.
Result<std::uint64_t> DynamicSymbols::Reader::count_by_gnu_hash(std::uint64_t address) const {
  FITMENT_TRY_ASSIGN(const std::string header, elf_.bytes_at(address, 16, "the GNU hash table"));
  const std::uint64_t buckets = load_field<std::uint32_t>(header, 0);
  const std::uint64_t first = load_field<std::uint32_t>(header, 4);
  const std::uint64_t bloom = load_field<std::uint32_t>(header, 8);
  const std::uint64_t bucket_at = address + 16 + bloom * 8;
  FITMENT_TRY_ASSIGN(const std::string table,
                     elf_.bytes_at(bucket_at, buckets * 4, "the buckets of the GNU hash table"));
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < buckets; ++i) {
    last = std::max<std::uint64_t>(last, load_field<std::uint32_t>(table, i * 4));
  }
  if (last < first) {
    return first;  // no exports
  }
  const std::uint64_t chain_at = bucket_at + buckets * 4;
  const auto place = elf_.find_address(chain_at + (last - first) * 4);
  if (!place) {
    return bad("the GNU hash table leaves its segment", elf_.header().segment_table_offset);
  }
  BlockReader reader(elf_.source());
  for (std::uint64_t i = 0; i + 4 <= place->available && last < kSymbolLimit; i += 4, ++last) {
    FITMENT_TRY_ASSIGN(const std::string_view row,
                       reader.at(place->offset + i, 4, "a chain of the GNU hash table"));
    if ((load_field<std::uint32_t>(row, 0) & 1U) != 0) {
      return last + 1;
    }
  }
  return bad("a chain of the GNU hash table does not end", place->offset);
}

Result<std::uint64_t> DynamicSymbols::Reader::count_by_relocations() const {
  std::uint64_t count = 0;
  constexpr std::array<std::pair<DynamicTag, DynamicTag>, 2> kTables{
      {{DynamicTag::dt_rela, DynamicTag::dt_relasz},
       {DynamicTag::dt_jmprel, DynamicTag::dt_pltrelsz}}};
  for (const auto& [address_tag, size_tag] : kTables) {
    const auto address = dynamic_.value_of(address_tag);
    const std::uint64_t size = dynamic_.value_of(size_tag).value_or(0);
    if (!address || size == 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string rows, elf_.bytes_at(*address, size, "the relocations"));
    for (std::uint64_t at = 0; at + kRelocationSize <= rows.size(); at += kRelocationSize) {
      const std::uint64_t symbol =
          load_field<std::uint32_t>(rows, at + 12);  // upper half of r_info
      count = std::max(count, symbol + 1);
    }
  }
  return count;
}

void DynamicSymbols::Reader::name_version(DynamicSymbol& symbol) const {
  if (symbol.version_index > 1 && symbol.version_index < versions_.size()) {
    const auto& [name, library] = versions_[symbol.version_index];
    symbol.version = name;
    symbol.library = symbol.is_defined ? std::string_view() : library;
  }
}

Status DynamicSymbols::Reader::read_symbols() {
  const auto address = dynamic_.value_of(DynamicTag::dt_symtab);
  if (!address) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const std::uint64_t count, count_symbols());
  if (count > kSymbolLimit) {
    return bad(fmt::format("the object claims {} dynamic symbols", count),
               elf_.header().segment_table_offset);
  }
  FITMENT_TRY_ASSIGN(const std::string table,
                     elf_.bytes_at(*address, count * kSymbolSize, "the dynamic symbols"));
  std::string indices;
  if (const auto versym = dynamic_.value_of(DynamicTag::dt_versym)) {
    FITMENT_TRY_ASSIGN(indices, elf_.bytes_at(*versym, count * 2, "the symbol versions"));
    out_.has_version_table_ = true;
  }
  versions_ = version_names();
  const std::uint64_t origin = elf_.find_address(*address).value_or(ElfFile::Place{}).offset;
  out_.symbols_.reserve(count > 0 ? count - 1 : 0);
  for (std::uint64_t i = 1; i < count; ++i) {
    const std::string_view row = std::string_view(table).substr(i * kSymbolSize, kSymbolSize);
    const auto info = load_field<std::uint8_t>(row, 4);
    const auto index =
        out_.has_version_table_ ? load_field<std::uint16_t>(indices, i * 2) : std::uint16_t{1};
    DynamicSymbol symbol{
        .name = {},
        .version = {},
        .library = {},
        .binding = static_cast<SymbolBinding>(info >> 4U),
        .type = static_cast<SymbolType>(info & 0xfU),
        .visibility = static_cast<SymbolVisibility>(load_field<std::uint8_t>(row, 5) & 3U),
        .is_defined = load_field<std::uint16_t>(row, 6) != kSectionUndefined,
        .is_hidden_version = (index & kHiddenBit) != 0,
        .version_index = static_cast<std::uint16_t>(index & ~kHiddenBit),
        .value = load_field<std::uint64_t>(row, 8),
        .size = load_field<std::uint64_t>(row, 16)};
    FITMENT_TRY_ASSIGN(symbol.name,
                       text(load_field<std::uint32_t>(row, 0), origin + i * kSymbolSize));
    name_version(symbol);
    FITMENT_TRY(count_name(symbol.version, origin + i * kSymbolSize));
    out_.symbols_.push_back(symbol);
  }
  return {};
}

Result<DynamicSymbols> DynamicSymbols::read_versions(const ElfFile& elf, const Dynamic& dynamic) {
  DynamicSymbols symbols;
  Reader reader(elf, dynamic, symbols);
  FITMENT_TRY(reader.read_strings());
  FITMENT_TRY(reader.read_defined());
  FITMENT_TRY(reader.read_needed());
  return symbols;
}

Result<DynamicSymbols> DynamicSymbols::read(const ElfFile& elf, const Dynamic& dynamic) {
  FITMENT_TRY_ASSIGN(DynamicSymbols symbols, read_versions(elf, dynamic));
  Reader reader(elf, dynamic, symbols);
  FITMENT_TRY(reader.read_symbols());
  return symbols;
}

}  // namespace fitment
