// SPDX-License-Identifier: Apache-2.0
#include "image/splice_stream.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::array<char, 64U << 10U> kZeros{};

}  // namespace

SpliceStream::SpliceStream(TarReader& original, const Splice& splice)
    : ByteStream("a slice"), original_(original), splice_(splice) {}

/// What lies between two runs is passed over.
Result<std::string_view> SpliceStream::next_of_original(std::uint64_t most) {
  const std::uint64_t wanted = splice_.pieces()[piece_].offset + given_;
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part,
                       original_.data(passed_ < wanted ? wanted - passed_ : most));
    if (part.empty()) {
      return fail(ErrorCode::parse_error, "the file that is sliced ends too early");
    }
    passed_ += part.size();
    if (passed_ > wanted) {
      return part;
    }
  }
}

Result<std::string_view> SpliceStream::next(std::uint64_t most) {
  if (piece_ == splice_.pieces().size()) {
    return std::string_view();
  }
  const SplicePiece& piece = splice_.pieces()[piece_];
  most = std::min(most, piece.size - given_);
  std::string_view part;
  switch (piece.from) {
    case SplicePiece::From::original: {
      FITMENT_TRY_ASSIGN(part, next_of_original(most));
      break;
    }
    case SplicePiece::From::bytes:
      part = splice_.bytes_of(piece).substr(given_, most);
      break;
    case SplicePiece::From::zeros:
      part = std::string_view(kZeros.data(), std::min<std::uint64_t>(most, kZeros.size()));
      break;
  }
  given_ += part.size();
  advance(part.size());
  if (given_ == piece.size) {
    ++piece_;
    given_ = 0;
  }
  return part;
}

}  // namespace fitment
