// SPDX-License-Identifier: Apache-2.0
#include "variant/nearest.h"

#include "base/text.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fitment {

namespace {

using Why = DroppedVariant::Why;

/// A value as its numbers and the text around them.
struct ValueShape {
  std::uint64_t number = 0;  ///< all numbers, folded
  std::string around;        ///< digits as `#`
};

ValueShape shape_of(std::string_view value) {
  constexpr std::uint64_t kFold = 1000;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / kFold / 10;
  ValueShape shape;
  for (std::size_t i = 0; i < value.size();) {
    if (!is_digit(value[i])) {
      shape.around += value[i++];
      continue;
    }
    std::uint64_t number = 0;
    for (; i < value.size() && is_digit(value[i]); ++i) {
      number = std::min(number * 10 + static_cast<std::uint64_t>(value[i] - '0'), kFold - 1);
    }
    shape.number = std::min(shape.number, kMost) * kFold + number;
    shape.around += '#';
  }
  return shape;
}

const SupportedFeature* find_feature(const NamespaceAnswer* answer, const std::string& name) {
  if (answer == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(answer->features.begin(),
                                  answer->features.end(),
                                  [&name](const auto& feature) { return feature.name == name; });
  return found == answer->features.end() ? nullptr : &*found;
}

/// `13.0`, or `one of 80_real, 90_real`
std::string alternatives(const std::vector<std::string>& values) {
  constexpr std::size_t kShown = 6;
  if (values.size() == 1) {
    return values.front();
  }
  const std::size_t shown = std::min(values.size(), kShown);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string text = "one of " + join(std::vector<std::string>(values.begin(), end), ", ");
  return values.size() > shown ? fmt::format("{} and {} more", text, values.size() - shown) : text;
}

std::string major_of(std::string_view version) {
  return std::string(version.substr(0, version.find('.')));
}

/// What to do about a value that is not supported, where more is known than the two lists say.
std::string value_hint(const DroppedVariant& dropped, const NearestValue& nearest) {
  if (dropped.space == "nvidia" && dropped.feature == "cuda_version_lower_bound") {
    if (major_of(nearest.wanted) == major_of(nearest.supported)) {
      return fmt::format(
          "the same CUDA major, so it would likely run by minor-version compatibility: `--set "
          "drivers.nvidia.cuda_api={}` takes that on you; a newer driver is the sure way",
          nearest.wanted);
    }
    return fmt::format("install a driver whose CUDA driver API version is {} or newer",
                       nearest.wanted);
  }
  if (dropped.space == "nvidia" && dropped.feature == "sm_arch") {
    const bool has_ptx = std::any_of(dropped.wanted.begin(),
                                     dropped.wanted.end(),
                                     [](const auto& value) { return value.ends_with("_virtual"); });
    return has_ptx ? "PTX of an older major would run here, but the published provider does not "
                     "list it: a list of your own can"
                   : "";
  }
  if (dropped.space == "amd" && dropped.feature == "rocm_version") {
    return "the published provider wants the very same minor version of ROCm";
  }
  return "";
}

DropReason explain_value(const DroppedVariant& dropped, const SupportedFeature* feature) {
  const std::string wants = fmt::format(
      "needs {} :: {} {}", dropped.space, dropped.feature, alternatives(dropped.wanted));
  auto nearest = feature == nullptr ? std::nullopt : nearest_value(dropped.wanted, feature->values);
  if (!nearest) {
    return {wants + ", this machine supports no value", "", std::nullopt};
  }
  const std::string hint = value_hint(dropped, *nearest);
  return {fmt::format("{}; nearest here is {}", wants, nearest->supported), hint, nearest};
}

}  // namespace

std::optional<NearestValue> nearest_value(const std::vector<std::string>& wanted,
                                          const std::vector<std::string>& supported) {
  std::vector<ValueShape> shapes;
  shapes.reserve(supported.size());
  for (const std::string& value : supported) {
    shapes.push_back(shape_of(value));
  }
  std::optional<NearestValue> nearest;
  std::pair<bool, std::uint64_t> least;
  for (const std::string& value : wanted) {
    const ValueShape shape = shape_of(value);
    for (std::size_t i = 0; i < supported.size(); ++i) {
      const std::uint64_t apart =
          std::max(shape.number, shapes[i].number) - std::min(shape.number, shapes[i].number);
      const std::pair distance{shape.around != shapes[i].around, apart};
      if (!nearest || distance < least) {
        least = distance;
        nearest = NearestValue{value, supported[i]};
      }
    }
  }
  return nearest;
}

DropReason explain_drop(const DroppedVariant& dropped,
                        const std::vector<NamespaceAnswer>& answers) {
  const auto found = std::find_if(answers.begin(), answers.end(), [&dropped](const auto& answer) {
    return answer.space == dropped.space;
  });
  const NamespaceAnswer* answer = found == answers.end() ? nullptr : &*found;
  switch (dropped.why) {
    case Why::label_unlisted:
      return {fmt::format("the metadata do not list the label {}", quote(dropped.label)),
              "the index file is older than the wheel: `fitment variant index DIR` writes it again",
              std::nullopt};
    case Why::namespace_unlisted:
      if (dropped.space == kAbiDependency) {
        return {fmt::format("needs the binary interface of {} {}",
                            dropped.feature,
                            alternatives(dropped.wanted)),
                "`--environment DIR` says which packages it would meet",
                std::nullopt};
      }
      return {fmt::format("the metadata use the namespace `{}` without ordering it", dropped.space),
              "its publisher has to add it to `default-priorities.namespace`",
              std::nullopt};
    case Why::namespace_unsupported:
      return {
          fmt::format("needs {} :: {} {}, this machine supports nothing of `{}`",
                      dropped.space,
                      dropped.feature,
                      alternatives(dropped.wanted),
                      dropped.space),
          answer == nullptr ? "" : fmt::format("{}: {}", dropped.space, describe_answer(*answer)),
          std::nullopt};
    case Why::feature_unsupported:
      return {fmt::format("needs {} :: {} {}, this machine does not have the feature",
                          dropped.space,
                          dropped.feature,
                          alternatives(dropped.wanted)),
              "",
              std::nullopt};
    case Why::value_unsupported:
      break;
  }
  return explain_value(dropped, find_feature(answer, dropped.feature));
}

}  // namespace fitment
