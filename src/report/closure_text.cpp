// SPDX-License-Identifier: Apache-2.0
#include "report/closure_text.h"

#include "elf/system_libraries.h"
#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"
#include "report/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kPlacesShown = 6;

/// The tree of one closure; an object is opened where it stands first.
class ClosureTree {
 public:
  ClosureTree(const Closure& closure, bool full) : closure_(closure), full_(full) {}

  TreeNode root(const AuditedFile& file, std::size_t object) {
    TreeNode node{StyledText(file.wheel.empty() ? file.path : file.member, Role::strong), {}};
    seen_.insert(object);
    add_needs(object, node, 0);
    return node;
  }

 private:
  void add_needs(std::size_t object, TreeNode& node, std::size_t depth) {
    for (const ClosureEdge& edge : closure_.objects[object].needed) {
      if (!edge.object) {
        node.children.push_back(edge.is_preloaded ? preloaded(edge.name)
                                                  : missing(edge.name, object));
      } else if (full_ || !is_runtime_library(edge.name)) {
        node.children.push_back(found(edge, object, depth));
      }
    }
  }

  /// A library is opened under the object that made the loader load it.
  TreeNode found(const ClosureEdge& edge, std::size_t by, std::size_t depth) {
    const ClosureObject& object = closure_.objects[*edge.object];
    TreeNode node{StyledText(edge.name), {}};
    if (object.loaded_by != by || !seen_.insert(*edge.object).second) {
      const std::string loader =
          object.loaded_by ? closure_.objects[*object.loaded_by].name() : "the program";
      node.label.add(fmt::format(" (for {})", loader), Role::dim);
      return node;
    }
    const std::filesystem::path path = std::filesystem::path(object.path).lexically_normal();
    const bool same_name = path.filename() == edge.name;
    node.label.add(" " + (same_name ? path.parent_path() : path).string(), Role::dim);
    std::string how = object.how;
    const std::string of_parent = fmt::format(" of `{}`", closure_.objects[by].name());
    if (how.ends_with(of_parent)) {
      how.resize(how.size() - of_parent.size());
    }
    node.label.add(fmt::format(" [{}]", how), Role::dim);
    if (depth < kDeepest && (full_ || !is_runtime_library(edge.name))) {
      add_needs(*edge.object, node, depth + 1);
    }
    return node;
  }

  static TreeNode preloaded(const std::string& name) {
    TreeNode node{StyledText(name), {}};
    node.label.add(" loaded already", Role::dim);
    return node;
  }

  [[nodiscard]] TreeNode missing(const std::string& name, std::size_t by) const {
    if (comes_with_driver(name)) {
      TreeNode node{StyledText(name, Role::warning), {}};
      node.label.add(" not here; the GPU's driver brings it", Role::warning);
      return node;
    }
    TreeNode node{StyledText(name, Role::bad), {}};
    node.label.add(" not found", Role::bad);
    const auto entry = std::find_if(
        closure_.missing.begin(), closure_.missing.end(), [&](const MissingLibrary& library) {
          return library.name == name && library.needed_by == by;
        });
    if (entry == closure_.missing.end()) {
      return node;
    }
    for (const RejectedFile& file : entry->rejected) {
      node.children.push_back(
          {StyledText(fmt::format("{}: {}", file.path, file.why), Role::warning), {}});
    }
    for (std::size_t i = 0; i < std::min(kPlacesShown, entry->searched.size()); ++i) {
      node.children.push_back({StyledText("not in " + entry->searched[i].text, Role::dim), {}});
    }
    if (entry->searched.size() > kPlacesShown) {
      node.children.push_back(
          {StyledText(fmt::format("nor in {} more", entry->searched.size() - kPlacesShown),
                      Role::dim),
           {}});
    }
    return node;
  }

  const Closure& closure_;
  bool full_;
  std::set<std::size_t> seen_;
};

std::string file_tree(const AuditedFile& file,
                      const Closure& closure,
                      bool full,
                      const Theme& theme) {
  if (closure.entry_objects.empty() || !closure.entry_objects.front()) {
    std::string text = paint(printable(file.path), Role::strong, theme) + "\n";
    for (const FailedEntry& failed : closure.failed) {
      text += "  " + paint("not loaded: " + printable(failed.why), Role::bad, theme) + "\n";
    }
    return text;
  }
  return render_tree(ClosureTree(closure, full).root(file, *closure.entry_objects.front()), theme);
}

std::string missing_table(const AuditReport& report, const Theme& theme) {
  struct Missing {
    std::size_t files = 0;
    std::string example;
  };
  std::map<std::string, Missing> missing;
  for (const Closure& closure : report.closures) {
    for (const MissingLibrary& library : closure.missing) {
      Missing& entry = missing[library.name];
      if (entry.files++ == 0) {
        entry.example = closure.objects[library.needed_by].path;
      }
    }
  }
  if (missing.empty()) {
    return paint("every library is found", Role::good, theme) + "\n";
  }
  Table table;
  table.column("missing").column("times", Table::Align::right).column("needed by");
  for (const auto& [name, entry] : missing) {
    const bool is_driver = comes_with_driver(name);
    table.row({StyledText(name, is_driver ? Role::warning : Role::bad),
               std::to_string(entry.files),
               entry.example + (is_driver ? " (the GPU's driver brings it)" : "")});
  }
  return table.render(theme);
}

}  // namespace

std::string closures_text(const AuditReport& report, bool full, const Theme& theme) {
  std::string text;
  std::string wheel;
  for (std::size_t i = 0; i < report.closures.size(); ++i) {
    const AuditedFile& file = report.audit.files[i];
    if (report.closures[i].entries.empty()) {
      continue;
    }
    text += text.empty() ? "" : "\n";
    if (!file.wheel.empty() && file.wheel != wheel) {
      text += paint(printable(file.wheel), Role::strong, theme) + "\n";
    }
    wheel = file.wheel;
    text += file_tree(file, report.closures[i], full, theme);
  }
  return text.empty() ? "no program or library\n" : text + "\n" + missing_table(report, theme);
}

}  // namespace fitment
