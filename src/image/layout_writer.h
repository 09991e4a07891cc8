// SPDX-License-Identifier: Apache-2.0
// Writes an OCI layout folder with one image. It grows beside its place and moves there when it is
// complete; an error at any point leaves nothing.
#pragma once

#include "image/blob_file.h"
#include "image/oci_document.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace fitment {

/// Whether a layout can be written there, before hours are spent on it. Errors: invalid_argument
/// when something other than an empty folder is there; not_found for the folder above; io_error.
Status check_layout_place(const std::filesystem::path& output);

class LayoutWriter {
 public:
  /// Errors: those of check_layout_place.
  static Result<LayoutWriter> create(const std::filesystem::path& output);
  LayoutWriter(LayoutWriter&& other) noexcept;
  LayoutWriter& operator=(LayoutWriter&&) = delete;
  LayoutWriter(const LayoutWriter&) = delete;
  LayoutWriter& operator=(const LayoutWriter&) = delete;
  ~LayoutWriter();

  /// The layout while it grows.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Where new blobs go.
  [[nodiscard]] std::filesystem::path blobs() const { return path_ / "blobs" / "sha256"; }

  [[nodiscard]] Result<OciDescriptor> add_document(std::string_view text,
                                                   std::string_view media_type) const;
  /// A blob as it is, whose digest is known. What was written is not compared with it: whoever
  /// proves the layout does so.
  [[nodiscard]] Status copy_blob(const ByteSource& source, const std::string& sha256) const;
  /// index.json, which makes it an image.
  Status add_index(const OciDescriptor& manifest);
  /// To its place.
  Status commit();

 private:
  LayoutWriter(std::filesystem::path path, std::filesystem::path output)
      : path_(std::move(path)), output_(std::move(output)) {}

  std::filesystem::path path_;
  std::filesystem::path output_;
};

}  // namespace fitment
