// SPDX-License-Identifier: Apache-2.0
#include "report/index_pages.h"

#include "base/html.h"
#include "base/text.h"
#include "report/human.h"
#include "report/index_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fitment {

namespace {

std::string tag(std::string_view name, std::string_view kind, std::string_view text) {
  return fmt::format("<{0} class=\"{1}\">{2}</{0}>", name, kind, escape_html(text));
}

std::string badge(std::string_view kind, std::string_view text) {
  return tag("span", "badge " + std::string(kind), text);
}

std::string page(std::string_view title, std::string_view header, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>{}</title><style>{}</style></head>"
      "<body><header>{}</header>\n<main>{}</main>\n<footer>served by fitment</footer></body>"
      "</html>\n",
      escape_html(title),
      kIndexStyle,
      header,
      body);
}

std::string gpu_text(const Gpu& gpu) {
  const std::string target = gpu.target ? to_string(*gpu.target) : "target unknown";
  return gpu.name ? fmt::format("{} ({})", *gpu.name, target) : target;
}

/// The facts that choices rest on, one a badge.
std::string machine_facts(const Machine& machine) {
  std::vector<std::string> facts;
  if (!machine.gpus) {
    facts.emplace_back("GPUs unknown");
  } else if (machine.gpus->empty()) {
    facts.emplace_back("no GPU");
  } else {
    std::vector<std::pair<std::string, std::size_t>> kinds;
    for (const Gpu& gpu : *machine.gpus) {
      const std::string text = gpu_text(gpu);
      const auto known = std::find_if(
          kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == text; });
      if (known == kinds.end()) {
        kinds.emplace_back(text, 1);
      } else {
        ++known->second;
      }
    }
    for (const auto& [text, count] : kinds) {
      facts.push_back(count == 1 ? text : fmt::format("{} × {}", count, text));
    }
  }
  if (machine.drivers.nvidia.is_present()) {
    const NvidiaDriver& driver = machine.drivers.nvidia.driver;
    if (driver.version) {
      facts.push_back("NVIDIA driver " + to_string(*driver.version));
    }
    if (driver.cuda_api) {
      facts.push_back("CUDA driver API " + to_string(*driver.cuda_api));
    }
  }
  if (machine.cpu.level || machine.system.arch) {
    facts.push_back(machine.cpu.level ? *machine.cpu.level : *machine.system.arch);
  }
  if (machine.system.libc) {
    facts.push_back(
        fmt::format("{} {}", machine.system.libc->family, to_string(machine.system.libc->version)));
  }
  if (machine.python.version) {
    facts.push_back("Python " + *machine.python.version);
  }
  std::string html;
  for (const std::string& fact : facts) {
    html += badge("fact", fact);
  }
  return "<p class=\"facts\">" + html + "</p>";
}

std::string machine_name(const Machine& machine) {
  return machine.name.empty() ? "this machine" : machine.name;
}

/// Texts mark literals with backticks.
std::string prose_html(std::string_view text) {
  std::string html;
  bool is_code = false;
  for (const char c : escape_html(text)) {
    if (c == '`') {
      html += is_code ? "</code>" : "<code>";
      is_code = !is_code;
    } else {
      html += c;
    }
  }
  return is_code ? html + "</code>" : html;
}

/// `drivers.nvidia.cuda_api is 12.8, needed is >= 13.0`
std::string reason_html(const Reason& reason) {
  std::string text = fmt::format("<code>{}</code> ", escape_html(reason.rule));
  if (reason.rule == "other-build" || reason.rule == "other-variant") {
    return text + fmt::format("fits, but {} suits the machine better", prose_html(reason.required));
  }
  if (reason.required.empty()) {
    text += prose_html(reason.found);
  } else {
    text += fmt::format("{} is <b>{}</b>, needed is <b>{}</b>",
                        escape_html(reason.fact),
                        escape_html(reason.found),
                        prose_html(reason.required));
  }
  if (!reason.hint.empty()) {
    text += fmt::format(" <span class=\"hint\">{}</span>", prose_html(reason.hint));
  }
  return text;
}

constexpr std::string_view kSource = "source";

/// Files of one version that share their fate and its reasons.
struct FateGroup {
  std::string kind;                 ///< `yes`, `pin`, `no`
  std::vector<std::string> labels;  ///< backends or variants, each once
  std::string reasons;              ///< as they stand on the page
  std::vector<std::string> files;
};

using VersionGroups = std::map<Version, std::vector<FateGroup>, std::greater<>>;

std::string label_of(const IndexedFile& file, const std::string& backend) {
  if (!backend.empty()) {
    return backend;
  }
  if (file.wheel && file.wheel->variant_label) {
    return *file.wheel->variant_label;
  }
  if (!file.version.local().empty()) {
    return file.version.local();
  }
  return file.kind == IndexedFile::Kind::sdist ? std::string(kSource) : "";
}

class GroupCollector {
 public:
  void add(const IndexedFile& file, FateGroup group, const std::string& label, std::string name) {
    std::vector<FateGroup>& groups = groups_[file.version.without_local()];
    const auto has_label = [&label](const FateGroup& other) {
      return std::find(other.labels.begin(), other.labels.end(), label) != other.labels.end();
    };
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const FateGroup& other) {
      return other.kind == group.kind && other.reasons == group.reasons
             && (group.kind != "yes" || has_label(other));
    });
    FateGroup& target = known == groups.end() ? groups.emplace_back(std::move(group)) : *known;
    if (!has_label(target)) {
      target.labels.push_back(label);
    }
    target.files.push_back(std::move(name));
  }

  VersionGroups take() {
    for (auto& [version, groups] : groups_) {
      std::stable_sort(groups.begin(), groups.end(), [](const FateGroup& a, const FateGroup& b) {
        return rank(a) < rank(b);
      });
    }
    return std::move(groups_);
  }

 private:
  static int rank(const FateGroup& group) {
    if (group.kind == "yes") {
      return group.labels.front() == kSource ? 1 : 0;
    }
    return group.kind == "pin" ? 2 : 3;
  }
  VersionGroups groups_;
};

VersionGroups group_files(const Listing& listing) {
  GroupCollector collector;
  std::vector<std::string> texts;
  texts.reserve(listing.view->reasons.size());
  for (const Reason& reason : listing.view->reasons) {
    texts.push_back("<p>" + reason_html(reason) + "</p>");
  }
  const auto reasons_html = [&texts](const std::vector<std::size_t>& reasons) {
    std::string html;
    for (const std::size_t reason : reasons) {
      html += texts[reason];
    }
    return html;
  };
  for (const ListedFile& listed : listing.files) {
    const ShownFile& shown = *listed.shown;
    std::string name = shown.filename;
    if (name != listed.origin->file.filename) {
      name += "  ←  " + listed.origin->file.filename;
    }
    if (shown.yanked && !shown.is_pin_only) {
      name += "  (yanked: " + *shown.yanked + ")";
    }
    collector.add(*listed.origin,
                  {shown.is_pin_only ? "pin" : "yes", {}, reasons_html(shown.reasons), {}},
                  label_of(*listed.origin, shown.backend),
                  std::move(name));
  }
  for (const HiddenFile& hidden : listing.view->hidden) {
    const IndexedFile& file = listing.project->files[hidden.file];
    collector.add(
        file, {"no", {}, reasons_html(hidden.reasons), {}}, label_of(file, ""), file.file.filename);
  }
  return collector.take();
}

std::string fate_text(const FateGroup& group) {
  if (group.kind == "yes") {
    return badge("yes", "offered");
  }
  return group.kind == "pin" ? badge("pin", "by exact label") : badge("no", "left out");
}

/// Why files are offered that nothing speaks against.
std::string_view offer_text(const FateGroup& group) {
  const std::string& label = group.labels.front();
  if (label.empty()) {
    return "any machine of this platform gets it";
  }
  return label == kSource ? "built by the installer where no wheel suits its Python"
                          : "what this machine gets";
}

std::string files_html(const std::vector<std::string>& files) {
  constexpr std::size_t kFew = 3;
  std::string list;
  for (const std::string& file : files) {
    list += fmt::format("<li>{}</li>", escape_html(file));
  }
  list = "<ul>" + list + "</ul>";
  return files.size() <= kFew ? list
                              : fmt::format("<details><summary>{}</summary>{}</details>",
                                            human_count(files.size(), "file"),
                                            list);
}

const VersionChoice* find_choice(const ProjectView& view, const std::string& version) {
  const auto found =
      std::find_if(view.choices.begin(), view.choices.end(), [&](const VersionChoice& choice) {
        return choice.version == version;
      });
  return found == view.choices.end() ? nullptr : &*found;
}

std::string version_html(const Listing& listing,
                         const Version& version,
                         const std::vector<FateGroup>& groups,
                         bool is_open) {
  const std::string text = to_string(version);
  const VersionChoice* choice = find_choice(*listing.view, text);
  const bool is_offered = groups.front().kind == "yes";
  std::string summary = tag("span", "version", text);
  if (choice != nullptr && !choice->chosen.empty()) {
    summary += badge("yes", choice->chosen);
  } else {
    summary += is_offered ? badge("yes", "offered") : badge("no", "nothing fits");
  }
  std::string rows;
  if (choice != nullptr) {
    for (const Warning& warning : choice->warnings) {
      rows += fmt::format("<p class=\"note\"><code>{}</code> {}</p>",
                          escape_html(warning.id),
                          escape_html(warning.text));
    }
    if (!choice->note.empty()) {
      rows += tag("p", "note", choice->note);
    }
  }
  rows += "<table><thead><tr><th></th><th>build</th><th>why</th><th>files</th></tr></thead><tbody>";
  for (const FateGroup& group : groups) {
    rows += fmt::format(
        "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        group.kind,
        fate_text(group),
        escape_html(join(group.labels, " ")),
        group.reasons.empty() ? fmt::format("<p>{}</p>", offer_text(group)) : group.reasons,
        files_html(group.files));
  }
  rows += "</tbody></table>";
  return fmt::format("<details class=\"release\"{}><summary>{}</summary>{}</details>\n",
                     is_open ? " open" : "",
                     summary,
                     rows);
}

std::string counts_html(const Listing& listing) {
  const auto pins = std::count_if(listing.files.begin(), listing.files.end(), [](const auto& file) {
    return file.shown->is_pin_only;
  });
  return fmt::format("<p>{} offered, {}{} left out, from the index <b>{}</b>.</p>\n",
                     human_count(listing.files.size() - static_cast<std::size_t>(pins), "file"),
                     pins == 0 ? "" : fmt::format("{} more by their exact label, ", pins),
                     listing.view->hidden.size(),
                     escape_html(listing.project->index));
}

class IndexPages final : public HumanPages {
 public:
  [[nodiscard]] std::string project_page(const Listing& listing,
                                         const ViewContext& context) const override {
    const Machine& machine = context.machine();
    const std::string& name = listing.project->name;
    const VersionGroups versions = group_files(listing);
    const auto best = std::find_if(versions.begin(), versions.end(), [](const auto& version) {
      return version.second.front().kind == "yes";
    });
    std::string body = "<p class=\"answer no\">No file of this project fits this machine.</p>";
    if (best != versions.end()) {
      const VersionChoice* choice = find_choice(*listing.view, to_string(best->first));
      body = fmt::format(
          "<p class=\"answer\"><b>{} {}</b>{} is the newest version that fits.</p>",
          escape_html(name),
          escape_html(to_string(best->first)),
          choice == nullptr || choice->chosen.empty() ? "" : " " + badge("yes", choice->chosen));
    }
    body += counts_html(listing);
    std::size_t index = 0;
    for (const auto& [version, groups] : versions) {
      const bool is_best = best != versions.end() && version == best->first;
      body += version_html(listing, version, groups, is_best || index == 0);
      ++index;
    }
    const std::string header = fmt::format(
        "<p class=\"crumbs\"><a href=\"../../\">index</a></p><h1>{}</h1><p>as {} "
        "sees it</p>{}",
        escape_html(name),
        escape_html(machine_name(machine)),
        machine_facts(machine));
    return page(name + " for " + machine_name(machine), header, body);
  }

  [[nodiscard]] std::string home_page(const Home& home) const override {
    const Machine& machine = home.machine->machine();
    const std::string header = fmt::format("<h1>{}</h1><p>an index that shows what fits</p>{}",
                                           escape_html(machine_name(machine)),
                                           machine_facts(machine));
    const std::string address = home.address + home.where + "simple/";
    const bool is_torch_here =
        home.names.empty()
        || std::find(home.names.begin(), home.names.end(), "torch") != home.names.end();
    std::string body = fmt::format(
        "<section><h2>Use it</h2><pre>pip install --index-url {0} {1}\n"
        "uv pip install --default-index {0} {1}</pre></section>\n",
        escape_html(address),
        escape_html(is_torch_here ? "torch" : home.names.front()));
    if (!home.machines.empty()) {
      const std::string up = home.where.empty() ? "" : "../../";
      body += "<section><h2>Machines</h2><p class=\"links\">";
      for (const std::string& name : home.machines) {
        body += name == machine.name
                    ? tag("b", "here", name)
                    : fmt::format("<a href=\"{0}m/{1}/\">{1}</a>", up, escape_html(name));
      }
      body += "</p></section>\n";
    }
    body +=
        "<section><h2>Where names come from</h2><table><thead><tr><th>index</th><th>names</th>"
        "</tr></thead><tbody>";
    for (const IndexRoute& route : home.routes->indexes) {
      std::vector<std::string> names;
      for (const NamePattern& pattern : route.names) {
        names.push_back(pattern.is_exact()
                            ? fmt::format("<a href=\"simple/{0}/\">{0}</a>", pattern.text())
                            : fmt::format("<code>{}</code>", pattern.text()));
      }
      body += fmt::format(
          "<tr><td><b>{}</b></td><td>{}</td></tr>", escape_html(route.name), join(names, " "));
    }
    body += "</tbody></table></section>\n<section><h2>Projects</h2><p class=\"links\">";
    for (const std::string& name : home.names) {
      body += fmt::format("<a href=\"simple/{0}/\">{0}</a>", escape_html(name));
    }
    return page("fitment index", header, body + "</p></section>");
  }
};

}  // namespace

std::shared_ptr<const HumanPages> make_index_pages() {
  return std::make_shared<const IndexPages>();
}

}  // namespace fitment
