// SPDX-License-Identifier: Apache-2.0
// Private to the view: the fate of each file while the rules look at it, one rule a file of source.
#pragma once

#include "index/view.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace fitment {

class ViewDraft {
 public:
  explicit ViewDraft(const ViewInput& input);

  [[nodiscard]] const Project& project() const { return *input_.project; }
  [[nodiscard]] const ViewContext& context() const { return *input_.context; }
  [[nodiscard]] const ViewInput& input() const { return input_; }

  /// Not hidden so far.
  [[nodiscard]] bool is_open(std::size_t file) const { return fates_[file].reasons.empty(); }
  void hide(std::size_t file, const Reason& reason);
  void hide(std::size_t file, const std::vector<Reason>& reasons);
  /// Listed, but taken for an exact pin alone.
  void pin_only(std::size_t file, std::string why, const std::vector<Reason>& reasons);
  void show_as(std::size_t file, std::string filename);
  void set_backend(std::size_t file, std::string backend);
  void choose(VersionChoice choice) { choices_.push_back(std::move(choice)); }

  ProjectView finish() &&;

 private:
  struct Fate {
    std::vector<std::size_t> reasons;
    std::optional<std::string> pin;  ///< what is said about a file that only a pin takes
    std::string filename;            ///< empty: its own
    std::string backend;
  };
  std::size_t intern(const Reason& reason);

  ViewInput input_;
  std::vector<Fate> fates_;
  std::vector<Reason> reasons_;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> known_;
  std::vector<VersionChoice> choices_;
};

/// variants.json files, files of other kinds, placeholders.
void hide_clutter(ViewDraft& draft);
/// platform-tag and glibc-floor, from the names of wheels.
void hide_other_platforms(ViewDraft& draft);
/// One backend of each version stays.
Status choose_builds(ViewDraft& draft);
/// Of variant wheels those that some Python on the machine would take, under their plain names.
Status choose_variants(ViewDraft& draft);

}  // namespace fitment
