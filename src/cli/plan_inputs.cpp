// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_inputs.h"

#include "base/files.h"
#include "base/text.h"
#include "stack/marker_environment.h"
#include "wheel/name.h"
#include "wheel/project_file.h"
#include "wheel/requirements_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostIncludes = 64;

class Gatherer {
 public:
  explicit Gatherer(const PlanInputQuery& query) : query_(query) {}

  Status add_argument(const std::string& text) {
    const std::string source = trim(text).empty() ? "REQUIREMENT" : text;
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(text, {source, 1, 1, {}}));
    inputs_.requests.push_back({std::move(requirement), text, false});
    return {};
  }

  Status add_file(const std::filesystem::path& path) {
    const Result<std::string> read = path == "-" ? read_stdin() : read_file(path);
    if (!read) {
      Error error = read.error();
      return std::move(error).hint(
          "-r takes a requirements.txt, a pyproject.toml, a fitment.toml or a Python script");
    }
    const std::string& text = *read;
    const std::string name = path.filename().string();
    if (name.ends_with(".py")) {
      return add_script(path, text);
    }
    if (!name.ends_with(".toml")) {
      return add_requirements(path, text);
    }
    return name == "fitment.toml" ? add_wish(path, text) : add_project(path, text);
  }

  /// --extra and --group speak of a pyproject.toml.
  Status finish() {
    const bool wants_project = !query_.extras.empty() || !query_.groups.empty();
    if (wants_project && !has_project_) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`--{}` needs a pyproject.toml, and none was read",
                              query_.extras.empty() ? "group" : "extra"))
          .hint("add `-r pyproject.toml`");
    }
    return {};
  }

  PlanInputs take() { return std::move(inputs_); }

 private:
  void add(Requirement requirement) {
    std::string text = to_string(requirement);
    inputs_.requests.push_back({std::move(requirement), std::move(text), true});
  }

  void add_requires_python(const ProjectFile& project, const std::filesystem::path& path) {
    if (project.requires_python && !project.requires_python->empty()) {
      inputs_.requires_python = project.requires_python;
      inputs_.requires_python_source = path.string();
    }
  }

  static Result<std::string> read_included(const std::filesystem::path& from,
                                           const RequirementsFile::Include& include) {
    auto text = read_file(from.parent_path() / include.path);
    if (!text) {
      return std::move(text).error().at(include.origin);
    }
    return text;
  }

  Status add_requirements(const std::filesystem::path& path, const std::string& text) {
    if (++includes_ > kMostIncludes) {
      return fail(ErrorCode::parse_error,
                  fmt::format("more than {} files are included", kMostIncludes))
          .at({path.string(), {}, {}, {}})
          .hint("look for a file that includes itself with -r");
    }
    FITMENT_TRY_ASSIGN(RequirementsFile file, parse_requirements_file(text, path.string()));
    for (RequirementsFile::Entry& entry : file.entries) {
      add(std::move(entry.requirement));
    }
    for (const RequirementsFile::Include& include : file.includes) {
      FITMENT_TRY_ASSIGN(const std::string included, read_included(path, include));
      FITMENT_TRY(add_requirements(path.parent_path() / include.path, included));
    }
    for (const RequirementsFile::Include& include : file.constraints) {
      FITMENT_TRY_ASSIGN(const std::string included, read_included(path, include));
      FITMENT_TRY_ASSIGN(
          RequirementsFile constraints,
          parse_requirements_file(included, (path.parent_path() / include.path).string()));
      for (RequirementsFile::Entry& entry : constraints.entries) {
        std::string line = to_string(entry.requirement);
        inputs_.constraints.push_back({std::move(entry.requirement), std::move(line), true});
      }
    }
    for (const RequirementsFile::Note& note : file.notes) {
      inputs_.notes.push_back(fmt::format("{}: {}", to_string(note.origin), note.text));
    }
    return {};
  }

  Status add_wish(const std::filesystem::path& path, const std::string& text) {
    FITMENT_TRY_ASSIGN(Wish wish, parse_wish(text, path.string()));
    for (const Wish::Line& line : wish.requirements) {
      FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(line.text, line.origin));
      inputs_.requests.push_back({std::move(requirement), line.text, true});
    }
    inputs_.wish = std::move(wish);
    inputs_.wish_folder = path.parent_path();
    return {};
  }

  Status add_script(const std::filesystem::path& path, const std::string& text) {
    FITMENT_TRY_ASSIGN(std::optional<ProjectFile> script,
                       extract_script_metadata(text, path.string()));
    if (!script) {
      return fail(ErrorCode::parse_error,
                  fmt::format("`{}` has no script metadata (PEP 723)", path.string()))
          .hint("add a block that starts with `# /// script` and holds `# dependencies = [...]`");
    }
    add_requires_python(*script, path);
    for (Requirement& requirement : script->dependencies) {
      add(std::move(requirement));
    }
    return {};
  }

  template <typename Table>
  Status add_named(const Table& table,
                   const std::string& name,
                   std::string_view what,
                   const std::filesystem::path& path) {
    const auto found = table.find(normalize_name(name));
    if (found == table.end()) {
      std::string known;
      for (const auto& [key, requirements] : table) {
        known += (known.empty() ? "" : ", ") + key;
      }
      return fail(ErrorCode::not_found,
                  fmt::format("`{}` has no {} `{}`", path.string(), what, name))
          .hint(known.empty() ? "it has none at all" : "it has " + known);
    }
    for (const Requirement& requirement : found->second) {
      add(requirement);
    }
    return {};
  }

  Status add_project(const std::filesystem::path& path, const std::string& text) {
    FITMENT_TRY_ASSIGN(ProjectFile project, read_project(text, path.string()));
    has_project_ = true;
    add_requires_python(project, path);
    if (std::find(project.dynamic.begin(), project.dynamic.end(), "dependencies")
        != project.dynamic.end()) {
      inputs_.notes.push_back(fmt::format(
          "{}: its dependencies are known to its build backend only and were not planned",
          path.string()));
    }
    for (const Requirement& requirement : project.dependencies) {
      add(requirement);
    }
    for (const std::string& extra : query_.extras) {
      FITMENT_TRY(add_named(project.optional_dependencies, extra, "extra", path));
    }
    for (const std::string& group : query_.groups) {
      FITMENT_TRY(add_named(project.dependency_groups, group, "dependency group", path));
    }
    return {};
  }

  const PlanInputQuery& query_;
  PlanInputs inputs_;
  std::size_t includes_ = 0;
  bool has_project_ = false;
};

/// Both must hold: `torch>=2` and `torch<2.9` are `torch>=2,<2.9`.
Status join_into(PackageRequest& request, const InputRequest& more) {
  Requirement& requirement = request.requirement;
  for (const std::string& extra : more.requirement.extras) {
    if (std::find(requirement.extras.begin(), requirement.extras.end(), extra)
        == requirement.extras.end()) {
      requirement.extras.push_back(extra);
    }
  }
  if (more.requirement.specifiers.empty()
      || more.requirement.specifiers == requirement.specifiers) {
    return {};
  }
  const std::string both =
      to_string(requirement.specifiers) + "," + to_string(more.requirement.specifiers);
  FITMENT_TRY_ASSIGN(requirement.specifiers, SpecifierSet::parse(both));
  requirement.marker.reset();
  request.text = to_string(requirement);
  return {};
}

}  // namespace

Result<PlanInputs> gather_plan_inputs(const PlanInputQuery& query) {
  Gatherer gatherer(query);
  for (const std::string& text : query.requirements) {
    FITMENT_TRY(gatherer.add_argument(text));
  }
  for (const std::string& file : query.files) {
    FITMENT_TRY(gatherer.add_file(file));
  }
  if (query.requirements.empty() && query.files.empty()) {
    std::error_code ignored;
    for (const char* name : {"fitment.toml", "pyproject.toml"}) {
      if (std::filesystem::exists(name, ignored)) {
        FITMENT_TRY(gatherer.add_file(name));
        FITMENT_TRY(gatherer.finish());
        return gatherer.take();
      }
    }
    return fail(ErrorCode::invalid_argument, "nothing to choose: no requirement was given")
        .hint("give one (`torch`), `-r requirements.txt`, or write a fitment.toml here");
  }
  FITMENT_TRY(gatherer.finish());
  return gatherer.take();
}

Result<std::vector<PackageRequest>> requests_for(const PlanInputs& inputs, const Machine& machine) {
  const MarkerEnvironment environment = marker_environment(machine);
  const auto holds = [&](const InputRequest& request) {
    return !request.requirement.marker || request.requirement.marker->evaluate(environment);
  };
  std::vector<PackageRequest> requests;
  const auto find = [&](const Requirement& wanted) {
    return std::find_if(requests.begin(), requests.end(), [&](const PackageRequest& request) {
      return normalize_name(request.requirement.name) == normalize_name(wanted.name);
    });
  };
  for (const InputRequest& request : inputs.requests) {
    if (!holds(request)) {
      continue;
    }
    const auto known = find(request.requirement);
    if (known == requests.end()) {
      requests.push_back({request.requirement, request.text});
    } else {
      FITMENT_TRY(join_into(*known, request));
    }
  }
  for (const InputRequest& constraint : inputs.constraints) {
    if (const auto bound = find(constraint.requirement);
        bound != requests.end() && holds(constraint)) {
      FITMENT_TRY(join_into(*bound, constraint));
    }
  }
  return requests;
}

}  // namespace fitment
