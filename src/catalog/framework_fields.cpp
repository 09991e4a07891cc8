// SPDX-License-Identifier: Apache-2.0
#include "catalog/framework_fields.h"

#include "base/text.h"

#include <fmt/format.h>

namespace fitment {

namespace {

template <typename T>
std::string words(const std::vector<T>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const T& value : values) {
    texts.push_back(to_string(value));
  }
  return join(texts, " ");
}

std::string pairs(const std::map<std::string, std::string>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const auto& [key, value] : values) {
    texts.push_back(fmt::format("{} = {}", key, value));
  }
  return join(texts, ", ");
}

std::string code_of(const Build& build) {
  if (build.cuda_code) {
    return words(*build.cuda_code);
  }
  return build.gfx_code ? words(*build.gfx_code) : std::string();
}

}  // namespace

FieldTexts field_texts(const Framework& framework) {
  return {{"name", framework.name},
          {"summary", framework.summary},
          {"selector", std::string(to_string(framework.selector))},
          {"companions", join(framework.companions, " ")},
          {"shared_companions", join(framework.shared_companions, " ")},
          {"cpu_name", framework.cpu_name}};
}

FieldTexts field_texts(const Release& release) {
  return {{"version", release.version},
          {"python", join(release.python, " ")},
          {"companions", pairs(release.companions)},
          {"no_companion", pairs(release.no_companion)},
          {"pypi_default", release.pypi_default},
          {"other_arches_unknown", release.other_arches_unknown ? "true" : ""},
          {"other_backends_unknown", release.other_backends_unknown ? "true" : ""},
          {"note", release.note},
          {"known_conflict", release.known_conflict}};
}

FieldTexts field_texts(const Build& build) {
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  return {
      {"backend", build.backend.text},
      {"arch", build.arch},
      {"toolkit", build.toolkit ? build.toolkit->text() : std::string()},
      {"cudnn", build.cudnn ? build.cudnn->text() : std::string()},
      {"code", code_of(build)},
      {"stated_minimum", build.stated_minimum ? to_string(*build.stated_minimum) : std::string()},
      {"platforms", join(build.platforms, " ")},
      {"cpu_features", join(build.cpu_features, " ")},
      {"index", build.index},
      {"requirement_name", build.requirement_name},
      {"extras", join(build.extras, " ")},
      {"size_bytes", number(build.size_bytes)},
      {"total_bytes", number(build.total_bytes)},
      {"known_conflict", build.known_conflict}};
}

}  // namespace fitment
