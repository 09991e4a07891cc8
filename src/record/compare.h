// SPDX-License-Identifier: Apache-2.0
// What differs between two records, or between a record and what is chosen now.
#pragma once

#include "record/freeze.h"
#include "record/record.h"

#include <string>
#include <vector>

namespace fitment {

struct RecordChange {
  enum class Kind {
    only_before,  ///< a target or package that the second has not
    only_after,
    changed,
  };
  Kind kind = Kind::changed;
  std::string target;   ///< name of the machine; empty: of the whole record
  std::string package;  ///< empty: of the target itself
  std::string what;     ///< `version`, `drivers.nvidia.cuda_api`, `catalog`
  std::string before;   ///< empty: absent or unknown
  std::string after;

  friend bool operator==(const RecordChange&, const RecordChange&) = default;
};
/// `changed`
std::string_view to_string(RecordChange::Kind kind);

/// Facts that choosing reads, by their path in the machine file.
std::vector<RecordChange> compare_facts(const Machine& before, const Machine& after);

/// One target against another, whatever they are called: facts, then packages.
std::vector<RecordChange> compare_targets(const RecordedTarget& before,
                                          const RecordedTarget& after);

/// Installed packages of the record: version, backend and variant.
std::vector<RecordChange> compare_installed(const RecordedTarget& target,
                                            const FrozenEnvironment& installed);
std::vector<RecordChange> compare_environments(const FrozenEnvironment& before,
                                               const FrozenEnvironment& after);

/// Whole records; targets are found by their names, and one against one are compared whatever they
/// are called.
std::vector<RecordChange> compare_records(const LockRecord& before, const LockRecord& after);

}  // namespace fitment
