// SPDX-License-Identifier: Apache-2.0
// Where requirements come from: arguments, requirements.txt, pyproject.toml, a script with PEP 723
// metadata, fitment.toml.
#pragma once

#include "choose/choose.h"
#include "record/wish_file.h"
#include "wheel/requirement.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct InputRequest {
  Requirement requirement;
  std::string text;
  bool from_file = false;  ///< may name packages that the catalogue does not know
};

struct PlanInputs {
  std::vector<InputRequest> requests;
  std::vector<InputRequest> constraints;  ///< of -c lines: they bind only what is requested
  std::optional<SpecifierSet> requires_python;
  std::string requires_python_source;
  std::optional<Wish> wish;  ///< of fitment.toml
  std::filesystem::path wish_folder;
  std::vector<std::string> notes;  ///< what was left out and why
};

struct PlanInputQuery {
  std::vector<std::string> requirements;  ///< arguments
  std::vector<std::string> files;         ///< -r
  std::vector<std::string> extras;        ///< of pyproject.toml
  std::vector<std::string> groups;        ///< dependency groups of pyproject.toml
};

/// Errors carry file, line and column. Without arguments and files: `fitment.toml` or
/// `pyproject.toml` of the current folder, else an error that says how to ask.
Result<PlanInputs> gather_plan_inputs(const PlanInputQuery& query);

/// The requests whose markers hold on this machine; what is said of one package in several places
/// is joined, and constraints are laid on. Error: joined specifiers that cannot be read.
Result<std::vector<PackageRequest>> requests_for(const PlanInputs& inputs, const Machine& machine);

}  // namespace fitment
