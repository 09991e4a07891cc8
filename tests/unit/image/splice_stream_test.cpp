// SPDX-License-Identifier: Apache-2.0
// A cut file is made while its original passes by; what the plan takes out of order is held.
#include "image/splice_stream.h"

#include "image/sliced_bytes.h"
#include "support/tar_builder.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

std::string streamed(const std::string& original, const Splice& splice, std::uint64_t most) {
  const auto archive = memory_source(tar_archive({{.name = "f", .data = original}}), "t");
  SourceStream bytes(*archive);
  TarReader reader(bytes);
  EXPECT_TRUE(reader.next().value().has_value());
  SpliceStream stream(reader, splice);
  std::string made;
  for (;;) {
    const auto part = stream.next(most);
    if (!part) {
      return part.error().message();
    }
    if (part->empty()) {
      EXPECT_EQ(stream.position(), made.size());
      return made;
    }
    made += *part;
  }
}

TEST(SpliceStream, MakesWhatTheSpliceDescribes) {
  Splice splice;
  splice.copy(1, 3);
  splice.bytes("new");
  splice.zeros(100'000);
  splice.copy(6, 2);
  const std::string expected = "123new" + std::string(100'000, '\0') + "67";
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 20U}) {
    EXPECT_EQ(streamed("0123456789", splice, most), expected);
  }
  splice.copy(9, 5);
  EXPECT_EQ(streamed("0123456789", splice, 5), "the file that is sliced ends too early");
}

TEST(SpliceStream, HoldsWhatStepsBackAndTheDigest) {
  const auto original = memory_source("0123456789", "x");
  SlicePlan plan;
  plan.bytes.copy(4, 3);
  plan.bytes.copy(1, 2);
  plan.bytes.bytes("<..>");
  plan.bytes.copy(8, 2);
  plan.digest_at = 6;
  const std::string digest = "ab";
  const Splice forward = forward_splice(*original, plan, digest).value();
  EXPECT_EQ(streamed("0123456789", forward, 3), "45612<ab>89");
  std::uint64_t passed = 0;
  for (const SplicePiece& piece : forward.pieces()) {
    if (piece.from == SplicePiece::From::original) {
      EXPECT_GE(piece.offset, passed);
      passed = piece.offset + piece.size;
    }
  }
}

}  // namespace
}  // namespace fitment
