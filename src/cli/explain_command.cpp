// SPDX-License-Identifier: Apache-2.0
// fitment explain [RULE]: what a rule id in an answer means.
#include "base/closest.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/rules.h"
#include "cli/streams.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

struct KindText {
  RuleText::Kind kind;
  std::string_view name;
  std::string_view heading;
  std::string_view what;
};

const std::vector<KindText>& kinds() {
  static const std::vector<KindText> kKinds{
      {RuleText::Kind::rule, "rule", "Rules", "A rule may speak against a build."},
      {RuleText::Kind::warning,
       "warning",
       "Warnings",
       "A warning comes with a choice: it works, and there is something to know."},
      {RuleText::Kind::finding,
       "finding",
       "Findings",
       "A finding is something wrong with a machine or an environment."}};
  return kKinds;
}

std::string_view kind_name(RuleText::Kind kind) {
  for (const KindText& text : kinds()) {
    if (text.kind == kind) {
      return text.name;
    }
  }
  return "";
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const RuleText& rule : all_rules()) {
    ids.emplace_back(rule.id);
  }
  return ids;
}

Result<std::vector<RuleText>> pick_rules(const std::optional<std::string>& id) {
  if (!id) {
    return all_rules();
  }
  for (const RuleText& rule : all_rules()) {
    if (rule.id == *id) {
      return std::vector<RuleText>{rule};
    }
  }
  Error error = fail(ErrorCode::invalid_argument, fmt::format("no rule `{}`", *id));
  if (const auto closest = find_closest(*id, rule_ids())) {
    return std::move(error).hint(fmt::format("did you mean `fitment explain {}`?", *closest));
  }
  return std::move(error).hint("`fitment explain` lists the rules");
}

std::string render_json(const std::vector<RuleText>& rules) {
  Json document{{"schema", "fitment.rules/1"}, {"rules", Json::array()}};
  for (const RuleText& rule : rules) {
    document["rules"].push_back({{"id", std::string(rule.id)},
                                 {"kind", std::string(kind_name(rule.kind))},
                                 {"summary", std::string(rule.summary)},
                                 {"text", std::string(rule.text)}});
  }
  return document.dump(2) + "\n";
}

/// docs/rules.md is this text.
std::string render_markdown(const std::vector<RuleText>& rules) {
  std::string text =
      "# Rules\n\nEvery reason and every warning in an answer names one of these. `fitment explain "
      "RULE` shows the "
      "same text.\nThis page is written by `fitment explain --markdown`.\n";
  for (const KindText& kind : kinds()) {
    std::string section;
    for (const RuleText& rule : rules) {
      if (rule.kind == kind.kind) {
        section += fmt::format("\n### {}\n\n*{}*\n\n{}\n", rule.id, rule.summary, rule.text);
      }
    }
    if (!section.empty()) {
      text += fmt::format("\n## {}\n\n{}\n{}", kind.heading, kind.what, section);
    }
  }
  return text;
}

std::string render_list(const std::vector<RuleText>& rules, const Theme& theme) {
  std::string text;
  for (const KindText& kind : kinds()) {
    Table table;
    table.column("").column("", Table::Align::left, Table::Wrap::words).indent(2);
    for (const RuleText& rule : rules) {
      if (rule.kind == kind.kind) {
        table.row({StyledText(rule.id, Role::literal), StyledText(rule.summary)});
      }
    }
    if (!table.empty()) {
      text += fmt::format("{}{}\n{}",
                          text.empty() ? "" : "\n",
                          paint(fmt::format("{}:", kind.heading), Role::heading, theme),
                          table.render(theme));
    }
  }
  return text;
}

std::string render_one(const RuleText& rule, const Theme& theme) {
  constexpr std::size_t kWidest = 80;
  Theme narrow = theme;
  narrow.width = std::min(theme.width, kWidest);
  return fmt::format("{} ({})\n{}\n{}",
                     paint(rule.id, Role::strong, narrow),
                     kind_name(rule.kind),
                     wrap_paragraphs(rule.summary, narrow.width),
                     wrap_paragraphs(rule.text, narrow.width));
}

Result<int> run_explain(const Invocation& invocation, Streams& streams) {
  if (invocation.json() && invocation.flag("markdown")) {
    return fail(ErrorCode::invalid_argument, "`--json` and `--markdown` exclude each other");
  }
  const std::optional<std::string> id = invocation.find("RULE");
  FITMENT_TRY_ASSIGN(const std::vector<RuleText> rules, pick_rules(id));
  if (invocation.json()) {
    streams.out << render_json(rules);
  } else if (invocation.flag("markdown")) {
    streams.out << render_markdown(rules);
  } else if (id) {
    streams.out << render_one(rules.front(), streams.theme);
  } else {
    streams.out << render_list(rules, streams.theme);
  }
  return kExitDone;
}

}  // namespace

CommandSpec explain_command() {
  return {
      .name = "explain",
      .group = "Understand",
      .summary = "explain a rule or a warning that an answer names",
      .description =
          "Each reason against a build and each warning carries an id. This tells what is compared "
          "with what, why, and what to do. Without an id it lists all of them.",
      .arguments = {{.name = "RULE",
                     .help = "the id in an answer, such as `driver-floor`",
                     .count = ArgumentSpec::Count::optional,
                     .completes = Completes::words,
                     .words = rule_ids}},
      .options = {{.name = "markdown",
                   .help = "write the Markdown of docs/rules.md",
                   .group = "Output"}},
      .examples = {{"fitment explain", "list all rules and warnings"},
                   {"fitment explain driver-floor", "why a driver may be too old for a build"},
                   {"fitment explain --json", "all texts as one document"}},
      .exit_codes = {{kExitUsage, "no rule has this id"}},
      .json = true,
      .handler = run_explain};
}

}  // namespace fitment
