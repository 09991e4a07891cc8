// SPDX-License-Identifier: Apache-2.0
#include "report/variant_text.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kRejectedShown = 10;

std::string label_text(const std::optional<std::string>& label) {
  return label.value_or("(no label)");
}

/// `12.8 ... 11 (32 values)`
std::string values_text(const std::vector<std::string>& values) {
  constexpr std::size_t kShown = 8;
  if (values.size() <= kShown) {
    return fmt::format("{}", fmt::join(values, " "));
  }
  return fmt::format("{} ... {} ({} values)", values.front(), values.back(), values.size());
}

bool is_flag(const SupportedFeature& feature) {
  return feature.values.size() == 1 && feature.values.front() == "on";
}

/// Features line by line; those that are only on share one.
std::string features_text(const std::vector<SupportedFeature>& features) {
  std::vector<std::string> lines;
  std::vector<std::string> flags;
  for (const SupportedFeature& feature : features) {
    if (is_flag(feature)) {
      flags.push_back(feature.name);
    } else {
      lines.push_back(feature.name + " " + values_text(feature.values));
    }
  }
  if (!flags.empty()) {
    lines.push_back(fmt::format("{}", fmt::join(flags, " ")));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string properties_text(const std::vector<VariantProperty>& properties) {
  std::vector<std::string> texts;
  texts.reserve(properties.size());
  for (const VariantProperty& property : properties) {
    texts.push_back(fmt::format("{} {}", property.feature, property.value));
  }
  return texts.empty() ? "anywhere" : fmt::format("{}", fmt::join(texts, ", "));
}

std::string order_table(const WheelSelection& selection, bool shows_all, const Theme& theme) {
  const bool has_files = std::any_of(selection.order.begin(),
                                     selection.order.end(),
                                     [](const RankedWheel& wheel) { return !wheel.file.empty(); });
  Table table;
  table.column("", Table::Align::right)
      .column("label")
      .column("by", Table::Align::left, Table::Wrap::words);
  if (has_files) {
    table.column("wheel");
  }
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const RankedWheel& wheel : selection.order) {
    ++number;
    if (!seen.insert(label_text(wheel.label)).second && !shows_all) {
      continue;
    }
    const Role role = number == 1 ? Role::strong : Role::plain;
    table.row({StyledText(fmt::format("{}", number), Role::dim),
               StyledText(label_text(wheel.label), role),
               wheel.label ? properties_text(wheel.properties) : "last",
               StyledText(wheel.file, Role::dim)});
  }
  return table.render(theme);
}

std::string rejected_table(const WheelSelection& selection, bool shows_all, const Theme& theme) {
  Table table;
  table.column("left out").column("why", Table::Align::left, Table::Wrap::words);
  std::set<std::pair<std::string, std::string>> seen;
  std::size_t shown = 0;
  std::size_t hidden = 0;
  std::string last_hint;
  for (const RejectedWheel& wheel : selection.rejected) {
    const std::string name = wheel.label && !shows_all ? *wheel.label : wheel.file;
    const std::string& who = name.empty() ? label_text(wheel.label) : name;
    if (!shows_all && !seen.emplace(who, wheel.rule).second) {
      continue;
    }
    if (!shows_all && shown == kRejectedShown) {
      ++hidden;
      continue;
    }
    ++shown;
    StyledText why(wheel.why.text);
    if (!wheel.why.hint.empty() && wheel.why.hint != last_hint) {
      why.add("\n" + wheel.why.hint, Role::dim);
    }
    last_hint = wheel.why.hint;
    table.row({StyledText(who), why});
  }
  std::string text = table.render(theme);
  if (hidden > 0) {
    text += paint(fmt::format("and {} more; --all shows them", hidden), Role::dim, theme) + "\n";
  }
  return text;
}

std::string package_text(const PackageSelection& package, bool shows_all, const Theme& theme) {
  const WheelSelection& selection = package.selection;
  std::string text =
      paint(fmt::format("{} {}", package.name, package.version), Role::strong, theme) + "  ";
  if (selection.order.empty()) {
    text += paint("nothing fits", Role::bad, theme);
  } else {
    text += paint(label_text(selection.order.front().label), Role::good, theme);
  }
  text += "\n";
  if (!package.unusable.empty()) {
    text += paint("its variant metadata cannot be used: ", Role::warning, theme)
            + printable(package.unusable) + "\n";
  }
  text += "\n";
  if (!selection.order.empty()) {
    text += order_table(selection, shows_all, theme);
  }
  if (!selection.rejected.empty()) {
    text += (selection.order.empty() ? "" : "\n") + rejected_table(selection, shows_all, theme);
  }
  for (const std::vector<std::string>& tie : selection.ties) {
    text +=
        paint(fmt::format("equal but for the label: {}\n", fmt::join(tie, ", ")), Role::dim, theme);
  }
  return text;
}

std::string declared_text(const VariantEntry& entry) {
  std::vector<std::string> lines;
  for (const VariantFeature& feature : entry.features) {
    lines.push_back(
        fmt::format("{} :: {} :: {}", feature.space, feature.name, fmt::join(feature.values, " ")));
  }
  return lines.empty() ? "no properties: fits everywhere"
                       : fmt::format("{}", fmt::join(lines, "\n"));
}

Role role_of(LintFinding::Severity severity) {
  return severity == LintFinding::Severity::error ? Role::bad : Role::warning;
}

}  // namespace

std::string selection_text(const MachineSelection& selection, bool shows_all, const Theme& theme) {
  std::string text =
      selection.machine->name.empty() ? "this machine" : printable(selection.machine->name);
  if (!selection.tags.empty()) {
    text += ": " + printable(selection.tags);
  }
  text += "\n";
  for (const PackageSelection& package : selection.packages) {
    text += "\n" + package_text(package, shows_all, theme);
  }
  return text;
}

std::string answers_text(const std::vector<NamespaceAnswer>& answers,
                         bool shows_values,
                         const Theme& theme) {
  if (shows_values) {
    std::string text;
    for (const NamespaceAnswer& answer : answers) {
      for (const SupportedFeature& feature : answer.features) {
        for (const std::string& value : feature.values) {
          text += to_string(VariantProperty{answer.space, feature.name, value}) + "\n";
        }
      }
    }
    return text;
  }
  Table table;
  table.column("namespace")
      .column("answered by", Table::Align::left, Table::Wrap::words)
      .column("supported here, best first", Table::Align::left, Table::Wrap::words);
  for (const NamespaceAnswer& answer : answers) {
    table.row({StyledText(answer.space, Role::strong),
               describe_answer(answer),
               answer.features.empty() ? StyledText("nothing", Role::dim)
                                       : StyledText(features_text(answer.features))});
  }
  return table.render(theme);
}

std::string metadata_text(const MetadataReading& reading, const Theme& theme) {
  const VariantMetadata& metadata = *reading.metadata;
  std::string text = fmt::format("format {}, {}\n",
                                 to_string(metadata.schema),
                                 human_count(metadata.variants.size(), "label"));
  text +=
      fmt::format("namespaces, most important first: {}\n\n", fmt::join(metadata.namespaces, ", "));
  Table table;
  table.column("label").column("properties", Table::Align::left, Table::Wrap::words);
  for (const VariantEntry& entry : metadata.variants) {
    table.row({StyledText(entry.label, Role::strong), declared_text(entry)});
  }
  text += table.render(theme);
  if (!metadata.providers.empty()) {
    Table providers;
    providers.column("namespace")
        .column("the publisher names", Table::Align::left, Table::Wrap::words);
    for (const VariantProvider& provider : metadata.providers) {
      std::string words = provider.has_static
                              ? features_text(provider.static_properties)
                              : fmt::format("{}", fmt::join(provider.requirements, ", "));
      words += provider.optional ? " (optional)" : "";
      providers.row({StyledText(provider.space, Role::strong), words});
    }
    text += "\n" + providers.render(theme);
  }
  return text;
}

std::string indexes_text(const std::vector<WrittenIndex>& indexes, const Theme& theme) {
  Table table;
  table.column("file").column("labels", Table::Align::left, Table::Wrap::words).column("");
  for (const WrittenIndex& index : indexes) {
    table.row({StyledText(index.file, Role::strong),
               fmt::format("{}", fmt::join(index.labels, " ")),
               StyledText(index.change, Role::dim)});
  }
  return table.render(theme);
}

std::string made_wheel_text(const MadeWheel& wheel, const Theme& theme) {
  std::string text = paint(printable(wheel.file), Role::strong, theme) + " "
                     + paint(wheel.change, Role::dim, theme) + "\n";
  Table table;
  table.column("").column("", Table::Align::left, Table::Wrap::words).indent(2);
  table.row({StyledText("label"), wheel.variant ? wheel.variant->label : "none: a plain wheel"});
  if (wheel.variant) {
    table.row({StyledText("properties"), declared_text(*wheel.variant)});
  }
  table.row({StyledText("size"), human_bytes(wheel.bytes)});
  table.row({StyledText("sha256"), wheel.sha256});
  return text + table.render(theme);
}

std::string checked_wheels_text(const std::vector<CheckedWheel>& wheels, const Theme& theme) {
  Table table;
  table.column("wheel")
      .column("size", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("GPU code", Table::Align::left, Table::Wrap::words)
      .column("built for");
  for (const CheckedWheel& wheel : wheels) {
    std::string code;
    for (const TargetTotal& total : wheel.gpu_code) {
      code += fmt::format("{}{} {}",
                          code.empty() ? "" : ", ",
                          total.target,
                          total.stored_bytes ? human_bytes(*total.stored_bytes) : "?");
    }
    table.row({StyledText(wheel.file, Role::strong),
               wheel.bytes == 0 ? "" : human_bytes(wheel.bytes),
               human_bytes(wheel.unpacked_bytes),
               code,
               wheel.cpu_level});
  }
  return table.render(theme);
}

std::string lint_text(const std::vector<LintFinding>& findings, const Theme& theme) {
  std::string text;
  std::string file;
  for (const LintFinding& finding : findings) {
    if (finding.file != file) {
      file = finding.file;
      text += (text.empty() ? "" : "\n") + paint(printable(file), Role::strong, theme) + "\n";
    }
    StyledText line;
    line.add(to_string(finding.severity), role_of(finding.severity))
        .add(fmt::format(" {}: {}", finding.rule, finding.message));
    if (!finding.pointer.empty()) {
      line.add(fmt::format(" (at {})", finding.pointer), Role::dim);
    }
    Table table;
    table.column("", Table::Align::left, Table::Wrap::words).indent(2);
    table.row({line});
    for (const LintEvidence& one : finding.evidence) {
      table.row({fmt::format("  {}: {} ({})", one.member, one.found, human_bytes(one.bytes))});
    }
    if (!finding.hint.empty()) {
      table.row({StyledText("  hint: " + finding.hint, Role::dim)});
    }
    text += table.render(theme);
  }
  return text;
}

std::string conformance_text(const ConformanceResult& result, const Theme& theme) {
  std::string text;
  for (const ConformanceFailure& failure : result.failures) {
    text += paint(printable(failure.name), Role::bad, theme)
            + fmt::format("\n  expected {}\n  actual   {}\n",
                          printable(failure.expected),
                          printable(failure.actual));
  }
  return text
         + fmt::format(
             "{}: {} passed, {} failed\n", result.kind, result.passed, result.failures.size());
}

}  // namespace fitment
