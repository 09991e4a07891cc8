// SPDX-License-Identifier: Apache-2.0
// How the blob of a layer is compressed: gzip (members after one another, as parallel programs
// write them), zstd (frames after one another), or not at all.
#pragma once

#include "base/error.h"
#include "image/byte_stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class LayerCompression {
  none,
  gzip,
  zstd,
};
std::string_view to_string(LayerCompression compression);
std::optional<LayerCompression> parse_layer_compression(std::string_view word);

/// By the first bytes, as the programs that unpack layers tell it; media types lie.
LayerCompression detect_compression(std::string_view start);

/// Inflates a blob piece by piece.
class LayerInflater {
 public:
  virtual ~LayerInflater() = default;
  LayerInflater(const LayerInflater&) = delete;
  LayerInflater& operator=(const LayerInflater&) = delete;

  /// Fills `out` from `in` and takes away what was used of both. Error: parse_error.
  virtual Status inflate(std::string_view& in, char*& out, std::size_t& room) = 0;
  /// At the end of the blob: whether all that was begun has ended.
  [[nodiscard]] virtual bool is_complete() const = 0;

 protected:
  LayerInflater() = default;
};
std::unique_ptr<LayerInflater> make_inflater(LayerCompression compression);

/// Compresses one chunk after another, each by itself.
class ChunkDeflater {
 public:
  virtual ~ChunkDeflater() = default;
  ChunkDeflater(const ChunkDeflater&) = delete;
  ChunkDeflater& operator=(const ChunkDeflater&) = delete;

  /// The result is good until the next call. Error: internal.
  virtual Result<std::string_view> deflate(std::string_view bytes) = 0;

 protected:
  ChunkDeflater() = default;
};

/// Compresses in chunks of a fixed size, each by itself and several at a time, so that the bytes do
/// not depend on how many threads there are. Nothing of the host or the time is in them.
class LayerDeflater final : public ByteSink {
 public:
  /// `out` must outlive it.
  LayerDeflater(LayerCompression compression, ByteSink& out);
  LayerDeflater(const LayerDeflater&) = delete;
  LayerDeflater& operator=(const LayerDeflater&) = delete;
  ~LayerDeflater() override;

  Status write(std::string_view bytes) override;
  /// Writes what is left. Call it once, at the end.
  Status finish();

 private:
  Status flush();

  LayerCompression compression_;
  ByteSink& out_;
  std::size_t most_;  // bytes that are gathered: a chunk for each thread
  std::string gathered_;
  std::vector<std::unique_ptr<ChunkDeflater>> deflaters_;  // one for each chunk that is gathered
};

}  // namespace fitment
