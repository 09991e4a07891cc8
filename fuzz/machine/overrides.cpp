// SPDX-License-Identifier: Apache-2.0
// `--set` and the variables of other programs, one a line: a machine that was changed in any way is
// written and read again.
#include "machine/overrides.h"

#include "base/text.h"
#include "machine/machine_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Machine machine;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || line[0] >= 'a') {
      if (const auto done = apply_setting(machine, line); !done && done.error().message().empty()) {
        std::abort();
      }
      continue;
    }
    const Environment one{
        {std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))}};
    static_cast<void>(apply_environment(machine, one));
  }
  const std::string once = write_machine(machine);
  const auto again = parse_machine(once, "again");
  if (!again || write_machine(*again) != once) {
    std::abort();
  }
  return 0;
}
