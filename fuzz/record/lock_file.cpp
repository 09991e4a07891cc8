// SPDX-License-Identifier: Apache-2.0
// Records: what is read writes to a text that reads back as the same text, differs in nothing from
// itself, and exports without a fault; what is refused has its place.
#include "record/compare.h"
#include "record/pylock.h"
#include "record/record_file.h"
#include "record/requirements_export.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void must(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto record = fitment::parse_record_file(text, "fuzz");
  if (!record) {
    must(record.error().origin().has_value());
    return 0;
  }
  const std::string once = fitment::write_record_file(*record);
  const auto again = fitment::parse_record_file(once, "again");
  must(again.has_value() && fitment::write_record_file(*again) == once);
  if (record->targets.size() <= 1) {
    must(fitment::compare_records(*record, *again).empty());
  }
  for (const fitment::RecordedTarget& target : record->targets) {
    static_cast<void>(fitment::write_pylock(*record, target));
    static_cast<void>(fitment::write_requirements(target));
    static_cast<void>(fitment::plan_of(target));
  }
  return 0;
}
