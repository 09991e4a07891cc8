// SPDX-License-Identifier: Apache-2.0
#include "report/catalog_text.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

std::vector<std::string> backends_of(const Release& release) {
  std::vector<std::string> backends;
  for (const Build& build : release.builds) {
    if (std::find(backends.begin(), backends.end(), build.backend.text) == backends.end()) {
      backends.push_back(build.backend.text);
    }
  }
  return backends;
}

std::string code_of(const Build& build) {
  std::string text;
  for (const CudaTarget& target : build.cuda_code.value_or(std::vector<CudaTarget>{})) {
    text += (text.empty() ? "" : " ") + to_string(target);
  }
  for (const GfxTarget& target : build.gfx_code.value_or(std::vector<GfxTarget>{})) {
    text += (text.empty() ? "" : " ") + to_string(target);
  }
  if (text.empty() && build.stated_minimum) {
    text = fmt::format("stated: {} or higher", to_string(*build.stated_minimum));
  }
  if (text.empty()
      && (build.backend.kind == Backend::Kind::cuda || build.backend.kind == Backend::Kind::rocm)) {
    text = "not known";
  }
  return text;
}

std::string companions_of(const Release& release) {
  std::string text;
  for (const auto& [name, version] : release.companions) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, version);
  }
  return text;
}

std::string release_text(const Framework& framework, const Release& release, const Theme& theme) {
  std::string text =
      paint(fmt::format("{} {}", framework.name, release.version), Role::strong, theme) + "\n";
  Table facts;
  facts.column("").column("", Table::Align::left, Table::Wrap::words);
  const auto fact = [&](std::string_view label, const std::string& words) {
    if (!words.empty()) {
      facts.row({StyledText(label, Role::dim), words});
    }
  };
  fact("python", fmt::format("{}", fmt::join(release.python, " ")));
  fact("goes with", companions_of(release));
  fact("pypi serves", release.pypi_default);
  fact("note", release.note);
  fact("source", release.source);
  text += facts.render(theme) + "\n";
  Table builds;
  builds.column("backend").column("arch").column("toolkit").column("cudnn").column(
      "gpu code", Table::Align::left, Table::Wrap::words);
  for (const Build& build : release.builds) {
    builds.row({build.backend.text,
                build.arch,
                build.toolkit ? to_string(*build.toolkit) : "",
                build.cudnn ? to_string(*build.cudnn) : "",
                code_of(build)});
  }
  return text + builds.render(theme);
}

}  // namespace

Result<std::string> catalog_list_text(const Catalog& catalog, const Theme& theme) {
  Table table;
  table.column("package")
      .column("versions")
      .column("newest has", Table::Align::left, Table::Wrap::words)
      .column("with", Table::Align::left, Table::Wrap::words);
  for (const std::string& name : catalog.framework_names()) {
    FITMENT_TRY_ASSIGN(const Framework* framework, catalog.find_framework(name));
    if (framework == nullptr || framework->releases.empty()) {
      continue;
    }
    const Release& newest = framework->releases.back();
    table.row({StyledText(name, Role::strong),
               fmt::format("{} to {}", framework->releases.front().version, newest.version),
               fmt::format("{}", fmt::join(backends_of(newest), " ")),
               fmt::format("{}", fmt::join(framework->companions, " "))});
  }
  return table.render(theme);
}

std::string framework_text(const Framework& framework,
                           const std::string& version,
                           const Theme& theme) {
  if (!version.empty()) {
    for (const Release& release : framework.releases) {
      if (release.version == version) {
        return release_text(framework, release, theme);
      }
    }
  }
  Table table;
  table.column("version")
      .column("python")
      .column("backends", Table::Align::left, Table::Wrap::words)
      .column("goes with", Table::Align::left, Table::Wrap::words);
  for (auto release = framework.releases.rbegin(); release != framework.releases.rend();
       ++release) {
    const std::string pythons =
        release->python.empty() ? "" : release->python.front() + " to " + release->python.back();
    table.row({release->version,
               pythons,
               fmt::format("{}", fmt::join(backends_of(*release), " ")),
               companions_of(*release)});
  }
  return paint(framework.name, Role::strong, theme) + "  " + framework.summary + "\n\n"
         + table.render(theme);
}

std::string changes_text(const std::vector<CatalogChange>& changes, const Theme& theme) {
  std::string text;
  for (const CatalogChange& change : changes) {
    const Role role =
        change.kind == CatalogChange::Kind::added
            ? Role::good
            : (change.kind == CatalogChange::Kind::removed ? Role::bad : Role::warning);
    const std::string_view mark = change.kind == CatalogChange::Kind::added
                                      ? "+"
                                      : (change.kind == CatalogChange::Kind::removed ? "-" : "~");
    text += paint(mark, role, theme) + " " + change.where;
    if (!change.field.empty()) {
      text += fmt::format("  {}: {} -> {}",
                          change.field,
                          change.before.empty() ? "(none)" : change.before,
                          change.after.empty() ? "(none)" : change.after);
    }
    text += "\n";
  }
  return text.empty() ? "no difference\n" : text;
}

std::string problems_text(const std::vector<CatalogProblem>& problems, const Theme& theme) {
  std::string text;
  for (const CatalogProblem& problem : problems) {
    text += paint(problem.file, Role::strong, theme)
            + (problem.where.empty() ? "" : " " + problem.where) + ": " + problem.message + "\n";
  }
  return text;
}

}  // namespace fitment
