// SPDX-License-Identifier: Apache-2.0
// Of the builds of one version that differ in their backend, the one that the machine would get
// stays: judged by the rules of `choose`, ordered by its order. The others can be had by an exact
// pin where a backend stays at all; where none does, a pin of the version alone would take one of
// them, so then they are hidden.
#include "choose/candidates.h"
#include "choose/judge.h"
#include "choose/order.h"
#include "index/build_lookup.h"
#include "index/view_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fitment {

namespace {

struct Group {
  Version version;
  std::map<std::string, std::vector<std::size_t>> files;  ///< by backend
};

class BuildChooser {
 public:
  BuildChooser(ViewDraft& draft, BuildLookup lookup, const CudaTables& cuda)
      : draft_(draft),
        lookup_(std::move(lookup)),
        situations_{assess(draft.context().machine(),
                           lookup_.framework(),
                           cuda,
                           draft.context().policy().choose,
                           draft.context().pin())} {
    situations_.front().request_names_build = lookup_.mark() == BuildMark::name;
  }

  void run() {
    const std::vector<IndexedFile>& files = draft_.project().files;
    std::map<Version, Group> groups;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!files[i].wheel || files[i].wheel->variant_label || !draft_.is_open(i)) {
        continue;
      }
      const auto backend = lookup_.backend_of(files[i]);
      if (backend) {
        Group& group = groups[files[i].version.without_local()];
        group.version = files[i].version.without_local();
        group.files[backend->text].push_back(i);
      }
    }
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
      decide(group->second);
    }
  }

 private:
  struct Judged {
    GroupCandidate candidate;
    std::string note;
  };

  [[nodiscard]] const Situation& situation() const { return situations_.front(); }

  Judgement judge(const FoundBuild& found) {
    const Build& build = *found.build;
    Judgement judgement;
    if (lookup_.mark() == BuildMark::cpu_only) {
      judge_cpu(situation(), build, judgement);
      return judgement;
    }
    if (found.knows_kernels) {
      judgement = judge_hardware(situation(), build);
    } else if (judge_kind(situation(), build, judgement)) {
      judge_driver(situation(), build, judgement);
    }
    const auto& pin = situation().pin;
    if (pin && pin->text != build.backend.text && lookup_.mark() != BuildMark::version) {
      judgement.against({"specifier",
                         Verdict::does_not_fit,
                         "request.backend",
                         pin->text,
                         build.backend.text,
                         {}});
    }
    return judgement;
  }

  std::vector<Judged> judge_all(const Group& group) {
    std::vector<Judged> all;
    for (const auto& [text, files] : group.files) {
      const Backend backend = *parse_backend(text);
      const FoundBuild found = lookup_.find(group.version, backend);
      Judged judged;
      judged.note = found.note;
      judged.candidate.version = group.version;
      judged.candidate.release = found.release;
      judged.candidate.build = found.build;
      judged.candidate.backend = backend;
      judged.candidate.judgement = judge(found);
      judge_agreement(group, judged.candidate);
      all.push_back(std::move(judged));
    }
    return all;
  }

  /// torchvision takes the backend that torch has.
  void judge_agreement(const Group& group, GroupCandidate& candidate) {
    const FrameworkChoices* choices = draft_.input().framework;
    const Release* release = choices == nullptr ? nullptr : lookup_.find_release(group.version);
    if (release == nullptr) {
      return;
    }
    const auto chosen = choices->find(release->version);
    const std::string wanted = chosen == choices->end() ? std::string() : chosen->second;
    if (wanted != candidate.backend.text) {
      candidate.judgement.against(
          {"pair-mismatch",
           Verdict::does_not_fit,
           "index." + lookup_.framework().name,
           wanted.empty()
               ? fmt::format("no build of {} {} fits", lookup_.framework().name, release->version)
               : fmt::format("{}+{}", release->version, wanted),
           candidate.backend.text,
           {}});
    }
  }

  [[nodiscard]] const GroupCandidate* choice_of(const std::vector<GroupCandidate>& sorted) const {
    const Verdict best = sorted.front().judgement.verdict();
    const bool is_taken =
        best == Verdict::fits
        || (best == Verdict::unsure && draft_.context().policy().choose.allow_unsure);
    return is_taken ? &sorted.front() : nullptr;
  }

  void decide(const Group& group) {
    const std::vector<Judged> judged = judge_all(group);
    std::vector<GroupCandidate> sorted;
    sorted.reserve(judged.size());
    for (const Judged& one : judged) {
      sorted.push_back(one.candidate);
    }
    sort_candidates(sorted, situations_, draft_.context().policy().choose.prefer);
    const GroupCandidate* choice = choice_of(sorted);
    VersionChoice told{group.version.public_text(), {}, {}, {}};
    for (const GroupCandidate& candidate : sorted) {
      const std::vector<std::size_t>& files = group.files.at(candidate.backend.text);
      for (const std::size_t file : files) {
        draft_.set_backend(file, candidate.backend.text);
      }
      if (&candidate == choice) {
        told.chosen = candidate.backend.text;
        told.warnings = candidate.judgement.warnings;
        continue;
      }
      leave_out(files, candidate, choice);
    }
    for (const Judged& one : judged) {
      if (choice != nullptr && one.candidate.backend.text == choice->backend.text) {
        told.note = one.note;
      }
    }
    draft_.choose(std::move(told));
  }

  void leave_out(const std::vector<std::size_t>& files,
                 const GroupCandidate& candidate,
                 const GroupCandidate* choice) {
    std::vector<Reason> reasons = candidate.judgement.reasons;
    if (choice != nullptr && candidate.judgement.verdict() == Verdict::fits) {
      reasons.push_back({"other-build",
                         Verdict::does_not_fit,
                         "backend",
                         candidate.backend.text,
                         choice->backend.text,
                         {}});
    }
    const bool can_pass = choice != nullptr && draft_.context().policy().pass_pins
                          && lookup_.mark() == BuildMark::label;
    for (const std::size_t file : files) {
      const bool is_labelled = !draft_.project().files[file].version.local().empty();
      if (can_pass && is_labelled) {
        draft_.pin_only(file, pin_text(candidate, *choice, reasons.front()), reasons);
      } else {
        draft_.hide(file, reasons);
      }
    }
  }

  /// What an installer prints when the label of another build was asked for.
  [[nodiscard]] std::string pin_text(const GroupCandidate& candidate,
                                     const GroupCandidate& choice,
                                     const Reason& reason) const {
    const std::string& machine = draft_.context().machine().name;
    const std::string version = choice.version.public_text();
    if (reason.rule == "other-build") {
      return fmt::format("fitment: {}+{} suits {} better than {}",
                         version,
                         choice.backend.text,
                         machine.empty() ? "this machine" : machine,
                         candidate.backend.text);
    }
    return fmt::format("fitment: {} gets {}+{}; {} {}: {} is {}, needed is {}",
                       machine.empty() ? "this machine" : machine,
                       version,
                       choice.backend.text,
                       candidate.backend.text,
                       reason.verdict == Verdict::unsure ? "may not run" : "does not fit",
                       reason.fact,
                       reason.found,
                       reason.required);
  }

  ViewDraft& draft_;
  BuildLookup lookup_;
  std::vector<Situation> situations_;
};

}  // namespace

Status choose_builds(ViewDraft& draft) {
  const Catalog& catalog = draft.context().catalog();
  FITMENT_TRY_ASSIGN(
      BuildLookup lookup,
      BuildLookup::create(catalog, draft.project().name, draft.context().machine().system.arch));
  if (lookup.mark() == BuildMark::none) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const CudaTables* cuda, catalog.cuda());
  BuildChooser(draft, std::move(lookup), *cuda).run();
  return {};
}

Result<std::string> framework_to_agree_with(const Catalog& catalog, std::string_view project) {
  FITMENT_TRY_ASSIGN(const BuildLookup lookup,
                     BuildLookup::create(catalog, std::string(project), {}));
  return lookup.is_companion() && lookup.mark() == BuildMark::label ? lookup.framework().name
                                                                    : std::string();
}

}  // namespace fitment
