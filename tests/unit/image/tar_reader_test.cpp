// SPDX-License-Identifier: Apache-2.0
// Tar archives in all forms, and those that lie.
#include "image/tar_reader.h"

#include "support/tar_builder.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ReadEntry {
  TarEntry entry;
  std::string data;
};

/// All entries with their data; `copy` gets what handing the entries on gives.
Result<std::vector<ReadEntry>> read_all(const std::string& bytes, std::string* copy = nullptr) {
  const auto source = memory_source(bytes, "layer");
  SourceStream stream(*source);
  TarReader reader(stream);
  std::vector<ReadEntry> entries;
  for (;;) {
    FITMENT_TRY_ASSIGN(auto entry, reader.next());
    if (!entry) {
      return entries;
    }
    ReadEntry one{std::move(*entry), {}};
    for (;;) {
      FITMENT_TRY_ASSIGN(const std::string_view part, reader.data(100));
      if (part.empty()) {
        break;
      }
      one.data += part;
    }
    if (copy != nullptr) {
      *copy += one.entry.raw + tar_detail::padded(one.data);
    }
    entries.push_back(std::move(one));
  }
}

std::string error_of(const std::string& bytes) {
  const auto entries = read_all(bytes);
  return entries ? "no error" : to_string(entries.error());
}

TarEntry one_entry(const std::string& bytes) {
  auto entries = read_all(bytes);
  EXPECT_TRUE(entries) << to_string(entries.error());
  return entries && !entries->empty() ? entries->back().entry : TarEntry();
}

TEST(TarReader, ordinary_entries) {
  const auto entries = read_all(tar_archive({{.name = "d/", .type = '5', .mode = 0755},
                                             {.name = "d/f", .data = "hello", .uid = 7},
                                             {.name = "l", .type = '2', .link = "d/f"}}));
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].entry.type, kTarFolder);
  EXPECT_EQ((*entries)[1].data, "hello");
  EXPECT_EQ((*entries)[1].entry.uid, 7U);
  EXPECT_EQ((*entries)[2].entry.link, "d/f");
}

TEST(TarReader, names_with_a_prefix_and_of_v7) {
  std::string block = tar_header({.name = "name"});
  tar_detail::put(block, 345, "some/prefix");
  tar_detail::seal(block);
  EXPECT_EQ(one_entry(block + tar_end()).path, "some/prefix/name");
  const TarEntry old = one_entry(
      tar_archive({{.name = "folder/", .magic = std::string_view("\0\0\0\0\0\0\0\0", 8)}}));
  EXPECT_EQ(old.type, kTarFolder);
}

TEST(TarReader, long_names_of_gnu_and_pax) {
  const std::string name = std::string(120, 'a') + "/" + std::string(90, 'b');
  const std::string target(150, 'c');
  const std::string gnu = tar_member({.name = "././@LongLink", .type = 'K', .data = target + '\0'})
                          + tar_member({.name = "././@LongLink", .type = 'L', .data = name + '\0'})
                          + tar_member({.name = name.substr(0, 100), .type = '2', .link = "short"})
                          + tar_end();
  EXPECT_EQ(one_entry(gnu).path, name);
  EXPECT_EQ(one_entry(gnu).link, target);
  const std::string pax = tar_pax({{"path", name}, {"linkpath", target}, {"mtime", "-1.5"}})
                          + tar_member({.name = "x", .type = '2'}) + tar_end();
  EXPECT_EQ(one_entry(pax).path, name);
  EXPECT_EQ(one_entry(pax).link, target);
  EXPECT_EQ(one_entry(pax).mtime, -1);
}

TEST(TarReader, large_numbers_in_binary_and_in_records) {
  TarMember huge{.name = "huge"};
  huge.size_field = std::string("\x80\0\0\0\0\0\0\2\0\0\0\0", 12);
  const std::string bytes = tar_header(huge) + std::string(512, 'x');
  const auto source = memory_source(bytes, "layer");
  SourceStream stream(*source);
  TarReader reader(stream);
  const auto entry = reader.next();
  ASSERT_TRUE(entry && *entry);
  EXPECT_EQ((*entry)->data_bytes, 8ULL << 30U);
  const TarEntry pax =
      one_entry(tar_pax({{"size", "3"}, {"uid", "3000000"}}) + tar_header({.name = "f"})
                + tar_detail::padded("abc") + tar_end());
  EXPECT_EQ(pax.data_bytes, 3U);
  EXPECT_EQ(pax.uid, 3000000U);
}

TEST(TarReader, global_records_hold_for_all_that_follow) {
  const auto entries = read_all(tar_pax({{"uid", "42"}}, 'g') + tar_member({.name = "a"})
                                + tar_member({.name = "b"}) + tar_end());
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].entry.type, kTarGlobal);
  EXPECT_EQ((*entries)[1].entry.uid, 42U);
  EXPECT_EQ((*entries)[2].entry.uid, 42U);
}

TEST(TarReader, global_records_name_no_files) {
  for (const char* key : {"path", "linkpath", "size", "GNU.sparse.name"}) {
    const auto entries =
        read_all(tar_pax({{key, "1"}}, 'g') + tar_member({.name = "a"}) + tar_end());
    ASSERT_FALSE(entries) << key;
    EXPECT_THAT(entries.error().message(), testing::HasSubstr(key));
  }
  std::string many;
  for (int i = 0; i < 10; ++i) {
    many += tar_pax({{"comment", std::string(10'000, 'x')}}, 'g');
  }
  EXPECT_FALSE(read_all(many + tar_end()));
}

TEST(TarReader, sparse_files_in_four_forms) {
  const auto expect_sparse = [](const std::string& bytes) {
    const TarEntry entry = one_entry(bytes);
    ASSERT_TRUE(entry.runs);
    EXPECT_EQ(entry.path, "hole");
    EXPECT_EQ(entry.file_bytes, 10000U);
    EXPECT_EQ(entry.data_bytes, 6U);
    ASSERT_EQ(entry.runs->size(), 2U);
    EXPECT_EQ((*entry.runs)[1].offset, 8192U);
  };
  const std::string data = "abcdef";
  std::string old = tar_header({.name = "hole", .type = 'S', .data = data});
  tar_detail::put(old, 386, "00000000000");
  tar_detail::put(old, 398, "00000000004");
  tar_detail::put(old, 410, "00000020000");
  tar_detail::put(old, 422, "00000000002");
  tar_detail::put(old, 483, "00000023420");
  // GNU's header has no prefix: what is there are runs.
  tar_detail::put(old, 257, std::string_view("ustar  \0", 8));
  tar_detail::seal(old);
  expect_sparse(old + tar_detail::padded(data) + tar_end());
  const std::string made_up = tar_member({.name = "GNUSparseFile.1/hole", .data = data});
  expect_sparse(tar_pax({{"GNU.sparse.name", "hole"},
                         {"GNU.sparse.size", "10000"},
                         {"GNU.sparse.numblocks", "2"},
                         {"GNU.sparse.offset", "0"},
                         {"GNU.sparse.numbytes", "4"},
                         {"GNU.sparse.offset", "8192"},
                         {"GNU.sparse.numbytes", "2"}})
                + made_up + tar_end());
  expect_sparse(tar_pax({{"GNU.sparse.name", "hole"},
                         {"GNU.sparse.size", "10000"},
                         {"GNU.sparse.map", "0,4,8192,2"}})
                + made_up + tar_end());
  expect_sparse(tar_pax({{"GNU.sparse.name", "hole"},
                         {"GNU.sparse.realsize", "10000"},
                         {"GNU.sparse.major", "1"},
                         {"GNU.sparse.minor", "0"}})
                + tar_member({.name = "GNUSparseFile.1/hole",
                              .data = tar_detail::padded("2\n0\n4\n8192\n2\n") + data})
                + tar_end());
}

TEST(TarReader, what_lies_is_refused_with_its_name) {
  EXPECT_THAT(error_of("no tar archive at all" + std::string(600, 'x')), HasSubstr("checksum"));
  std::string wrong = tar_member({.name = "etc/passwd"});
  wrong[0] = 'E';
  EXPECT_THAT(error_of(wrong), HasSubstr("checksum of its header"));
  EXPECT_THAT(error_of(tar_header({.name = "cut", .data = "12345"})), HasSubstr("`cut`"));
  EXPECT_THAT(error_of(tar_header({.name = "cut", .size_field = "77777777777"})),
              HasSubstr("its data end"));
  EXPECT_THAT(error_of(tar_member({.name = "f"}).substr(0, 100)), HasSubstr("ends inside"));
  EXPECT_THAT(error_of(tar_archive({{.name = "f"}}) + tar_member({.name = "hidden"})),
              HasSubstr("follow the end"));
  EXPECT_THAT(error_of(tar_archive({{.name = "dir", .type = '5', .data = "x"}})),
              HasSubstr("no file"));
  EXPECT_THAT(error_of(tar_archive({{.name = "odd", .type = 'Q'}})), HasSubstr("type 0x51"));
  TarMember negative{.name = "f"};
  negative.size_field = std::string(12, '\xff');
  EXPECT_THAT(error_of(tar_header(negative)), HasSubstr("negative"));
  EXPECT_THAT(error_of(tar_header({.name = "f", .size_field = "12x"})), HasSubstr("no number"));
}

TEST(TarReader, bombs_are_refused) {
  EXPECT_THAT(error_of(tar_header({.name = "x", .type = 'x', .size_field = "77777777777"})),
              HasSubstr("extended header"));
  EXPECT_THAT(error_of(tar_header({.name = "x", .type = 'L', .size_field = "00100000001"})),
              HasSubstr("extended header"));
  EXPECT_THAT(error_of(tar_member({.name = "x", .type = 'x', .data = "9999 a=b\n"})),
              HasSubstr("length"));
  EXPECT_THAT(
      error_of(tar_pax({{"GNU.sparse.size", "18446744073709551616"}, {"GNU.sparse.map", "0,1"}})
               + tar_member({.name = "f", .data = "x"})),
      HasSubstr("number that is none"));
  EXPECT_THAT(error_of(tar_pax({{"GNU.sparse.size", "10"}, {"GNU.sparse.map", "0,5,3,2"}})
                       + tar_member({.name = "f", .data = "1234567"})),
              HasSubstr("overlap"));
  EXPECT_THAT(error_of(tar_pax({{"GNU.sparse.size", "100"}, {"GNU.sparse.map", "0,50"}})
                       + tar_member({.name = "f", .data = "1234567"})),
              HasSubstr("speaks of 50 bytes where 7"));
  std::string many;
  for (int i = 0; i < 20; ++i) {
    many += tar_pax({{"comment", std::string(900'000, 'x')}});
  }
  EXPECT_THAT(error_of(many), HasSubstr("too long"));
}

TEST(TarReader, headers_for_another_size) {
  const std::string bytes = tar_pax({{"size", "5"}, {"SCHILY.xattr.user.a", "b"}})
                            + tar_member({.name = "f", .data = "12345", .mode = 0755}) + tar_end();
  const TarEntry entry = one_entry(bytes);
  const auto headers = tar_headers_with_size(entry, 7);
  ASSERT_TRUE(headers);
  const auto entries = read_all(*headers + tar_detail::padded("1234567") + tar_end());
  ASSERT_TRUE(entries) << to_string(entries.error());
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().data, "1234567");
  EXPECT_EQ(entries->front().entry.mode, 0755U);
  EXPECT_EQ(*find_pax(entries->front().entry.pax, "SCHILY.xattr.user.a"), "b");
}

/// GNU tar as the judge: what it writes is read, and handed on byte by byte.
TEST(TarReader, archives_of_gnu_tar) {
  const Workshop shop;
  const std::string deep = "a/" + std::string(90, 'n') + "/" + std::string(90, 'm');
  shop.write("t/" + deep, "deep");
  shop.write("t/plain", std::string(100'000, 'p'));
  shop.link("t/link", "plain");
  std::filesystem::create_hard_link(shop.root() / "t/plain", shop.root() / "t/same");
  static_cast<void>(shop.run({"truncate", "-s", "5M", shop.path("t/hole")}));
  for (const std::string format : {"gnu", "posix", "ustar"}) {
    for (const std::string version : {"0.0", "0.1", "1.0"}) {
      std::vector<std::string> command{"tar", "-C", shop.path("t"), "--sort=name"};
      command.push_back("--format=" + format);
      if (format != "ustar") {
        command.insert(command.end(), {"--sparse", "--sparse-version=" + version});
      }
      command.insert(command.end(), {"-cf", shop.path("t.tar"), "."});
      static_cast<void>(shop.run(command));
      const auto bytes = read_file(shop.root() / "t.tar");
      ASSERT_TRUE(bytes);
      std::string copy;
      const auto entries = read_all(*bytes, &copy);
      ASSERT_TRUE(entries) << format << version << to_string(entries.error());
      std::vector<std::string> names;
      for (const ReadEntry& one : *entries) {
        names.push_back(one.entry.path);
        if (one.entry.path == "./hole" && format != "ustar") {
          EXPECT_EQ(one.entry.file_bytes, 5U << 20U) << format << version;
          EXPECT_EQ(one.entry.data_bytes, 0U) << format << version;
        }
      }
      EXPECT_EQ(names.size(), 8U);
      EXPECT_THAT(names, testing::Contains("./" + deep));
      EXPECT_EQ(copy, bytes->substr(0, copy.size()));
      EXPECT_TRUE(is_zero_block(std::string_view(*bytes).substr(copy.size())));
    }
  }
}

}  // namespace
}  // namespace fitment
