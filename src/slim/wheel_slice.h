// SPDX-License-Identifier: Apache-2.0
// A wheel in, a wheel out: its libraries are sliced, RECORD tells the new digests, every other
// member is copied as it lies. The same wheel and options give the same bytes.
#pragma once

#include "base/scratch_bytes.h"
#include "slim/slim_file.h"
#include "wheel/wheel_archive.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// A library in a wheel, inflated, with its plan.
struct WheelMember {
  std::size_t entry = 0;  ///< in the archive's directory
  std::unique_ptr<ByteSource> original;
  SlimFile file;  ///< path: `x.whl: torch/lib/libfoo.so`
};

struct WheelPlan {
  WheelArchive archive;
  std::vector<WheelMember> members;  ///< libraries and the like, in the archive's order

  [[nodiscard]] bool is_changed() const;
};

/// `source` must outlive the plan; `shown` is its name for people. Errors: those of
/// read_wheel_archive and open_zip_member; unsupported for a wheel with a signature, which would be
/// wrong afterwards, and for a variant whose promises would be (wheel_promise.h).
Result<WheelPlan> plan_wheel(const ByteSource& source,
                             const std::string& shown,
                             const SliceOptions& options,
                             const ScratchOptions& scratch);

/// The name of the result: with a build tag it differs from the original's. Errors:
/// invalid_argument for what is no build tag (PEP 427: it begins with a digit).
Result<std::string> sliced_wheel_name(const std::string& name,
                                      const std::optional<std::string>& build_tag);

/// Proves every member and writes the wheel; fills the members' proofs. Returns its bytes. Errors:
/// those of prove_slice, io_error; then nothing is written.
Result<std::uint64_t> write_sliced_wheel(const ByteSource& source,
                                         WheelPlan& plan,
                                         const SliceOptions& options,
                                         const ScratchOptions& scratch,
                                         const std::optional<std::string>& build_tag,
                                         const std::filesystem::path& output);

}  // namespace fitment
