// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"

#include "elf/dynamic.h"
#include "elf/notes.h"
#include "support/elf_image.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ElfImage library() {
  return {.needed = {"libm.so.6", "libc.so.6"}, .soname = "libx.so.1", .runpath = "$ORIGIN/../y"};
}

/// Replaces bytes of an image.
std::string patched(std::string bytes, std::size_t at, std::string_view with) {
  return bytes.replace(at, with.size(), with);
}

Result<std::optional<Dynamic>> dynamic_of(const std::string& bytes) {
  const auto source = memory_source(bytes, "libx.so");
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(*source));
  return read_dynamic(elf);
}

TEST(ElfFile, ReadsTheDynamicTableWithoutSections) {
  const auto dynamic = dynamic_of(build_elf_image(library()));
  ASSERT_TRUE(dynamic) << to_string(dynamic.error());
  EXPECT_THAT((*dynamic)->needed, ElementsAre("libm.so.6", "libc.so.6"));
  EXPECT_EQ((*dynamic)->soname, "libx.so.1");
  EXPECT_EQ((*dynamic)->runpath, "$ORIGIN/../y");
  EXPECT_FALSE((*dynamic)->rpath);
}

TEST(ElfFile, AnEmptySonameIsNone) {
  ElfImage image = library();
  image.soname = "";
  const auto dynamic = dynamic_of(build_elf_image(image));
  ASSERT_TRUE(dynamic);
  EXPECT_FALSE((*dynamic)->soname);
}

TEST(ElfFile, TellsProgramsFromLibraries) {
  ElfImage image = library();
  const auto lib = memory_source(build_elf_image(image), "libx.so");
  EXPECT_FALSE(ElfFile::read(*lib)->is_program());
  image.interpreter = "/lib64/ld-linux-x86-64.so.2";
  const auto program = memory_source(build_elf_image(image), "x");
  const auto elf = ElfFile::read(*program);
  ASSERT_TRUE(elf);
  EXPECT_TRUE(elf->is_program());
  EXPECT_EQ(elf->interpreter().value(), "/lib64/ld-linux-x86-64.so.2");
}

TEST(ElfFile, SaysWhatItDoesNotHandle) {
  const auto message = [](const ElfImage& image) {
    const auto source = memory_source(build_elf_image(image), "x");
    const auto elf = ElfFile::read(*source);
    EXPECT_FALSE(elf);
    EXPECT_EQ(elf.error().code(), ErrorCode::unsupported);
    return elf.error().message();
  };
  EXPECT_THAT(message({.machine = 3, .elf_class = 1}), HasSubstr("32 bits for x86"));
  EXPECT_THAT(message({.machine = 40, .elf_class = 1}), HasSubstr("32 bits for ARM"));
  EXPECT_THAT(message({.machine = 243}), HasSubstr("for RISC-V"));
  EXPECT_THAT(message({.machine = 190}), HasSubstr("for NVIDIA GPUs"));
  EXPECT_THAT(message({.machine = 4711}), HasSubstr("machine 4711"));
  const auto big = memory_source(patched(build_elf_image({}), 5, "\2"), "x");
  EXPECT_THAT(ElfFile::read(*big).error().message(), HasSubstr("big-endian"));
}

TEST(ElfFile, EveryTruncationIsAnErrorWithAnOffset) {
  const std::string bytes = build_elf_image(library());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto dynamic = dynamic_of(bytes.substr(0, size));
    ASSERT_FALSE(dynamic) << size;
    EXPECT_TRUE(dynamic.error().origin().has_value()) << size;
  }
}

TEST(ElfFile, LyingHeadersAreErrors) {
  const std::string bytes = build_elf_image(library());
  const std::string all_ones(8, '\xff');
  EXPECT_FALSE(dynamic_of(patched(bytes, 32, all_ones)));            // program headers far away
  EXPECT_FALSE(dynamic_of(patched(bytes, 56, "\xfe\xff")));          // too many of them
  EXPECT_FALSE(dynamic_of(patched(bytes, 54, "\1")));                // of a strange size
  EXPECT_FALSE(dynamic_of(patched(bytes, 64 + 56 + 32, all_ones)));  // endless dynamic table
  // A section table that is not there stops nobody who does not ask for it.
  const auto source = memory_source(patched(patched(bytes, 40, all_ones), 60, "\xff\xff"), "x");
  const auto elf = ElfFile::read(*source);
  ASSERT_TRUE(elf);
  const auto sections = elf->read_sections();
  ASSERT_FALSE(sections);
  EXPECT_EQ(sections.error().code(), ErrorCode::parse_error);
  EXPECT_TRUE(read_dynamic(*elf));
}

TEST(ElfFile, HugeSectionCountsAllocateNothing) {
  // e_shnum 0: the number is the size of section 0, here 2^60.
  std::string first(64, '\0');
  first[39] = '\x10';
  ElfImage image = library();
  image.extra = first;
  std::string bytes = build_elf_image(image);
  const std::uint64_t at = bytes.size() - first.size();
  std::string offset;
  elf_image_detail::put<std::uint64_t>(offset, at);
  const auto source = memory_source(patched(bytes, 40, offset), "x");
  const auto elf = ElfFile::read(*source);
  ASSERT_TRUE(elf);
  EXPECT_THAT(elf->read_sections().error().message(), HasSubstr("sections"));
}

TEST(ElfFile, AddressesNeverOverflow) {
  const std::string bytes = build_elf_image(library());
  // A segment whose offset plus size wraps around.
  const auto source = memory_source(patched(bytes, 64 + 8, std::string(8, '\xf0')), "x");
  const auto elf = ElfFile::read(*source);
  ASSERT_TRUE(elf);
  EXPECT_FALSE(elf->bytes_at(~0ULL, 16, "something"));
  EXPECT_FALSE(elf->bytes_at(8, ~0ULL, "something"));
  EXPECT_FALSE(elf->bytes_at(0, 16, "something"));
  EXPECT_FALSE(read_dynamic(*elf));
}

TEST(ElfFile, ReadsSectionsNotesAndInterpreterOfWhatGccMakes) {
  const Workshop shop;
  shop.compile("program",
               "int main(void) { return 0; }",
               {"-Wl,--build-id=0x0123456789abcdef", "-Wl,-z,x86-64-v2", "-fcf-protection=none"});
  const auto source = open_file_source(shop.path("program"));
  ASSERT_TRUE(source);
  const auto elf = ElfFile::read(**source);
  ASSERT_TRUE(elf) << to_string(elf.error());
  EXPECT_TRUE(elf->is_program());
  EXPECT_THAT(elf->interpreter().value().value(), HasSubstr("ld-linux"));
  const auto sections = elf->read_sections();
  ASSERT_TRUE(sections);
  const ElfSection* text = sections->find(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(elf->section_bytes(*text)->size(), text->size);
  EXPECT_NE(text->flags & kSectionExecutable, 0U);
  EXPECT_EQ(sections->find(".no-such-section"), nullptr);
  EXPECT_EQ(elf->section_bytes(*sections->find(SectionType::sht_nobits)).value(), "");

  const auto notes = read_notes(*elf);
  ASSERT_TRUE(notes) << to_string(notes.error());
  EXPECT_EQ(find_build_id(*notes), "0123456789abcdef");
#ifdef __x86_64__
  const auto properties = find_x86_properties(*notes);
  ASSERT_TRUE(properties);
  EXPECT_EQ(properties->isa_needed, 2);
#endif
}

}  // namespace
}  // namespace fitment
