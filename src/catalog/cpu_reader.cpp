// SPDX-License-Identifier: Apache-2.0
#include "catalog/cpu_reader.h"

#include "catalog/source_ids.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// `85`, `0x55`, `16-31`.
std::optional<Range> parse_range(std::string_view text) {
  const auto number = [](std::string_view digits) {
    return digits.starts_with("0x") ? parse_hex(digits) : parse_unsigned(digits);
  };
  const std::size_t dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
  constexpr std::uint64_t kHighest = 0xffff;
  if (!first || !last || *first > *last || *last > kHighest) {
    return {};
  }
  return Range{static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last)};
}

/// `6/85/5-7` (family, models, steppings), `25/0-15`, or the part number of an arm64 core, `0xd0c`.
Result<MicroarchitectureRow::Model> parse_model(std::string_view text) {
  const auto pieces = split(text, '/');
  std::vector<Range> ranges;
  for (const std::string_view piece : pieces) {
    if (const auto range = parse_range(piece)) {
      ranges.push_back(*range);
    }
  }
  constexpr std::size_t kMostPieces = 3;
  if (ranges.size() != pieces.size() || ranges.size() > kMostPieces
      || (ranges.size() > 1 && ranges.front().first != ranges.front().last)) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not a CPU model", text))
        .hint("models look like 6/85/5-7 (family/models/steppings) or 0xd0c (an arm64 part)");
  }
  MicroarchitectureRow::Model model;
  if (ranges.size() > 1) {
    model.family = ranges[0].first;
  }
  const Range& models = ranges[ranges.size() > 1 ? 1 : 0];
  model.first = models.first;
  model.last = models.last;
  if (ranges.size() == kMostPieces) {
    model.stepping_first = ranges[2].first;
    model.stepping_last = ranges[2].last;
  }
  return model;
}

Result<std::string> as_word(std::string_view text) {
  return std::string(text);
}

/// Replaces the nearest parents of each row by all ancestors, nearest first, and completes features
/// with theirs.
void complete(CpuTable& table) {
  const CpuTable nearest = table;
  for (MicroarchitectureRow& row : table.rows) {
    for (std::size_t i = 0; i < row.parents.size(); ++i) {
      const MicroarchitectureRow* parent = nearest.find(row.parents[i]);
      if (parent == nullptr) {
        continue;
      }
      for (const std::string& ancestor : parent->parents) {
        if (ancestor != row.name
            && std::find(row.parents.begin(), row.parents.end(), ancestor) == row.parents.end()) {
          row.parents.push_back(ancestor);
        }
      }
      row.features.insert(row.features.end(), parent->features.begin(), parent->features.end());
    }
    std::sort(row.features.begin(), row.features.end());
    row.features.erase(std::unique(row.features.begin(), row.features.end()), row.features.end());
  }
}

}  // namespace

const MicroarchitectureRow* CpuTable::find(const std::string& name) const {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const MicroarchitectureRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Result<CpuTable> parse_cpu_table(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  TableReader top(document, source, "the CPU table");
  SourceIds ids;
  ids.read_table(top);
  CpuTable table;
  for (const auto& [name, value] : top.members("microarchitecture")) {
    TableReader reader(value, source, fmt::format("the microarchitecture {}", name));
    MicroarchitectureRow& row = table.rows.emplace_back();
    row.name = name;
    reader.require("vendor");
    reader.read("vendor", row.vendor);
    reader.read_words_with("from", as_word, row.parents);
    reader.read_words_with("features", as_word, row.features);
    reader.read_words_with("models", parse_model, row.models);
    std::string row_source;
    reader.require("source");
    ids.read(reader, "source", row_source);
    FITMENT_TRY(reader.finish());
  }
  FITMENT_TRY(top.finish());
  complete(table);
  return table;
}

}  // namespace fitment
