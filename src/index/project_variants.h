// SPDX-License-Identifier: Apache-2.0
// Private: the variant metadata of a project's versions, from the files that its index lists or,
// where the wheels lie on this machine and no file describes them, from the wheels themselves.
#pragma once

#include "index/project.h"
#include "index/upstream.h"

#include <functional>
#include <map>
#include <string>

namespace fitment {

using DocumentReader = std::function<Result<std::string>(const SimpleFile&)>;

class VariantDocuments {
 public:
  VariantDocuments(const Project& project, DocumentReader read)
      : project_(project), read_(std::move(read)) {}

  /// Versions whose metadata cannot be had or used say why.
  void read_into(std::map<std::string, VersionVariants>& variants) const;

 private:
  [[nodiscard]] VersionVariants from_index(const std::string& version,
                                           const IndexedFile& file) const;
  [[nodiscard]] VersionVariants from_wheels(const std::string& version) const;

  const Project& project_;
  DocumentReader read_;
};

/// Errors: network_error, not_found, io_error.
Result<std::string> read_variant_document(const SimpleFile& file, Upstream& network);

}  // namespace fitment
