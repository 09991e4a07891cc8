// SPDX-License-Identifier: Apache-2.0
#include "catalog/framework_reader.h"

#include "base/text.h"
#include "catalog/source_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::array kSelectors{BuildSelector::local_label,
                                BuildSelector::extra,
                                BuildSelector::index_url,
                                BuildSelector::name,
                                BuildSelector::version};

Result<BuildSelector> parse_selector(std::string_view text) {
  std::vector<std::string> known;
  for (const BuildSelector selector : kSelectors) {
    if (text == to_string(selector)) {
      return selector;
    }
    known.emplace_back(to_string(selector));
  }
  return fail(ErrorCode::parse_error, fmt::format("`{}` is not a way to select a build", text))
      .hint("ways are " + join(known, ", "));
}

/// PEP 503: lower case, single dashes between runs of letters and digits.
Result<std::string> parse_normalised_name(std::string_view text) {
  const bool edges = !text.empty() && text.front() != '-' && text.back() != '-';
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-';
  });
  if (!edges || !plain || text.find("--") != std::string_view::npos) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not a normalised package name", text))
        .hint("write it in lower case with single dashes");
  }
  return std::string(text);
}

/// `3.12`, `3.13t`.
Result<std::string> parse_python(std::string_view text) {
  const std::string_view digits = text.ends_with('t') ? text.substr(0, text.size() - 1) : text;
  const auto version = DottedVersion::parse(digits);
  if (!version || version->size() != 2) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not a Python version", text))
        .hint("versions look like 3.12, or 3.13t for a free-threaded build");
  }
  return std::string(text);
}

class FrameworkReader {
 public:
  explicit FrameworkReader(std::string source) : source_(std::move(source)) {}

  Result<Framework> read(const TomlValue& document);

 private:
  Result<Release> read_release(const TomlValue& table);
  Result<Build> read_build(const TomlValue& table, const Release& release);

  std::string source_;
  SourceIds sources_;
  std::string index_;
  std::vector<std::string> platforms_;  ///< of the release that is being read
};

Result<Build> FrameworkReader::read_build(const TomlValue& table, const Release& release) {
  TableReader row(table, source_, "a build");
  Build build;
  build.arch = "x86_64";
  build.source = release.source;
  row.require("backend");
  row.read_with("backend", parse_backend, build.backend);
  row.read("arch", build.arch);
  row.read("toolkit", build.toolkit);
  if (!build.toolkit && build.backend.level.size() > 1) {
    build.toolkit = build.backend.level;  // the label itself says it
  }
  row.read("cudnn", build.cudnn);
  if (row.has("code") && build.backend.kind == Backend::Kind::rocm) {
    row.read_words_with("code", parse_gfx_target, build.gfx_code.emplace());
  } else if (row.has("code") && build.backend.kind == Backend::Kind::cuda) {
    row.read_words_with("code", parse_cuda_target, build.cuda_code.emplace());
  }
  row.read_with("stated_minimum", parse_cuda_target, build.stated_minimum);
  sources_.read(row, "code_source", build.code_source);
  build.platforms = platforms_;
  row.read("platforms", build.platforms);
  row.read("cpu_features", build.cpu_features);
  build.index = index_;
  row.read("index", build.index);
  row.read("requirement_name", build.requirement_name);
  row.read("extras", build.extras);
  row.read("size_bytes", build.size_bytes);
  row.read("total_bytes", build.total_bytes);
  sources_.read(row, "source", build.source);
  row.read("known_conflict", build.known_conflict);
  FITMENT_TRY(row.finish());

  const auto fill = [&](std::string text) {
    return replace_all(
        replace_all(std::move(text), "{backend}", build.backend.text), "{arch}", build.arch);
  };
  build.index = fill(std::move(build.index));
  for (std::string& platform : build.platforms) {
    platform = fill(std::move(platform));
  }
  return build;
}

Result<Release> FrameworkReader::read_release(const TomlValue& table) {
  TableReader row(table, source_, "a release");
  Release release;
  row.require("version");
  row.read("version", release.version);
  row.read_words_with("python", parse_python, release.python);
  row.read("companions", release.companions);
  row.read("no_companion", release.no_companion);
  row.read("other_arches_unknown", release.other_arches_unknown);
  row.read("other_backends_unknown", release.other_backends_unknown);
  row.read("pypi_default", release.pypi_default);
  row.read("note", release.note);
  sources_.read(row, "source", release.source);
  row.read("known_conflict", release.known_conflict);
  platforms_.clear();
  row.read("platforms", platforms_);
  const auto builds = row.tables("builds");
  FITMENT_TRY(row.finish());
  release.builds.reserve(builds.size());
  for (const TomlValue* build : builds) {
    FITMENT_TRY_ASSIGN(release.builds.emplace_back(), read_build(*build, release));
  }
  return release;
}

Result<Framework> FrameworkReader::read(const TomlValue& document) {
  TableReader top(document, source_, "a framework file");
  Framework framework;
  top.require("name");
  top.read_with("name", parse_normalised_name, framework.name);
  top.read("summary", framework.summary);
  top.require("selector");
  top.read_with("selector", parse_selector, framework.selector);
  top.read_words_with("companions", parse_normalised_name, framework.companions);
  top.read_words_with("shared_companions", parse_normalised_name, framework.shared_companions);
  top.read_with("cpu_name", parse_normalised_name, framework.cpu_name);
  top.read("index", index_);
  sources_.read_table(top);
  const auto releases = top.tables("release");
  FITMENT_TRY(top.finish());
  framework.releases.reserve(releases.size());
  for (const TomlValue* release : releases) {
    FITMENT_TRY_ASSIGN(framework.releases.emplace_back(), read_release(*release));
  }
  return framework;
}

}  // namespace

Result<Framework> parse_framework(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  return FrameworkReader(source).read(document);
}

bool names_some_builds(const Framework& framework, std::string_view name) {
  if (name == framework.name || name == framework.cpu_name) {
    return false;
  }
  return std::any_of(
      framework.releases.begin(), framework.releases.end(), [&](const Release& release) {
        return std::any_of(release.builds.begin(), release.builds.end(), [&](const Build& build) {
          return build.requirement_name == name;
        });
      });
}

std::string_view to_string(BuildSelector selector) {
  switch (selector) {
    case BuildSelector::local_label:
      return "local_label";
    case BuildSelector::extra:
      return "extra";
    case BuildSelector::index_url:
      return "index_url";
    case BuildSelector::name:
      return "name";
    case BuildSelector::version:
      return "version";
  }
  return "unknown";
}

}  // namespace fitment
