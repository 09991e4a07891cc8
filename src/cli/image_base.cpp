// SPDX-License-Identifier: Apache-2.0
#include "cli/image_base.h"

#include "base/process.h"
#include "base/text.h"
#include "cli/image_options.h"
#include "image/archive_kind.h"
#include "image/image_host.h"
#include "probe/probe.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

namespace {

std::map<std::string, std::string> environment_in_store(ImageBuilder builder,
                                                        const std::string& reference,
                                                        const Streams& streams) {
  std::map<std::string, std::string> environment;
  const auto outcome =
      run_process(image_environment_command(builder, qualified_reference(reference)));
  if (!outcome || !outcome->ok()) {
    streams.detail(fmt::format("{} does not have {} yet", to_string(builder), reference));
    return environment;
  }
  for (const std::string_view line : split_lines(outcome->out)) {
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) {
      environment.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return environment;
}

/// What detectors find in the files of a root. What the user says of its system counts more.
void add_host(const HostView& host, const Catalog& catalog, BaseClues& clues) {
  const Machine machine = probe_machine({.host = &host, .catalog = &catalog});
  if (clues.distribution.empty()) {
    clues.distribution = machine.system.distribution.value_or("");
  }
  for (const Toolkit& toolkit : machine.toolkits.value_or(std::vector<Toolkit>{})) {
    // One without a root is what a variable says.
    if (toolkit.kind == "cuda" && !toolkit.root.empty()
        && (!clues.toolkit_in_files || toolkit.version > *clues.toolkit_in_files)) {
      clues.toolkit_in_files = toolkit.version;
    }
  }
}

/// What the files of a base tell; they were read once, and only the few that hold versions are
/// kept.
void add_files(const ImageSurvey& survey,
               const Environment& environment,
               const Catalog& catalog,
               BaseClues& clues) {
  add_host(ImageHost(survey, environment), catalog, clues);
  std::uint64_t bytes = 0;
  for (const auto& [path, id] : survey.tree.paths()) {
    const LayerEntry& entry = survey.tree.entry(id);
    bytes += entry.kind == EntryKind::file ? entry.bytes : 0;
  }
  clues.bytes = bytes;
}

SurveyOptions base_survey_options(const Streams& streams, ImageProgress& progress) {
  SurveyOptions options = survey_options(streams, progress);
  options.reads_binaries = false;
  options.keeps_text = tells_of_base;
  return options;
}

Status add_layout(const BaseQuestion& question,
                  const Catalog& catalog,
                  const Streams& streams,
                  BaseClues& clues) {
  FITMENT_TRY_ASSIGN(const Image image, open_base_layout(question.reference, question.arch));
  clues.layout = base_layout_of(image);
  clues.environment.insert(image.config.environment.begin(), image.config.environment.end());
  ImageProgress progress(streams);
  FITMENT_TRY_ASSIGN(const ImageSurvey survey,
                     survey_image(image, base_survey_options(streams, progress)));
  add_files(survey, image.config.environment, catalog, clues);
  return {};
}

Status add_archive(const BaseQuestion& question,
                   const Catalog& catalog,
                   const Streams& streams,
                   BaseClues& clues) {
  auto archive = open_file_source(question.reference);
  if (!archive) {
    return std::move(archive).error().hint(kRootHint);
  }
  FITMENT_TRY_ASSIGN(const ArchiveKind kind, archive_kind_of(**archive));
  if (kind == ArchiveKind::none) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no archive", question.reference))
        .hint(kRootHint);
  }
  if (kind == ArchiveKind::xz || kind == ArchiveKind::bzip2) {
    return {};
  }
  ImageProgress progress(streams);
  const auto survey = survey_archive(**archive, base_survey_options(streams, progress));
  if (!survey) {
    return Error(survey.error()).hint(kRootHint);
  }
  if (survey->tree.paths().empty()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("there is no file in `{}`", question.reference))
        .hint(kRootHint);
  }
  add_files(*survey, {}, catalog, clues);
  return {};
}

}  // namespace

Result<BaseClues> find_base_clues(const BaseQuestion& question,
                                  const Catalog& catalog,
                                  const Streams& streams) {
  BaseClues clues;
  clues.reference = question.reference;
  clues.distribution = question.system;
  if (!question.root.empty()) {
    FITMENT_TRY_ASSIGN(const auto host, recorded_host(question.root, {}));
    add_host(*host, catalog, clues);
  }
  if (is_base_layout(question.reference)) {
    FITMENT_TRY(add_layout(question, catalog, streams, clues));
  } else if (is_root_archive(question.reference)) {
    FITMENT_TRY(add_archive(question, catalog, streams, clues));
  } else if (std::error_code ignored;
             std::filesystem::is_regular_file(question.reference, ignored)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is a file, and by its name no archive", question.reference))
        .hint(kRootHint);
  } else if (question.builder) {
    clues.environment = environment_in_store(*question.builder, question.reference, streams);
  }
  return clues;
}

}  // namespace fitment
