// SPDX-License-Identifier: Apache-2.0
// The record: what was chosen, for which machine, from which facts, by which rules and data
// (`fitment.lock.json`, `fitment.lock/1`, schemas/lock.schema.json). Several targets stand in one
// record. What is not known is absent, never empty: offline nobody knows addresses and digests.
#pragma once

#include "choose/choose.h"
#include "machine/machine.h"
#include "variant/variant_metadata.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Where a choice without an index of its own comes from.
inline constexpr std::string_view kPypiIndex = "https://pypi.org/simple";

/// The file of a chosen build, where an index was asked.
struct RecordedFile {
  std::string name;
  std::string url;  ///< empty: an index that ran for one installation alone gave it
  std::optional<std::uint64_t> size;
  std::optional<std::string> sha256;        ///< 64 hexadecimal digits
  std::optional<std::string> derived_from;  ///< digest of the variant wheel that it was made of

  friend bool operator==(const RecordedFile&, const RecordedFile&) = default;
};

struct RecordedPackage {
  std::string name;         ///< to install: `cupy-cuda12x`
  std::string request;      ///< as the user wrote it
  std::string version;      ///< public version, normal form
  std::string backend;      ///< `cu128`; empty where the package has none
  std::string requirement;  ///< ready for an installer: `torch==2.8.0+cu128`
  std::vector<std::string> extras;
  std::string index;                        ///< Simple API URL, or a folder
  std::optional<std::string> variant;       ///< label
  std::vector<VariantProperty> properties;  ///< of the variant, most important first
  std::optional<VariantMetadata> metadata;  ///< what the index says of the version's variants
  std::optional<RecordedFile> file;
  Verdict verdict = Verdict::fits;
  std::vector<std::string> why;
  std::vector<Warning> warnings;
};

/// What was installed beside the chosen packages, since they need it: there was nothing to choose.
struct RecordedDependency {
  std::string name;     ///< normalised
  std::string version;  ///< normal form, with its local label
  std::string index;    ///< Simple API URL, or a folder; empty: unknown
  std::optional<RecordedFile> file;

  friend bool operator==(const RecordedDependency&, const RecordedDependency&) = default;
};

/// The choice for one machine.
struct RecordedTarget {
  Machine machine;                        ///< its facts with evidence, and the overrides in effect
  std::string digest;                     ///< SHA-256 of the facts that choosing reads
  std::vector<RecordedPackage> packages;  ///< in the order of the requests
  /// By name. None: nothing was installed yet, so nobody knows what the packages need.
  std::optional<std::vector<RecordedDependency>> dependencies;
  std::vector<std::string> outside;  ///< requested, and nothing to choose

  [[nodiscard]] const RecordedPackage* find(std::string_view name) const;
  [[nodiscard]] const RecordedDependency* find_dependency(std::string_view name) const;
};

struct LockRecord {
  std::string catalog;             ///< SHA-256 of the catalogue that was in force
  std::vector<std::string> rules;  ///< ids of the rules that judged
  ChoosePolicy policy;
  std::vector<std::string> requests;    ///< as the user wrote them
  std::vector<RecordedTarget> targets;  ///< in the order of the machines

  /// By the name of its machine.
  [[nodiscard]] const RecordedTarget* find(std::string_view name) const;
};

/// The identity of a machine's facts.
std::string facts_digest(const Machine& machine);

/// One machine of a plan as a target. Files are unknown.
RecordedTarget record_plan(const Plan& plan, const Machine& machine);

/// The choices of a target as a plan without candidates, for who prints commands.
Plan plan_of(const RecordedTarget& target);

}  // namespace fitment
