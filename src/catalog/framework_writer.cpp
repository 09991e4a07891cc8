// SPDX-License-Identifier: Apache-2.0
#include "catalog/framework_writer.h"

#include "base/text.h"
#include "catalog/framework_fields.h"
#include "catalog/toml_document.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

class FrameworkWriter {
 public:
  std::string write(const Framework& framework);

 private:
  /// The id of a source; a new one where the text is new.
  std::string id_of(const std::string& source);
  void write_release(const Release& release);
  void write_build(const Build& build, const Release& release);

  std::string releases_;
  std::vector<std::string> sources_;
};

std::string FrameworkWriter::id_of(const std::string& source) {
  auto found = std::find(sources_.begin(), sources_.end(), source);
  if (found == sources_.end()) {
    found = sources_.insert(sources_.end(), source);
  }
  return fmt::format("s{}", found - sources_.begin() + 1);
}

/// A key of a TOML table: bare where it may be.
std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return is_alnum(c) || c == '-' || c == '_';
  });
  return bare ? key : toml_quoted(key);
}

std::string inline_table(const std::map<std::string, std::string>& texts) {
  std::vector<std::string> members;
  members.reserve(texts.size());
  for (const auto& [key, value] : texts) {
    members.push_back(fmt::format("{} = {}", toml_key(key), toml_quoted(value)));
  }
  return "{ " + join(members, ", ") + " }";
}

void FrameworkWriter::write_build(const Build& build, const Release& release) {
  std::vector<std::string> members;
  const auto put = [&](const std::string& key, const std::string& text) {
    members.push_back(fmt::format("{} = {}", key, text));
  };
  const bool label_says_toolkit = build.toolkit && build.backend.level.size() > 1
                                  && build.toolkit->text() == build.backend.level.text();
  for (const auto& [key, text] : field_texts(build)) {
    const bool is_default =
        (key == "arch" && text == "x86_64") || (key == "toolkit" && label_says_toolkit);
    if (!text.empty() && !is_default) {
      put(key, key.ends_with("_bytes") ? text : toml_quoted(text));
    }
  }
  if ((build.cuda_code && build.cuda_code->empty())
      || (build.gfx_code && build.gfx_code->empty())) {
    put("code", "\"\"");  // a known list that is empty is not an unknown one
  }
  if (!build.code_source.empty()) {
    put("code_source", toml_quoted(id_of(build.code_source)));
  }
  if (build.source != release.source) {
    put("source", build.source.empty() ? "\"\"" : toml_quoted(id_of(build.source)));
  }
  releases_ += "  { " + join(members, ", ") + " },\n";
}

void FrameworkWriter::write_release(const Release& release) {
  releases_ += "\n[[release]]\n";
  for (const auto& [key, text] : field_texts(release)) {
    if (text.empty()) {
      continue;
    }
    std::string value = toml_quoted(text);
    if (key == "companions") {
      value = inline_table(release.companions);
    } else if (key == "no_companion") {
      value = inline_table(release.no_companion);
    } else if (key.starts_with("other_")) {
      value = text;
    }
    releases_ += fmt::format("{} = {}\n", key, value);
  }
  if (!release.source.empty()) {
    releases_ += fmt::format("source = \"{}\"\n", id_of(release.source));
  }
  releases_ += "builds = [\n";
  for (const Build& build : release.builds) {
    write_build(build, release);
  }
  releases_ += "]\n";
}

std::string FrameworkWriter::write(const Framework& framework) {
  for (const Release& release : framework.releases) {
    write_release(release);
  }
  std::string text;
  for (const auto& [key, value] : field_texts(framework)) {
    if (!value.empty()) {
      text += fmt::format("{} = {}\n", key, toml_quoted(value));
    }
  }
  text += "\n[sources]\n";
  for (const std::string& source : sources_) {
    text += fmt::format("{} = {}\n", id_of(source), toml_quoted(source));
  }
  return text + releases_;
}

}  // namespace

std::string write_framework_toml(const Framework& framework) {
  return FrameworkWriter().write(framework);
}

}  // namespace fitment
