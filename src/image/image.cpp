// SPDX-License-Identifier: Apache-2.0
#include "image/image.h"

#include "base/digest.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr int kDeepestIndex = 4;
constexpr const char* kDockerManifestFile = "manifest.json";
constexpr const char* kIndexFile = "index.json";
constexpr std::string_view kContainerdName = "io.containerd.image.name";

class ImageOpener {
 public:
  ImageOpener(ImageReference reference, const std::optional<OciPlatform>& platform, Image& image)
      : reference_(std::move(reference)), platform_(platform), image_(image) {}

  Status run();

 private:
  using Kind = ImageReference::Kind;

  Status open_oci();
  Status open_docker();
  Status collect(const OciDescriptor& descriptor, const std::string& tag, int depth);
  Status choose(OciDescriptor& chosen) const;
  [[nodiscard]] Result<std::string> read_blob(const OciDescriptor& descriptor) const;
  Status read_config(const std::string& member, const std::string& text);
  void tell_history();
  [[nodiscard]] bool is_wanted(const OciDescriptor& descriptor) const;
  [[nodiscard]] std::string place(std::string_view member) const {
    return fmt::format("{}: {}", reference_.path.string(), member);
  }

  ImageReference reference_;
  const std::optional<OciPlatform>& platform_;
  Image& image_;
  std::vector<std::pair<OciDescriptor, std::string>> candidates_;  // manifests and their tags
};

std::string tag_of(const OciDescriptor& descriptor) {
  const auto name = descriptor.annotations.find(std::string(kRefName));
  return name == descriptor.annotations.end() ? "" : name->second;
}

/// A tag by which a user may mean it: containerd's exports hold the whole name beside the tag.
bool has_tag(const OciDescriptor& descriptor, const std::string& tag) {
  const auto name = descriptor.annotations.find(std::string(kContainerdName));
  return tag_of(descriptor) == tag || (name != descriptor.annotations.end() && name->second == tag);
}

Status ImageOpener::run() {
  FITMENT_TRY_ASSIGN(image_.store, open_image_store(reference_.path));
  const bool has_index = image_.store->has(kIndexFile);
  const bool has_manifest = image_.store->has(kDockerManifestFile);
  // Newer versions of Docker write both; then the layout, which has digests, counts.
  if (reference_.kind == Kind::docker
          ? has_manifest
          : !has_index && has_manifest && reference_.kind == Kind::any) {
    FITMENT_TRY(open_docker());
  } else if (reference_.kind != Kind::docker && has_index) {
    FITMENT_TRY(open_oci());
  } else {
    return fail(ErrorCode::not_found,
                fmt::format("`{}` is no image: there is no {} in it",
                            reference_.path.string(),
                            reference_.kind == Kind::docker ? kDockerManifestFile
                            : reference_.kind == Kind::oci  ? kIndexFile
                                                            : "index.json or manifest.json"))
        .hint(
            "`skopeo copy docker://NAME oci:DIR:tag` makes an OCI layout, `docker save` or "
            "`buildah push NAME docker-archive:FILE` an archive");
  }
  tell_history();
  return {};
}

Result<std::string> ImageOpener::read_blob(const OciDescriptor& descriptor) const {
  FITMENT_TRY_ASSIGN(std::string text, image_.store->read(descriptor.member()));
  if (text.size() != descriptor.size) {
    return fail(ErrorCode::parse_error,
                fmt::format("it has {} bytes and should have {}", text.size(), descriptor.size))
        .at({place(descriptor.member()), {}, {}, {}});
  }
  const std::string digest = "sha256:" + sha256_hex(text);
  if (digest != descriptor.digest) {
    return fail(ErrorCode::parse_error, fmt::format("its digest is {}", digest))
        .at({place(descriptor.member()), {}, {}, {}})
        .hint("the layout is damaged; copy the image again");
  }
  return text;
}

bool ImageOpener::is_wanted(const OciDescriptor& descriptor) const {
  if (!platform_ || !descriptor.platform) {
    return true;
  }
  OciPlatform found = *descriptor.platform;
  if (platform_->variant.empty()) {
    found.variant.clear();
  }
  return found == *platform_;
}

/// All manifests below a descriptor, through nested indexes.
Status ImageOpener::collect(const OciDescriptor& descriptor, const std::string& tag, int depth) {
  if (!descriptor.is_index()) {
    // Attestations of builders are manifests too, of the platform unknown/unknown.
    const bool is_attestation = descriptor.platform && descriptor.platform->os == "unknown";
    if (descriptor.is_manifest() && !is_attestation && is_wanted(descriptor)) {
      candidates_.emplace_back(descriptor, tag);
    }
    return {};
  }
  if (depth >= kDeepestIndex) {
    return fail(ErrorCode::parse_error, "its indexes are nested too deeply")
        .at({place(descriptor.member()), {}, {}, {}});
  }
  FITMENT_TRY_ASSIGN(const std::string text, read_blob(descriptor));
  FITMENT_TRY_ASSIGN(const auto below, parse_oci_index(text, place(descriptor.member())));
  for (const OciDescriptor& one : below) {
    FITMENT_TRY(collect(one, tag, depth + 1));
  }
  return {};
}

Status ImageOpener::choose(OciDescriptor& chosen) const {
  // The same manifest may stand there under several tags.
  const auto differs = [&](const auto& one) {
    return one.first.digest != candidates_.front().first.digest;
  };
  if (candidates_.empty()) {
    return fail(ErrorCode::not_found,
                platform_ ? fmt::format(
                    "`{}` has no image for {}", reference_.path.string(), to_string(*platform_))
                          : fmt::format("`{}` holds no image", reference_.path.string()));
  }
  if (std::any_of(candidates_.begin(), candidates_.end(), differs)) {
    std::vector<std::string> names;
    for (const auto& [descriptor, tag] : candidates_) {
      std::string name = tag.empty() ? descriptor.digest : tag;
      if (descriptor.platform) {
        name += fmt::format(" ({})", to_string(*descriptor.platform));
      }
      names.push_back(std::move(name));
    }
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` holds {} images: {}",
                            reference_.path.string(),
                            names.size(),
                            join(names, ", ")))
        .hint(fmt::format("name one: `oci:{}:TAG`, `--platform linux/amd64`",
                          reference_.path.string()));
  }
  chosen = candidates_.front().first;
  return {};
}

Status ImageOpener::open_oci() {
  FITMENT_TRY_ASSIGN(const std::string text, image_.store->read(kIndexFile));
  FITMENT_TRY_ASSIGN(const auto top, parse_oci_index(text, place(kIndexFile)));
  bool is_known = reference_.tag.empty();
  for (const OciDescriptor& descriptor : top) {
    if (reference_.tag.empty() || has_tag(descriptor, reference_.tag)) {
      is_known = true;
      FITMENT_TRY(collect(descriptor, tag_of(descriptor), 0));
    }
  }
  if (!is_known) {
    std::vector<std::string> tags;
    for (const OciDescriptor& descriptor : top) {
      tags.push_back(tag_of(descriptor));
    }
    return fail(ErrorCode::not_found,
                fmt::format("`{}` has no image `{}`", reference_.path.string(), reference_.tag))
        .hint(fmt::format("there is: {}", join(tags, ", ")));
  }
  OciDescriptor chosen;
  FITMENT_TRY(choose(chosen));
  image_.tag = candidates_.front().second;
  image_.manifest_digest = chosen.digest;
  FITMENT_TRY_ASSIGN(const std::string manifest_text, read_blob(chosen));
  FITMENT_TRY_ASSIGN(OciManifest manifest,
                     parse_oci_manifest(manifest_text, place(chosen.member())));
  image_.annotations = std::move(manifest.annotations);
  FITMENT_TRY_ASSIGN(const std::string config, read_blob(manifest.config));
  FITMENT_TRY(read_config(manifest.config.member(), config));
  if (manifest.layers.size() != image_.config.diff_ids.size()) {
    return fail(ErrorCode::parse_error,
                fmt::format("it has {} layers and {} diff_ids",
                            manifest.layers.size(),
                            image_.config.diff_ids.size()))
        .at({place(chosen.member()), {}, {}, {}});
  }
  for (std::size_t i = 0; i < manifest.layers.size(); ++i) {
    OciDescriptor& layer = manifest.layers[i];
    if (!image_.store->has(layer.member())) {
      return fail(ErrorCode::not_found, fmt::format("the layer {} is missing", layer.digest))
          .at({place(layer.member()), {}, {}, {}})
          .hint("copy the image whole: `skopeo copy --all SOURCE oci:DIR:tag`");
    }
    image_.layers.push_back({.member = layer.member(),
                             .media_type = layer.media_type,
                             .digest = layer.digest,
                             .diff_id = image_.config.diff_ids[i],
                             .stored_bytes = layer.size,
                             .created_by = {},
                             .annotations = std::move(layer.annotations)});
  }
  return {};
}

Status ImageOpener::open_docker() {
  FITMENT_TRY_ASSIGN(const std::string text, image_.store->read(kDockerManifestFile));
  FITMENT_TRY_ASSIGN(std::vector<DockerImage> images,
                     parse_docker_manifest(text, place(kDockerManifestFile)));
  if (!reference_.tag.empty()) {
    std::erase_if(images, [&](const DockerImage& one) {
      return std::find(one.tags.begin(), one.tags.end(), reference_.tag) == one.tags.end();
    });
  }
  if (images.size() != 1) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` holds {} such images", reference_.path.string(), images.size()))
        .hint(fmt::format("name one: `docker-archive:{}:NAME:TAG`", reference_.path.string()));
  }
  const DockerImage& image = images.front();
  // `registry:5000/app:v1` has the tag `v1`, which is what layouts call it by.
  const std::string name = image.tags.empty() ? "" : image.tags.front();
  const std::size_t colon = name.rfind(':');
  const bool has_colon = colon != std::string::npos && name.find('/', colon) == std::string::npos;
  image_.tag = has_colon ? name.substr(colon + 1) : "";
  FITMENT_TRY_ASSIGN(const std::string config, image_.store->read(image.config));
  FITMENT_TRY(read_config(image.config, config));
  if (image.layers.size() != image_.config.diff_ids.size()) {
    return fail(ErrorCode::parse_error,
                fmt::format("it has {} layers and {} diff_ids",
                            image.layers.size(),
                            image_.config.diff_ids.size()))
        .at({place(kDockerManifestFile), {}, {}, {}});
  }
  for (std::size_t i = 0; i < image.layers.size(); ++i) {
    FITMENT_TRY_ASSIGN(const auto source, image_.store->open(image.layers[i]));
    image_.layers.push_back({.member = image.layers[i],
                             .media_type = {},
                             .digest = {},
                             .diff_id = image_.config.diff_ids[i],
                             .stored_bytes = source->size(),
                             .created_by = {},
                             .annotations = {}});
  }
  return {};
}

Status ImageOpener::read_config(const std::string& member, const std::string& text) {
  image_.config_text = text;
  image_.config_source = place(member);
  FITMENT_TRY_ASSIGN(image_.config, parse_image_config(text, image_.config_source));
  if (platform_ && !image_.config.platform.os.empty()
      && !is_wanted({.platform = image_.config.platform})) {
    return fail(ErrorCode::not_found,
                fmt::format("the image is for {}, not for {}",
                            to_string(image_.config.platform),
                            to_string(*platform_)));
  }
  return {};
}

void ImageOpener::tell_history() {
  std::vector<const HistoryEntry*> entries;
  for (const HistoryEntry& entry : image_.config.history) {
    if (!entry.is_empty_layer) {
      entries.push_back(&entry);
    }
  }
  for (std::size_t i = 0; entries.size() == image_.layers.size() && i < entries.size(); ++i) {
    image_.layers[i].created_by = entries[i]->created_by;
  }
}

}  // namespace

Result<Image> open_image(const std::string& reference, const std::optional<OciPlatform>& platform) {
  FITMENT_TRY_ASSIGN(ImageReference parsed, parse_image_reference(reference));
  Image image;
  image.name = reference;
  FITMENT_TRY(ImageOpener(std::move(parsed), platform, image).run());
  return image;
}

}  // namespace fitment
