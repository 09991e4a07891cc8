// SPDX-License-Identifier: Apache-2.0
// Blobs of layers: compression, digests, damage.
#include "base/digest.h"
#include "image/layer_stream.h"
#include "support/image_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

constexpr std::array kAll{LayerCompression::none, LayerCompression::gzip, LayerCompression::zstd};

/// Bytes that compress, larger than several chunks.
std::string sample(std::size_t size) {
  std::string bytes;
  bytes.reserve(size);
  std::uint32_t state = 1;
  while (bytes.size() < size) {
    state = state * 1664525U + 1013904223U;
    bytes += std::string(state >> 29U, static_cast<char>(state >> 8U));
  }
  bytes.resize(size);
  return bytes;
}

Result<std::pair<std::string, LayerDigests>> read_blob(const std::string& blob) {
  const auto source = memory_source(blob, "blob");
  FITMENT_TRY_ASSIGN(const auto stream, LayerStream::open(*source));
  std::string bytes;
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, stream->next(100'000));
    if (part.empty()) {
      break;
    }
    bytes += part;
  }
  FITMENT_TRY_ASSIGN(const LayerDigests digests, stream->finish());
  return std::pair(bytes, digests);
}

TEST(Layer, what_was_compressed_comes_back) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kBlockBytes, 2 * kBlockBytes, std::size_t{13'000'000}}) {
    const std::string bytes = sample(size);
    for (const LayerCompression how : kAll) {
      const std::string blob = compressed(bytes, how);
      EXPECT_EQ(blob, compressed(bytes, how));
      const auto read = read_blob(blob);
      ASSERT_TRUE(read) << to_string(how) << to_string(read.error());
      EXPECT_TRUE(read->first == bytes);
      EXPECT_EQ(read->second.sha256, sha256_hex(bytes));
      EXPECT_EQ(read->second.stored_sha256, sha256_hex(blob));
      EXPECT_EQ(read->second.bytes, bytes.size());
      if (size > 0) {
        EXPECT_EQ(read->second.compression, how);
      }
    }
  }
}

TEST(Layer, programs_read_what_is_compressed) {
  const Workshop shop;
  const std::string bytes = sample(9'000'000);
  for (const auto& [how, program] :
       {std::pair{LayerCompression::gzip, "gzip"}, std::pair{LayerCompression::zstd, "zstd"}}) {
    if (!have_program(program)) {
      continue;
    }
    shop.write("blob", compressed(bytes, how));
    const std::string out =
        shop.run({"sh", "-c", fmt::format("{} -dc < {} | sha256sum", program, shop.path("blob"))});
    EXPECT_EQ(out.substr(0, 64), sha256_hex(bytes)) << program;
  }
}

TEST(Layer, damage_is_told_with_its_place) {
  const std::string bytes = sample(2'000'000);
  for (const LayerCompression how : {LayerCompression::gzip, LayerCompression::zstd}) {
    const std::string blob = compressed(bytes, how);
    const auto cut = read_blob(blob.substr(0, blob.size() / 2));
    ASSERT_FALSE(cut);
    EXPECT_THAT(to_string(cut.error()), HasSubstr("end too early"));
    EXPECT_THAT(to_string(cut.error()), HasSubstr("blob+0x"));
    std::string flipped = blob;
    for (std::size_t i = 0; i < 64; ++i) {
      flipped[blob.size() / 2 + i] = static_cast<char>(~flipped[blob.size() / 2 + i]);
    }
    EXPECT_FALSE(read_blob(flipped));
    EXPECT_FALSE(read_blob(blob + "garbage behind it"));
  }
}

TEST(Layer, a_reader_that_goes_away_ends_the_threads) {
  const std::string blob = compressed(sample(30'000'000), LayerCompression::zstd);
  const auto source = memory_source(blob, "blob");
  const auto stream = LayerStream::open(*source);
  ASSERT_TRUE(stream);
  EXPECT_TRUE((*stream)->next(10));
}

}  // namespace
}  // namespace fitment
