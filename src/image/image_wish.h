// SPDX-License-Identifier: Apache-2.0
// The table [image] of `fitment.toml`: which images to build. Where a key takes a list of choices,
// each stands for images of its own; commas join within one.
//
//   [image]
//   profile      = ["torch,nlp", "jax"]
//   for          = ["sm_80,sm_90", "machines/l40s.json"]   # relative to this file
//   from         = "ubuntu:24.04"
//   python       = ["3.12", "3.13"]
//   python-from  = "uv"               # system, uv, conda
//   requirements = ["einops"]         # besides those of the profiles
//   packages     = ["git"]            # of the distribution
//   platform     = "linux/arm64"      # else that of the machines
//   user         = "app"              # that programs run as, made with the id 10001
//   monitor      = "auto"             # auto, package, source, none
//   nvtop        = "nvtop-3.3.2.tar.gz"
//   wheels       = "wheels"           # install from this folder, never from an index
//   tag          = "registry.example.com/team/model:1.4"
//   slim         = true
//   env          = { HF_HOME = "/models" }
//   labels       = { "org.opencontainers.image.vendor" = "Example" }
#pragma once

#include "base/error.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ImageWish {
  // Axes: every combination is an image.
  std::vector<std::string> from;
  std::vector<std::string> profiles;
  std::vector<std::string> machines;
  std::vector<std::string> pythons;

  std::string python_from;
  std::vector<std::string> requirements;
  std::vector<std::string> packages;
  std::string platform;
  std::string user;
  std::string monitor;
  std::string monitor_source;
  std::string wheels;
  std::string tag;
  bool slim = true;
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> labels;
};

/// Nothing where the file has no table [image]. Errors: parse_error with line and column.
Result<std::optional<ImageWish>> parse_image_wish(std::string_view toml, const std::string& source);

}  // namespace fitment
