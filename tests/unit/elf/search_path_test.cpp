// SPDX-License-Identifier: Apache-2.0
#include "elf/search_path.h"

#include "support/elf_image.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(LdSoConf, ReadsIncludesInPlaceAndEachFileOnce) {
  MemoryView view;
  view.add_file("/etc/ld.so.conf", "/first\ninclude ld.so.conf.d/*.conf  # comment\n/last/\n");
  view.add_file("/etc/ld.so.conf.d/b.conf", "/b\ninclude /etc/ld.so.conf\n");
  view.add_file("/etc/ld.so.conf.d/a.conf", "# nothing\n/a=libc6\n/first\n");
  view.add_file("/etc/ld.so.conf.d/.hidden.conf", "/hidden\n");
  view.add_file("/etc/ld.so.conf.d/other.txt", "/other\n");
  std::vector<std::string> problems;
  EXPECT_THAT(read_ld_so_conf(view, "/etc/ld.so.conf", problems),
              ElementsAre("/first", "/a", "/b", "/last"));
  EXPECT_THAT(problems, IsEmpty());
}

TEST(LdSoConf, AFileOfManyLinesEndsSoon) {
  MemoryView view;
  std::string text;
  constexpr std::size_t kFolders = 90'000;
  for (std::size_t i = 0; i < kFolders; ++i) {
    text += "/" + std::to_string(i) + "\n";
  }
  for (int i = 0; i < 100; ++i) {
    view.add_file("/etc/many/" + std::to_string(i), "/x\n");
  }
  text += "include";
  for (int i = 0; i < 20'000; ++i) {
    text += " many/*";
  }
  view.add_file("/etc/ld.so.conf", text);
  std::vector<std::string> problems;
  EXPECT_THAT(read_ld_so_conf(view, "/etc/ld.so.conf", problems), SizeIs(kFolders + 1));
}

TEST(LoaderConfig, TakesDefaultFoldersFromTheLoader) {
  MemoryView view;
  ElfImage loader;
  const std::string folders("\0/store/glibc/lib/\0/store/glibc/lib64/\0\0x", 41);
  loader.extra = std::string("\0/etc/not/this\0", 15) + folders;
  view.add_file("/lib64/ld-linux-x86-64.so.2", build_elf_image(loader));
  const LoaderConfig config =
      read_loader_config(view, {.cpu_level = 3}, ElfMachine::em_x86_64, std::nullopt);
  EXPECT_EQ(config.libc, LibcFamily::glibc);
  EXPECT_THAT(config.default_folders, ElementsAre("/store/glibc/lib", "/store/glibc/lib64"));
  EXPECT_THAT(config.hwcaps, ElementsAre("x86-64-v3", "x86-64-v2"));
}

TEST(LoaderConfig, FallsBackToTheLayoutOfTheRoot) {
  MemoryView view;
  view.add_file("/etc/ld.so.conf", "/opt/lib\n");
  LoaderConfig config = read_loader_config(view, {}, ElfMachine::em_x86_64, std::nullopt);
  EXPECT_THAT(config.default_folders, ElementsAre("/lib64", "/usr/lib64", "/lib", "/usr/lib"));
  EXPECT_THAT(config.configured_folders, ElementsAre("/opt/lib"));
  EXPECT_EQ(config.lib_word, "lib64");
  view.add_file("/lib/aarch64-linux-gnu/libc.so.6", "");
  config = read_loader_config(view, {.cpu_level = 4}, ElfMachine::em_aarch64, std::nullopt);
  EXPECT_EQ(config.default_folders.front(), "/lib/aarch64-linux-gnu");
  EXPECT_EQ(config.lib_word, "lib/aarch64-linux-gnu");
  EXPECT_THAT(config.hwcaps, IsEmpty());
}

TEST(LoaderConfig, MuslHasItsOwnPathFile) {
  MemoryView view;
  view.add_file("/lib/ld-musl-x86_64.so.1", "");
  LoaderConfig config = read_loader_config(view, {}, ElfMachine::em_x86_64, std::nullopt);
  EXPECT_EQ(config.libc, LibcFamily::musl);
  EXPECT_THAT(config.default_folders, ElementsAre("/lib", "/usr/local/lib", "/usr/lib"));
  view.add_file("/etc/ld-musl-x86_64.path", "/lib:/opt/a\n/opt/b\n");
  config = read_loader_config(view, {}, ElfMachine::em_x86_64, "/lib/ld-musl-x86_64.so.1");
  EXPECT_THAT(config.default_folders, ElementsAre("/lib", "/opt/a", "/opt/b"));
}

TEST(LoaderConfig, ADamagedCacheIsAProblemInWords) {
  MemoryView view;
  view.add_file("/etc/ld.so.cache", "garbage");
  view.add_file("/etc/ld.so.conf", "/opt/lib\n");
  const LoaderConfig config = read_loader_config(view, {}, ElfMachine::em_x86_64, std::nullopt);
  EXPECT_FALSE(config.cache);
  EXPECT_THAT(config.problems, SizeIs(1));
  EXPECT_THAT(config.configured_folders, ElementsAre("/opt/lib"));
}

TEST(SearchPath, ReplacesWordsAndDropsRelativeElements) {
  LoaderConfig config;
  config.lib_word = "lib64";
  config.platform_word = "x86_64";
  const auto folders = [&](std::string_view path) {
    std::vector<std::string> list;
    for (const SearchFolder& one :
         expand_search_path(split_search_path(path, ":"), "/opt/x", config)) {
      list.push_back(one.folder);
    }
    return list;
  };
  EXPECT_THAT(folders("$ORIGIN/../y:${ORIGIN}:/a/$LIB:/b/$PLATFORM/:"),
              ElementsAre("/opt/x/../y", "/opt/x", "/a/lib64", "/b/x86_64"));
  EXPECT_THAT(folders("::.:relative/lib:/a//"), ElementsAre("/a"));
  EXPECT_THAT(folders("/x/$LIBRARY"), ElementsAre("/x/$LIBRARY"));
  config.libc = LibcFamily::musl;
  EXPECT_THAT(folders("$ORIGIN"), ElementsAre("/opt/x"));
  EXPECT_THAT(folders("/a:/b/$LIB"), IsEmpty());
}

// ldconfig is the judge: it writes both formats, here for real libraries.
TEST(LdCache, ReadsWhatLdconfigWrites) {
  const Workshop shop;
  if (!std::filesystem::exists("/sbin/ldconfig")) {
    GTEST_SKIP() << "there is no ldconfig";
  }
  const auto make = [&](const std::string& name) {
    shop.compile(name,
                 "int f(void) { return 1; }",
                 {"-shared", "-fPIC", "-nostdlib", "-Wl,-soname," + std::string(file_name(name))});
  };
  make("lib/liba.so.1");
  make("lib/glibc-hwcaps/x86-64-v2/liba.so.1");
  make("lib/glibc-hwcaps/x86-64-v3/liba.so.1");
  make("lib/libb.so.2");
  shop.write("conf", shop.path("lib") + "\n");
  for (const char* format : {"new", "compat", "old"}) {
    SCOPED_TRACE(format);
    static_cast<void>(shop.run(
        {"/sbin/ldconfig", "-c", format, "-f", shop.path("conf"), "-C", shop.path("cache")}));
    const std::string bytes = read_file(shop.path("cache")).value();
    const auto cache = LdCache::parse(bytes, "cache");
    ASSERT_TRUE(cache) << to_string(cache.error());
    const auto find = [&](std::string_view name, const std::vector<std::string>& hwcaps) {
      const LdCacheEntry* entry = cache->find(name, ElfMachine::em_x86_64, hwcaps);
      return entry == nullptr ? "" : entry->path;
    };
    EXPECT_EQ(find("libb.so.2", {}), shop.path("lib/libb.so.2"));
    EXPECT_EQ(find("libc.so.3", {}), "");
    if (std::string_view(format) != "old") {
      EXPECT_EQ(find("liba.so.1", {}), shop.path("lib/liba.so.1"));
    }
    if (std::string_view(format) == "new") {
      EXPECT_EQ(find("liba.so.1", {"x86-64-v3", "x86-64-v2"}),
                shop.path("lib/glibc-hwcaps/x86-64-v3/liba.so.1"));
      EXPECT_EQ(find("liba.so.1", {"x86-64-v2"}),
                shop.path("lib/glibc-hwcaps/x86-64-v2/liba.so.1"));
    }
    EXPECT_EQ(cache->find("libb.so.2", ElfMachine::em_aarch64, {}), nullptr);
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
      const auto cut = LdCache::parse(std::string_view(bytes).substr(0, size), "cache");
      EXPECT_TRUE(cut || cut.error().origin()->offset.has_value());
    }
  }
}

TEST(LdCache, TextsThatRowsShareAreCounted) {
  // 20,000 rows of 24 bytes, whose name and path are one text of 4,096.
  constexpr std::uint32_t kRows = 20'000;
  constexpr std::uint32_t kText = 48 + kRows * 24;
  std::string bytes("glibc-ld.so.cache1.1");
  elf_image_detail::put<std::uint32_t>(bytes, kRows);
  bytes.resize(48, '\0');
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (const std::uint32_t field : {0x303U, kText, kText, 0U, 0U, 0U}) {
      elf_image_detail::put<std::uint32_t>(bytes, field);
    }
  }
  bytes += std::string(8192, 'a');
  EXPECT_THAT(LdCache::parse(bytes, "cache").error().message(), testing::HasSubstr("too long"));
}

}  // namespace
}  // namespace fitment
