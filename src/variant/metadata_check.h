// SPDX-License-Identifier: Apache-2.0
// Private to the readers of variant metadata: looks at values and keeps the first fault, with its
// pointer, and all notes. Functions return false after a fault.
#pragma once

#include "variant/json_tree.h"
#include "variant/metadata_reader.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class MetadataCheck {
 public:
  explicit MetadataCheck(MetadataReading& reading) : reading_(reading) {}

  bool wrong(MetadataRule rule, std::string pointer, std::string message);
  void note(MetadataRule rule, std::string pointer, std::string message);
  bool is(const JsonTree& value, JsonTree::Kind kind, std::string_view pointer);
  /// A member that must be there and of this kind; null after a fault.
  const JsonTree* member(const JsonTree& object,
                         std::string_view pointer,
                         std::string_view key,
                         JsonTree::Kind kind);
  void note_unknown(const JsonTree& object,
                    std::string_view pointer,
                    const VariantSchema& schema,
                    std::initializer_list<std::string_view> known);
  bool check_name(MetadataRule rule, const std::string& text, const std::string& pointer);
  /// A list of different names, not empty.
  bool read_list(const JsonTree& list,
                 const std::string& pointer,
                 MetadataRule name_rule,
                 std::vector<std::string>& names);
  /// Feature to values, in the order of the document.
  bool read_features(const JsonTree& object,
                     const std::string& pointer,
                     std::vector<SupportedFeature>& features);
  /// Members that may be absent.
  bool read_flag(const JsonTree& object, const std::string& pointer, const char* key, bool& flag);
  bool read_text(const JsonTree& object,
                 const std::string& pointer,
                 const char* key,
                 std::string& text);

 private:
  MetadataReading& reading_;
};

/// Reads `providers` (and `static-properties` of 0.0.x) of a document whose schema and priorities
/// are already in `metadata`.
bool read_metadata_providers(const JsonTree& root, MetadataCheck& check, VariantMetadata& metadata);

}  // namespace fitment
