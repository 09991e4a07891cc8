// SPDX-License-Identifier: Apache-2.0
// Does a record still hold: would what was chosen run on this machine as it is now, and do the
// indexes still have those files?
#pragma once

#include "record/record.h"
#include "wheel/simple_page.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct HoldFinding {
  enum class Weight {
    breaks,   ///< the record does not hold
    differs,  ///< something changed that a new record would have otherwise
  };
  Weight weight = Weight::breaks;
  std::string rule;     ///< `does-not-fit`, `file-differs`
  std::string package;  ///< empty: about the machine or the record
  std::string what;     ///< a fact, `choice`, `sha256`
  std::string before;   ///< recorded; empty: unknown
  std::string after;    ///< now; empty: unknown or gone
  std::string text;     ///< one sentence

  friend bool operator==(const HoldFinding&, const HoldFinding&) = default;
};
std::string_view to_string(HoldFinding::Weight weight);

struct HoldReport {
  std::string target;
  std::vector<HoldFinding> findings;  ///< what breaks first

  [[nodiscard]] bool holds() const;
};

/// The target that a machine is: the same facts, else the same name, else the only one; null: none
/// of several.
const RecordedTarget* find_target(const LockRecord& record, const Machine& machine);

/// `now` is the answer to the same requests for the machine as it is, with every candidate.
HoldReport compare_with_plan(const LockRecord& record,
                             const RecordedTarget& target,
                             const Plan& now,
                             const std::string& catalog_digest);

/// What indexes say of the recorded file of a package.
std::optional<HoldFinding> compare_with_index(const std::string& package,
                                              const RecordedFile& file,
                                              const std::vector<SimpleFile>& files);

}  // namespace fitment
