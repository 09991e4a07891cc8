// SPDX-License-Identifier: Apache-2.0
// All that a handler may use of the process it runs in. Handlers never print, ask the environment
// or look at the terminal by other means, so that they can be tested as functions.
#pragma once

#include "cli/environment.h"
#include "report/terminal.h"

#include <iosfwd>
#include <string_view>

namespace fitment {

struct Streams {
  std::ostream& out;  ///< the answer
  std::ostream& err;  ///< talk
  Theme theme;        ///< of `out`
  Theme err_theme;
  Environment environment;
  int verbosity = 0;      ///< -2 (errors only) to 2
  bool progress = false;  ///< bars may be drawn on `err`

  /// `warning: ...` on `err`; silent with -qq.
  void warn(std::string_view text) const;
  /// A line of talk on `err`; silent with -q.
  void note(std::string_view text) const;
  /// A line on `err` that only -v shows.
  void detail(std::string_view text) const;
};

/// What the process was started with, besides its arguments.
struct Terminal {
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::size_t columns = 0;  ///< of the terminal; 0 when there is none
};

enum class ColourChoice {
  automatic,  ///< on a terminal, unless NO_COLOR is set or TERM is dumb; CLICOLOR_FORCE asks for it
              ///< everywhere
  always,
  never,
};

/// The theme for one stream. COLUMNS beats the terminal's own width; without both it is 80; never
/// under 40.
Theme make_theme(const Environment& environment,
                 const Terminal& terminal,
                 bool is_terminal,
                 ColourChoice choice);

}  // namespace fitment
