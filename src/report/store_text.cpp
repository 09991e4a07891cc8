// SPDX-License-Identifier: Apache-2.0
#include "report/store_text.h"

#include "base/text.h"
#include "report/human.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace fitment {

namespace {

using Kind = StoreEntry::Kind;

constexpr std::array<Kind, 4> kKinds{Kind::file, Kind::partial, Kind::page, Kind::leftover};

std::vector<StoreEntry> of_kind(const std::vector<StoreEntry>& entries, Kind kind) {
  std::vector<StoreEntry> found;
  std::copy_if(
      entries.begin(), entries.end(), std::back_inserter(found), [kind](const auto& entry) {
        return entry.kind == kind;
      });
  return found;
}

std::string counted(std::size_t count, Kind kind) {
  switch (kind) {
    case Kind::file:
      return human_count(count, "file");
    case Kind::partial:
      return human_count(count, "beginning of a file", "beginnings of files");
    case Kind::page:
      return human_count(count, "page");
    case Kind::leftover:
      return human_count(count, "leftover");
  }
  return {};
}

std::string day_of(const StoreEntry& entry) {
  constexpr std::size_t kDayLength = 10;
  return utc_time(entry.used).substr(0, kDayLength);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::file:
      return "file";
    case Kind::partial:
      return "partial";
    case Kind::page:
      return "page";
    case Kind::leftover:
      return "leftover";
  }
  return "";
}

std::string utc_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                     parts.tm_year + 1900,
                     parts.tm_mon + 1,
                     parts.tm_mday,
                     parts.tm_hour,
                     parts.tm_min,
                     parts.tm_sec);
}

std::uint64_t total_bytes(const std::vector<StoreEntry>& entries) {
  std::uint64_t total = 0;
  for (const StoreEntry& entry : entries) {
    total += entry.size;
  }
  return total;
}

std::string store_text(const std::vector<StoreEntry>& entries, const Theme& theme) {
  std::vector<StoreEntry> sorted = entries;
  std::stable_sort(sorted.begin(), sorted.end(), [](const StoreEntry& a, const StoreEntry& b) {
    return a.size > b.size;
  });
  Table table;
  table.column("size", Table::Align::right).column("last used").column("what");
  for (const StoreEntry& entry : sorted) {
    if (entry.kind == Kind::file) {
      table.row({human_bytes(entry.size), day_of(entry), entry.path.filename().string()});
    }
  }
  for (const Kind kind : {Kind::partial, Kind::page, Kind::leftover}) {
    const std::vector<StoreEntry> some = of_kind(entries, kind);
    if (!some.empty()) {
      const auto latest =
          std::max_element(some.begin(), some.end(), [](const StoreEntry& a, const StoreEntry& b) {
            return a.used < b.used;
          });
      table.row({human_bytes(total_bytes(some)), day_of(*latest), counted(some.size(), kind)});
    }
  }
  return table.render(theme);
}

std::string store_summary(const std::vector<StoreEntry>& entries) {
  std::vector<std::string> parts;
  for (const Kind kind : kKinds) {
    const std::size_t count = of_kind(entries, kind).size();
    if (count > 0) {
      parts.push_back(counted(count, kind));
    }
  }
  return parts.empty()
             ? "nothing"
             : fmt::format("{}: {}", join(parts, ", "), human_bytes(total_bytes(entries)));
}

}  // namespace fitment
