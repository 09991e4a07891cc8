// SPDX-License-Identifier: Apache-2.0
#include "image/image_builder.h"

#include "base/text.h"
#include "image/image_program.h"

#include <fmt/format.h>

#include <unistd.h>

#include <array>

namespace fitment {

namespace {

constexpr std::array kBuilders{ImageBuilder::buildah, ImageBuilder::docker, ImageBuilder::podman};

bool is_on_path(std::string_view program, std::string_view path_variable) {
  for (const std::string_view folder : split(path_variable, ':')) {
    const std::string file = fmt::format("{}/{}", folder, program);
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

/// Images that the store has are never looked for in a registry: parents are named for their
/// content, and a base that changes under its name would make another image of the same recipe.
/// Clients of docker before 23 have to be told to use BuildKit.
std::vector<std::string> build_start(ImageBuilder builder) {
  switch (builder) {
    case ImageBuilder::buildah:
      return {"buildah", "build", "--layers", "--pull=false"};
    case ImageBuilder::podman:
      return {"podman", "build", "--layers", "--pull=missing"};
    case ImageBuilder::docker:
      break;
  }
  return {"env", "DOCKER_BUILDKIT=1", "docker", "build"};
}

}  // namespace

std::string_view to_string(ImageBuilder builder) {
  switch (builder) {
    case ImageBuilder::buildah:
      return "buildah";
    case ImageBuilder::docker:
      return "docker";
    case ImageBuilder::podman:
      return "podman";
  }
  return "buildah";
}

Result<ImageBuilder> parse_image_builder(std::string_view text) {
  for (const ImageBuilder builder : kBuilders) {
    if (text == to_string(builder)) {
      return builder;
    }
  }
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a builder", text))
      .hint("builders are buildah, docker and podman");
}

Result<ImageBuilder> find_image_builder(std::string_view path_variable) {
  for (const ImageBuilder builder : kBuilders) {
    if (is_on_path(to_string(builder), path_variable)) {
      return builder;
    }
  }
  return fail(ErrorCode::external_tool, "no program that builds images was found")
      .hint(
          "install buildah, docker or podman; `fitment image render` writes files for a builder "
          "elsewhere");
}

std::vector<std::string> build_command(ImageBuilder builder,
                                       const BakeTarget& target,
                                       const std::string& context,
                                       const std::string& id_file,
                                       bool use_cache) {
  std::vector<std::string> command = build_start(builder);
  const auto epoch = target.args.find("SOURCE_DATE_EPOCH");
  if (builder != ImageBuilder::docker && epoch != target.args.end()) {
    command.insert(command.end(), {"--timestamp", epoch->second});
  }
  if (!target.platform.empty() && !is_own_platform(target.platform)) {
    command.insert(command.end(), {"--platform", target.platform});
  }
  if (!use_cache) {
    command.emplace_back("--no-cache");
  }
  command.insert(command.end(),
                 {"--iidfile", id_file, "--file", context + "/" + target.containerfile});
  for (const auto& [name, value] : target.args) {
    command.insert(command.end(), {"--build-arg", fmt::format("{}={}", name, value)});
  }
  for (const std::string& tag : target.tags) {
    command.insert(command.end(), {"--tag", tag});
  }
  command.push_back(context);
  return command;
}

std::vector<std::string> image_id_command(ImageBuilder builder, const std::string& tag) {
  if (builder == ImageBuilder::docker) {
    return {"docker", "image", "inspect", "--format", "{{.Id}}", tag};
  }
  return {std::string(to_string(builder)), "images", "--quiet", "--no-trunc", tag};
}

std::vector<std::string> image_environment_command(ImageBuilder builder, const std::string& tag) {
  if (builder == ImageBuilder::buildah) {
    return {"buildah",
            "inspect",
            "--type",
            "image",
            "--format",
            "{{range .OCIv1.Config.Env}}{{println .}}{{end}}",
            tag};
  }
  return {std::string(to_string(builder)),
          "image",
          "inspect",
          "--format",
          "{{range .Config.Env}}{{println .}}{{end}}",
          tag};
}

std::vector<std::string> pull_layout_command(ImageBuilder builder, const std::string& layout) {
  return {std::string(to_string(builder)), "pull", "--quiet", "oci:" + layout};
}

std::vector<std::vector<std::string>> load_layout_commands(const std::string& layout,
                                                           const std::string& name,
                                                           const std::string& archive) {
  return {{"skopeo", "copy", "--quiet", "oci:" + layout, "docker-archive:" + archive + ":" + name},
          {"docker", "load", "--quiet", "--input", archive}};
}

std::vector<std::string> tag_command(ImageBuilder builder,
                                     const std::string& image,
                                     const std::string& tag) {
  return {std::string(to_string(builder)), "tag", image, tag};
}

}  // namespace fitment
