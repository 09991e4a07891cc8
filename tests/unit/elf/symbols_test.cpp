// SPDX-License-Identifier: Apache-2.0
#include "elf/symbols.h"

#include "base/text.h"
#include "elf/version_needs.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace fitment {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::UnorderedElementsAreArray;

/// A file with everything that its symbols point into.
struct Opened {
  std::unique_ptr<ByteSource> source;
  std::optional<ElfFile> elf;
  std::optional<Dynamic> dynamic;
  DynamicSymbols symbols;
};

Opened open_symbols(std::unique_ptr<ByteSource> source) {
  Opened opened{std::move(source), {}, {}, {}};
  opened.elf = ElfFile::read(*opened.source).value();
  opened.dynamic = read_dynamic(*opened.elf).value();
  auto symbols = DynamicSymbols::read(*opened.elf, *opened.dynamic);
  EXPECT_TRUE(symbols) << to_string(symbols.error());
  if (symbols) {
    opened.symbols = std::move(*symbols);
  }
  return opened;
}

std::vector<std::string> names(const Opened& opened, bool exports) {
  std::vector<std::string> list;
  for (const DynamicSymbol& symbol : opened.symbols.all()) {
    if (exports ? symbol.is_export() : symbol.is_import()) {
      // The symbol that a version itself has is printed without its version by readelf.
      list.push_back(symbol.name == symbol.version ? std::string(symbol.name) : to_string(symbol));
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

/// The same list as readelf prints it.
std::vector<std::string> readelf_names(const Workshop& shop,
                                       const std::string& path,
                                       bool exports) {
  std::vector<std::string> list;
  const std::string text = shop.run({"readelf", "--dyn-syms", "-W", path});
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    // number: value size type binding visibility section name [(version index)]
    if (words.size() < 8 || words[0].back() != ':' || words[4] == "LOCAL" || words[0] == "Num:") {
      continue;
    }
    if ((words[6] != "UND") == exports && words[5] != "HIDDEN") {
      list.emplace_back(words[7]);
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

/// A copy without section headers, as stripped files can be.
std::string without_sections(const std::string& path) {
  std::string bytes = read_file(path).value();
  for (const std::size_t at : {40U, 44U, 60U}) {
    bytes.replace(at, at == 60 ? 2 : 4, std::string(at == 60 ? 2 : 4, '\0'));
  }
  return bytes;
}

TEST(DynamicSymbols, KnowsDefaultHiddenWeakAndIndirectOnes) {
  const Workshop shop;
  shop.write(
      "versions.map",
      "OLD_1 { global: twice; local: *; }; NEW_2 { global: twice; once; chooser; maybe; } OLD_1;");
  shop.compile("libv.so.1",
               "int old(void) { return 1; } int young(void) { return 2; } int once = 3;\n"
               "__asm__(\".symver old, twice@OLD_1\"); __asm__(\".symver young, twice@@NEW_2\");\n"
               "static int a(void) { return 4; } static void* pick(void) { return (void*)a; }\n"
               "int chooser(void) __attribute__((ifunc(\"pick\")));\n"
               "extern int optional(void) __attribute__((weak)); int maybe(void) { return optional "
               "? optional() : 0; }",
               {"-shared",
                "-fPIC",
                "-nostdlib",
                "-Wl,-soname,libv.so.1",
                "-Wl,--version-script=" + shop.path("versions.map")});
  const Opened opened = open_symbols(open_file_source(shop.path("libv.so.1")).value());
  EXPECT_THAT(names(opened, true),
              IsSupersetOf({"twice@OLD_1", "twice@@NEW_2", "once@@NEW_2", "chooser@@NEW_2"}));
  EXPECT_THAT(names(opened, false), Contains("optional"));
  for (const DynamicSymbol& symbol : opened.symbols.all()) {
    EXPECT_EQ(symbol.name == "optional", symbol.is_weak()) << symbol.name;
    EXPECT_EQ(symbol.name == "chooser", symbol.type == SymbolType::stt_gnu_ifunc) << symbol.name;
  }

  shop.compile("libuser.so",
               "extern int once; extern int twice(void); int use(void) { return once + twice(); }",
               {"-shared", "-fPIC", "-nostdlib", shop.path("libv.so.1")});
  const Opened user = open_symbols(open_file_source(shop.path("libuser.so")).value());
  EXPECT_THAT(names(user, false), UnorderedElementsAreArray({"once@NEW_2", "twice@NEW_2"}));
  for (const DynamicSymbol& symbol : user.symbols.all()) {
    EXPECT_EQ(symbol.library, symbol.is_import() ? "libv.so.1" : "") << symbol.name;
  }
}

TEST(DynamicSymbols, AgreesWithReadelfWithAndWithoutSections) {
  const Workshop shop;
  const std::string listing =
      shop.run({"env", "PATH=/usr/sbin:/sbin:/usr/bin:/bin", "ldconfig", "-p"});
  int seen = 0;
  for (const std::string_view line : split_lines(listing)) {
    const auto words = split_words(line);
    const bool wanted =
        !words.empty()
        && (words[0] == "libc.so.6" || words[0] == "libstdc++.so.6" || words[0] == "libm.so.6"
            || words[0] == "libcrypto.so.3" || words[0] == "libz.so.1");
    if (!wanted || line.find("64") == std::string_view::npos) {
      continue;
    }
    const std::string path(words.back());
    const Opened opened = open_symbols(open_file_source(path).value());
    const Opened bare = open_symbols(memory_source(without_sections(path), path));
    for (const bool exports : {false, true}) {
      const auto expected = readelf_names(shop, path, exports);
      EXPECT_TRUE(names(opened, exports) == expected) << path;
      EXPECT_TRUE(names(bare, exports) == expected) << path << " without sections";
    }
    ++seen;
  }
  EXPECT_GE(seen, 3);
}

TEST(DynamicSymbols, CountsImportsOfAProgramWithoutSections) {
  const Workshop shop;
  shop.compile("program", "#include <stdio.h>\nint main(void) { puts(\"x\"); return 0; }", {});
  const Opened bare =
      open_symbols(memory_source(without_sections(shop.path("program")), "program"));
  bool found = false;
  for (const std::string& name : names(bare, false)) {
    found = found || name.starts_with("puts@GLIBC_2.");
  }
  EXPECT_TRUE(found);
}

TEST(DynamicSymbols, EveryDamagedByteIsAnAnswerOrAnError) {
  const Workshop shop;
  shop.compile("program", "#include <stdio.h>\nint main(void) { puts(\"x\"); return 0; }", {});
  const std::string bytes = without_sections(shop.path("program"));
  const std::size_t end = std::min<std::size_t>(bytes.size(), 0x800);
  int errors = 0;
  for (std::size_t at = 4; at < end; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    const auto source = memory_source(damaged, "program");
    const auto elf = ElfFile::read(*source);
    const auto dynamic = elf ? read_dynamic(*elf) : Result<std::optional<Dynamic>>(std::nullopt);
    if (!elf || !dynamic || (*dynamic && !DynamicSymbols::read(*elf, **dynamic))) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 20);
}

TEST(DynamicSymbols, NamesThatShareTheirBytesAreCounted) {
  const Workshop shop;
  std::string source = "void " + std::string(400'000, 'a') + "(void) {}\n";
  for (int i = 0; i < 300; ++i) {
    source += "void f" + std::to_string(i) + "(void) {}\n";
  }
  shop.compile("lib.so", source, {"-shared", "-fPIC", "-nostdlib"});
  std::string bytes = read_file(shop.path("lib.so")).value();
  const auto source_bytes = memory_source(bytes, "lib.so");
  const auto sections = ElfFile::read(*source_bytes)->read_sections().value();
  const ElfSection* symbols = sections.find(".dynsym");
  const ElfSection* strings = sections.find(".dynstr");
  ASSERT_TRUE(symbols != nullptr && strings != nullptr);
  const auto name =
      static_cast<std::uint32_t>(bytes.find("aaaa", strings->offset) - strings->offset);
  for (std::uint64_t at = symbols->offset; at < symbols->offset + symbols->size; at += 24) {
    std::memcpy(bytes.data() + at, &name, sizeof name);
  }
  const auto shared = memory_source(bytes, "lib.so");
  const auto elf = ElfFile::read(*shared);
  const auto read = DynamicSymbols::read(*elf, read_dynamic(*elf)->value());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), testing::HasSubstr("too long"));
}

TEST(VersionFloor, TakesTheHighestThatMustBeThere) {
  const std::vector<NeededVersion> needed{
      {.library = "libc.so.6", .name = "GLIBC_2.2.5"},
      {.library = "libc.so.6", .name = "GLIBC_2.34"},
      {.library = "libm.so.6", .name = "GLIBC_2.9"},
      {.library = "libc.so.6", .name = "GLIBC_PRIVATE"},
      {.library = "libc.so.6", .name = "GLIBC_2.38", .is_weak = true},
      {.library = "libstdc++.so.6", .name = "GLIBCXX_3.4.29"},
      {.library = "libstdc++.so.6", .name = "GLIBCXX_3.4.9"},
      {.library = "libstdc++.so.6", .name = "CXXABI_1.3.13"}};
  EXPECT_EQ(glibc_floor(needed)->name, "GLIBC_2.34");
  EXPECT_EQ(glibc_floor(needed)->library, "libc.so.6");
  EXPECT_EQ(glibcxx_floor(needed)->version, (DottedVersion{3, 4, 29}));
  EXPECT_EQ(cxxabi_floor(needed)->name, "CXXABI_1.3.13");
  EXPECT_FALSE(glibc_floor({}));
  EXPECT_EQ(
      glibc_floor({{.library = "libc.so.6", .name = "GLIBC_ABI_DT_RELR"}, needed[1]})->version,
      (DottedVersion{2, 36}));
}

}  // namespace
}  // namespace fitment
