// SPDX-License-Identifier: Apache-2.0
#include "image/base_layout.h"

#include "base/files.h"
#include "image/image.h"
#include "image/image_program.h"
#include "image/place_file.h"

#include <fmt/format.h>

#include <system_error>

namespace fitment {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScheme = "oci:";
constexpr std::string_view kContextScheme = "oci-layout://";
constexpr std::size_t kDigits = 12;

std::string short_digest(const std::string& digest) {
  return digest.substr(digest.find(':') + 1, kDigits);
}

}  // namespace

std::string BaseLayout::input() const {
  return "base-" + short_digest(digest);
}

std::string BaseLayout::name() const {
  return "localhost/fitment/base-image:" + short_digest(digest);
}

std::string BaseLayout::context() const {
  return fmt::format("{}inputs/{}@{}", kContextScheme, input(), digest);
}

bool is_base_layout(std::string_view reference) {
  return reference.starts_with(kScheme);
}

Result<Image> open_base_layout(const std::string& reference, const std::string& arch) {
  std::optional<OciPlatform> platform;
  if (!arch.empty()) {
    FITMENT_TRY_ASSIGN(platform, parse_platform(platform_of_arch(arch)));
  }
  FITMENT_TRY_ASSIGN(Image image, open_image(reference, platform));
  std::error_code ignored;
  if (image.manifest_digest.empty() || !fs::is_directory(image.store->path(), ignored)) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` is an archive, and a base is taken from a layout folder",
                            image.store->path().string()))
        .hint(fmt::format("unpack it: `skopeo copy oci-archive:{} oci:DIR:base`",
                          image.store->path().string()));
  }
  return image;
}

BaseLayout base_layout_of(const Image& image) {
  BaseLayout layout{image.name, image.manifest_digest, {}};
  if (const auto arch = parse_image_arch(image.config.platform.architecture)) {
    layout.arch = *arch;
  }
  return layout;
}

Status place_layout(const BaseLayout& layout, const fs::path& folder) {
  FITMENT_TRY_ASSIGN(const Image image, open_base_layout(layout.reference, layout.arch));
  if (image.manifest_digest != layout.digest) {
    return fail(ErrorCode::io_error, "the base image changed while it was read")
        .at({layout.reference, {}, {}, {}});
  }
  OciDescriptor descriptor;
  descriptor.media_type = kOciManifest;
  descriptor.digest = image.manifest_digest;
  FITMENT_TRY_ASSIGN(const std::string manifest_text, image.store->read(descriptor.member()));
  descriptor.size = manifest_text.size();
  FITMENT_TRY_ASSIGN(const OciManifest manifest,
                     parse_oci_manifest(manifest_text, layout.reference));
  std::vector<std::string> members{descriptor.member(), manifest.config.member()};
  for (const ImageLayer& layer : image.layers) {
    members.push_back(layer.member);
  }
  for (const std::string& member : members) {
    FITMENT_TRY(make_folder((folder / member).parent_path()));
    FITMENT_TRY(place_file(image.store->path() / member, folder / member));
  }
  FITMENT_TRY(write_file_atomic(folder / "oci-layout", R"({"imageLayoutVersion":"1.0.0"})"));
  return write_file_atomic(folder / "index.json", write_oci_index(descriptor));
}

std::string layout_folder(std::string_view context) {
  if (!context.starts_with(kContextScheme)) {
    return {};
  }
  context.remove_prefix(kContextScheme.size());
  return std::string(context.substr(0, context.rfind('@')));
}

}  // namespace fitment
