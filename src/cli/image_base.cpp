// SPDX-License-Identifier: Apache-2.0
#include "cli/image_base.h"

#include "base/process.h"
#include "base/text.h"
#include "probe/probe.h"

#include <fmt/format.h>

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

}  // namespace

Result<BaseClues> find_base_clues(const BaseQuestion& question,
                                  const Catalog& catalog,
                                  const Streams& streams) {
  BaseClues clues;
  clues.reference = question.reference;
  clues.distribution = question.system;
  if (!question.root.empty()) {
    FITMENT_TRY_ASSIGN(const auto host, recorded_host(question.root, {}));
    const Machine machine = probe_machine({.host = host.get(), .catalog = &catalog});
    if (clues.distribution.empty()) {
      clues.distribution = machine.system.distribution.value_or("");
    }
    for (const Toolkit& toolkit : machine.toolkits.value_or(std::vector<Toolkit>{})) {
      if (toolkit.kind == "cuda"
          && (!clues.toolkit_in_files || toolkit.version > *clues.toolkit_in_files)) {
        clues.toolkit_in_files = toolkit.version;
      }
    }
  }
  if (question.builder && !is_root_archive(question.reference)) {
    clues.environment = environment_in_store(*question.builder, question.reference, streams);
  }
  return clues;
}

}  // namespace fitment
