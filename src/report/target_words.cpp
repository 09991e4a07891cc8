// SPDX-License-Identifier: Apache-2.0
#include "report/target_words.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace fitment {

namespace {

/// Real targets first, then what is compiled on the machine.
std::size_t rank_of(std::string_view prefix) {
  constexpr std::array<std::string_view, 4> kOrder{"sm_", "gfx", "compute_", "lto_"};
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), prefix) - kOrder.begin());
}

/// `sm_90a` is `sm_`, 90, `90a`; other words stand whole.
struct TargetWord {
  std::string prefix;
  std::uint64_t number = 0;
  std::string rest;

  friend auto operator<=>(const TargetWord& a, const TargetWord& b) {
    return std::tuple(rank_of(a.prefix), a.prefix, a.number, a.rest)
           <=> std::tuple(rank_of(b.prefix), b.prefix, b.number, b.rest);
  }
  friend bool operator==(const TargetWord&, const TargetWord&) = default;
};

TargetWord take_apart(const std::string& target) {
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (target.starts_with(prefix)) {
      const std::string rest = target.substr(prefix.size());
      const std::size_t digits = std::min(rest.size(), rest.find_first_not_of("0123456789"));
      return {std::string(prefix), parse_unsigned(rest.substr(0, digits)).value_or(0), rest};
    }
  }
  return {target.starts_with("gfx") ? "gfx" : "", 0, target};
}

}  // namespace

std::string target_words(const std::vector<TargetTotal>& targets, const Theme& theme) {
  std::set<TargetWord> words;
  for (const TargetTotal& total : targets) {
    words.insert(take_apart(total.target));
  }
  std::string text;
  const std::string* before = nullptr;
  for (const TargetWord& word : words) {
    const bool is_same = before != nullptr && *before == word.prefix;
    if (before != nullptr) {
      text += is_same ? " " : (theme.unicode ? " \u00b7 " : " | ");
    }
    text += is_same || word.prefix == "gfx" ? word.rest : word.prefix + word.rest;
    before = &word.prefix;
  }
  return text;
}

}  // namespace fitment
