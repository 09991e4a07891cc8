// SPDX-License-Identifier: Apache-2.0
#include "variant/trust.h"

#include "variant/providers.h"
#include "wheel/name.h"
#include "wheel/quote.h"
#include "wheel/requirement.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

using Source = NamespaceAnswer::Source;

/// The normalised name at the start of a requirement; empty when it cannot be read.
std::string required_name(const std::string& requirement) {
  const auto parsed = parse_requirement(requirement);
  return parsed ? normalize_name(parsed->name) : std::string();
}

bool requires_package(const VariantProvider& provider, std::string_view package) {
  return std::any_of(provider.requirements.begin(),
                     provider.requirements.end(),
                     [package](const auto& text) { return required_name(text) == package; });
}

/// A list in the metadata is the answer when nobody is to be asked: always in the newer format,
/// which requires nothing then, and in 0.0.x when `install-time` is false.
bool is_answered_statically(const VariantProvider& provider) {
  return provider.has_static && (!provider.install_time || provider.requirements.empty());
}

}  // namespace

std::string_view to_string(Source source) {
  switch (source) {
    case Source::user:
      return "user";
    case Source::publisher:
      return "publisher";
    case Source::native:
      return "native";
    case Source::disabled:
      return "disabled";
    case Source::nobody:
      return "nobody";
  }
  return "nobody";
}

Result<NamespaceAnswer> answer_namespace(std::string_view space,
                                         const VariantProvider* named,
                                         bool has_providers,
                                         const Machine& machine,
                                         const TrustPolicy& policy) {
  NamespaceAnswer answer{std::string(space), Source::nobody, {}, {}};
  if (named != nullptr && !named->requirements.empty()) {
    answer.provider = required_name(named->requirements.front());
  }
  const auto list = std::find_if(policy.lists.begin(),
                                 policy.lists.end(),
                                 [space](const auto& known) { return known.space == space; });
  if (list != policy.lists.end()) {
    answer.source = Source::user;
    answer.features = list->features;
    return answer;
  }
  const auto& enabled = policy.enabled;
  if (named != nullptr && named->optional
      && std::find(enabled.begin(), enabled.end(), space) == enabled.end()) {
    answer.source = Source::disabled;
    return answer;
  }
  if (named != nullptr && is_answered_statically(*named)) {
    answer.source = Source::publisher;
    answer.features = named->static_properties;
    return answer;
  }
  const NativeProvider* native = find_native_provider(space);
  const bool is_meant =
      !has_providers
      || (named != nullptr && native != nullptr && requires_package(*named, native->package));
  if (native == nullptr || !is_meant) {
    return answer;
  }
  answer.source = Source::native;
  answer.provider = native->package;
  FITMENT_TRY_ASSIGN(answer.features, native->ask(machine));
  return answer;
}

Result<std::vector<NamespaceAnswer>> answer_namespaces(const VariantMetadata& metadata,
                                                       const Machine& machine,
                                                       const TrustPolicy& policy) {
  const bool has_providers = metadata.schema.format() != VariantSchema::Format::pep825;
  std::vector<NamespaceAnswer> answers;
  for (const std::string& space : metadata.namespaces) {
    FITMENT_TRY_ASSIGN(
        NamespaceAnswer answer,
        answer_namespace(space, metadata.find_provider(space), has_providers, machine, policy));
    answers.push_back(std::move(answer));
  }
  return answers;
}

SupportedProperties supported_by(const std::vector<NamespaceAnswer>& answers) {
  SupportedProperties supported;
  for (const NamespaceAnswer& answer : answers) {
    supported.push_back({answer.space, answer.features});
  }
  return supported;
}

std::string describe_answer(const NamespaceAnswer& answer) {
  const bool is_empty = answer.features.empty();
  switch (answer.source) {
    case Source::user:
      return is_empty ? "your list, which is empty" : "your list";
    case Source::publisher:
      return find_native_provider(answer.space) != nullptr
                 ? "the publisher's list: asserted, not detected on this machine"
                 : "the publisher's list";
    case Source::native:
      if (answer.space == kAbiDependency) {
        return fmt::format("what is installed, by {}", answer.provider);
      }
      return fmt::format(
          "built in, as {}{}", answer.provider, is_empty ? ": finds nothing on this machine" : "");
    case Source::disabled:
      return fmt::format("optional and off: `--enable {}` switches it on", answer.space);
    case Source::nobody:
      break;
  }
  const std::string package = answer.provider.empty()
                                  ? std::string("its provider is not known")
                                  : fmt::format("{} is not built in", quote(answer.provider));
  return fmt::format(
      "nobody: {} and is never run; list what you support under [variant.static.{}] in "
      "fitment.toml",
      package,
      answer.space);
}

}  // namespace fitment
