// SPDX-License-Identifier: Apache-2.0
#include "report/slim_files_table.h"

#include "report/bar.h"
#include "report/human.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace fitment {

namespace {

constexpr std::size_t kShown = 24;
constexpr std::size_t kShownWhole = 8;        // of so few, none is left out
constexpr std::uint64_t kTellingPart = 1000;  // of what is saved: a row for less tells nothing

std::string after_words(const SlimFile& file) {
  const bool has_bytes = file.action == SlimAction::slice || file.action == SlimAction::remove;
  return has_bytes ? human_bytes(file.plan.after_bytes) : std::string(to_string(file.action));
}

std::string_view folder_of(const SlimFile& file) {
  const std::string_view path = file.plan.path;
  return path.substr(0, path.rfind('/') + 1);
}

/// `  and 3 smaller files that change, 240 that stay; ...`
std::string words_about_rest(std::size_t touched, std::size_t same) {
  std::vector<std::string> parts;
  if (touched > 0) {
    parts.push_back(fmt::format(
        "{} that {}", human_count(touched, "smaller file"), touched == 1 ? "changes" : "change"));
  }
  if (same > 0) {
    parts.push_back(
        fmt::format("{} that {}", human_count(same, "file"), same == 1 ? "stays" : "stay"));
  }
  return parts.empty() ? ""
                       : fmt::format("  and {}; `--json` lists them\n", fmt::join(parts, ", "));
}

/// What bars are drawn to.
struct BarScale {
  std::uint64_t most = 1;  ///< bytes of the longest
  std::size_t width = 0;
};

void add_row(Table& table,
             const SlimFile& file,
             const std::string& name,
             const BarScale& bar,
             const Theme& theme) {
  const SlicePlan& plan = file.plan;
  table.row({StyledText(name, Role::strong),
             human_bytes(plan.before_bytes),
             after_words(file),
             saved_share(plan.before_bytes, plan.after_bytes),
             is_touched(file) ? std::string(to_string(plan.risk)) : "",
             kept_bar(plan.before_bytes, plan.after_bytes, bar.most, theme, bar.width)});
}

}  // namespace

bool is_touched(const SlimFile& file) {
  return file.action == SlimAction::slice || file.action == SlimAction::link
         || file.action == SlimAction::remove;
}

std::string slim_files_table(std::vector<const SlimFile*> files,
                             std::size_t others,
                             const Theme& theme) {
  std::stable_sort(files.begin(), files.end(), [](const SlimFile* a, const SlimFile* b) {
    return a->plan.saved_bytes() > b->plan.saved_bytes();
  });
  const bool is_long = files.size() > kShownWhole;
  std::uint64_t all_saved = 0;
  for (const SlimFile* file : files) {
    all_saved += file->plan.saved_bytes();
  }
  std::size_t touched = 0;
  const auto is_small = [&](const SlimFile& file) {
    return is_touched(file) && file.plan.saved_bytes() < all_saved / kTellingPart;
  };
  while (files.size() > kShown || (is_long && is_small(*files.back()))) {
    (is_touched(*files.back()) ? touched : others) += 1;
    files.pop_back();
  }
  const bool is_alone = files.size() == 1 && !is_long;
  BarScale bar;
  std::size_t longest = 0;
  std::map<std::string_view, std::uint64_t> saved;  // of each folder
  for (const SlimFile* file : files) {
    const std::string_view folder = is_alone ? "" : folder_of(*file);
    bar.most = std::max(bar.most, file->plan.before_bytes);
    longest = std::max(longest, file->plan.path.size() - folder.size() + (folder.empty() ? 0 : 2));
    saved[folder_of(*file)] += file->plan.saved_bytes();
  }
  constexpr std::size_t kNumbers = 44;  // the columns behind the name, with the gaps between
  bar.width = bar_beside_table(longest + kNumbers, theme);
  std::stable_sort(files.begin(), files.end(), [&](const SlimFile* a, const SlimFile* b) {
    const auto key = [&](const SlimFile* file) {
      return std::pair(~saved[folder_of(*file)], folder_of(*file));
    };
    return key(a) < key(b);
  });
  Table table;
  table.indent(2)
      .column("file")
      .column("before", Table::Align::right)
      .column("after", Table::Align::right)
      .column("", Table::Align::right)
      .column("risk")
      .column("");
  if (is_alone) {
    add_row(table, *files.front(), files.front()->plan.path, bar, theme);
    return table.render(theme) + words_about_rest(touched, others);
  }
  std::string_view folder;
  for (const SlimFile* file : files) {
    if (folder_of(*file) != folder) {
      folder = folder_of(*file);
      table.span(StyledText(folder));
    }
    const std::string name = file->plan.path.substr(folder.size());
    add_row(table, *file, folder.empty() ? name : "  " + name, bar, theme);
  }
  return table.render(theme) + words_about_rest(touched, others);
}

}  // namespace fitment
