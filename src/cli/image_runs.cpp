// SPDX-License-Identifier: Apache-2.0
#include "cli/image_runs.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "image/run_bake.h"
#include "report/image_build_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

constexpr std::size_t kLineShown = 160;

}  // namespace

const std::vector<OptionSpec>& image_run_options() {
  static const std::vector<OptionSpec> kOptions{
      {.name = "jobs",
       .help = "stages that are built at the same time",
       .value = "N",
       .letter = 'j',
       .default_value = "2",
       .group = "How"},
      {.name = "target",
       .help = "build this target alone, with what it stands on",
       .value = "NAME",
       .repeatable = true,
       .group = "How"},
      {.name = "rebuild",
       .help = "build what is there already, and without the builder's cache",
       .group = "How"}};
  return kOptions;
}

Result<ImageBuilder> image_builder_of(const Invocation& invocation, const Streams& streams) {
  const auto name = invocation.find("builder");
  return name ? parse_image_builder(*name)
              : find_image_builder(value_of(streams.environment, "PATH"));
}

Result<int> run_image_builds(const Invocation& invocation,
                             Streams& streams,
                             const BakeFile& file,
                             const std::string& folder) {
  BakeRunOptions options;
  FITMENT_TRY_ASSIGN(options.builder, image_builder_of(invocation, streams));
  const auto jobs = parse_unsigned(invocation.get("jobs"));
  if (!jobs || *jobs == 0) {
    return fail(ErrorCode::invalid_argument, "`--jobs` takes a number from 1 on");
  }
  options.context = folder;
  // Clients of a daemon elsewhere: what that machine can run is not known here.
  options.runs_here = value_of(streams.environment, "DOCKER_HOST").empty()
                      && value_of(streams.environment, "CONTAINER_HOST").empty();
  options.jobs = *jobs;
  options.rebuild = invocation.flag("rebuild");
  const BakeWatcher watcher{
      [&](const std::string& target, std::string_view line) {
        // Whole steps stand in the log.
        streams.note(fmt::format("{}  {}{}",
                                 target,
                                 printable(line.substr(0, kLineShown)),
                                 line.size() > kLineShown ? " ..." : ""));
      },
      [&](const BakeResult& result) {
        streams.note(fmt::format("{}: {}", result.target, to_string(result.state)));
      }};
  BakeFile selected = file;
  if (const auto& names = invocation.list("target"); !names.empty()) {
    FITMENT_TRY_ASSIGN(selected, select_targets(file, names));
  }
  FITMENT_TRY_ASSIGN(const std::vector<BakeResult> results, run_bake(selected, options, watcher));
  streams.out << (invocation.json() ? image_build_json(results, options.builder)
                                    : image_build_text(results, streams.theme));
  const bool is_failed = std::any_of(results.begin(), results.end(), [](const BakeResult& result) {
    return result.state == BakeState::failed || result.state == BakeState::skipped;
  });
  return is_failed ? kExitWorld : kExitDone;
}

}  // namespace fitment
