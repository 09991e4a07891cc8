// SPDX-License-Identifier: Apache-2.0
#include "image/oci_document.h"

#include "base/json_position.h"
#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::string_view kDockerList =
    "application/vnd.docker.distribution.manifest.list.v2+json";
constexpr std::string_view kDockerManifest = "application/vnd.docker.distribution.manifest.v2+json";

/// One document, for messages.
class Document {
 public:
  Document(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  [[nodiscard]] Result<Json> parse() const {
    if (const auto deep = find_too_deep_json(text_, kDeepest)) {
      return fail(ErrorCode::parse_error, "it is nested too deeply")
          .at(origin_of_offset(source_, text_, *deep));
    }
    try {
      Json json = Json::parse(text_);
      if (json.is_object() || json.is_array()) {
        return json;
      }
      return bad("it is neither an object nor a list");
    } catch (const Json::parse_error& error) {
      return fail(ErrorCode::parse_error, "it is not valid JSON")
          .at(origin_of_offset(source_, text_, error.byte == 0 ? 0 : error.byte - 1));
    } catch (const Json::exception&) {
      return bad("it holds a number that is too large");
    }
  }

  [[nodiscard]] Error bad(std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message)).at({source_, {}, {}, {}});
  }

  /// A text, empty where there is none.
  Result<std::string> text(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) {
      return std::string();
    }
    if (!found->is_string()) {
      return bad(fmt::format("`{}` is not a text", key));
    }
    return found->get<std::string>();
  }

  /// A list; an empty one where there is none and it may be missing.
  Result<Json> list(const Json& object, const char* key, bool may_miss) const {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) {
      return may_miss ? Result<Json>(Json::array())
                      : Result<Json>(bad(fmt::format("`{}` is missing", key)));
    }
    if (!found->is_array()) {
      return bad(fmt::format("`{}` is not a list", key));
    }
    return *found;
  }

  Result<std::vector<std::string>> texts(const Json& object, const char* key, bool may_miss) const {
    FITMENT_TRY_ASSIGN(const Json items, list(object, key, may_miss));
    std::vector<std::string> values;
    for (const Json& item : items) {
      if (!item.is_string()) {
        return bad(fmt::format("`{}` holds something that is no text", key));
      }
      values.push_back(item.get<std::string>());
    }
    return values;
  }

  [[nodiscard]] Result<Annotations> annotations(const Json& object) const {
    Annotations all;
    const auto found = object.find("annotations");
    if (found == object.end() || found->is_null()) {
      return all;
    }
    if (!found->is_object()) {
      return bad("`annotations` is not an object");
    }
    for (const auto& [key, value] : found->items()) {
      if (!value.is_string()) {
        return bad("`annotations` holds something that is no text");
      }
      all[key] = value.get<std::string>();
    }
    return all;
  }

  [[nodiscard]] Result<OciPlatform> platform(const Json& object) const {
    OciPlatform platform;
    FITMENT_TRY_ASSIGN(platform.os, text(object, "os"));
    FITMENT_TRY_ASSIGN(platform.architecture, text(object, "architecture"));
    FITMENT_TRY_ASSIGN(platform.variant, text(object, "variant"));
    return platform;
  }

  [[nodiscard]] Result<OciDescriptor> descriptor(const Json& object) const {
    if (!object.is_object()) {
      return bad("a descriptor is not an object");
    }
    OciDescriptor descriptor;
    FITMENT_TRY_ASSIGN(descriptor.media_type, text(object, "mediaType"));
    FITMENT_TRY_ASSIGN(descriptor.digest, text(object, "digest"));
    FITMENT_TRY(check_digest(descriptor.digest));
    const auto size = object.find("size");
    if (size == object.end() || !size->is_number_unsigned()) {
      return bad("`size` of a descriptor is missing or no number of bytes");
    }
    descriptor.size = size->get<std::uint64_t>();
    FITMENT_TRY_ASSIGN(descriptor.annotations, annotations(object));
    const auto found = object.find("platform");
    if (found != object.end() && found->is_object()) {
      FITMENT_TRY_ASSIGN(descriptor.platform, platform(*found));
    }
    return descriptor;
  }

  [[nodiscard]] Status check_digest(const std::string& digest) const {
    constexpr std::string_view kAlgorithm = "sha256:";
    constexpr std::size_t kDigits = 64;
    if (!digest.starts_with(kAlgorithm) || digest.size() != kAlgorithm.size() + kDigits
        || digest.find_first_not_of("0123456789abcdef", kAlgorithm.size()) != std::string::npos) {
      return bad(fmt::format("`{}` is not a SHA-256 digest", digest));
    }
    return {};
  }

 private:
  std::string_view text_;
  const std::string& source_;
};

Json to_json(const OciDescriptor& descriptor) {
  Json json{{"mediaType", descriptor.media_type},
            {"digest", descriptor.digest},
            {"size", descriptor.size}};
  if (!descriptor.annotations.empty()) {
    json["annotations"] = descriptor.annotations;
  }
  if (descriptor.platform) {
    json["platform"] = {{"architecture", descriptor.platform->architecture},
                        {"os", descriptor.platform->os}};
    if (!descriptor.platform->variant.empty()) {
      json["platform"]["variant"] = descriptor.platform->variant;
    }
  }
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_string(const OciPlatform& platform) {
  return fmt::format("{}/{}{}{}",
                     platform.os,
                     platform.architecture,
                     platform.variant.empty() ? "" : "/",
                     platform.variant);
}

Result<OciPlatform> parse_platform(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '/');
  if (parts.size() < 2 || parts.size() > 3
      || std::any_of(parts.begin(), parts.end(), [](auto part) { return part.empty(); })) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a platform", text))
        .hint("write `linux/amd64` or `linux/arm64`");
  }
  return OciPlatform{std::string(parts[0]),
                     std::string(parts[1]),
                     parts.size() == 3 ? std::string(parts[2]) : std::string()};
}

bool OciDescriptor::is_index() const {
  return media_type == kOciIndex || media_type == kDockerList;
}

bool OciDescriptor::is_manifest() const {
  return media_type == kOciManifest || media_type == kDockerManifest;
}

std::string OciDescriptor::member() const {
  return "blobs/" + replace_all(digest, ":", "/");
}

Result<std::vector<OciDescriptor>> parse_oci_index(std::string_view text,
                                                   const std::string& source) {
  const Document document(text, source);
  FITMENT_TRY_ASSIGN(const Json json, document.parse());
  FITMENT_TRY_ASSIGN(const Json items, document.list(json, "manifests", false));
  std::vector<OciDescriptor> descriptors;
  for (const Json& item : items) {
    FITMENT_TRY_ASSIGN(OciDescriptor descriptor, document.descriptor(item));
    descriptors.push_back(std::move(descriptor));
  }
  return descriptors;
}

Result<OciManifest> parse_oci_manifest(std::string_view text, const std::string& source) {
  const Document document(text, source);
  FITMENT_TRY_ASSIGN(const Json json, document.parse());
  if (!json.contains("config")) {
    return document.bad("`config` is missing")
        .hint("manifests of schema version 1 and other artifacts are not images");
  }
  OciManifest manifest;
  FITMENT_TRY_ASSIGN(manifest.config, document.descriptor(json["config"]));
  FITMENT_TRY_ASSIGN(const Json items, document.list(json, "layers", false));
  for (const Json& item : items) {
    FITMENT_TRY_ASSIGN(OciDescriptor layer, document.descriptor(item));
    if (layer.media_type.find("+encrypted") != std::string::npos) {
      return fail(ErrorCode::unsupported, "a layer is encrypted")
          .at({source, {}, {}, {}})
          .hint("decrypt the image first: `skopeo copy --decryption-key KEY SOURCE oci:DIR:tag`");
    }
    if (layer.media_type.find(".tar") == std::string::npos) {
      return fail(ErrorCode::unsupported,
                  fmt::format("`{}` is not the media type of a layer", layer.media_type))
          .at({source, {}, {}, {}})
          .hint("this is an artifact, not the image of a container");
    }
    manifest.layers.push_back(std::move(layer));
  }
  FITMENT_TRY_ASSIGN(manifest.annotations, document.annotations(json));
  return manifest;
}

Result<ImageConfig> parse_image_config(std::string_view text, const std::string& source) {
  const Document document(text, source);
  FITMENT_TRY_ASSIGN(const Json json, document.parse());
  ImageConfig config;
  FITMENT_TRY_ASSIGN(config.platform, document.platform(json));
  FITMENT_TRY_ASSIGN(config.created, document.text(json, "created"));
  if (const auto settings = json.find("config"); settings != json.end() && settings->is_object()) {
    FITMENT_TRY_ASSIGN(const auto variables, document.texts(*settings, "Env", true));
    for (const std::string& variable : variables) {
      const std::size_t equals = std::min(variable.find('='), variable.size());
      config.environment[variable.substr(0, equals)] =
          variable.substr(std::min(equals + 1, variable.size()));
    }
  }
  const auto rootfs = json.find("rootfs");
  if (rootfs == json.end() || !rootfs->is_object()) {
    return document.bad("`rootfs` is missing");
  }
  FITMENT_TRY_ASSIGN(config.diff_ids, document.texts(*rootfs, "diff_ids", true));
  for (const std::string& id : config.diff_ids) {
    FITMENT_TRY(document.check_digest(id));
  }
  FITMENT_TRY_ASSIGN(const Json history, document.list(json, "history", true));
  for (const Json& item : history) {
    if (!item.is_object()) {
      return document.bad("`history` holds something that is no object");
    }
    HistoryEntry entry;
    FITMENT_TRY_ASSIGN(entry.created_by, document.text(item, "created_by"));
    const auto empty = item.find("empty_layer");
    entry.is_empty_layer = empty != item.end() && empty->is_boolean() && empty->get<bool>();
    config.history.push_back(std::move(entry));
  }
  return config;
}

Result<std::vector<DockerImage>> parse_docker_manifest(std::string_view text,
                                                       const std::string& source) {
  const Document document(text, source);
  FITMENT_TRY_ASSIGN(const Json json, document.parse());
  std::vector<DockerImage> images;
  for (const Json& item : json) {
    if (!item.is_object()) {
      return document.bad("it is not a list of images");
    }
    DockerImage image;
    FITMENT_TRY_ASSIGN(image.config, document.text(item, "Config"));
    FITMENT_TRY_ASSIGN(image.tags, document.texts(item, "RepoTags", true));
    FITMENT_TRY_ASSIGN(image.layers, document.texts(item, "Layers", false));
    images.push_back(std::move(image));
  }
  return images;
}

std::string write_oci_manifest(const OciManifest& manifest) {
  Json json{{"schemaVersion", 2},
            {"mediaType", kOciManifest},
            {"config", to_json(manifest.config)},
            {"layers", Json::array()}};
  for (const OciDescriptor& layer : manifest.layers) {
    json["layers"].push_back(to_json(layer));
  }
  if (!manifest.annotations.empty()) {
    json["annotations"] = manifest.annotations;
  }
  return dump(json);
}

std::string write_oci_index(const OciDescriptor& manifest) {
  return dump(Json{{"schemaVersion", 2},
                   {"mediaType", kOciIndex},
                   {"manifests", Json::array({to_json(manifest)})}});
}

Result<std::string> change_config(std::string_view text,
                                  const std::string& source,
                                  const ConfigChange& change) {
  FITMENT_TRY_ASSIGN(const ImageConfig config, parse_image_config(text, source));
  const Document document(text, source);
  FITMENT_TRY_ASSIGN(Json json, document.parse());
  Json ids = Json::array();
  for (const auto& id : change.diff_ids) {
    if (id) {
      ids.push_back(*id);
    }
  }
  json["rootfs"]["diff_ids"] = std::move(ids);

  Json history = json.value("history", Json::array());
  if (!history.is_array()) {
    history = Json::array();
  }
  const auto layers = std::count_if(config.history.begin(),
                                    config.history.end(),
                                    [](const HistoryEntry& e) { return !e.is_empty_layer; });
  if (layers == static_cast<std::ptrdiff_t>(change.diff_ids.size())) {
    std::size_t layer = 0;
    for (std::size_t i = 0; i < config.history.size(); ++i) {
      if (!config.history[i].is_empty_layer && !change.diff_ids[layer++]) {
        history[i]["empty_layer"] = true;
      }
    }
    Json entry = Json::object();
    const std::string created = change.created.value_or(config.created);
    if (!created.empty()) {
      entry["created"] = created;
    }
    entry["created_by"] = change.created_by;
    entry["empty_layer"] = true;
    history.push_back(std::move(entry));
    json["history"] = std::move(history);
  }
  if (!json["config"].is_object()) {
    json["config"] = Json::object();
  }
  Json& labels = json["config"]["Labels"];
  if (!labels.is_object()) {
    labels = Json::object();
  }
  for (const auto& [key, value] : change.labels) {
    labels[key] = value;
  }
  return dump(json);
}

}  // namespace fitment
