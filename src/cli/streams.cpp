// SPDX-License-Identifier: Apache-2.0
#include "cli/streams.h"

#include "base/text.h"

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

bool wants_colour(const Environment& environment, bool is_terminal, ColourChoice choice) {
  if (choice != ColourChoice::automatic) {
    return choice == ColourChoice::always;
  }
  // no-color.org: NO_COLOR counts when it is not empty. bixense.com/clicolors: CLICOLOR_FORCE when
  // it is not 0.
  if (!value_of(environment, "NO_COLOR").empty()) {
    return false;
  }
  const std::string forced = value_of(environment, "CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") {
    return true;
  }
  return is_terminal && value_of(environment, "TERM") != "dumb";
}

/// The first of these that is set decides, as in setlocale(3). Nothing set is the C locale.
bool locale_is_utf8(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = to_lower(value_of(environment, name));
    if (!locale.empty()) {
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
  }
  return false;
}

}  // namespace

Theme make_theme(const Environment& environment,
                 const Terminal& terminal,
                 bool is_terminal,
                 ColourChoice choice) {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kNarrowest = 40;
  constexpr std::size_t kWidest = 1000;
  Theme theme;
  theme.colour = wants_colour(environment, is_terminal, choice);
  theme.unicode = locale_is_utf8(environment);
  std::size_t width = is_terminal && terminal.columns > 0 ? terminal.columns : kUsual;
  if (const auto columns = parse_unsigned(value_of(environment, "COLUMNS"));
      columns && *columns > 0) {
    width = static_cast<std::size_t>(std::min<std::uint64_t>(*columns, kWidest));
  }
  theme.width = std::clamp(width, kNarrowest, kWidest);
  return theme;
}

void Streams::warn(std::string_view text) const {
  if (verbosity > -2) {
    err << paint("warning:", Role::warning, err_theme) << ' ' << printable(text) << '\n';
  }
}

void Streams::note(std::string_view text) const {
  if (verbosity > -1) {
    err << printable(text) << '\n';
  }
}

void Streams::detail(std::string_view text) const {
  if (verbosity > 0) {
    err << paint(printable(text), Role::dim, err_theme) << '\n';
  }
}

}  // namespace fitment
