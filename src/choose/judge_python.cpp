// SPDX-License-Identifier: Apache-2.0
// python-tag and cpu-level.
#include "choose/judge.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

std::string list(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    joined += (joined.empty() ? "" : " ") + text;
  }
  return joined;
}

}  // namespace

void judge_python(const Situation& situation,
                  const Release& release,
                  const Build& /*build*/,
                  Judgement& judgement) {
  if (release.python.empty()) {
    return;
  }
  const Python& python = situation.machine->python;
  const std::string required = fmt::format("CPython {}", list(release.python));
  if (!python.version) {
    judgement.against({"python-tag",
                       Verdict::unsure,
                       "python.version",
                       "unknown",
                       required,
                       "pass it with `--python 3.12`"});
    return;
  }
  if (python.implementation && *python.implementation != "cpython") {
    judgement.against({"python-tag",
                       Verdict::does_not_fit,
                       "python.implementation",
                       *python.implementation,
                       required,
                       {}});
    return;
  }
  const auto parsed = parse_python_version(*python.version);
  const std::string wanted =
      parsed
          ? fmt::format("{}.{}{}", parsed->major, parsed->minor, parsed->free_threaded ? "t" : "")
          : *python.version;
  if (std::find(release.python.begin(), release.python.end(), wanted) == release.python.end()) {
    judgement.against(
        {"python-tag", Verdict::does_not_fit, "python.version", *python.version, required, {}});
  }
}

void judge_cpu(const Situation& situation, const Build& build, Judgement& judgement) {
  const Cpu& cpu = situation.machine->cpu;
  const bool is_x86 =
      !situation.machine->system.arch || *situation.machine->system.arch == "x86_64";
  for (const std::string& feature : build.cpu_features) {
    if (!is_x86) {
      return;  // instruction sets in the catalogue are x86's
    }
    // The levels that imply it: AVX and AVX2 come with v3.
    const bool by_level = cpu.level && (*cpu.level == "x86-64-v3" || *cpu.level == "x86-64-v4");
    const bool listed =
        cpu.features
        && std::find(cpu.features->begin(), cpu.features->end(), feature) != cpu.features->end();
    if (by_level || listed) {
      continue;
    }
    const std::string level = cpu.level ? fmt::format(" ({})", *cpu.level) : "";
    const bool known = cpu.features.has_value();
    judgement.against(
        {"cpu-level",
         known ? Verdict::does_not_fit : Verdict::unsure,
         "cpu.features",
         known ? fmt::format("without {}{}", feature, level) : fmt::format("unknown{}", level),
         feature,
         known ? "no official build runs on this CPU: use another machine, or build from source"
               : ""});
  }
}

}  // namespace fitment
