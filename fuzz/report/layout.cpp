// SPDX-License-Identifier: Apache-2.0
// Any bytes in tables, trees and errors: no control byte reaches the terminal, and wrapping loses
// no word.
#include "base/text.h"
#include "report/error_text.h"
#include "report/table.h"
#include "report/tree.h"

#include <cstdint>
#include <cstdlib>

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const std::string text(data + 1, data + size);
  Theme theme;
  theme.width = 40 + data[0] % 100U;
  theme.unicode = (data[0] & 1U) != 0;

  const StyledText styled(text);
  std::string wrapped;
  for (const StyledText& line : wrap(styled, theme.width)) {
    wrapped += line.plain() + " ";
  }
  require(split_words(wrapped) == split_words(styled.plain()));

  Table table;
  table.column("name").column("what", Table::Align::left, Table::Wrap::words);
  table.row({styled, text}).row({text});
  std::string shown = table.render(theme);
  shown += render_tree({styled, {{text, {}}, {"leaf", {}}}}, theme);
  shown += render_error(fail(ErrorCode::parse_error, text).at({text, 1, 2}).hint(text), theme);
  for (const char c : shown) {
    require(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  require(!render_error_json(fail(ErrorCode::parse_error, text)).empty());
  return 0;
}
