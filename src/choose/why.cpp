// SPDX-License-Identifier: Apache-2.0
#include "choose/why.h"

#include "machine/keep_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

/// The newest version that was in reach and was passed over, with the rule that was in its way.
std::string explain_version(const std::vector<GroupCandidate>& sorted) {
  const GroupCandidate& choice = sorted.front();
  const GroupCandidate* newest = nullptr;
  for (const GroupCandidate& candidate : sorted) {
    if (newest == nullptr || candidate.age > newest->age) {
      newest = &candidate;
    }
  }
  if (newest->age == choice.age) {
    return {};
  }
  std::set<std::string> rules;
  for (const GroupCandidate& candidate : sorted) {
    if (candidate.age == newest->age && candidate.backend.kind != Backend::Kind::cpu) {
      for (const Reason& reason : candidate.judgement.reasons) {
        if (reason.rule != "gpu-vendor" && reason.rule != "specifier") {
          rules.insert(reason.rule);
        }
      }
    }
  }
  std::string text;
  for (const std::string& rule : rules) {
    text += (text.empty() ? "" : ", ") + rule;
  }
  return fmt::format("{} is the newest version that fits; {} fails by {}",
                     to_string(choice.version),
                     to_string(newest->version),
                     text.empty() ? "other rules" : text);
}

void explain_xpu(const GroupCandidate& choice, std::set<std::string>& sentences) {
  if (choice.backend.kind == Backend::Kind::xpu) {
    sentences.insert("XPU builds serve every discrete Intel GPU that has a Level Zero driver");
  }
}

void explain_kernels(const Situation& situation,
                     const Build& build,
                     std::set<std::string>& sentences) {
  for (const Gpu* gpu : situation.counted) {
    if (!gpu->target) {
      continue;
    }
    const std::string target = to_string(*gpu->target);
    if (const auto* cuda = std::get_if<CudaTarget>(&*gpu->target);
        cuda != nullptr && build.cuda_code) {
      const BestCode best = best_code_for(*build.cuda_code, *cuda);
      if (best.runs == Runs::native) {
        sentences.insert(
            to_string(best.code) == target
                ? fmt::format("it has machine code for {}", target)
                : fmt::format("{} runs its {} machine code", target, to_string(best.code)));
      }
    } else if (std::holds_alternative<GfxTarget>(*gpu->target)) {
      sentences.insert(fmt::format("it has code for {}", target));
    }
  }
}

std::string explain_driver(const Situation& situation, const GroupCandidate& choice) {
  if (choice.backend.kind != Backend::Kind::cuda || !situation.cuda_api
      || situation.gpus != GpuPresence::usable) {
    return {};
  }
  const DottedVersion& api = *situation.cuda_api;
  const DottedVersion& level = choice.backend.level;
  const std::string_view relation =
      level.major() < api.major()
          ? "older than"
          : (level <= DottedVersion{api.major(), api.minor()} ? "within" : "above");
  if (relation == "above") {
    return {};  // the warning minor-version says it
  }
  return fmt::format(
      "CUDA {} is {} what the driver runs (CUDA {})", to_string(level), relation, to_string(api));
}

std::string explain_cpu(const Situation& situation) {
  if (situation.pin) {
    return "the CPU build was asked for";
  }
  if (situation.gpus == GpuPresence::none) {
    return situation.has_any_gpu ? "no build serves the GPUs of this machine, which are "
                                   "integrated, so the CPU build is taken"
                                 : "the machine has no GPU, so the CPU build is taken";
  }
  return {};
}

}  // namespace

std::vector<std::string> explain_choice(const std::vector<GroupCandidate>& sorted,
                                        const std::vector<Situation>& situations) {
  const GroupCandidate& choice = sorted.front();
  std::set<std::string> kernels;
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()
        && std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
      sentences.push_back(std::move(sentence));
    }
  };
  add(explain_version(sorted));
  for (const Situation& situation : situations) {
    if (choice.backend.kind == Backend::Kind::cpu) {
      add(explain_cpu(situation));
    } else {
      explain_kernels(situation, *choice.build, kernels);
    }
  }
  explain_xpu(choice, kernels);
  for (const std::string& sentence : kernels) {
    add(sentence);
  }
  for (const Situation& situation : situations) {
    add(explain_driver(situation, choice));
  }
  return sentences;
}

}  // namespace fitment
