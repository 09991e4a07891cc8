// SPDX-License-Identifier: Apache-2.0
// Small files that claim much: whoever reads them ends soon and with little memory.
#include "stack/code_image_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>

#include <vector>

namespace fitment {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A library of `data` and section headers alone; sections that are at 0 lie behind the header.
std::string library(const std::string& data, const std::vector<Elf64_Shdr>& sections) {
  Elf64_Ehdr header{};
  const std::string magic("\x7f\x45LF\2\1\1", 7);
  std::copy(magic.begin(), magic.end(), header.e_ident);
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_shoff = sizeof header + data.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(sections.size() + 1);
  std::string bytes;
  append(bytes, header);
  bytes += data;
  append(bytes, Elf64_Shdr{});
  for (Elf64_Shdr section : sections) {
    section.sh_offset += sizeof header;
    append(bytes, section);
  }
  return bytes;
}

Elf64_Shdr section(std::uint32_t type, std::uint64_t flags, std::uint64_t size) {
  Elf64_Shdr one{};
  one.sh_type = type;
  one.sh_flags = flags;
  one.sh_addr = 0x1000;
  one.sh_size = size;
  return one;
}

Result<LoadedCode> read(const std::string& bytes, std::uint64_t limit = 1U << 30U) {
  const auto source = memory_source(bytes, "lib.so");
  return read_code_image(ElfFile::read(*source).value(), limit);
}

TEST(CodeImageReader, OverlappingSectionsAreRefused) {
  const std::string data(100'000, '\x90');
  const auto all = section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, data.size());
  EXPECT_THAT(read(library(data, std::vector(2, all)))->image.text, SizeIs(2));
  EXPECT_THAT(read(library(data, std::vector(1000, all))).error().message(),
              HasSubstr("more bytes than the file has"));
}

TEST(CodeImageReader, TheLimitIsOneOfAllText) {
  const std::string data(100'000, '\x90');
  const auto code =
      read(library(data, std::vector(2, section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 60'000))),
           100'000);
  ASSERT_TRUE(code);
  EXPECT_THAT(code->image.text, SizeIs(1));
  EXPECT_FALSE(code->is_complete);
}

TEST(CodeImageReader, NamesThatShareTheirBytesAreCounted) {
  std::string data(1'000'000, 'a');
  std::vector<Elf64_Shdr> sections{section(SHT_STRTAB, 0, data.size()),
                                   section(SHT_DYNSYM, 0, 1000 * sizeof(Elf64_Sym)),
                                   section(SHT_RELA, SHF_ALLOC, 1000 * sizeof(Elf64_Rela))};
  sections[1].sh_link = 1;
  sections[1].sh_offset = data.size();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    Elf64_Sym symbol{};
    symbol.st_name = i;
    append(data, symbol);
  }
  sections[2].sh_offset = data.size();
  Elf64_Rela relocation{};
  relocation.r_info = ELF64_R_INFO(1, R_X86_64_JUMP_SLOT);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    append(data, relocation);
  }
  const auto wanted = HasSubstr("names of the symbols are too long");
  EXPECT_THAT(read(library(data, sections)).error().message(), wanted);
  // One symbol that many relocations name.
  sections[1].sh_size = 2 * sizeof(Elf64_Sym);
  EXPECT_THAT(read(library(data, sections)).error().message(), wanted);
}

TEST(CodeImageReader, AnArrayLargerThanTheFileHasNoFunctions) {
  const auto code = read(library("x", {section(SHT_INIT_ARRAY, SHF_ALLOC, 1ULL << 60U)}));
  ASSERT_TRUE(code);
  EXPECT_THAT(code->image.init_functions, SizeIs(0));
}

}  // namespace
}  // namespace fitment
