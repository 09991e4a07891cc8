// SPDX-License-Identifier: Apache-2.0
#include "variant/select.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace fitment {

namespace {

struct Installable {
  WheelFilename name;
  std::string file;
  std::size_t rank = 0;
};

/// Best tag, then higher build number, then file name.
bool is_better(const Installable& a, const Installable& b) {
  return std::tie(a.rank, b.name.build, a.file) < std::tie(b.rank, a.name.build, b.file);
}

RejectedWheel rejected(std::string file,
                       std::optional<std::string> label,
                       std::string rule,
                       std::string text,
                       std::string hint) {
  return {std::move(file),
          std::move(label),
          std::move(rule),
          {},
          {},
          {},
          {std::move(text), std::move(hint), std::nullopt}};
}

/// `built for cp313; this is CPython 3.12 on linux x86_64 with glibc 2.35`
std::string tag_text(std::string_view rule, const WheelFilename& wheel, const TagIndex& tags) {
  const std::vector<std::string>& set = rule == "python-tag" ? wheel.python_tags
                                        : rule == "abi-tag"  ? wheel.abi_tags
                                                             : wheel.platform_tags;
  return fmt::format("built for {}; this is {}", join(set, " or "), tags.description());
}

/// By label, with wheels that are no variants last; nothing of it is ordered yet.
using Groups = std::map<std::string, std::vector<Installable>>;

struct Parts {
  Groups variants;
  std::vector<Installable> plain;
};

Parts split_files(const SelectRequest& request, const TagIndex& tags, WheelSelection& selection) {
  Parts parts;
  for (const std::string& file : request.files) {
    auto name = read_wheel_filename(file);
    if (!name) {
      selection.rejected.push_back(
          rejected(file,
                   std::nullopt,
                   "file-name",
                   "not the name of a wheel: " + std::move(name.error().why),
                   ""));
      continue;
    }
    const auto rank = tags.rank(*name);
    if (!rank) {
      const std::string_view rule = tags.reason(*name);
      selection.rejected.push_back(
          rejected(file, name->variant_label, std::string(rule), tag_text(rule, *name, tags), ""));
      continue;
    }
    std::vector<Installable>& group =
        name->variant_label ? parts.variants[*name->variant_label] : parts.plain;
    group.push_back({std::move(*name), file, *rank});
  }
  return parts;
}

void reject_without_metadata(const SelectRequest& request,
                             const Groups& groups,
                             WheelSelection& selection) {
  for (const auto& [label, wheels] : groups) {
    for (const Installable& wheel : wheels) {
      selection.rejected.push_back(
          request.is_unusable
              ? rejected(wheel.file,
                         label,
                         "variant-metadata-unusable",
                         "the variant metadata of this version cannot be used",
                         "`fitment variant inspect FILE` says why")
              : rejected(wheel.file,
                         label,
                         "variant-metadata-missing",
                         "there are no variant metadata for this version",
                         "give the file NAME-VERSION-variants.json beside the wheels"));
    }
  }
}

/// Reasons in words. Many labels fail for the same one, and the nearest value takes a while to
/// find.
class Explainer {
 public:
  explicit Explainer(const std::vector<NamespaceAnswer>& answers) : answers_(answers) {}

  RejectedWheel explain(const DroppedVariant& dropped, std::string file) {
    return {std::move(file),
            dropped.label,
            fmt::format("variant-{}", to_string(dropped.why)),
            dropped.space,
            dropped.feature,
            dropped.wanted,
            reason(dropped)};
  }

 private:
  DropReason reason(const DroppedVariant& dropped) {
    if (dropped.why != DroppedVariant::Why::value_unsupported) {
      return explain_drop(dropped, answers_);
    }
    const auto [found, is_new] =
        known_.try_emplace({dropped.space, dropped.feature, dropped.wanted});
    if (is_new) {
      found->second = explain_drop(dropped, answers_);
    }
    return found->second;
  }

  const std::vector<NamespaceAnswer>& answers_;
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, DropReason> known_;
};

void rank_group(std::vector<Installable> wheels,
                const std::vector<VariantProperty>& properties,
                WheelSelection& selection) {
  std::sort(wheels.begin(), wheels.end(), is_better);
  for (Installable& wheel : wheels) {
    selection.order.push_back(
        {std::move(wheel.file), std::move(wheel.name.variant_label), properties});
  }
}

}  // namespace

std::string_view kind_of(const WheelSelection& selection) {
  if (selection.order.empty()) {
    return "";
  }
  const auto& label = selection.order.front().label;
  if (!label) {
    return "non-variant";
  }
  return *label == kNullLabel ? "null" : "variant";
}

WheelSelection select_wheels(const SelectRequest& request, const TagIndex& tags) {
  WheelSelection selection;
  Parts parts = split_files(request, tags, selection);
  if (request.metadata == nullptr) {
    reject_without_metadata(request, parts.variants, selection);
  } else {
    std::vector<std::string> labels;
    for (const auto& [label, wheels] : parts.variants) {
      labels.push_back(label);
    }
    VariantOrder order = order_variants(*request.metadata, supported_by(request.answers), labels);
    Explainer explainer(request.answers);
    for (const DroppedVariant& dropped : order.dropped) {
      for (const Installable& wheel : parts.variants.at(dropped.label)) {
        selection.rejected.push_back(explainer.explain(dropped, wheel.file));
      }
    }
    for (const EligibleVariant& variant : order.eligible) {
      rank_group(std::move(parts.variants[variant.label]), variant.properties, selection);
    }
    selection.ties = std::move(order.ties);
  }
  rank_group(std::move(parts.plain), {}, selection);
  std::stable_sort(selection.rejected.begin(),
                   selection.rejected.end(),
                   [](const auto& a, const auto& b) { return a.file < b.file; });
  return selection;
}

WheelSelection select_labels(const VariantMetadata& metadata,
                             const std::vector<NamespaceAnswer>& answers) {
  std::vector<std::string> labels;
  for (const VariantEntry& entry : metadata.variants) {
    labels.push_back(entry.label);
  }
  VariantOrder order = order_variants(metadata, supported_by(answers), labels);
  WheelSelection selection;
  for (EligibleVariant& variant : order.eligible) {
    selection.order.push_back({"", std::move(variant.label), std::move(variant.properties)});
  }
  Explainer explainer(answers);
  for (const DroppedVariant& dropped : order.dropped) {
    selection.rejected.push_back(explainer.explain(dropped, ""));
  }
  selection.ties = std::move(order.ties);
  return selection;
}

}  // namespace fitment
