// SPDX-License-Identifier: Apache-2.0
#include "report/plan_text.h"

#include "report/human.h"
#include "report/install_commands.h"
#include "report/machine_text.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kRowsShown = 6;

std::string machine_line(const Plan& plan) {
  std::string text;
  for (const Machine* machine : plan.machines) {
    const std::string name = machine->name.empty() ? "this machine" : machine->name;
    text += fmt::format("{}{} ({})", text.empty() ? "" : " and ", name, gpus_and_driver(*machine));
  }
  return text;
}

std::string build_name(const std::string& version, const std::string& backend) {
  return version + "+" + backend;
}

/// `sm_61 (GTX 1080 Ti), needs code for sm_61; the build has ...`
std::string because(const Reason& reason) {
  return fmt::format("{} is {}, needs {}", reason.fact, reason.found, reason.required);
}

std::string joined_rules(const Candidate& candidate) {
  std::string rules;
  std::set<std::string> seen;
  for (const Reason& reason : candidate.reasons) {
    if (seen.insert(reason.rule).second) {
      rules += (rules.empty() ? "" : ", ") + reason.rule;
    }
  }
  return rules;
}

/// Builds for another vendor's GPUs and those that the request itself leaves out: no reader asks
/// why.
bool is_out_of_question(const Candidate& candidate) {
  return std::any_of(candidate.reasons.begin(), candidate.reasons.end(), [](const Reason& reason) {
    return reason.verdict == Verdict::does_not_fit
           && (reason.rule == "gpu-vendor" || reason.rule == "specifier");
  });
}

/// Where the request itself is in the way of everything: the builds of a version that come nearest
/// to it.
void add_nearest(const PackagePlan& package,
                 const Version& version,
                 std::vector<const Candidate*>& shown) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Candidate& candidate : package.candidates) {
    if (candidate.version == version) {
      fewest = std::min(fewest, candidate.reasons.size());
    }
  }
  for (const Candidate& candidate : package.candidates) {
    if (candidate.version == version && candidate.reasons.size() == fewest) {
      shown.push_back(&candidate);
    }
  }
}

/// The builds a reader would ask about: the other builds of the chosen (or newest) version, then
/// the newest version.
std::vector<const Candidate*> shown_candidates(const PackagePlan& package, bool all) {
  std::vector<const Candidate*> shown;
  const auto is_choice = [&](const Candidate& candidate) {
    return package.choice && candidate.version == package.choice->version
           && candidate.backend.text == package.choice->backend;
  };
  const Version* centre = package.choice ? &package.choice->version : nullptr;
  const Version* newest = nullptr;
  for (const Candidate& candidate : package.candidates) {
    if (newest == nullptr || candidate.version > *newest) {
      newest = &candidate.version;
    }
  }
  for (const Version* version : {centre, newest}) {
    for (const Candidate& candidate : package.candidates) {
      const bool near = version != nullptr && candidate.version == *version;
      const bool wanted = all || (near && !is_out_of_question(candidate));
      if (wanted && !is_choice(candidate)
          && std::find(shown.begin(), shown.end(), &candidate) == shown.end()) {
        shown.push_back(&candidate);
      }
    }
  }
  if (shown.empty() && !package.choice && newest != nullptr) {
    add_nearest(package, *newest, shown);
  }
  if (!all && shown.size() > kRowsShown) {
    shown.resize(kRowsShown);
  }
  return shown;
}

Role verdict_role(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return Role::good;
    case Verdict::unsure:
      return Role::warning;
    case Verdict::does_not_fit:
      return Role::bad;
  }
  return Role::plain;
}

class PlanPrinter {
 public:
  PlanPrinter(const Theme& theme, const PlanTextOptions& options)
      : theme_(theme), options_(options) {}

  std::string print(const Plan& plan) {
    text_.clear();
    for (const PackagePlan& package : plan.packages) {
      answer(package);
    }
    for (const std::string& name : plan.outside) {
      line(StyledText(name).add("  nothing to choose: install it as usual", Role::dim));
    }
    if (plan.packages.empty() && plan.outside.empty()) {
      line(StyledText("nothing to choose: no requirement applies to this machine"));
    }
    text_ += "\n";
    paragraph("for", machine_line(plan));
    std::set<std::string> groups;  // packages of one group share their reasons: told once
    for (const PackagePlan& package : plan.packages) {
      if (groups.insert(package.group).second) {
        details(package);
      }
    }
    if (options_.commands) {
      commands(plan);
    }
    return text_;
  }

 private:
  void line(const StyledText& styled) { text_ += styled.render(theme_) + "\n"; }

  /// `label  words wrapped to the width`.
  void paragraph(std::string_view label, std::string_view words, Role role = Role::plain) {
    constexpr std::size_t kLabel = 9;
    const std::size_t room = theme_.width > kLabel + 20 ? theme_.width - kLabel : 20;
    bool first = true;
    for (const StyledText& piece : wrap(StyledText(words, role), room)) {
      text_ += paint(fmt::format("{:<{}}", first ? label : "", kLabel), Role::dim, theme_)
               + piece.render(theme_) + "\n";
      first = false;
    }
  }

  void answer(const PackagePlan& package) {
    if (!package.choice) {
      const bool unsure =
          !package.candidates.empty() && package.candidates.front().verdict == Verdict::unsure;
      line(StyledText(package.name, Role::strong)
               .add(unsure ? "  nothing is sure to fit" : "  nothing fits",
                    unsure ? Role::warning : Role::bad));
      return;
    }
    const ChosenBuild& choice = *package.choice;
    StyledText styled(choice.name, Role::strong);
    styled.add(" ").add(build_name(to_string(choice.version), choice.backend), Role::good);
    if (package.choice_verdict == Verdict::unsure) {
      styled.add("  unsure", Role::warning);
    }
    if (choice.total_bytes || choice.size_bytes) {
      styled.add(
          fmt::format("  {}{}",
                      human_bytes(choice.total_bytes.value_or(choice.size_bytes.value_or(0))),
                      choice.total_bytes ? " with its libraries" : ""),
          Role::dim);
    }
    line(styled);
  }

  void details(const PackagePlan& package) {
    for (const std::string& sentence : package.why) {
      paragraph("why", sentence);
    }
    for (const Warning& warning : package.warnings) {
      paragraph("warning", fmt::format("{}: {}", warning.id, warning.text), Role::warning);
    }
    const std::vector<const Candidate*> shown = shown_candidates(package, options_.all_candidates);
    if (!shown.empty()) {
      text_ += "\n";
      line(StyledText(fmt::format("{} builds passed over", package.name), Role::heading));
      passed_over(shown);
    }
    if (!package.ways_out.empty()) {
      text_ += "\n";
      line(StyledText("ways out", Role::heading));
      for (const WayOut& way : package.ways_out) {
        way_out(way.text);
      }
    }
    text_ += "\n";
  }

  void way_out(const std::string& words) {
    bool first = true;
    for (const StyledText& piece :
         wrap(StyledText(words), theme_.width > 24 ? theme_.width - 4 : 20)) {
      text_ += (first ? "  - " : "    ") + piece.render(theme_) + "\n";
      first = false;
    }
  }

  void passed_over(const std::vector<const Candidate*>& shown) {
    Table table;
    table.indent(2).column("").column("").column("", Table::Align::left, Table::Wrap::words);
    for (const Candidate* candidate : shown) {
      std::string why = "ranked below the choice";
      if (!candidate->reasons.empty()) {
        why = joined_rules(*candidate) + ": " + because(candidate->reasons.front());
      }
      table.row({build_name(to_string(candidate->version), candidate->backend.text),
                 StyledText(to_string(candidate->verdict), verdict_role(candidate->verdict)),
                 why});
    }
    text_ += table.render(theme_);
  }

  /// Commands are not wrapped: they are copied.
  void command_lines(std::string_view label, const std::vector<std::string>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text_ += paint(fmt::format("  {:<7}", i == 0 ? label : ""), Role::dim, theme_)
               + paint(lines[i], Role::literal, theme_) + "\n";
    }
  }

  void commands(const Plan& plan) {
    const InstallCommands commands = install_commands(plan);
    if (commands.pip.empty()) {
      return;
    }
    line(StyledText("install", Role::heading));
    command_lines("pip", commands.pip);
    command_lines("uv", commands.uv);
    command_lines("conda", commands.conda);
    command_lines("pixi", commands.pixi);
    command_lines("docker", commands.dockerfile);
    if (!commands.tool_uv.empty()) {
      text_ += "\n";
      line(StyledText("pyproject.toml for uv", Role::heading));
      std::size_t start = 0;
      while (start < commands.tool_uv.size()) {
        const std::size_t end = commands.tool_uv.find('\n', start);
        const std::string one = commands.tool_uv.substr(start, end - start);
        text_ += one.empty() ? "\n" : "  " + one + "\n";
        start = end + 1;
      }
    }
  }

  const Theme& theme_;
  const PlanTextOptions& options_;
  std::string text_;
};

}  // namespace

std::string plan_text(const std::vector<Plan>& plans,
                      const Theme& theme,
                      const PlanTextOptions& options) {
  PlanPrinter printer(theme, options);
  std::string text;
  for (const Plan& plan : plans) {
    text += (text.empty() ? "" : "\n") + printer.print(plan);
    while (text.ends_with("\n\n")) {
      text.pop_back();
    }
  }
  return text;
}

}  // namespace fitment
