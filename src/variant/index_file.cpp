// SPDX-License-Identifier: Apache-2.0
#include "variant/index_file.h"

#include "variant/merge.h"
#include "variant/metadata_reader.h"

#include <fmt/format.h>

#include <set>

namespace fitment {

Result<std::optional<VariantMetadata>> plan_index_file(const FolderPackage& package) {
  std::vector<VariantMetadata> documents;
  for (const FolderWheel& wheel : package.wheels) {
    if (!wheel.name.variant_label) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const WheelDocument document, read_wheel_document(wheel));
    FITMENT_TRY_ASSIGN(VariantMetadata metadata,
                       parse_variant_metadata(
                           document.text,
                           document.source,
                           {.in_wheel = true, .label = *wheel.name.variant_label, .labels = {}}));
    documents.push_back(std::move(metadata));
  }
  if (documents.empty()) {
    return std::optional<VariantMetadata>();
  }
  auto merged = merge_metadata(documents);
  if (!merged) {
    return fail(ErrorCode::parse_error,
                fmt::format("the wheels of {} {} do not agree: {}",
                            package.name,
                            package.version,
                            merged.error().message))
        .hint("`fitment variant check DIR` names every difference");
  }
  return std::optional(std::move(*merged));
}

}  // namespace fitment
