// SPDX-License-Identifier: Apache-2.0
// What images are made of, as reviewed data under catalog/images/: profiles (what an image is for),
// base systems (what it stands on) and stages (how it is built, layer by layer).
#pragma once

#include "base/dotted_version.h"
#include "catalog/catalog.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ImageProfile {
  std::string name;
  std::string summary;
  std::vector<std::string> frameworks;  ///< requirements whose build depends on the machine
  std::vector<std::string> packages;    ///< ordinary requirements
  std::string arch;                     ///< the only one that it is for; empty: any
  std::string source;
};

struct BaseSystem {
  std::string name;                ///< as os-release tells it: `debian-12`
  std::vector<std::string> marks;  ///< how image references name it: `debian:12`, `ubuntu24.04`
  DottedVersion libc;              ///< glibc
  std::string python;              ///< of the distribution: `3.11`
  std::string monitor;             ///< how nvtop gets in: `package` or `source`
  std::string note;
  std::string source;
};

/// One stage in one variant. `run` is shell whose words between at signs are filled in.
struct StageRecipe {
  std::string name;
  std::string variant;
  std::string summary;
  std::vector<std::string> packages;  ///< of the distribution
  std::map<std::string, std::string> env;
  std::string run;
  // What is built in a stage that is thrown away, and where its one file goes.
  std::vector<std::string> build_packages;
  std::string build_run;
  std::string build_result;
  std::string result_path;
  // A program that is mounted from another image while `run` runs.
  std::string tool_image;
  std::string tool_path;
};

struct ImageRecipes {
  std::vector<ImageProfile> profiles;
  std::vector<BaseSystem> bases;
  std::vector<StageRecipe> stages;
  std::string default_base;
  std::string install_packages;  ///< shell around @packages@
  std::string add_user;          ///< shell that makes @user@ with the id @user_id@
  std::string clean_up;          ///< shell at the end of every step

  /// Error: not_found with the nearest name.
  [[nodiscard]] Result<const ImageProfile*> find_profile(std::string_view name) const;
  /// By the name that os-release gives; nullptr: not known.
  [[nodiscard]] const BaseSystem* find_base(std::string_view name) const;
  /// Error: invalid_argument with the variants that there are.
  [[nodiscard]] Result<const StageRecipe*> find_stage(std::string_view name,
                                                      std::string_view variant) const;
};

/// Errors: parse_error with file, line and column.
Result<ImageRecipes> read_image_recipes(const Catalog& catalog);

/// For completion.
std::vector<std::string> profile_names(const ImageRecipes& recipes);

}  // namespace fitment
