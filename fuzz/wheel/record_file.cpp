// SPDX-License-Identifier: Apache-2.0
// RECORD files: what is read must survive writing, and paths must stay under the root.
#include "wheel/record_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto record = fitment::parse_record(bytes, "RECORD");
  if (!record) {
    return 0;
  }
  for (const fitment::RecordEntry& entry : *record) {
    if (fitment::record_path("/a/b", entry.path).find("/../") != std::string::npos) {
      std::abort();
    }
  }
  const auto again = fitment::parse_record(fitment::write_record(*record), "RECORD");
  if (!again || *again != *record) {
    std::abort();
  }
  // Without changes every byte stays; a line that comes goes again.
  if (fitment::edit_record(bytes, "RECORD", "RECORD", {}).value() != bytes) {
    std::abort();
  }
  const fitment::RecordEntry added{"fitment/new", "sha256", "x", 1};
  const auto more = fitment::edit_record(bytes, "RECORD", "RECORD", {{added.path, added}});
  const auto read = more ? fitment::parse_record(*more, "RECORD") : record;
  if (!more || !read || std::find(read->begin(), read->end(), added) == read->end()) {
    std::abort();
  }
  return 0;
}
