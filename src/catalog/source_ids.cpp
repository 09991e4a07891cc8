// SPDX-License-Identifier: Apache-2.0
#include "catalog/source_ids.h"

#include <fmt/format.h>

namespace fitment {

void SourceIds::read(TableReader& row, std::string_view key, std::string& text) const {
  const auto expand = [this](std::string_view ids) -> Result<std::string> {
    std::vector<std::string> found;
    for (const std::string_view id : split_words(ids)) {
      const auto source = texts_.find(std::string(id));
      if (source == texts_.end()) {
        return fail(ErrorCode::parse_error, fmt::format("`{}` is not in the table [sources]", id));
      }
      found.push_back(source->second);
    }
    return join(found, "; ");
  };
  row.read_with(key, expand, text);
}

}  // namespace fitment
