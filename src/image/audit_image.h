// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an image are, and which of them need not be there.
#pragma once

#include "image/survey.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Kinds of bytes that a fix would save. A byte is counted in one of them.
enum class ImageWaste {
  deleted,     ///< stored in a layer and deleted in a later one
  replaced,    ///< stored, and another content took the place in a later layer
  copied,      ///< stored again in a later layer because of its metadata alone
  duplicates,  ///< the same content at several paths that are seen
  gpu_code,    ///< code for GPUs that were not named
};
std::string_view to_string(ImageWaste waste);
/// What to do about it, in a sentence.
std::string_view fix_of(ImageWaste waste);

struct WasteTotal {
  ImageWaste kind = ImageWaste::deleted;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;         ///< unpacked
  std::uint64_t stored_bytes = 0;  ///< of blobs, about: by how well the layer is compressed
};

/// A file, or several of one content, that cost something.
struct WastedFile {
  ImageWaste kind = ImageWaste::deleted;
  std::string path;
  std::size_t layer = 0;                   ///< that stores it
  std::optional<std::size_t> other_layer;  ///< that deleted, replaced or copied it
  std::uint64_t bytes = 0;                 ///< that a fix would save
  std::vector<std::string> copies;         ///< of duplicates: the other paths
};

struct AuditedLayer {
  std::string digest;  ///< of the blob
  std::string diff_id;
  std::string created_by;
  LayerCompression compression = LayerCompression::none;
  std::uint64_t stored_bytes = 0;
  std::uint64_t bytes = 0;  ///< unpacked, as an archive
  std::uint64_t files = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t wasted_bytes = 0;  ///< deleted, replaced or copied by later layers
  std::uint64_t gpu_bytes = 0;
  std::uint64_t whiteouts = 0;
};

struct ImageAudit {
  std::string name;
  std::string manifest_digest;
  OciPlatform platform;
  std::vector<KeepTarget> targets;  ///< that were named
  std::vector<AuditedLayer> layers;
  std::vector<WasteTotal> waste;      ///< those that are not zero
  std::vector<WastedFile> files;      ///< the most bytes first; of GPU code all files
  std::vector<TargetTotal> gpu_code;  ///< of files that are seen

  std::uint64_t stored_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t seen_files = 0;  ///< of the image's tree
  std::uint64_t seen_bytes = 0;

  /// Bytes in layers that the image's tree does not show or shows twice: what `--max-wasted` is
  /// about. GPU code is not counted: whether it is waste depends on the machines.
  [[nodiscard]] std::uint64_t wasted_bytes() const;
  /// Of the unpacked files of all layers; 0 to 100.
  [[nodiscard]] double wasted_percent() const;
};

ImageAudit audit_image(const Image& image,
                       const ImageSurvey& survey,
                       const std::vector<KeepTarget>& targets);

/// The most that may be wasted: `100MB`, `1.5GiB`, `5%`.
struct WasteLimit {
  std::optional<std::uint64_t> bytes;
  std::optional<double> percent;

  [[nodiscard]] bool is_passed(const ImageAudit& audit) const;
};
/// Errors: invalid_argument.
Result<WasteLimit> parse_waste_limit(std::string_view text);

}  // namespace fitment
