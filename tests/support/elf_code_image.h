// SPDX-License-Identifier: Apache-2.0
// A small ELF reader for tests of `isa`: what the installed libraries and the files that a test
// compiles hold. It trusts its input no further than to stay inside the file.
#pragma once

#include "base/files.h"
#include "isa/code_image.h"

#include <elf.h>

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fitment::testing_support {

class ElfCodeImage {
 public:
  /// nullopt when the file is missing or no 64-bit ELF.
  static std::optional<ElfCodeImage> load(const std::string& path) {
    auto bytes = read_file(path, 1ULL << 30U);
    if (!bytes || bytes->size() < sizeof(Elf64_Ehdr)
        || std::memcmp(bytes->data(), "\177ELF\2\1", 6) != 0) {
      return std::nullopt;
    }
    ElfCodeImage loaded;
    loaded.bytes_ = std::make_unique<std::string>(std::move(*bytes));
    loaded.fill();
    return loaded;
  }

  [[nodiscard]] const CodeImage& image() const { return image_; }
  [[nodiscard]] CodeImage& image() { return image_; }

 private:
  struct Section {
    Elf64_Shdr header;
    std::string name;
    std::string_view bytes;
  };

  template <typename T>
  static std::optional<T> get(std::string_view bytes, std::uint64_t offset) {
    T value{};
    if (offset > bytes.size() || bytes.size() - offset < sizeof value) {
      return std::nullopt;
    }
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }

  static std::string text_at(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) {
      return "";
    }
    table.remove_prefix(offset);
    return std::string(table.substr(0, table.find('\0')));
  }

  void fill() {
    const auto header = *get<Elf64_Ehdr>(*bytes_, 0);
    image_.machine = header.e_machine == EM_AARCH64 ? CodeMachine::aarch64 : CodeMachine::x86_64;
    image_.is_position_dependent = header.e_type == ET_EXEC;
    image_.entry = header.e_entry;
    read_sections(header);
    for (const Section& section : sections_) {
      add_memory(section);
    }
    for (const Section& section : sections_) {
      if (section.header.sh_type == SHT_SYMTAB || section.header.sh_type == SHT_DYNSYM) {
        read_symbols(section);
      }
    }
    for (const Section& section : sections_) {
      if (section.header.sh_type == SHT_RELA && (section.header.sh_flags & SHF_ALLOC) != 0) {
        read_relocations(section);
      } else if (section.name == ".eh_frame") {
        read_unwind(section);
      } else if (section.name == ".relr.dyn") {
        read_relative(section);
      }
    }
    read_init_arrays();
  }

  void read_sections(const Elf64_Ehdr& header) {
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
      const auto section = get<Elf64_Shdr>(*bytes_, header.e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) {
        return;
      }
      std::string_view content;
      if (section->sh_type != SHT_NOBITS && section->sh_offset <= bytes_->size()) {
        content = std::string_view(*bytes_).substr(section->sh_offset, section->sh_size);
      }
      sections_.push_back({*section, "", content});
    }
    if (header.e_shstrndx < sections_.size()) {
      const std::string_view names = sections_[header.e_shstrndx].bytes;
      for (Section& section : sections_) {
        section.name = text_at(names, section.header.sh_name);
      }
    }
  }

  void add_memory(const Section& section) {
    const auto& header = section.header;
    if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_size == 0) {
      return;
    }
    if ((header.sh_flags & SHF_EXECINSTR) != 0) {
      image_.text.push_back({header.sh_addr, section.bytes, section.name.substr(0, 4) == ".plt"});
    } else if ((header.sh_flags & SHF_TLS) == 0) {
      image_.data.push_back({{header.sh_addr, header.sh_size},
                             section.bytes,
                             (header.sh_flags & SHF_WRITE) != 0,
                             section.name.substr(0, 4) == ".got"});
    }
    if (header.sh_type == SHT_INIT_ARRAY || header.sh_type == SHT_FINI_ARRAY
        || header.sh_type == SHT_PREINIT_ARRAY) {
      image_.init_arrays.push_back({header.sh_addr, header.sh_size});
    }
  }

  [[nodiscard]] bool is_code(std::uint64_t address) const {
    for (const TextRange& text : image_.text) {
      if (AddressRange{text.address, text.bytes.size()}.contains(address)) {
        return true;
      }
    }
    return false;
  }

  void read_symbols(const Section& section) {
    const bool is_dynamic = section.header.sh_type == SHT_DYNSYM;
    const std::string_view names = section.header.sh_link < sections_.size()
                                       ? sections_[section.header.sh_link].bytes
                                       : std::string_view{};
    for (std::uint64_t offset = 0; auto symbol = get<Elf64_Sym>(section.bytes, offset);
         offset += sizeof(Elf64_Sym)) {
      const auto type = ELF64_ST_TYPE(symbol->st_info);
      const std::string name = text_at(names, symbol->st_name);
      if (is_dynamic) {
        dynamic_symbols_.push_back({*symbol, name});
      }
      if (symbol->st_shndx == SHN_UNDEF) {
        continue;
      }
      if ((type == STT_FUNC || type == STT_GNU_IFUNC) && is_code(symbol->st_value)) {
        image_.functions.push_back(
            {name, symbol->st_value, symbol->st_size, is_dynamic, type == STT_GNU_IFUNC});
      } else if (type == STT_OBJECT) {
        image_.data_symbols.push_back({name, symbol->st_value});
      }
    }
  }

  void read_relocations(const Section& section) {
    for (std::uint64_t offset = 0; auto entry = get<Elf64_Rela>(section.bytes, offset);
         offset += sizeof(Elf64_Rela)) {
      CodeSlot slot;
      slot.address = entry->r_offset;
      const auto type = ELF64_R_TYPE(entry->r_info);
      const auto index = ELF64_R_SYM(entry->r_info);
      const auto addend = static_cast<std::uint64_t>(entry->r_addend);
      if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE) {
        slot.kind = type == R_X86_64_RELATIVE ? CodeSlot::Kind::pointer : CodeSlot::Kind::resolver;
        slot.target = addend;
      } else if (type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT) {
        if (index >= dynamic_symbols_.size()) {
          continue;
        }
        const auto& [symbol, name] = dynamic_symbols_[index];
        slot.kind = type == R_X86_64_64 ? CodeSlot::Kind::pointer : CodeSlot::Kind::linkage;
        slot.import = name;
        if (symbol.st_shndx != SHN_UNDEF) {
          slot.target = symbol.st_value + (type == R_X86_64_64 ? addend : 0);
        }
      } else {
        continue;
      }
      image_.slots.push_back(slot);
    }
  }

  [[nodiscard]] std::uint64_t word_at(std::uint64_t address) const {
    for (const DataRange& data : image_.data) {
      if (data.range.contains(address)) {
        return get<std::uint64_t>(data.bytes, address - data.range.address).value_or(0);
      }
    }
    return 0;
  }

  /// Packed relative relocations (DT_RELR).
  void read_relative(const Section& section) {
    std::uint64_t where = 0;
    const auto add = [&](std::uint64_t address) {
      image_.slots.push_back({address, CodeSlot::Kind::pointer, word_at(address), ""});
    };
    for (std::uint64_t offset = 0; auto word = get<std::uint64_t>(section.bytes, offset);
         offset += 8) {
      if ((*word & 1U) == 0) {
        add(*word);
        where = *word + 8;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit) {
        if ((*word >> bit & 1U) != 0) {
          add(where + (bit - 1) * 8ULL);
        }
      }
      where += 63 * 8ULL;
    }
  }

  /// Ranges of .eh_frame with pc-relative 4-byte or absolute 8-byte pointers, which is what
  /// compilers emit.
  void read_unwind(const Section& section) {
    std::map<std::uint64_t, std::uint8_t> encodings;
    std::uint64_t offset = 0;
    while (auto length = get<std::uint32_t>(section.bytes, offset)) {
      const std::uint64_t body = offset + 4;
      offset = body + *length;
      const auto id = get<std::uint32_t>(section.bytes, body);
      if (*length == 0 || !id) {
        continue;
      }
      if (*id == 0) {
        encodings[body - 4] = pointer_encoding(section.bytes, body + 4);
        continue;
      }
      const std::uint8_t encoding = encodings.count(body - *id) != 0 ? encodings[body - *id] : 0x1b;
      const std::uint64_t at = body + 4;
      std::uint64_t address = 0;
      std::uint64_t size = 0;
      if ((encoding & 0x0fU) == 0x0b || (encoding & 0x0fU) == 0x03) {
        address = static_cast<std::uint64_t>(
            std::int64_t{get<std::int32_t>(section.bytes, at).value_or(0)});
        size = get<std::uint32_t>(section.bytes, at + 4).value_or(0);
      } else {
        address = get<std::uint64_t>(section.bytes, at).value_or(0);
        size = get<std::uint64_t>(section.bytes, at + 8).value_or(0);
      }
      address += (encoding & 0x70U) == 0x10 ? section.header.sh_addr + at : 0;
      if (size != 0 && is_code(address)) {
        image_.unwind_ranges.push_back({address, size});
      }
    }
  }

  static std::uint8_t pointer_encoding(std::string_view bytes, std::uint64_t at) {
    const std::string augmentation = text_at(bytes, at + 1);
    at += 1 + augmentation.size() + 1;
    const auto skip_number = [&] {
      while ((get<std::uint8_t>(bytes, at).value_or(0) & 0x80U) != 0) {
        ++at;
      }
      ++at;
    };
    skip_number();
    skip_number();
    skip_number();
    if (augmentation.empty() || augmentation[0] != 'z') {
      return 0;
    }
    skip_number();
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        return get<std::uint8_t>(bytes, at).value_or(0);
      }
      if (letter == 'P') {
        const std::uint8_t form = get<std::uint8_t>(bytes, at).value_or(0) & 0x0fU;
        at += form == 0 || form == 4 || form == 12 ? 9 : 5;
      } else if (letter == 'L') {
        ++at;
      }
    }
    return 0;
  }

  void read_init_arrays() {
    std::map<std::uint64_t, std::uint64_t> targets;
    for (const CodeSlot& slot : image_.slots) {
      targets[slot.address] = slot.target;
    }
    for (const AddressRange& range : image_.init_arrays) {
      for (std::uint64_t at = range.address; at + 8 <= range.address + range.size; at += 8) {
        const auto found = targets.find(at);
        const std::uint64_t target = found != targets.end() ? found->second : word_at(at);
        if (is_code(target)) {
          image_.init_functions.push_back(target);
        }
      }
    }
  }

  std::unique_ptr<std::string> bytes_;
  std::vector<Section> sections_;
  std::vector<std::pair<Elf64_Sym, std::string>> dynamic_symbols_;
  CodeImage image_;
};

}  // namespace fitment::testing_support
