// SPDX-License-Identifier: Apache-2.0
// A docker-bake document: targets that depend on one another. BuildKit runs it as it stands, and
// fitment runs the same file with builders that have no daemon.
//
// A target's parent is another target: `contexts = {"localhost/fitment/base:..." = "target:base"}`
// lays its result over the image name that the Containerfile starts from.
#pragma once

#include "image/image_stages.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct BakeTarget {
  std::string name;
  std::string containerfile;  ///< file name in the context
  std::map<std::string, std::string> args;
  std::map<std::string, std::string> contexts;  ///< image name -> `target:NAME`
  std::vector<std::string> tags;
  std::string platform;  ///< `linux/arm64`; empty: the builder's own

  /// The target below; empty: none in this document.
  [[nodiscard]] std::string parent() const;
};

struct BakeFile {
  std::vector<BakeTarget> targets;         ///< parents before children
  std::vector<std::string> default_group;  ///< the images

  [[nodiscard]] const BakeTarget* find(std::string_view name) const;
};

/// Collects the stages of several images: equal stages once.
class BakeBuilder {
 public:
  /// `tags` are the names of the image itself, beside its content-derived one. Returns the name of
  /// its target.
  std::string add_image(const std::vector<ImageStage>& stages,
                        const std::vector<std::string>& tags,
                        std::uint64_t epoch);

  [[nodiscard]] const BakeFile& file() const { return file_; }
  /// Text of each Containerfile, by file name.
  [[nodiscard]] const std::map<std::string, std::string>& containerfiles() const {
    return containerfiles_;
  }

 private:
  BakeFile file_;
  std::map<std::string, std::string> containerfiles_;
  std::map<std::string, std::string> targets_by_tag_;
};

/// Some targets with all that they stand on; they become the default group. Error: not_found with
/// the nearest name.
Result<BakeFile> select_targets(const BakeFile& file, const std::vector<std::string>& names);

std::string bake_json(const BakeFile& file);
std::string bake_hcl(const BakeFile& file);

/// Reads a document of the form that bake_json writes. Errors: parse_error with the key: syntax, an
/// unknown parent, a circle, no group `default`.
Result<BakeFile> parse_bake_json(std::string_view json, const std::string& source);

}  // namespace fitment
