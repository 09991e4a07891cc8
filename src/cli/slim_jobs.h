// SPDX-License-Identifier: Apache-2.0
// The files that a run of slim is about: found below the given paths, planned, and done.
#pragma once

#include "cli/streams.h"
#include "slim/slim_file.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fitment {

struct SlimWishes {
  std::set<SlimClass> classes;
  std::optional<std::string> output;  ///< results go there
  std::optional<std::string> backup;  ///< originals of what is replaced go there
};

/// A file: its real place, and where the result goes.
struct SlimJob {
  std::filesystem::path path;
  std::optional<std::filesystem::path> output;
  std::filesystem::path root;       ///< the folder that was named; empty: a file was
  std::optional<SlimFile> planned;  ///< of dead weight
};

/// Every file of the paths once, links followed to their files. With an output, libraries alone.
Result<std::vector<SlimJob>> find_slim_jobs(const std::vector<std::string>& paths,
                                            const SlimWishes& wishes);

/// One answer a job.
Result<std::vector<SlimFile>> plan_slim_jobs(std::vector<SlimJob>& jobs,
                                             const SliceOptions& options);

/// Does it; `run.files` are those of plan_slim_jobs.
Status apply_slim_jobs(const std::vector<SlimJob>& jobs,
                       const SliceOptions& options,
                       const SlimWishes& wishes,
                       const Streams& streams,
                       SlimRun& run);

}  // namespace fitment
