// SPDX-License-Identifier: Apache-2.0
// Any words as a command line: parsed without a crash, and every refusal says something.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/parse.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // One word a line.
  const std::string text(data, data + size);
  std::vector<std::string> words;
  for (const std::string_view word : fitment::split(text, '\n')) {
    words.emplace_back(word);
  }
  const fitment::ParseOutcome outcome =
      fitment::parse_arguments(words, fitment::all_commands(), {});
  if (outcome.kind == fitment::ParseOutcome::Kind::failed && outcome.error->message().empty()) {
    std::abort();
  }
  return 0;
}
