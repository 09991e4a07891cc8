// SPDX-License-Identifier: Apache-2.0
// Wheel variants for installers that have never heard of them: of each version the wheels that the
// Pythons on the machine would take are listed under their plain names, the others are not.
//
// An installer that sees several wheels of a version goes by tags alone, where a variant-aware one
// goes by variant first. So the choice is made for each Python, and what stays is what one of them
// takes.
#include "base/text.h"
#include "index/view_draft.h"
#include "variant/derived_wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fitment {

namespace {

struct VersionWheels {
  std::vector<std::size_t> files;
};

Reason reason_of(const RejectedWheel& rejected) {
  std::string fact = rejected.space.empty() ? std::string("file")
                     : rejected.feature.empty()
                         ? "variant." + rejected.space
                         : fmt::format("variant.{}.{}", rejected.space, rejected.feature);
  std::string found = rejected.why.text;
  if (!rejected.wanted.empty()) {
    found = rejected.why.nearest ? rejected.why.nearest->supported : "none";
  }
  return {rejected.rule,
          Verdict::does_not_fit,
          std::move(fact),
          std::move(found),
          join(rejected.wanted, " or "),
          rejected.why.hint};
}

class VariantChooser {
 public:
  VariantChooser(ViewDraft& draft, std::string version, const VersionWheels& wheels)
      : draft_(draft), version_(std::move(version)), wheels_(wheels) {
    for (const std::size_t file : wheels.files) {
      by_name_.emplace(name_of(file), file);
    }
  }

  Status run() {
    const auto found = draft_.project().variants.find(version_);
    const VersionVariants* variants =
        found == draft_.project().variants.end() ? nullptr : &found->second;
    SelectRequest request;
    for (const auto& [name, file] : by_name_) {
      request.files.push_back(name);
    }
    request.is_unusable = variants != nullptr && !variants->metadata;
    if (variants != nullptr && variants->metadata) {
      request.metadata = &*variants->metadata;
      FITMENT_TRY_ASSIGN(
          request.answers,
          answer_namespaces(
              *request.metadata, draft_.context().machine(), draft_.context().policy().trust));
    }
    for (const ViewContext::PythonTags& python : draft_.context().pythons()) {
      if (is_relevant(python)) {
        ask(request, python);
      }
    }
    settle();
    return {};
  }

 private:
  [[nodiscard]] const IndexedFile& file_at(std::size_t file) const {
    return draft_.project().files[file];
  }
  [[nodiscard]] const std::string& name_of(std::size_t file) const {
    return file_at(file).file.filename;
  }

  /// A Python that none of the wheels is for, except by tags that serve all of them, takes what the
  /// others take.
  [[nodiscard]] bool is_relevant(const ViewContext::PythonTags& python) const {
    const bool is_own = &python == draft_.context().pythons().data();
    return is_own || std::any_of(wheels_.files.begin(), wheels_.files.end(), [&](std::size_t file) {
             const auto& tags = file_at(file).wheel->python_tags;
             return std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) {
               return tag == python.interpreter || tag.starts_with("py");
             });
           });
  }

  void ask(const SelectRequest& request, const ViewContext::PythonTags& python) {
    const WheelSelection selection = select_wheels(request, python.tags);
    for (const RejectedWheel& rejected : selection.rejected) {
      rejections_.try_emplace(rejected.file, reason_of(rejected));
    }
    for (const RankedWheel& ranked : selection.order) {
      rejections_.erase(ranked.file);
      installable_.insert(ranked.file);
    }
    if (selection.order.empty()) {
      return;
    }
    const RankedWheel& winner = selection.order.front();
    winners_.insert(winner.file);
    if (told_.chosen.empty()) {
      told_.chosen = winner.label.value_or("");
    }
    if (draft_.context().knows_python() && own_winner_.empty()) {
      own_winner_ = winner.file;
      own_tags_ = &python.tags;
    }
  }

  /// The machine's own Python must not see a wheel whose tags it likes better than the one that it
  /// should take.
  [[nodiscard]] bool misleads(std::size_t file) const {
    if (own_tags_ == nullptr || name_of(file) == own_winner_) {
      return false;
    }
    const auto rank = own_tags_->rank(*file_at(file).wheel);
    return rank && *rank <= *own_tags_->rank(*file_at(by_name_.at(own_winner_)).wheel);
  }

  void settle() {
    for (const std::size_t file : wheels_.files) {
      const std::string& name = name_of(file);
      const bool is_variant = file_at(file).wheel->variant_label.has_value();
      if (winners_.count(name) == 1 && !misleads(file)) {
        if (is_variant) {
          draft_.show_as(file, plain_file_name(name));
        }
      } else if (const auto rejected = rejections_.find(name);
                 rejected != rejections_.end() && installable_.count(name) == 0) {
        if (is_variant) {
          draft_.hide(file, rejected->second);
        }
      } else {
        draft_.hide(file,
                    {"other-variant",
                     Verdict::does_not_fit,
                     "variant",
                     file_at(file).wheel->variant_label.value_or("none"),
                     told_.chosen.empty() ? "none" : told_.chosen,
                     {}});
      }
    }
    told_.version = version_;
    draft_.choose(std::move(told_));
  }

  ViewDraft& draft_;
  std::string version_;
  const VersionWheels& wheels_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, Reason> rejections_;
  std::set<std::string> installable_;  ///< on some Python
  std::set<std::string> winners_;
  std::string own_winner_;
  const TagIndex* own_tags_ = nullptr;
  VersionChoice told_;
};

}  // namespace

Status choose_variants(ViewDraft& draft) {
  const std::vector<IndexedFile>& files = draft.project().files;
  std::map<Version, VersionWheels> versions;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].wheel && files[i].wheel->variant_label && draft.is_open(i)) {
      versions.try_emplace(files[i].version);
    }
  }
  for (std::size_t i = 0; !versions.empty() && i < files.size(); ++i) {
    const auto version =
        files[i].wheel && draft.is_open(i) ? versions.find(files[i].version) : versions.end();
    if (version != versions.end()) {
      version->second.files.push_back(i);
    }
  }
  for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
    FITMENT_TRY(VariantChooser(draft, to_string(version->first), version->second).run());
  }
  return {};
}

}  // namespace fitment
