// SPDX-License-Identifier: Apache-2.0
// Everything that is read from an ELF file, on any bytes.
#include "elf/elf_file.h"

#include "elf/dynamic.h"
#include "elf/notes.h"
#include "elf/symbols.h"
#include "elf/version_needs.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const auto source = memory_source(std::string(data, data + size), "input");
  const auto elf = ElfFile::read(*source);
  if (!elf) {
    return 0;
  }
  static_cast<void>(elf->interpreter());
  if (const auto sections = elf->read_sections()) {
    for (const ElfSection& section : sections->all) {
      static_cast<void>(elf->section_bytes(section));
    }
  }
  if (const auto notes = read_notes(*elf)) {
    static_cast<void>(find_build_id(*notes));
    static_cast<void>(find_x86_properties(*notes));
  }
  const auto dynamic = read_dynamic(*elf);
  if (dynamic && *dynamic) {
    if (const auto symbols = DynamicSymbols::read(*elf, **dynamic)) {
      static_cast<void>(glibc_floor(symbols->needed_versions()));
      for (const DynamicSymbol& symbol : symbols->all()) {
        static_cast<void>(to_string(symbol));
      }
    }
  }
  return 0;
}
