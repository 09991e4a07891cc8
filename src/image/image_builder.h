// SPDX-License-Identifier: Apache-2.0
// Programs that build images, and what to type for one stage: buildah (no daemon), docker with
// BuildKit, podman. Commands are values, so that they can be shown, tested and written to a log.
#pragma once

#include "base/error.h"
#include "image/bake_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class ImageBuilder {
  buildah,
  docker,
  podman,
};

std::string_view to_string(ImageBuilder builder);
/// Error: invalid_argument with the names there are.
Result<ImageBuilder> parse_image_builder(std::string_view text);
/// The first of buildah, docker, podman that a folder of PATH has. Error: external_tool.
Result<ImageBuilder> find_image_builder(std::string_view path_variable);

/// Builds one target in the context folder; the image's id goes to `id_file`. The platform is told
/// where it is not this machine's.
std::vector<std::string> build_command(ImageBuilder builder,
                                       const BakeTarget& target,
                                       const std::string& context,
                                       const std::string& id_file,
                                       bool use_cache);
/// Succeeds and prints the id when the builder's store has an image of this name.
std::vector<std::string> image_id_command(ImageBuilder builder, const std::string& tag);
/// Prints the environment of an image in the builder's store, a variable a line.
std::vector<std::string> image_environment_command(ImageBuilder builder, const std::string& tag);
/// Takes the one image of an OCI layout into the store of buildah or podman; prints its id.
std::vector<std::string> pull_layout_command(ImageBuilder builder, const std::string& layout);
/// For docker, which takes no layouts: skopeo writes an archive that holds the name, docker loads
/// it.
std::vector<std::vector<std::string>> load_layout_commands(const std::string& layout,
                                                           const std::string& name,
                                                           const std::string& archive);
/// Gives an image another name.
std::vector<std::string> tag_command(ImageBuilder builder,
                                     const std::string& image,
                                     const std::string& tag);

}  // namespace fitment
