// SPDX-License-Identifier: Apache-2.0
// The tar archive inside of a layer's blob. One thread reads and inflates, one digests the blob,
// one the archive, and whoever calls next() works on the blocks that they have done.
#pragma once

#include "image/byte_stream.h"
#include "image/digest_thread.h"
#include "image/layer_compression.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace fitment {

/// How a layer is looked at while it is read.
enum class LayerCheck {
  full,      ///< SHA-256 of blob and archive
  same_run,  ///< the keyed hashes of both: whether they are what this run has digested before
  archive,   ///< of the archive alone: whoever takes its bytes on cares for nothing else
};

/// What a layer's blob turned out to be.
struct LayerDigests {
  LayerCompression compression = LayerCompression::none;
  std::uint64_t stored_bytes = 0;
  std::string stored_sha256;  ///< of the blob
  std::uint64_t bytes = 0;
  std::string sha256;  ///< of the archive: the diff_id
  // Of the same bytes, to be compared within one run.
  ContentHash stored_keyed;
  ContentHash keyed;

  /// Whether another reading or writing of this run gave the same bytes.
  [[nodiscard]] bool is_same(const LayerDigests& other) const {
    return stored_bytes == other.stored_bytes && bytes == other.bytes
           && stored_keyed == other.stored_keyed && keyed == other.keyed;
  }
  [[nodiscard]] bool has_same_archive(const LayerDigests& other) const {
    return bytes == other.bytes && keyed == other.keyed;
  }
};

class LayerStream final : public ByteStream {
 public:
  /// Begins to read. `blob` must outlive it. Digests that `check` does not want stay empty.
  static Result<std::unique_ptr<LayerStream>> open(const ByteSource& blob,
                                                   LayerCheck check = LayerCheck::full);
  LayerStream(const LayerStream&) = delete;
  LayerStream& operator=(const LayerStream&) = delete;
  ~LayerStream() override;

  /// Errors: those of reading the blob; parse_error with the offset in it where its compressed data
  /// are damaged.
  Result<std::string_view> next(std::uint64_t most) override;
  /// Bytes of the blob that were read so far, for progress.
  [[nodiscard]] std::uint64_t blob_position() const { return read_; }
  /// Reads what is left, and waits for the digests. Call it once.
  Result<LayerDigests> finish();

 private:
  LayerStream(const ByteSource& blob, LayerCompression compression, LayerCheck check);
  void produce();
  Status inflate_all();

  const ByteSource& blob_;
  LayerCompression compression_;
  BlockQueue queue_;
  std::optional<DigestThread> stored_;  // where it is wanted and the blob is not the archive itself
  DigestThread archive_;
  std::atomic<std::uint64_t> read_{0};
  Status failure_;  // of the producer; read after the queue has closed
  Block current_;
  std::size_t used_ = 0;
  std::jthread producer_;  // last: it uses the others
};

}  // namespace fitment
