// SPDX-License-Identifier: Apache-2.0
// Journals of slim: whatever is read names files inside the tree alone.
#include "slim/journal.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto journal = fitment::parse_journal(bytes, "journal");
  if (!journal) {
    return 0;
  }
  for (const fitment::JournalStep& step : journal->steps) {
    if (step.path.empty() || step.path[0] == '/'
        || ("/" + step.path + "/").find("/../") != std::string::npos
        || (!step.backup.empty() && step.backup[0] != '/')) {
      std::abort();
    }
  }
  return 0;
}
