// SPDX-License-Identifier: Apache-2.0
// Where an image's documents and layers lie: an OCI layout folder, or a tar archive of one or of
// `docker save`, which is read in place.
#pragma once

#include "base/byte_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace fitment {

class ImageStore {
 public:
  virtual ~ImageStore() = default;
  ImageStore(const ImageStore&) = delete;
  ImageStore& operator=(const ImageStore&) = delete;

  /// By the name relative to the layout or in the archive: `index.json`. Errors: not_found.
  [[nodiscard]] virtual Result<std::unique_ptr<ByteSource>> open(std::string_view name) const = 0;
  [[nodiscard]] virtual bool has(std::string_view name) const = 0;
  /// The whole document, up to the few megabytes that documents have.
  [[nodiscard]] Result<std::string> read(std::string_view name) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 protected:
  explicit ImageStore(std::filesystem::path path) : path_(std::move(path)) {}

 private:
  std::filesystem::path path_;
};

/// Errors: not_found, io_error; of archives also those of TarReader.
Result<std::unique_ptr<ImageStore>> open_image_store(const std::filesystem::path& path);

}  // namespace fitment
