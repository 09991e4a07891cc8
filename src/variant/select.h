// SPDX-License-Identifier: Apache-2.0
// Which wheel of one package version a machine gets: tags first say what can be installed at all,
// then variants decide, then tags and build numbers inside a variant.
#pragma once

#include "base/error.h"
#include "machine/machine.h"
#include "variant/nearest.h"
#include "variant/trust.h"
#include "variant/variant_order.h"
#include "wheel/tags.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fitment {

/// The tags of a machine's Python, for quick questions.
class TagIndex {
 public:
  /// Errors: invalid_argument when the machine does not say which Python or architecture it has.
  static Result<TagIndex> of_machine(const Machine& machine);

  /// Position of the best tag that the wheel carries; nullopt: it cannot be installed.
  [[nodiscard]] std::optional<std::size_t> rank(const WheelFilename& wheel) const;
  /// Why not: `python-tag`, `abi-tag`, `glibc-floor`, `musl-floor` or `platform-tag`.
  [[nodiscard]] std::string_view reason(const WheelFilename& wheel) const;
  /// `CPython 3.12 on linux x86_64 with glibc 2.35`
  [[nodiscard]] const std::string& description() const { return description_; }

 private:
  std::unordered_map<std::string, std::size_t> ranks_;
  std::set<std::string> pythons_;
  std::set<std::pair<std::string, std::string>> abis_;
  std::string arch_;
  std::string libc_family_;
  std::string description_;
};

struct SelectRequest {
  std::vector<std::string> files;             ///< names, of one package version on one index
  const VariantMetadata* metadata = nullptr;  ///< of that version; null: none, or unusable
  bool is_unusable = false;                   ///< there were metadata, but nobody may rely on them
  std::vector<NamespaceAnswer> answers;       ///< what the machine supports
};

struct RankedWheel {
  std::string file;
  std::optional<std::string> label;         ///< absent: not a variant
  std::vector<VariantProperty> properties;  ///< that decided, most important first
};

struct RejectedWheel {
  std::string file;
  std::optional<std::string> label;
  std::string rule;  ///< `variant-value-unsupported`, `glibc-floor`, ...
  std::string space;
  std::string feature;
  std::vector<std::string> wanted;
  DropReason why;
};

struct WheelSelection {
  std::vector<RankedWheel> order;              ///< best first; the first is the choice
  std::vector<RejectedWheel> rejected;         ///< by file name
  std::vector<std::vector<std::string>> ties;  ///< labels that only their names order
};

/// `variant`, `null`, `non-variant`; empty when nothing fits.
std::string_view kind_of(const WheelSelection& selection);

WheelSelection select_wheels(const SelectRequest& request, const TagIndex& tags);

/// The labels of the metadata alone, where no wheel is known: `file` stays empty.
WheelSelection select_labels(const VariantMetadata& metadata,
                             const std::vector<NamespaceAnswer>& answers);

}  // namespace fitment
