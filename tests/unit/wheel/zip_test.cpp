// SPDX-License-Identifier: Apache-2.0
// Zip archives: those that Python makes and reads, and those that somebody has tampered with.
#include "support/workshop.h"
#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"
#include "wheel/zip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace fitment {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// An archive in memory, made by ZipWriter.
std::string build(const std::vector<std::pair<NewZipMember, std::string>>& members,
                  std::string_view comment = {}) {
  std::string bytes;
  ZipWriter writer(
      [&](std::string_view part) {
        bytes += part;
        return Status{};
      },
      {});
  for (const auto& [member, content] : members) {
    EXPECT_TRUE(writer.add(member, content));
  }
  EXPECT_TRUE(writer.finish(comment));
  return bytes;
}

const std::string kText(100000, 'x');

std::string two_members() {
  return build({{{.name = "a.txt"}, kText},
                {{.name = "b/c.bin", .method = ZipMethod::stored}, "stored bytes"}});
}

std::string replace_at(std::string bytes, std::size_t at, std::string_view with) {
  return bytes.replace(at, with.size(), with);
}

/// Replaces every occurrence of a name of the same length.
std::string rename(std::string bytes, std::string_view from, std::string_view to) {
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1)) {
    bytes.replace(at, from.size(), to);
  }
  return bytes;
}

Result<std::string> content(const std::string& bytes, std::string_view name) {
  const auto source = memory_source(bytes, "x.zip");
  FITMENT_TRY_ASSIGN(const ZipDirectory zip, read_zip_directory(*source));
  const ZipEntry* entry = zip.find(name);
  if (entry == nullptr) {
    return fail(ErrorCode::not_found, "no such member");
  }
  return read_zip_member(*source, *entry);
}

Error directory_error(const std::string& bytes) {
  const auto zip = read_zip_directory(*memory_source(bytes, "x.zip"));
  return zip ? Error(ErrorCode::internal, "no error") : zip.error();
}

/// The offset of the only central record of a name.
std::size_t record_of(const std::string& bytes, std::string_view name) {
  return bytes.rfind(name) - 46;
}

TEST(Zip, ReadsStoredAndDeflatedMembers) {
  const std::string bytes = two_members();
  EXPECT_LT(bytes.size(), 1000U);
  EXPECT_EQ(content(bytes, "a.txt"), kText);
  EXPECT_EQ(content(bytes, "b/c.bin"), "stored bytes");
  const auto source = memory_source(bytes, "x.zip");
  const auto zip = read_zip_directory(*source);
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->entries[0].unix_mode(), 0100644U);
  EXPECT_EQ(zip->entries[0].region_end, zip->entries[1].local_offset);
  EXPECT_EQ(zip->entries[1].region_end, zip->offset);
}

TEST(Zip, AStoredMemberIsAWindowIntoTheArchive) {
  const std::string bytes = two_members();
  const auto source = memory_source(bytes, "x.zip");
  const auto zip = read_zip_directory(*source);
  ASSERT_TRUE(zip);
  const auto member = open_zip_member(*source, zip->entries[1], "x.zip: b/c.bin");
  ASSERT_TRUE(member);
  EXPECT_EQ((*member)->name(), "x.zip: b/c.bin");
  EXPECT_EQ((*member)->read(7, 5, "text"), "bytes");
  EXPECT_FALSE((*member)->read(7, 6, "text"));
}

TEST(Zip, LargeMembersGoToAFileWithoutAName) {
  const Workshop shop;
  const std::string bytes = two_members();
  const auto source = memory_source(bytes, "x.zip");
  const auto zip = read_zip_directory(*source);
  const ScratchOptions little{.in_memory_bytes = 1000, .folder = shop.root()};
  const auto member = open_zip_member(*source, zip->entries[0], "a", little);
  ASSERT_TRUE(member) << to_string(member.error());
  EXPECT_EQ((*member)->read(0, kText.size(), "all"), kText);
  EXPECT_TRUE(std::filesystem::is_empty(shop.root()));
  const auto nowhere = open_zip_member(
      *source, zip->entries[0], "a", {.in_memory_bytes = 1000, .folder = shop.root() / "none"});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code(), ErrorCode::io_error);
  EXPECT_THAT(nowhere.error().hints(), Contains(HasSubstr("TMPDIR")));
}

TEST(Zip, CommentsAndEmptyArchives) {
  EXPECT_EQ(content(build({{{.name = "a"}, "b"}}, "a comment"), "a"), "b");
  const auto empty = read_zip_directory(*memory_source(build({}), "x.zip"));
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->entries.empty());
}

TEST(Zip, ArchivesThatAreCutShortOrNone) {
  const std::string bytes = two_members();
  for (const std::size_t length : {std::size_t{4}, std::size_t{100}, bytes.size() - 1}) {
    const Error error = directory_error(bytes.substr(0, length));
    EXPECT_EQ(error.code(), ErrorCode::parse_error);
    EXPECT_THAT(error.message(), HasSubstr("cut short")) << length;
    EXPECT_EQ(error.origin()->offset, length);
  }
  EXPECT_THAT(directory_error("").message(), HasSubstr("is not a zip archive"));
  EXPECT_THAT(directory_error("hello").message(), HasSubstr("is not a zip archive"));
}

TEST(Zip, BytesAroundTheArchive) {
  EXPECT_THAT(directory_error(two_members() + "tail").message(), HasSubstr("4 bytes follow"));
  EXPECT_THAT(directory_error("head" + two_members()).message(),
              HasSubstr("4 bytes stand between"));
}

TEST(Zip, NamesThatLeaveTheFolder) {
  const std::string bytes = build({{{.name = "aa/bb"}, "text"}});
  EXPECT_THAT(directory_error(rename(bytes, "aa/bb", "../bb")).message(), HasSubstr("would leave"));
  EXPECT_THAT(directory_error(rename(bytes, "aa/bb", "aa/..")).message(), HasSubstr("would leave"));
  EXPECT_THAT(directory_error(rename(bytes, "aa/bb", "/a/bb")).message(), HasSubstr("absolute"));
  EXPECT_THAT(directory_error(rename(bytes, "aa/bb", "a\\/bb")).message(), HasSubstr("backslash"));
  EXPECT_THAT(directory_error(rename(bytes, "aa/bb", std::string("a\0/bb", 5))).message(),
              HasSubstr("NUL"));
  const Error error = directory_error(rename(bytes, "aa/bb", "../bb"));
  EXPECT_EQ(error.origin()->offset, record_of(bytes, "aa/bb"));
}

TEST(Zip, TwoMembersOfOneName) {
  const std::string bytes = build({{{.name = "aa"}, "1"}, {{.name = "bb"}, "2"}});
  EXPECT_THAT(directory_error(rename(bytes, "bb", "aa")).message(), HasSubstr("two members"));
}

TEST(Zip, MembersThatOverlap) {
  const std::string bytes = build({{{.name = "aa", .method = ZipMethod::stored}, "1"},
                                   {{.name = "bb", .method = ZipMethod::stored}, "2"}});
  // Both records at the first member's header.
  const std::string bomb = replace_at(bytes, record_of(bytes, "bb") + 42, std::string(4, '\0'));
  EXPECT_THAT(directory_error(bomb).message(), HasSubstr("members overlap"));
  // A local extra field that pushes the data into the next member is seen when it is opened.
  std::string pushed = replace_at(bytes, 28, std::string("\x04\0", 2));
  const auto opened = content(pushed, "aa");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("members overlap"));
}

TEST(Zip, EncryptedAndUnknownMethods) {
  const std::string bytes = build({{{.name = "aa"}, "text"}});
  const std::size_t record = record_of(bytes, "aa");
  const auto encrypted = content(replace_at(bytes, record + 8, "\x01"), "aa");
  ASSERT_FALSE(encrypted);
  EXPECT_EQ(encrypted.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(encrypted.error().message(), HasSubstr("encrypted"));
  const auto lzma = content(replace_at(bytes, record + 10, "\x0e"), "aa");
  ASSERT_FALSE(lzma);
  EXPECT_THAT(lzma.error().message(), HasSubstr("method 14"));
}

TEST(Zip, HeadersThatDisagree) {
  const std::string bytes = build({{{.name = "aa"}, "text"}});
  const auto named = content(replace_at(bytes, 30, "bb"), "aa");
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message(), HasSubstr("disagree"));
  EXPECT_EQ(named.error().origin()->offset, 0U);
  EXPECT_FALSE(content(replace_at(bytes, 0, "xx"), "aa"));
}

TEST(Zip, DamagedData) {
  const std::string bytes = two_members();
  const auto stored = content(rename(bytes, "stored bytes", "stared bytes"), "b/c.bin");
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message(), HasSubstr("CRC"));
  const auto broken = content(replace_at(bytes, 40, "\xff\xff\xff\xff"), "a.txt");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), ErrorCode::parse_error);
  EXPECT_TRUE(broken.error().origin()->offset);
}

TEST(Zip, ClaimedSizesBind) {
  std::string bytes = build({{{.name = "aa"}, kText}});
  const std::size_t record = record_of(bytes, "aa");
  for (const char* size : {"\x10\0\0", "\xff\xff\xff"}) {
    const std::string field = std::string(size, 3);
    const auto wrong = content(replace_at(replace_at(bytes, record + 24, field), 22, field), "aa");
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message(), HasSubstr("claims"));
  }
  const auto source = memory_source(bytes, "x.zip");
  const auto zip = read_zip_directory(*source);
  const auto bomb = open_zip_member(*source, zip->entries[0], "aa", {}, {.free_bytes = 1000});
  ASSERT_FALSE(bomb);
  EXPECT_THAT(bomb.error().message(), HasSubstr("zip bomb"));
}

TEST(Zip, WritesTheSameBytesForTheSameInput) {
  EXPECT_EQ(two_members(), two_members());
  EXPECT_EQ(ZipTime::of_epoch(0), ZipTime{});
  EXPECT_EQ(ZipTime::of_epoch(1700000000), (ZipTime{45482, 22382}));  // 2023-11-14 22:13:20
  EXPECT_EQ(ZipTime::of_epoch(1LL << 40U), (ZipTime{49021, 65439}));
}

TEST(Zip, CopiesMembersAsTheyLie) {
  const Workshop shop;
  static_cast<void>(
      shop.run({"/usr/bin/python3",
                "-c",
                "import sys, zipfile\n"
                "class Pipe:\n"  // cannot seek, so sizes stand behind the data
                "    def __init__(self, f): self.f = f\n"
                "    def write(self, b): return self.f.write(b)\n"
                "    def flush(self): self.f.flush()\n"
                "z = zipfile.ZipFile(Pipe(open(sys.argv[1], 'wb')), 'w', zipfile.ZIP_DEFLATED)\n"
                "z.writestr('a.txt', 'hello ' * 1000)\n"
                "z.writestr(zipfile.ZipInfo('\\u00fc.txt'), 'name')\n"
                "z.close()\n",
                shop.path("piped.zip")}));
  const auto source = open_file_source(shop.path("piped.zip")).value();
  const auto zip = read_zip_directory(*source);
  ASSERT_TRUE(zip) << to_string(zip.error());
  ASSERT_TRUE(zip->entries[0].has_descriptor());
  std::string bytes;
  ZipWriter writer(
      [&](std::string_view part) {
        bytes += part;
        return Status{};
      },
      {});
  for (const ZipEntry& entry : zip->entries) {
    ASSERT_TRUE(writer.copy(*source, entry));
  }
  ASSERT_TRUE(writer.add({.name = "new.txt"}, "new"));
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(writer.size(), bytes.size());
  shop.write("copy.zip", bytes);
  EXPECT_THAT(shop.run({"/usr/bin/python3", "-m", "zipfile", "-t", shop.path("copy.zip")}),
              HasSubstr("Done testing"));
  if (have_program("unzip")) {
    EXPECT_THAT(shop.run({"unzip", "-t", shop.path("copy.zip")}), HasSubstr("No errors detected"));
  }
  EXPECT_EQ(content(bytes, "a.txt")->size(), 6000U);
  EXPECT_EQ(content(bytes, "\u00fc.txt"), "name");
}

TEST(Zip, ManyMembersTakeZip64) {
  const Workshop shop;
  std::string bytes;
  ZipWriter writer(
      [&](std::string_view part) {
        bytes += part;
        return Status{};
      },
      {});
  constexpr std::size_t kMany = 65600;
  for (std::size_t i = 0; i < kMany; ++i) {
    ASSERT_TRUE(writer.add({.name = fmt::format("{}", i), .method = ZipMethod::stored}, ""));
  }
  ASSERT_TRUE(writer.finish());
  const auto zip = read_zip_directory(*memory_source(bytes, "x.zip"));
  ASSERT_TRUE(zip) << to_string(zip.error());
  EXPECT_TRUE(zip->is_zip64);
  EXPECT_EQ(zip->entries.size(), kMany);
  shop.write("many.zip", bytes);
  EXPECT_THAT(shop.run({"/usr/bin/python3",
                        "-c",
                        "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))",
                        shop.path("many.zip")}),
              HasSubstr("65600"));
}

TEST(Zip, SizesBeyond32BitsOfOtherWriters) {
  const Workshop shop;  // force_zip64 writes the field for any size
  static_cast<void>(shop.run({"/usr/bin/python3",
                              "-c",
                              "import sys, zipfile\n"
                              "z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\n"
                              "with z.open('big', 'w', force_zip64=True) as f: f.write(b'x' * 99)\n"
                              "z.close()\n",
                              shop.path("x.zip")}));
  EXPECT_EQ(content(read_file(shop.path("x.zip")).value(), "big"), std::string(99, 'x'));
}

/// A member of zeros, as if an archive of 5 GiB held it.
class Zeros final : public ByteSource {
 public:
  Zeros(std::string head, std::uint64_t size)
      : ByteSource("zeros"), head_(std::move(head)), size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    std::memset(out, 0, count);
    if (offset < head_.size()) {
      head_.copy(out, count, offset);
    }
    return count;
  }

 private:
  std::string head_;
  std::uint64_t size_;
};

TEST(Zip, LargeOffsetsAndSizesAreReadBack) {
  constexpr std::uint64_t kBig = (1ULL << 32U) + 5;
  std::string head = build({{{.name = "big", .method = ZipMethod::stored}, ""}}).substr(0, 33);
  head.replace(18, 8, std::string(8, '\xff'));
  head.replace(28, 2, std::string("\x14\0", 2));
  std::string field("\x01\0\x10\0", 4);
  for (int twice = 0; twice < 2; ++twice) {
    field += std::string("\x05\0\0\0\x01\0\0\0", 8);
  }
  ZipEntry entry;
  entry.name = "big";
  entry.size = kBig;
  entry.compressed_size = kBig;
  entry.region_end = 1ULL << 40U;
  std::string tail;  // what the writer puts after the data
  std::uint64_t at = 0;
  ZipWriter writer(
      [&](std::string_view part) {
        if (at >= kBig) {
          tail += part;
        }
        at += part.size();
        return Status{};
      },
      {});
  ASSERT_TRUE(writer.copy(Zeros(head + field, kBig + 1000), entry));
  ASSERT_TRUE(writer.add({.name = "after"}, "text"));
  ASSERT_TRUE(writer.finish());
  const std::string end = tail.substr(tail.size() - 22);
  EXPECT_EQ(end.substr(16, 4), "\xff\xff\xff\xff");
  EXPECT_THAT(tail, HasSubstr("PK\x06\x06"));
  EXPECT_THAT(tail, HasSubstr(std::string("\x01\0\x10\0\x05\0\0\0\x01\0\0\0", 12)));
}

TEST(WheelArchives, NeedTheirMetadataAndTheirName) {
  const std::string wheel = build({{{.name = "foo-1.0.dist-info/WHEEL"}, "Wheel-Version: 1.0\n"}});
  const auto read = read_wheel_archive(*memory_source(wheel, "dist/foo-1.0-py3-none-any.whl"));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->dist_info, "foo-1.0.dist-info");
  EXPECT_EQ(read->name.distribution, "foo");
  const auto zip = read_wheel_archive(*memory_source(two_members(), "x.zip"));
  ASSERT_FALSE(zip);
  EXPECT_EQ(zip.error().code(), ErrorCode::unsupported);
  const auto renamed = read_wheel_archive(*memory_source(wheel, "foo.whl"));
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().code(), ErrorCode::parse_error);
}

}  // namespace
}  // namespace fitment
