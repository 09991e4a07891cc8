// SPDX-License-Identifier: Apache-2.0
#include "cli/image_audience.h"

#include "base/files.h"
#include "base/text.h"
#include "image/image_machine.h"
#include "image/image_program.h"
#include "machine/machine_file.h"
#include "slim/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fitment {

namespace {

/// `sm_86`, `cpu`, or a machine file; anything else is taken for a file that is not there.
Status add_machine_word(const std::string& word,
                        ImageAudience& audience,
                        std::vector<KeepTarget>& named) {
  if (word == "cpu") {
    return {};
  }
  if (auto targets = parse_keep_targets(word)) {
    named.insert(named.end(), targets->begin(), targets->end());
    return {};
  }
  auto text = read_file(word);
  if (!text && word == "this") {
    return std::move(text).error().hint(
        "an image is not for the machine that builds it; where it is: `fitment probe --json > "
        "this.json`, and `--for this.json`");
  }
  if (!text) {
    return std::move(text).error().hint(
        "--for takes targets (`sm_86,sm_90`), `cpu`, or a machine file that `fitment probe --json` "
        "wrote");
  }
  FITMENT_TRY_ASSIGN(Machine machine, parse_machine(*text, word));
  if (machine.name.empty()) {
    machine.name = std::filesystem::path(word).stem().string();
  }
  if (machine.gpus && !machine.gpus->empty()) {
    FITMENT_TRY_ASSIGN(const std::vector<KeepTarget> targets, keep_targets_of(machine));
    audience.targets.insert(audience.targets.end(), targets.begin(), targets.end());
  }
  audience.machines.push_back(std::move(machine));
  return {};
}

/// What the user says, else what machine files say, else what the boards of embedded GPUs are.
std::string arch_of_targets(const std::string& arch,
                            const ImageAudience& audience,
                            const std::vector<KeepTarget>& named) {
  if (!arch.empty()) {
    return arch;
  }
  if (!audience.machines.empty()) {
    return audience.machines.front().system.arch.value_or("x86_64");
  }
  const bool is_embedded =
      !named.empty() && std::all_of(named.begin(), named.end(), [](const KeepTarget& target) {
        const auto* gpu = std::get_if<CudaTarget>(&target.gpu);
        return gpu != nullptr && gpu->is_embedded();
      });
  return is_embedded ? "aarch64" : "x86_64";
}

/// One image has one architecture.
Status check_archs(const ImageAudience& audience, const std::string& arch) {
  const std::string wanted =
      arch.empty() ? audience.machines.front().system.arch.value_or("") : arch;
  for (const Machine& machine : audience.machines) {
    const std::string own = machine.system.arch.value_or("");
    if (own.empty() || wanted.empty() || own == wanted) {
      continue;
    }
    if (!arch.empty()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` is {}, and the image is to be for {}",
                              machine.name,
                              own,
                              platform_of_arch(arch)))
          .hint("leave `--platform` out: the machine file tells it");
    }
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is {} and `{}` is {}: that are two images",
                            audience.machines.front().name,
                            wanted,
                            machine.name,
                            own))
        .hint("repeat the option: `--for A.json --for B.json`");
  }
  return {};
}

}  // namespace

Result<ImageAudience> read_image_audience(std::string_view words,
                                          const std::string& arch,
                                          const CudaTables& cuda) {
  ImageAudience audience;
  std::vector<KeepTarget> named;
  std::vector<std::string> names;
  bool has_cpu = false;
  for (const std::string& word : comma_words(words)) {
    const std::size_t files = audience.machines.size();
    FITMENT_TRY(add_machine_word(word, audience, named));
    has_cpu = has_cpu || word == "cpu";
    names.push_back(audience.machines.size() > files ? audience.machines.back().name : word);
  }
  if (has_cpu && (!named.empty() || !audience.machines.empty())) {
    return fail(ErrorCode::invalid_argument, "`cpu` and GPUs are two images")
        .hint("repeat the option: `--for cpu --for sm_90`");
  }
  if (!named.empty() || has_cpu) {
    audience.machines.push_back(
        machine_of_targets(merge_targets(named), cuda, arch_of_targets(arch, audience, named)));
    audience.assumes_driver = !named.empty();
  }
  if (audience.machines.empty()) {
    return fail(ErrorCode::invalid_argument, "`--for` names nothing")
        .hint("write `--for sm_90`, `--for machine.json` or `--for cpu`");
  }
  FITMENT_TRY(check_archs(audience, arch));
  for (const KeepTarget& target : named) {
    audience.typed.push_back(target.gpu);
  }
  audience.targets.insert(audience.targets.end(), named.begin(), named.end());
  audience.targets = merge_targets(std::move(audience.targets));
  audience.words = join(names, "-");
  return audience;
}

std::vector<std::string> comma_words(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ',')) {
    if (!trim(word).empty()) {
      words.emplace_back(trim(word));
    }
  }
  return words;
}

}  // namespace fitment
