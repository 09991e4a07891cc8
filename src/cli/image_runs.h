// SPDX-License-Identifier: Apache-2.0
// Running a bake document on behalf of `image build` and `image bake`: progress on standard error,
// the answer on standard output.
#pragma once

#include "cli/command.h"
#include "cli/streams.h"
#include "image/image_builder.h"

#include <string>

namespace fitment {

class Invocation;

/// --jobs, --rebuild: how targets are built.
const std::vector<OptionSpec>& image_run_options();

/// --builder, else the first on PATH.
Result<ImageBuilder> image_builder_of(const Invocation& invocation, const Streams& streams);

/// Builds all targets in the folder. The exit code: 3 where a build failed.
Result<int> run_image_builds(const Invocation& invocation,
                             Streams& streams,
                             const BakeFile& file,
                             const std::string& folder);

}  // namespace fitment
