// SPDX-License-Identifier: Apache-2.0
#include "variant/lint.h"

#include "base/files.h"
#include "variant/json_tree.h"
#include "variant/merge.h"
#include "variant/metadata_reader.h"
#include "variant/providers.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace fitment {

namespace {

using Severity = LintFinding::Severity;

constexpr std::size_t kLabelOfOldTools = 16;

class Linter {
 public:
  explicit Linter(std::vector<LintFinding>& findings) : findings_(findings) {}

  void check_package(const FolderPackage& package) {
    if (package.labels().empty()) {
      return;
    }
    std::vector<VariantMetadata> documents;
    for (const FolderWheel& wheel : package.wheels) {
      if (wheel.name.variant_label) {
        check_wheel(wheel, documents);
      }
    }
    std::optional<VariantMetadata> merged;
    if (!documents.empty()) {
      auto result = merge_metadata(documents);
      if (result) {
        merged = std::move(*result);
      } else {
        add(Severity::error,
            std::string(to_string(result.error().kind)),
            package.variants_file,
            "",
            "the wheels do not agree: " + result.error().message,
            "clients ignore all variants of a version whose wheels do not agree");
      }
    }
    check_index(package, merged);
    check_fallbacks(package);
    if (merged) {
      check_claims(package, *merged);
    }
  }

 private:
  void add(Severity severity,
           std::string rule,
           std::string file,
           std::string pointer,
           std::string message,
           std::string hint) {
    findings_.push_back({severity,
                         std::move(rule),
                         std::move(file),
                         std::move(pointer),
                         std::move(message),
                         std::move(hint),
                         {}});
  }

  void add_reading(const MetadataReading& reading, const std::string& file) {
    if (reading.fault) {
      add_metadata(*reading.fault, file);
    }
    for (const MetadataFinding& note : reading.notes) {
      add_metadata(note, file);
    }
  }
  void add_metadata(const MetadataFinding& finding, const std::string& file) {
    add(finding.rule == MetadataRule::schema_newer ? Severity::warning : Severity::error,
        std::string(to_string(finding.rule)),
        file,
        finding.pointer,
        finding.message,
        std::string(hint_of(finding.rule)));
  }

  void check_wheel(const FolderWheel& wheel, std::vector<VariantMetadata>& documents) {
    const std::string& label = *wheel.name.variant_label;
    if (label.size() > kLabelOfOldTools) {
      add(Severity::warning,
          "label-long",
          wheel.file,
          "",
          fmt::format("the label has {} characters", label.size()),
          "tools that follow PEP 817 take 16 at most");
    }
    const auto document = read_wheel_document(wheel);
    if (!document) {
      const bool is_missing = document.error().code() == ErrorCode::not_found;
      add(Severity::error,
          is_missing ? "metadata-missing" : "wheel-unreadable",
          wheel.file,
          "",
          document.error().message(),
          document.error().hints().empty() ? "" : document.error().hints().front());
      return;
    }
    MetadataReading reading =
        examine_metadata(document->text, {.in_wheel = true, .label = label, .labels = {}});
    add_reading(reading, wheel.file);
    if (reading.metadata) {
      documents.push_back(std::move(*reading.metadata));
    }
  }

  void check_index(const FolderPackage& package, const std::optional<VariantMetadata>& merged) {
    if (package.index_file.empty()) {
      add(Severity::error,
          "index-missing",
          package.variants_file,
          "",
          "there are variant wheels, but no file that lists them",
          "`fitment variant index DIR` writes it");
      return;
    }
    const auto text = read_file(package.index_file, kLargestMetadata);
    if (!text) {
      add(Severity::error, "index-missing", package.variants_file, "", text.error().message(), "");
      return;
    }
    MetadataPlace place;
    place.labels = package.labels();
    const MetadataReading reading = examine_metadata(*text, place);
    add_reading(reading, package.variants_file);
    if (reading.metadata && merged) {
      compare(package, *reading.metadata, *merged);
    }
  }

  void compare(const FolderPackage& package,
               const VariantMetadata& index,
               const VariantMetadata& wheels) {
    for (const VariantEntry& entry : wheels.variants) {
      const VariantEntry* listed = index.find_variant(entry.label);
      if (listed != nullptr && !(*listed == entry)) {
        add(Severity::error,
            "index-differs",
            package.variants_file,
            json_pointer_below("/variants", entry.label),
            fmt::format("`{}` has other properties than its wheel", entry.label),
            "`fitment variant index DIR` writes it again");
      }
    }
    if (const auto both = merge_metadata({index, wheels});
        !both && both.error().kind != MergeConflict::Kind::label) {
      add(Severity::error,
          "index-differs",
          package.variants_file,
          "",
          "the file does not agree with the wheels: " + both.error().message,
          "`fitment variant index DIR` writes it again");
    }
    const std::vector<std::string> labels = package.labels();
    for (const VariantEntry& entry : index.variants) {
      if (std::find(labels.begin(), labels.end(), entry.label) == labels.end()) {
        add(Severity::warning,
            "label-without-wheel",
            package.variants_file,
            json_pointer_below("/variants", entry.label),
            fmt::format("no wheel has the label `{}`", entry.label),
            "harmless, but the file is read by every client");
      }
    }
  }

  void check_fallbacks(const FolderPackage& package) {
    const std::vector<std::string> labels = package.labels();
    const bool has_null = std::find(labels.begin(), labels.end(), kNullLabel) != labels.end();
    const bool has_plain =
        std::any_of(package.wheels.begin(), package.wheels.end(), [](const FolderWheel& wheel) {
          return !wheel.name.variant_label;
        });
    if (!has_plain) {
      add(Severity::warning,
          "no-plain-wheel",
          package.variants_file,
          "",
          "clients that know nothing of variants find no wheel of this version",
          "publish one without a label too");
    }
    if (!has_null && !has_plain) {
      add(Severity::warning,
          "no-null-variant",
          package.variants_file,
          "",
          "machines that support none of the variants find no wheel of this version",
          "publish one with the label `null`, or one without a label");
    }
  }

  /// Properties that no machine can have: who publishes them gets no users.
  void check_claims(const FolderPackage& package, const VariantMetadata& metadata) {
    for (const std::string& space : metadata.namespaces) {
      const VariantProvider* named = metadata.find_provider(space);
      if (find_native_provider(space) == nullptr && (named == nullptr || !named->has_static)) {
        add(Severity::warning,
            "provider-unknown",
            package.variants_file,
            "",
            fmt::format("nobody answers for the namespace `{}` without running code", space),
            "clients that run no plugins support nothing of it; give `static-properties` where the "
            "format has them");
      }
    }
    for (const VariantEntry& entry : metadata.variants) {
      for (const VariantFeature& feature : entry.features) {
        check_values(package, entry, feature);
      }
    }
  }

  void check_values(const FolderPackage& package,
                    const VariantEntry& entry,
                    const VariantFeature& feature) {
    const NativeProvider* provider = find_native_provider(feature.space);
    if (provider == nullptr) {
      return;
    }
    for (const std::string& value : feature.values) {
      if (!provider->may_report(feature.name, value)) {
        add(Severity::warning,
            "value-unknown",
            package.variants_file,
            json_pointer_below(
                json_pointer_below(json_pointer_below("/variants", entry.label), feature.space),
                feature.name),
            fmt::format("{} never reports {}",
                        provider->package,
                        quote(to_string(VariantProperty{feature.space, feature.name, value}))),
            "no machine will ever match it: see docs/variants.md for what providers report");
      }
    }
  }

  std::vector<LintFinding>& findings_;
};

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
  }
  return "error";
}

std::vector<LintFinding> lint_folder(const WheelFolder& folder) {
  std::vector<LintFinding> findings;
  for (const MisnamedWheel& wheel : folder.misnamed) {
    findings.push_back({Severity::error,
                        "file-name",
                        wheel.file,
                        "",
                        fmt::format("not the name of a wheel: {}", wheel.fault.why),
                        "wheels are named NAME-VERSION-PYTHON-ABI-PLATFORM[-LABEL].whl",
                        {}});
  }
  for (const std::string& file : folder.index_files_without_wheels) {
    findings.push_back({Severity::warning,
                        "index-without-wheels",
                        file,
                        "",
                        "no wheel of this name and version is here",
                        "names and versions stand in it as in file names of wheels",
                        {}});
  }
  Linter linter(findings);
  for (const FolderPackage& package : folder.packages) {
    linter.check_package(package);
  }
  sort_findings(findings);
  return findings;
}

void sort_findings(std::vector<LintFinding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.severity, a.rule, a.pointer)
           < std::tie(b.file, b.severity, b.rule, b.pointer);
  });
}

}  // namespace fitment
