// SPDX-License-Identifier: Apache-2.0
// The JSON documents of images (OCI image specification 1.1; the older forms of Docker, which mean
// the same under other media types) as values.
//
//   index.json ─► index or manifest ─► config: platform, environment, diff_ids, history
//                                  └─► layers
//   manifest.json of `docker save`: names of the config and the layers in the archive
//
// A descriptor names a blob by digest, size and media type. A layer's *digest* is that of its blob
// as stored, its *diff_id* that of the tar archive in it.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

constexpr std::string_view kOciIndex = "application/vnd.oci.image.index.v1+json";
constexpr std::string_view kOciManifest = "application/vnd.oci.image.manifest.v1+json";
constexpr std::string_view kOciConfig = "application/vnd.oci.image.config.v1+json";
constexpr std::string_view kOciLayer = "application/vnd.oci.image.layer.v1.tar";
constexpr std::string_view kRefName = "org.opencontainers.image.ref.name";

struct OciPlatform {
  std::string os;
  std::string architecture;
  std::string variant;  ///< `v8`; mostly empty

  friend bool operator==(const OciPlatform&, const OciPlatform&) = default;
};
/// `linux/amd64`, `linux/arm64/v8`.
std::string to_string(const OciPlatform& platform);
/// Errors: invalid_argument.
Result<OciPlatform> parse_platform(std::string_view text);

using Annotations = std::map<std::string, std::string>;

struct OciDescriptor {
  std::string media_type;
  std::string digest;  ///< `sha256:` and 64 digits
  std::uint64_t size = 0;
  Annotations annotations;
  std::optional<OciPlatform> platform;

  [[nodiscard]] bool is_index() const;
  [[nodiscard]] bool is_manifest() const;
  /// Where it lies in a layout: `blobs/sha256/...`.
  [[nodiscard]] std::string member() const;
};

struct OciManifest {
  OciDescriptor config;
  std::vector<OciDescriptor> layers;
  Annotations annotations;
};

struct HistoryEntry {
  std::string created_by;
  bool is_empty_layer = false;
};

struct ImageConfig {
  OciPlatform platform;
  std::string created;
  std::map<std::string, std::string, std::less<>> environment;
  std::vector<std::string> diff_ids;
  std::vector<HistoryEntry> history;
};

/// An image in an archive of `docker save`.
struct DockerImage {
  std::string config;
  std::vector<std::string> tags;
  std::vector<std::string> layers;
};

// Errors of all: parse_error with the place; unsupported for what is well-formed and not read.

Result<std::vector<OciDescriptor>> parse_oci_index(std::string_view text,
                                                   const std::string& source);
Result<OciManifest> parse_oci_manifest(std::string_view text, const std::string& source);
Result<ImageConfig> parse_image_config(std::string_view text, const std::string& source);
Result<std::vector<DockerImage>> parse_docker_manifest(std::string_view text,
                                                       const std::string& source);

std::string write_oci_manifest(const OciManifest& manifest);
/// index.json with one manifest.
std::string write_oci_index(const OciDescriptor& manifest);

/// What a rewritten image says differently.
struct ConfigChange {
  /// One for each layer that there was: its diff_id, or none where the layer has gone.
  std::vector<std::optional<std::string>> diff_ids;
  Annotations labels;                  ///< that are set
  std::string created_by;              ///< of a new entry in the history
  std::optional<std::string> created;  ///< of that entry, as RFC 3339; none: the image's own time
};
/// The config with these changes; all else stays, also what is not known here. Errors: those of
/// parse_image_config.
Result<std::string> change_config(std::string_view text,
                                  const std::string& source,
                                  const ConfigChange& change);

}  // namespace fitment
