// SPDX-License-Identifier: Apache-2.0
// New blobs of a layout: written under a temporary name, and named for their digest in the end.
#pragma once

#include "base/new_file.h"
#include "image/digest_thread.h"
#include "image/layer_stream.h"

#include <filesystem>
#include <memory>
#include <string>

namespace fitment {

/// Hands bytes on in blocks and has them digested on the way.
class DigestingSink : public ByteSink {
 public:
  Status write(std::string_view bytes) override;

 protected:
  /// A whole block, or the last one.
  virtual Status take(std::string_view block) = 0;
  Status flush();
  /// After flush(), once.
  StreamDigest digest() { return digest_.finish(); }
  [[nodiscard]] std::uint64_t bytes() const { return digest_.bytes(); }

 private:
  DigestThread digest_{DigestKind::sha256};
  std::shared_ptr<BlockBuffer> gathered_ = std::make_shared<BlockBuffer>();
};

/// A blob. Unless it is finished, it goes away.
class BlobFile final : public DigestingSink {
 public:
  /// `folder` is `blobs/sha256` of a layout. Errors: io_error.
  static Result<std::unique_ptr<BlobFile>> create(const std::filesystem::path& folder);

  struct Done {
    StreamDigest digest;
    std::uint64_t bytes = 0;
  };
  Result<Done> finish();

 private:
  BlobFile(NewFile file, std::filesystem::path folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}
  Status take(std::string_view block) override;

  NewFile file_;
  std::filesystem::path folder_;
};

/// The archive of a layer on its way into a blob.
class LayerWriter final : public DigestingSink {
 public:
  static Result<std::unique_ptr<LayerWriter>> create(const std::filesystem::path& folder,
                                                     LayerCompression compression);
  Result<LayerDigests> finish();

 private:
  LayerWriter(std::unique_ptr<BlobFile> blob, LayerCompression compression)
      : compression_(compression), blob_(std::move(blob)), deflater_(compression, *blob_) {}
  Status take(std::string_view block) override { return deflater_.write(block); }

  LayerCompression compression_;
  std::unique_ptr<BlobFile> blob_;
  LayerDeflater deflater_;
};

}  // namespace fitment
