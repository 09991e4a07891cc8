// SPDX-License-Identifier: Apache-2.0
// Sources are named once in the table [sources] of a file; rows give their ids.
#pragma once

#include "catalog/table_reader.h"

namespace fitment {

class SourceIds {
 public:
  /// Reads `[sources]` of the top-level table.
  void read_table(TableReader& top) { top.read("sources", texts_); }
  /// Reads a key that holds ids with blanks between; the text becomes their sources with `; `
  /// between.
  void read(TableReader& row, std::string_view key, std::string& text) const;

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace fitment
