// SPDX-License-Identifier: Apache-2.0
// A new file made of an old one while that passes by, once.
#pragma once

#include "base/splice.h"
#include "image/byte_stream.h"
#include "image/tar_reader.h"

namespace fitment {

class SpliceStream final : public ByteStream {
 public:
  /// The reader stands at the data of the old file; runs of it are in order (forward_splice). Both
  /// must outlive it.
  SpliceStream(TarReader& original, const Splice& splice);

  /// Errors: those of the reader; parse_error where the old file ends before a run does.
  Result<std::string_view> next(std::uint64_t most) override;

 private:
  Result<std::string_view> next_of_original(std::uint64_t most);

  TarReader& original_;
  const Splice& splice_;
  std::size_t piece_ = 0;
  std::uint64_t given_ = 0;   // of the piece
  std::uint64_t passed_ = 0;  // of the original
};

}  // namespace fitment
