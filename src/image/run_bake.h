// SPDX-License-Identifier: Apache-2.0
// Runs a bake document with a builder that needs no daemon, or with docker: targets in order of
// their dependencies, independent ones at the same time. A target whose content-derived tag is in
// the builder's store is done, so a run that failed goes on where it stopped.
#pragma once

#include "image/image_builder.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct BakeRunOptions {
  ImageBuilder builder = ImageBuilder::buildah;
  std::string context;    ///< folder of the Containerfiles and their inputs
  bool runs_here = true;  ///< steps run on this machine, not on one that the builder talks to
  std::size_t jobs = 1;   ///< builds at the same time
  bool rebuild = false;   ///< build what is there already, without the builder's cache
  std::chrono::milliseconds timeout{std::chrono::hours(4)};  ///< of one target
};

enum class BakeState {
  built,
  kept,  ///< was there already
  failed,
  skipped,  ///< a target below it failed
};
std::string_view to_string(BakeState state);

struct BakeResult {
  std::string target;
  BakeState state = BakeState::skipped;
  std::string image;  ///< id
  std::vector<std::string> tags;
  std::string log;  ///< file with all that the builder said; empty: nothing was run
  std::vector<std::string> last_lines;  ///< of a failed build
  std::string command;                  ///< of a failed build, to type again
};

/// What happens while targets are built; called from several threads, one call at a time.
struct BakeWatcher {
  std::function<void(const std::string& target, std::string_view line)> on_line;
  std::function<void(const BakeResult&)> on_end;
};

/// In order of the document. Errors: io_error for a log, external_tool when the builder cannot be
/// started; a build that fails is a result.
Result<std::vector<BakeResult>> run_bake(const BakeFile& file,
                                         const BakeRunOptions& options,
                                         const BakeWatcher& watcher);

}  // namespace fitment
