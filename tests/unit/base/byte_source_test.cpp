// SPDX-License-Identifier: Apache-2.0
#include "base/byte_source.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(ByteSource, RefusesRangesThatLeaveTheSource) {
  const auto source = memory_source("abcdef", "x.bin");
  EXPECT_EQ(source->read(2, 3, "a field").value(), "cde");
  EXPECT_EQ(source->read(6, 0, "nothing").value(), "");
  for (const auto& [offset, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {6, 1}, {7, 0}, {2, ~0ULL}, {~0ULL, 2}}) {
    const auto bytes = source->read(offset, count, "a field");
    ASSERT_FALSE(bytes) << offset << " " << count;
    EXPECT_EQ(bytes.error().code(), ErrorCode::parse_error);
    EXPECT_EQ(bytes.error().origin()->offset, offset);
  }
}

TEST(ByteSource, FilesAreReadAndFoldersRefused) {
  EXPECT_FALSE(open_file_source("/"));
  EXPECT_EQ(open_file_source("/fitment-missing").error().code(), ErrorCode::not_found);
}

TEST(ByteReader, ReadsLittleEndianFieldsAndStopsAtTheEnd) {
  const std::string bytes("\x01\x02\x03\x04\x05\x06\x07\x08name\0\xff", 14);
  ByteReader reader(bytes, 0x100, "x.bin");
  EXPECT_EQ(reader.u8().value(), 0x01);
  EXPECT_EQ(reader.u16().value(), 0x0302);
  EXPECT_EQ(reader.u32().value(), 0x07060504U);
  ASSERT_TRUE(reader.skip(1));
  EXPECT_EQ(reader.c_string().value(), "name");
  const auto missing = reader.u64();
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_string(*missing.error().origin()), "x.bin+0x10d");
  EXPECT_FALSE(reader.c_string());
  EXPECT_FALSE(reader.seek(15));
}

}  // namespace
}  // namespace fitment
