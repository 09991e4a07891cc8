// SPDX-License-Identifier: Apache-2.0
#include "base/splice.h"

#include "base/digest.h"
#include "base/new_file.h"
#include "support/noise.h"
#include "support/workshop.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fitment {
namespace {

TEST(Splice, DescribesAFileByRunsNewBytesAndZeros) {
  const auto original = memory_source("0123456789", "x");
  Splice splice;
  splice.copy(2, 2);
  splice.copy(4, 1);
  splice.bytes("ab");
  splice.bytes("c");
  splice.zeros(1);
  splice.zeros(1);
  splice.copy(0, 0);
  splice.copy(0, 1);
  EXPECT_EQ(splice.size(), 9U);
  EXPECT_EQ(splice.pieces().size(), 4U) << "pieces that continue one another are one";
  EXPECT_EQ(read_spliced(*original, splice, 100).value(),
            std::string("234abc\0\0"
                        "0",
                        9));
  Splice shifted;
  shifted.bytes("<");
  shifted.append(splice, 1);
  EXPECT_EQ(read_spliced(*original, shifted, 100).value(),
            std::string("<345abc\0\0"
                        "1",
                        10));
}

TEST(Splice, ReadsAnyRangeWithoutWriting) {
  const auto original = memory_source("0123456789", "x");
  Splice splice;
  splice.bytes("ab");
  splice.copy(5, 3);
  const SplicedSource source(*original, splice, "y");
  EXPECT_EQ(source.read(1, 3, "middle").value(), "b56");
  EXPECT_FALSE(source.read(3, 3, "too much"));
  Splice beyond;
  beyond.copy(9, 3);
  EXPECT_FALSE(read_spliced(*original, beyond, 100)) << "the original is too short";
}

TEST(Splice, RunsThatLieAlikeInTheirBlocksBeginAtAnyByte) {
  const Workshop shop;
  const std::string bytes = noise(400'000, 3);
  shop.write("old", bytes);
  for (const std::uint64_t from : {0U, 1U, 4095U, 4096U, 5000U}) {
    for (const std::uint64_t before : {from % 4096, from % 4096 + 4096, from % 4096 + 1}) {
      Splice splice;
      splice.bytes(std::string(before, '<'));
      splice.copy(from, 150'000);
      splice.bytes("|");
      splice.copy(from + 1, 70'000);
      const int in = ::open(shop.path("old").c_str(), O_RDONLY);
      auto file = NewFile::create(shop.path("new"));
      ASSERT_TRUE(file);
      EXPECT_TRUE(write_splice(file->descriptor(), in, splice, "new"));
      ::close(in);
      ASSERT_TRUE(file->commit(false));
      EXPECT_EQ(read_file(shop.path("new")).value(),
                std::string(before, '<') + bytes.substr(from, 150'000) + "|"
                    + bytes.substr(from + 1, 70'000))
          << from << " " << before;
    }
  }
}

TEST(Splice, WritesLongRunsByTheKernelAndLeavesZerosOut) {
  const Workshop shop;
  std::string bytes;
  for (int i = 0; i < 300'000; ++i) {
    bytes += static_cast<char>(i * 31 % 251);
  }
  shop.write("old", bytes);
  Splice splice;
  splice.copy(7, 200'000);
  splice.zeros(100'000);
  splice.bytes("tail");
  splice.zeros(70'000);
  const int in = ::open(shop.path("old").c_str(), O_RDONLY);
  auto file = NewFile::create(shop.path("new"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_splice(file->descriptor(), in, splice, "new"));
  ::close(in);
  ASSERT_TRUE(file->commit(true));
  EXPECT_EQ(
      read_file(shop.path("new")).value(),
      bytes.substr(7, 200'000) + std::string(100'000, '\0') + "tail" + std::string(70'000, '\0'));
}

TEST(NewFile, GoesAwayUnlessItIsCommitted) {
  const Workshop shop;
  shop.write("a", "old");
  ASSERT_EQ(::chmod(shop.path("a").c_str(), 0750), 0);
  {
    auto file = NewFile::create(shop.path("a"));
    ASSERT_TRUE(file);
    EXPECT_EQ(list_folder(shop.root())->size(), 2U);
  }
  EXPECT_EQ(list_folder(shop.root())->size(), 1U);
  EXPECT_EQ(read_file(shop.path("a")).value(), "old");
  auto file = NewFile::create(shop.path("a"));
  ASSERT_EQ(::write(file->descriptor(), "new", 3), 3);
  ASSERT_TRUE(file->take_attributes(shop.path("a")));
  ASSERT_TRUE(file->commit(false));
  EXPECT_EQ(read_file(shop.path("a")).value(), "new");
  struct stat info {};
  ::stat(shop.path("a").c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777U, 0750U);
  EXPECT_FALSE(NewFile::create(shop.path("missing/a")));
}

TEST(Digest, OfASourceIsThatOfItsBytes) {
  const std::string bytes(3'000'000, 'q');
  EXPECT_EQ(sha256_hex(*memory_source(bytes, "x")).value(), sha256_hex(bytes));
  EXPECT_EQ(sha256_hex(*memory_source("", "x")).value(), sha256_hex(std::string_view()));
}

}  // namespace
}  // namespace fitment
