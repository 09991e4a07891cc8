// SPDX-License-Identifier: Apache-2.0
#include "cli/image_recipe_options.h"

#include "cli/machine_options.h"
#include "image/recipes.h"

namespace fitment {

namespace {

std::vector<std::string> profile_words() {
  const Catalog catalog;
  const auto recipes = read_image_recipes(catalog);
  return recipes ? profile_names(*recipes) : std::vector<std::string>{};
}

std::vector<OptionSpec> what_options() {
  return {
      {.name = "from",
       .help =
           "the base: an image reference, `oci:DIR[:TAG]` for a layout on the disk, or the archive "
           "of a root filesystem (default: ubuntu:24.04)",
       .value = "BASE",
       .repeatable = true,
       .completes = Completes::file,
       .group = "What"},
      {.name = "profile",
       .help = "what the image is for, several with commas between: `torch,nlp`",
       .value = "LIST",
       .repeatable = true,
       .completes = Completes::words,
       .words = profile_words,
       .group = "What"},
      {.name = "for",
       .help = "machines it will run on, with commas between: targets (`sm_86,sm_90`), machine "
               "files, or `cpu`",
       .value = "MACHINES",
       .repeatable = true,
       .completes = Completes::file,
       .group = "What"},
      {.name = "platform",
       .help = "`linux/amd64` or `linux/arm64` (default: that of the machines)",
       .value = "PLATFORM",
       .choices = {"linux/amd64", "linux/arm64"},
       .group = "What"},
      {.name = "python",
       .help = "Python version (default: the base's own)",
       .value = "X.Y",
       .repeatable = true,
       .group = "What"},
      {.name = "add",
       .help = "one more package, as pip takes it",
       .value = "REQUIREMENT",
       .repeatable = true,
       .group = "What"}};
}

std::vector<OptionSpec> how_options() {
  return {
      {.name = "backend",
       .help = "pin the backend: `cu126`, `rocm6.4`, `cpu`",
       .value = "BACKEND",
       .group = "How"},
      {.name = "prefer",
       .help = "which of several fitting builds of one version wins (default: oldest-driver for "
               "targets, driver for machine files)",
       .value = "WHAT",
       .choices = {"driver", "smallest", "newest", "oldest-driver"},
       .group = "How"},
      {.name = "allow-unsure",
       .help = "take a build that may or may not run where none is sure to",
       .group = "How"},
      {.name = "skip-misfits",
       .help = "leave out images for which nothing fits, with a warning for each",
       .group = "How"},
      {.name = "python-from",
       .help = "who brings Python (default: the distribution where its version will do, else uv)",
       .value = "WHAT",
       .choices = {"system", "uv", "conda"},
       .group = "How"},
      {.name = "base-system",
       .help = "what the base is where its name does not tell: `debian-12`",
       .value = "NAME",
       .group = "How"},
      {.name = "base-root",
       .help = "a folder that holds the base's root: its system and toolkit are read from there",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "How"},
      {.name = "monitor",
       .help = "how nvtop gets in (default: auto)",
       .value = "WHAT",
       .choices = {"auto", "package", "source", "none"},
       .group = "How"},
      {.name = "nvtop",
       .help = "source archive of nvtop",
       .value = "ARCHIVE",
       .completes = Completes::file,
       .group = "How"},
      {.name = "wheels",
       .help = "install from this folder of wheels, never from an index",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "How"},
      {.name = "no-slim", .help = "keep GPU code for other GPUs and dead weight", .group = "How"},
      {.name = "program",
       .help = "the fitment program that steps run, where this one is for another architecture or "
               "a newer C library",
       .value = "FILE",
       .repeatable = true,
       .completes = Completes::file,
       .group = "How"},
      {.name = "builder",
       .help = "program that builds (default: the first of buildah, docker, podman on PATH); its "
               "store is asked what it knows of the base",
       .value = "NAME",
       .choices = {"buildah", "docker", "podman"},
       .group = "How"},
      {.name = "output",
       .help = "folder for all files",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "Output"},
      {.name = "tag",
       .help = "name of the image; without a version, one is derived from the content",
       .value = "NAME",
       .group = "Output"},
      catalog_option()};
}

}  // namespace

const std::vector<OptionSpec>& image_recipe_options() {
  static const std::vector<OptionSpec> kOptions = [] {
    std::vector<OptionSpec> all = what_options();
    for (OptionSpec& option : how_options()) {
      all.push_back(std::move(option));
    }
    return all;
  }();
  return kOptions;
}

}  // namespace fitment
