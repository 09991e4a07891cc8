// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "image/image.h"

#include <fmt/format.h>

#include <system_error>

namespace fitment {

namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// `PATH` or `PATH:TAG`, where PATH is what exists: both may hold colons.
std::optional<ImageReference> on_disk(ImageReference::Kind kind, const std::string& text) {
  if (exists(text)) {
    return ImageReference{kind, text, {}};
  }
  for (std::size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    if (colon > 0 && exists(text.substr(0, colon))) {
      return ImageReference{kind, text.substr(0, colon), text.substr(colon + 1)};
    }
  }
  return std::nullopt;
}

/// What of `PATH:TAG` is most likely the path, where neither exists.
std::string without_tag(const std::string& text) {
  return text.substr(0, text.find(':'));
}

/// `nvidia/cuda:12.8.1-base`: a name that a registry may have.
bool looks_like_registry(std::string_view text) {
  return !text.empty() && is_alnum(text.front())
         && text.find_first_not_of(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                "._-/:@")
                == std::string_view::npos
         && (text.find(':') != std::string_view::npos || text.find('/') != std::string_view::npos
             || text.find('.') == std::string_view::npos);
}

}  // namespace

Result<ImageReference> parse_image_reference(const std::string& text) {
  using Kind = ImageReference::Kind;
  constexpr std::string_view kDocker = "docker://";
  if (text.starts_with(kDocker)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is in a registry, and only images on the disk are read", text))
        .hint(fmt::format("fetch it: `skopeo copy {} oci:DIR:tag`, then name `oci:DIR:tag`", text));
  }
  for (const auto& [scheme, kind] : {std::pair<std::string_view, Kind>{"oci:", Kind::oci},
                                     {"oci-archive:", Kind::oci},
                                     {"docker-archive:", Kind::docker}}) {
    if (text.starts_with(scheme)) {
      const std::string place = text.substr(scheme.size());
      auto found = on_disk(kind, place);
      if (found) {
        return std::move(*found);
      }
      return fail(ErrorCode::not_found, fmt::format("there is no `{}`", place))
          .missing(without_tag(place))
          .hint(fmt::format("`skopeo copy docker://NAME {0}{1}:tag` and `buildah push NAME "
                            "{0}{1}:tag` make one",
                            scheme,
                            scheme == "oci:" ? "DIR" : "FILE"));
    }
  }
  if (auto found = on_disk(Kind::any, text)) {
    return std::move(*found);
  }
  Error error = fail(ErrorCode::not_found, fmt::format("there is no `{}`", text));
  // Of a name with a tag, a registry is the likelier place: then nothing on the disk is like it.
  if (text.find(':') == std::string::npos || !looks_like_registry(text)) {
    error = std::move(error).missing(without_tag(text));
  }
  if (looks_like_registry(text)) {
    error =
        std::move(error).hint(fmt::format("for an image in a registry: `skopeo copy docker://{} "
                                          "oci:DIR:tag`, then name `oci:DIR:tag`",
                                          text));
  }
  return error;
}

}  // namespace fitment
