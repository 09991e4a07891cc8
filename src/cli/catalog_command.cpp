// SPDX-License-Identifier: Apache-2.0
// fitment catalog show | check | refresh: what is known about published builds.
#include "base/closest.h"
#include "base/files.h"
#include "catalog/check.h"
#include "catalog/derive.h"
#include "catalog/diff.h"
#include "catalog/framework_writer.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/index_files.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/network.h"
#include "cli/streams.h"
#include "report/catalog_json.h"
#include "report/catalog_text.h"
#include "report/human.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

Result<const Framework*> find_named(const Catalog& catalog, const std::string& name) {
  FITMENT_TRY_ASSIGN(const Framework* framework, catalog.find_framework(normalize_name(name)));
  if (framework == nullptr) {
    Error error = fail(ErrorCode::not_found,
                       fmt::format("the catalogue does not know the package `{}`", name));
    FITMENT_TRY_ASSIGN(const std::vector<std::string> names, catalog.package_names());
    const auto nearest = find_closest(normalize_name(name), names);
    return std::move(error).hint(nearest ? fmt::format("did you mean `{}`?", *nearest)
                                         : "`fitment catalog show` lists what it knows");
  }
  return framework;
}

Status check_version(const Framework& framework, const std::string& version) {
  const auto& releases = framework.releases;
  if (version.empty() || std::any_of(releases.begin(), releases.end(), [&](const Release& release) {
        return release.version == version;
      })) {
    return {};
  }
  std::vector<std::string> known;
  known.reserve(releases.size());
  for (const Release& release : releases) {
    known.push_back(release.version);
  }
  const auto nearest = find_closest(version, known);
  return fail(ErrorCode::not_found,
              fmt::format("the catalogue has no {} {}", framework.name, version))
      .hint(nearest ? fmt::format("did you mean {}?", *nearest)
                    : fmt::format("`fitment catalog show {}` lists the versions", framework.name));
}

Result<int> run_show(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  const auto name = invocation.find("NAME");
  if (!name) {
    if (!invocation.json()) {
      FITMENT_TRY_ASSIGN(const std::string text, catalog_list_text(catalog, streams.theme));
      streams.out << text;
      return kExitDone;
    }
    std::vector<const Framework*> frameworks;
    for (const std::string& known : catalog.framework_names()) {
      FITMENT_TRY_ASSIGN(const Framework* framework, catalog.find_framework(known));
      frameworks.push_back(framework);
    }
    streams.out << catalog_json(frameworks, "", catalog.digest());
    return kExitDone;
  }
  FITMENT_TRY_ASSIGN(const Framework* framework, find_named(catalog, *name));
  const std::string version = invocation.get("VERSION");
  FITMENT_TRY(check_version(*framework, version));
  streams.out << (invocation.json() ? catalog_json({framework}, version, catalog.digest())
                                    : framework_text(*framework, version, streams.theme));
  return kExitDone;
}

Result<int> run_check(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  const std::vector<CatalogProblem> problems = check_catalog(catalog);
  if (invocation.json()) {
    streams.out << problems_json(problems);
  } else if (problems.empty()) {
    streams.out << fmt::format("{} files, no contradictions\n", catalog.files().size());
  } else {
    streams.out << problems_text(problems, streams.theme);
  }
  return problems.empty() ? kExitDone : kExitNo;
}

/// Lays what the indexes publish over what is known.
Result<Derived> refresh_framework(const Framework& known,
                                  const std::vector<std::string>& indexes,
                                  PageCache& pages) {
  std::vector<SeenWheel> wheels;
  for (const std::string& index : indexes) {
    FITMENT_TRY_ASSIGN(std::vector<SeenWheel> seen, list_index_files(pages, index, known.name));
    wheels.insert(
        wheels.end(), std::make_move_iterator(seen.begin()), std::make_move_iterator(seen.end()));
  }
  std::string source;
  for (const std::string& index : indexes) {
    source += (source.empty() ? "files of " : ", ") + index;
  }
  return derive_builds(known, wheels, source);
}

Result<int> run_refresh(const Invocation& invocation, Streams& streams) {
  if (invocation.list("index").empty()) {
    return fail(ErrorCode::invalid_argument, "`fitment catalog refresh` needs --index")
        .hint(
            "for example `--index https://download.pytorch.org/whl/cu130`, or a folder of wheels");
  }
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  std::vector<std::string> names = invocation.list("NAME");
  if (names.empty()) {
    names.emplace_back("torch");
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<Network> network, open_network(invocation, streams));
  std::vector<CatalogChange> changes;
  std::vector<std::string> ignored;
  for (const std::string& name : names) {
    FITMENT_TRY_ASSIGN(const Framework* known, find_named(catalog, name));
    FITMENT_TRY_ASSIGN(Derived derived,
                       refresh_framework(*known, invocation.list("index"), network->pages));
    const std::vector<CatalogChange> found = diff_frameworks(*known, derived.framework);
    changes.insert(changes.end(), found.begin(), found.end());
    ignored.insert(ignored.end(), derived.ignored.begin(), derived.ignored.end());
    if (const auto output = invocation.find("output")) {
      const std::filesystem::path folder = std::filesystem::path(*output) / "frameworks";
      FITMENT_TRY(make_folder(folder));
      FITMENT_TRY(write_file_atomic(folder / (known->name + ".toml"),
                                    write_framework_toml(derived.framework)));
    }
  }
  if (invocation.json()) {
    streams.out << changes_json(changes, ignored);
  } else {
    streams.out << changes_text(changes, streams.theme);
    for (const std::string& line : ignored) {
      streams.detail("left out: " + line);
    }
    if (!ignored.empty()) {
      streams.note(fmt::format("left out: {}; -v names them", human_count(ignored.size(), "file")));
    }
  }
  if (const auto output = invocation.find("output")) {
    streams.note(fmt::format("use it with `--catalog {}`", *output));
  }
  return kExitDone;
}

}  // namespace

CommandSpec catalog_command() {
  const ArgumentSpec one_name{.name = "NAME",
                              .help = "a package",
                              .count = ArgumentSpec::Count::optional,
                              .completes = Completes::words,
                              .words = package_words};
  CommandSpec show{
      .name = "show",
      .summary = "what the catalogue knows of a package",
      .description =
          "Without a name the list of packages, with one its releases, with a version every build: "
          "toolkit, cuDNN, the kernels in it, and where each row comes from.",
      .arguments = {one_name,
                    {.name = "VERSION",
                     .help = "a version of it",
                     .count = ArgumentSpec::Count::optional}},
      .options = {catalog_option()},
      .examples = {{"fitment catalog show", "all packages"},
                   {"fitment catalog show torch", "all releases"},
                   {"fitment catalog show torch 2.8.0", "all builds of one"}},
      .see_also = {"plan"},
      .json = true,
      .handler = run_show};
  CommandSpec check{
      .name = "check",
      .summary = "find contradictions and missing rows in the catalogue",
      .description =
          "Looks for code that a toolkit cannot compile, duplicate builds, versions out of order, "
          "companions that two releases claim, rows without a source, and more.",
      .options = {catalog_option()},
      .examples = {{"fitment catalog check", "the embedded catalogue"},
                   {"fitment catalog check --catalog ours/", "with our files laid over it"}},
      .exit_codes = {{kExitNo, "problems were found"}},
      .json = true,
      .handler = run_check};
  CommandSpec refresh{
      .name = "refresh",
      .summary = "derive builds from an index and show the difference",
      .description =
          "Reads what an index publishes (Simple API pages, by URL or mirrored into a folder, or a "
          "folder of wheels) and lays it over what the catalogue knows. Nothing is "
          "taken away. File names tell versions, backends, architectures and Python versions; the "
          "kernels of a new build stay unknown.\n\n"
          "In the address of an index, {backend} stands for each backend label that the catalogue "
          "knows.",
      .arguments = {{.name = "NAME",
                     .help = "packages (default: torch)",
                     .count = ArgumentSpec::Count::any,
                     .completes = Completes::words,
                     .words = package_words}},
      .options = {{.name = "index",
                   .help = "URL or folder of an index, or a folder of wheels",
                   .value = "URL_OR_DIR",
                   .letter = 'i',
                   .repeatable = true,
                   .completes = Completes::folder},
                  {.name = "output",
                   .help = "write the result as a catalogue folder, for --catalog",
                   .value = "DIR",
                   .letter = 'o',
                   .completes = Completes::folder},
                  catalog_option()},
      .examples = {{"fitment catalog refresh torch --index https://download.pytorch.org/whl/cu130",
                    "what is new there"},
                   {"fitment catalog refresh torch --index wheels/ --output ours/",
                    "from a folder of wheels"},
                   {"fitment plan torch --catalog ours/", "use it at once"}},
      .json = true,
      .handler = run_refresh};
  return {.name = "catalog",
          .group = "Choose",
          .summary = "what is known about published builds",
          .description =
              "The catalogue is reviewed data, compiled in. A folder of files given with --catalog "
              "replaces or extends it.",
          .subcommands = {std::move(show), std::move(check), std::move(refresh)}};
}

}  // namespace fitment
