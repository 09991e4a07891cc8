// SPDX-License-Identifier: Apache-2.0
// The slice of a file as a source, without writing it: what apply_slice would write, the digest of
// the original in its note included.
#pragma once

#include "base/splice.h"
#include "slim/slice.h"

#include <string>

namespace fitment {

class SlicedBytes final : public ByteSource {
 public:
  /// All arguments must outlive it.
  SlicedBytes(const ByteSource& original, const SlicePlan& plan, const std::string& original_sha256)
      : ByteSource(original.name()),
        spliced_(original, plan.bytes, original.name()),
        plan_(plan),
        digest_(original_sha256) {}

  [[nodiscard]] std::uint64_t size() const override { return spliced_.size(); }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override;

 private:
  SplicedSource spliced_;
  const SlicePlan& plan_;
  const std::string& digest_;
};

/// The same result made ready for a stream: its runs of the original are in order, so that it can
/// be made while the original passes by; what steps back is new bytes. Error: unsupported where
/// that is too much to hold.
Result<Splice> forward_splice(const ByteSource& original,
                              const SlicePlan& plan,
                              const std::string& original_sha256);

}  // namespace fitment
