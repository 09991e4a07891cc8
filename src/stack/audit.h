// SPDX-License-Identifier: Apache-2.0
// An audit of many files: binaries on the disk and those inside wheels, on all cores. Wheels are
// read in place and never unpacked.
#pragma once

#include "base/scratch_bytes.h"
#include "stack/audit_file.h"
#include "stack/find_files.h"
#include "stack/platform_claim.h"
#include "wheel/wheel_filename.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct AuditedWheel {
  std::string path;
  std::uint64_t bytes = 0;           ///< of the archive
  std::uint64_t unpacked_bytes = 0;  ///< of all members
  std::size_t members = 0;
  std::size_t unread = 0;  ///< members that could not be read: what they need is unknown
  WheelFilename name;
  PlatformClaim claim;
  std::size_t first_file = 0;  ///< its binaries are a range of Audit::files
  std::size_t file_count = 0;

  /// Whether the tags are kept; unknown when some member could not be read and no other breaks
  /// them.
  [[nodiscard]] std::optional<bool> claim_holds() const;
};

/// Something that was to be looked at and could not be.
struct FailedInput {
  std::string path;
  Error error;
};

struct Audit {
  std::vector<AuditedFile> files;  ///< files of their own, then those of each wheel
  std::vector<AuditedWheel> wheels;
  std::vector<FailedInput> failed;

  /// How many of the files are no part of a wheel; they come first.
  [[nodiscard]] std::size_t own_files() const;
};

/// Bytes that have been looked at, of all; called from several threads, one at a time.
using AuditProgress =
    std::function<void(std::uint64_t done_bytes, std::uint64_t all_bytes, const std::string& path)>;

/// What is named or found is looked at as one list. Failures do not stop the rest.
Audit audit_files(const FoundFiles& found,
                  const AuditOptions& options,
                  const ScratchOptions& scratch,
                  const AuditProgress& progress);

}  // namespace fitment
