// SPDX-License-Identifier: Apache-2.0
#include "elf/archive.h"

#include "elf/elf_file.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

class Archives : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string name : {"a.o", "a_name_of_more_than_fifteen_bytes.o"}) {
      shop_.compile(name, "int f(void) { return 1; }", {"-c"});
    }
  }
  Result<Archive> make(const std::string& flags) {
    static_cast<void>(shop_.run({"ar",
                                 flags,
                                 shop_.path("lib.a"),
                                 shop_.path("a.o"),
                                 shop_.path("a_name_of_more_than_fifteen_bytes.o")}));
    source_ = open_file_source(shop_.path("lib.a")).value();
    return read_archive(*source_);
  }
  Workshop shop_;
  std::unique_ptr<ByteSource> source_;
};

TEST_F(Archives, MembersAreSourcesOfTheirOwn) {
  const auto archive = make("rcsD");
  ASSERT_TRUE(archive) << to_string(archive.error());
  ASSERT_EQ(archive->members.size(), 2U);
  EXPECT_EQ(archive->members[0].name, "a.o");
  EXPECT_EQ(archive->members[1].name, "a_name_of_more_than_fifteen_bytes.o");
  for (const ArchiveMember& member : archive->members) {
    const SubSource part = member_source(*source_, member);
    EXPECT_EQ(part.name(), source_->name() + "!" + member.name);
    const auto elf = ElfFile::read(part);
    ASSERT_TRUE(elf) << to_string(elf.error());
    EXPECT_EQ(elf->header().type, ElfType::et_rel);
    EXPECT_NE(elf->read_sections()->find(".text"), nullptr);
    EXPECT_FALSE(part.read(part.size(), 1, "more"));
  }
}

TEST_F(Archives, ThinOnesHoldNamesAlone) {
  const auto archive = make("rcsDT");
  ASSERT_TRUE(archive) << to_string(archive.error());
  EXPECT_TRUE(archive->is_thin);
  ASSERT_EQ(archive->members.size(), 2U);
  EXPECT_THAT(archive->members[1].name, HasSubstr("a_name_of_more_than_fifteen_bytes.o"));
}

TEST_F(Archives, CutOnesGiveTheOffset) {
  const auto whole = make("rcsD");
  const std::string bytes = read_file(shop_.path("lib.a")).value();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{30}, bytes.size() / 2, bytes.size() - 1}) {
    const auto source = memory_source(bytes.substr(0, size), "lib.a");
    const auto archive = read_archive(*source);
    ASSERT_FALSE(archive) << size;
    EXPECT_TRUE(archive.error().origin()->offset.has_value());
  }
}

TEST(Archive, NamesInBsdStyle) {
  std::string bytes = "!<arch>\n#1/8            0           0     0     100644  12        `\n";
  bytes += std::string("name.o\0\0", 8) + "data";
  const auto source = memory_source(bytes, "lib.a");
  const auto archive = read_archive(*source);
  ASSERT_TRUE(archive) << to_string(archive.error());
  ASSERT_EQ(archive->members.size(), 1U);
  EXPECT_EQ(archive->members[0].name, "name.o");
  EXPECT_EQ(member_source(*source, archive->members[0]).read(0, 4, "data").value(), "data");
}

}  // namespace
}  // namespace fitment
