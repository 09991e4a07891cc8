// SPDX-License-Identifier: Apache-2.0
#include "stack/code_image_reader.h"

#include "elf/fields.h"
#include "elf/text_allowance.h"
#include "stack/unwind_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

constexpr std::uint64_t kSymbolSize = 24;             // Elf64_Sym
constexpr std::uint64_t kRelocationSize = 24;         // Elf64_Rela
constexpr std::uint32_t kRelocation64 = 1;            // R_X86_64_64
constexpr std::uint32_t kGlobalData = 6;              // R_X86_64_GLOB_DAT
constexpr std::uint32_t kJumpSlot = 7;                // R_X86_64_JUMP_SLOT
constexpr std::uint32_t kRelative = 8;                // R_X86_64_RELATIVE
constexpr std::uint32_t kIndirectRelative = 37;       // R_X86_64_IRELATIVE
constexpr std::uint32_t kArm64 = 257;                 // R_AARCH64_ABS64
constexpr std::uint32_t kArmGlobalData = 1025;        // R_AARCH64_GLOB_DAT
constexpr std::uint32_t kArmJumpSlot = 1026;          // R_AARCH64_JUMP_SLOT
constexpr std::uint32_t kArmRelative = 1027;          // R_AARCH64_RELATIVE
constexpr std::uint32_t kArmIndirectRelative = 1032;  // R_AARCH64_IRELATIVE
constexpr std::uint64_t kSectionThreadLocal = 0x400;  // SHF_TLS
constexpr std::uint32_t kInitArray = 14;
constexpr std::uint32_t kFiniArray = 15;
constexpr std::uint32_t kPreinitArray = 16;
constexpr std::uint8_t kTypeObject = 1;
constexpr std::uint8_t kTypeFunction = 2;
constexpr std::uint8_t kTypeIndirect = 10;
constexpr std::uint64_t kDataLimit = 256U << 20U;
constexpr std::string_view kPackedRelocations = ".relr.dyn";

bool holds_gpu_code(const std::string& name) {
  return name == ".nv_fatbin" || name == "__nv_relfatbin" || name == ".hip_fatbin"
         || name == ".cask_resource" || name == ".ldata" || name == ".lrodata";
}

/// Relocations of arm64 by the numbers that x86-64 has for the same; the two share no number.
std::uint32_t relocation_kind(std::uint32_t type) {
  switch (type) {
    case kArm64:
      return kRelocation64;
    case kArmGlobalData:
      return kGlobalData;
    case kArmJumpSlot:
      return kJumpSlot;
    case kArmRelative:
      return kRelative;
    case kArmIndirectRelative:
      return kIndirectRelative;
    default:
      return type;
  }
}

class CodeReader {
 public:
  CodeReader(const ElfFile& elf, std::uint64_t limit)
      : elf_(elf),
        text_left_(limit),
        bytes_left_(2 * elf.source().size()),
        names_(elf.source().size()) {}

  Result<LoadedCode> read() {
    CodeImage& image = code_.image;
    image.machine = elf_.header().machine == ElfMachine::em_aarch64 ? CodeMachine::aarch64
                                                                    : CodeMachine::x86_64;
    image.is_position_dependent = elf_.header().type == ElfType::et_exec;
    image.entry = elf_.header().entry;
    FITMENT_TRY_ASSIGN(sections_, elf_.read_sections());
    is_packed_ =
        std::any_of(sections_.all.begin(), sections_.all.end(), [](const ElfSection& section) {
          return section.name == kPackedRelocations;
        });
    for (const ElfSection& section : sections_.all) {
      FITMENT_TRY(add_memory(section));
    }
    for (const ElfSection& section : sections_.all) {
      if (section.type == SectionType::sht_symtab || section.type == SectionType::sht_dynsym) {
        FITMENT_TRY(read_symbols(section));
      }
    }
    for (const ElfSection& section : sections_.all) {
      FITMENT_TRY(read_tables(section));
    }
    read_init_arrays();
    return std::move(code_);
  }

 private:
  [[nodiscard]] Error bad(std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at({elf_.source().name(), {}, {}, elf_.header().section_table_offset});
  }

  /// Sections of a damaged file may overlap, so that a small one claims more than memory holds.
  Result<std::string> bytes_of(const ElfSection& section) {
    if (!section.has_bytes()) {
      return std::string();
    }
    if (section.size > bytes_left_) {
      return bad("the sections claim more bytes than the file has");
    }
    bytes_left_ -= section.size;
    return elf_.section_bytes(section, section.size);
  }

  Status count_name(std::string_view name) {
    return names_.take(name.size()) ? Status() : bad("the names of the symbols are too long");
  }

  Result<std::string_view> load(const ElfSection& section) {
    FITMENT_TRY_ASSIGN(std::string bytes, bytes_of(section));
    code_.bytes.push_back(std::move(bytes));
    return std::string_view(code_.bytes.back());
  }

  Status add_memory(const ElfSection& section) {
    if ((section.flags & kSectionAllocated) == 0 || section.size == 0
        || holds_gpu_code(section.name)) {
      return {};
    }
    if ((section.flags & kSectionExecutable) != 0) {
      if (section.size > text_left_) {
        code_.is_complete = false;
        return {};
      }
      text_left_ -= section.size;
      FITMENT_TRY_ASSIGN(const std::string_view bytes, load(section));
      code_.image.text.push_back({section.address, bytes, section.name.starts_with(".plt")});
    } else if ((section.flags & kSectionThreadLocal) == 0 && section.size <= kDataLimit) {
      std::string_view bytes;
      if (is_read(section)) {
        FITMENT_TRY_ASSIGN(bytes, load(section));
      }
      code_.image.data.push_back({{section.address, section.size},
                                  bytes,
                                  (section.flags & kSectionWritable) != 0,
                                  section.name.starts_with(".got")});
    }
    if (is_array(section) && section.size <= kDataLimit) {
      code_.image.init_arrays.push_back({section.address, section.size});
    }
    return {};
  }

  /// Data counts by its addresses. Its bytes are looked at only where pointers are plain numbers in
  /// them: in programs that are not relocated, under packed relocations, in arrays of initializers.
  [[nodiscard]] bool is_read(const ElfSection& section) const {
    return code_.image.is_position_dependent || is_array(section)
           || (is_packed_ && (section.flags & kSectionWritable) != 0);
  }

  /// Addresses of functions that the loader calls.
  static bool is_array(const ElfSection& section) {
    const auto type = static_cast<std::uint32_t>(section.type);
    return type == kInitArray || type == kFiniArray || type == kPreinitArray;
  }

  /// Slots matter that lead to code, and those that code loads or calls through; the millions of
  /// pointers from data to data do not.
  [[nodiscard]] bool is_of_use(const CodeSlot& slot) const {
    const auto& data = code_.image.data;
    return slot.kind != CodeSlot::Kind::pointer || is_code(slot.target)
           || std::any_of(data.begin(), data.end(), [&](const DataRange& range) {
                return range.is_got && range.range.contains(slot.address);
              });
  }

  void add_slot(CodeSlot slot) {
    if (is_of_use(slot)) {
      code_.image.slots.push_back(std::move(slot));
    }
  }

  [[nodiscard]] bool is_code(std::uint64_t address) const {
    const auto& text = code_.image.text;
    return std::any_of(text.begin(), text.end(), [&](const TextRange& range) {
      return AddressRange{range.address, range.bytes.size()}.contains(address);
    });
  }

  Status read_symbols(const ElfSection& section) {
    const bool is_dynamic = section.type == SectionType::sht_dynsym;
    FITMENT_TRY_ASSIGN(const std::string bytes, bytes_of(section));
    std::string names;
    if (section.link < sections_.all.size()) {
      FITMENT_TRY_ASSIGN(names, bytes_of(sections_.all[section.link]));
    }
    for (std::uint64_t at = 0; at + kSymbolSize <= bytes.size(); at += kSymbolSize) {
      const std::string name(load_text(names, load_field<std::uint32_t>(bytes, at)));
      FITMENT_TRY(count_name(name));
      const std::uint8_t type = load_field<std::uint8_t>(bytes, at + 4) & 0x0fU;
      const auto index = load_field<std::uint16_t>(bytes, at + 6);
      const auto value = load_field<std::uint64_t>(bytes, at + 8);
      if (is_dynamic) {
        dynamic_.push_back({name, index == kSectionUndefined ? 0 : value});
      }
      if (index == kSectionUndefined) {
        continue;
      }
      if ((type == kTypeFunction || type == kTypeIndirect) && is_code(value)) {
        code_.image.functions.push_back({name,
                                         value,
                                         load_field<std::uint64_t>(bytes, at + 16),
                                         is_dynamic,
                                         type == kTypeIndirect});
      } else if (type == kTypeObject) {
        code_.image.data_symbols.push_back({name, value});
      }
    }
    return {};
  }

  Status read_tables(const ElfSection& section) {
    if (section.type == SectionType::sht_rela && (section.flags & kSectionAllocated) != 0) {
      FITMENT_TRY_ASSIGN(const std::string bytes, bytes_of(section));
      FITMENT_TRY(read_relocations(bytes));
    } else if (section.name == ".eh_frame" && section.has_bytes()) {
      FITMENT_TRY_ASSIGN(const std::string bytes, bytes_of(section));
      for (const AddressRange& range : read_unwind_ranges(bytes, section.address)) {
        if (is_code(range.address)) {
          code_.image.unwind_ranges.push_back(range);
        }
      }
    } else if (section.name == kPackedRelocations) {
      FITMENT_TRY_ASSIGN(const std::string bytes, bytes_of(section));
      read_packed_relocations(bytes);
    }
    return {};
  }

  Status read_relocations(std::string_view bytes) {
    for (std::uint64_t at = 0; at + kRelocationSize <= bytes.size(); at += kRelocationSize) {
      const auto info = load_field<std::uint64_t>(bytes, at + 8);
      const auto addend = load_field<std::uint64_t>(bytes, at + 16);
      const std::uint32_t type = relocation_kind(static_cast<std::uint32_t>(info));
      const std::uint64_t symbol = info >> 32U;
      CodeSlot slot;
      slot.address = load_field<std::uint64_t>(bytes, at);
      if (type == kRelative || type == kIndirectRelative) {
        slot.kind = type == kRelative ? CodeSlot::Kind::pointer : CodeSlot::Kind::resolver;
        slot.target = addend;
      } else if ((type == kRelocation64 || type == kGlobalData || type == kJumpSlot)
                 && symbol < dynamic_.size()) {
        slot.kind = type == kRelocation64 ? CodeSlot::Kind::pointer : CodeSlot::Kind::linkage;
        FITMENT_TRY(count_name(dynamic_[symbol].name));
        slot.import = dynamic_[symbol].name;
        slot.target = dynamic_[symbol].value == 0
                          ? 0
                          : dynamic_[symbol].value + (type == kRelocation64 ? addend : 0);
      } else {
        continue;
      }
      add_slot(std::move(slot));
    }
    return {};
  }

  [[nodiscard]] std::uint64_t word_at(std::uint64_t address) const {
    for (const DataRange& data : code_.image.data) {
      if (data.range.contains(address)) {
        return load_field<std::uint64_t>(data.bytes, address - data.range.address);
      }
    }
    return 0;
  }

  /// DT_RELR: an even word is an address, an odd one a bitmap of the 63 words after the last
  /// address.
  void read_packed_relocations(std::string_view bytes) {
    std::uint64_t where = 0;
    const auto add = [&](std::uint64_t address) {
      add_slot({address, CodeSlot::Kind::pointer, word_at(address), ""});
    };
    for (std::uint64_t at = 0; at + 8 <= bytes.size(); at += 8) {
      const auto word = load_field<std::uint64_t>(bytes, at);
      if ((word & 1U) == 0) {
        add(word);
        where = word + 8;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit) {
        if ((word >> bit & 1U) != 0) {
          add(where + (bit - 1) * 8ULL);
        }
      }
      where += 63 * 8ULL;
    }
  }

  void read_init_arrays() {
    std::map<std::uint64_t, std::uint64_t> targets;
    const auto& arrays = code_.image.init_arrays;
    for (const CodeSlot& slot : code_.image.slots) {
      const bool is_inside =
          std::any_of(arrays.begin(), arrays.end(), [&](const AddressRange& range) {
            return range.contains(slot.address);
          });
      if (is_inside) {
        targets[slot.address] = slot.target;
      }
    }
    for (const AddressRange& range : code_.image.init_arrays) {
      for (std::uint64_t done = 0; done + 8 <= range.size; done += 8) {
        const std::uint64_t at = range.address + done;
        const auto found = targets.find(at);
        const std::uint64_t target = found != targets.end() ? found->second : word_at(at);
        if (is_code(target)) {
          code_.image.init_functions.push_back(target);
        }
      }
    }
  }

  struct Imported {
    std::string name;
    std::uint64_t value = 0;
  };

  const ElfFile& elf_;
  std::uint64_t text_left_;
  std::uint64_t bytes_left_;  ///< of all sections
  TextAllowance names_;
  bool is_packed_ = false;  ///< relocations are packed: their targets are the words in place
  ElfSections sections_;
  std::vector<Imported> dynamic_;
  LoadedCode code_;
};

}  // namespace

Result<LoadedCode> read_code_image(const ElfFile& elf, std::uint64_t limit) {
  return CodeReader(elf, limit).read();
}

}  // namespace fitment
