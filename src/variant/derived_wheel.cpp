// SPDX-License-Identifier: Apache-2.0
#include "variant/derived_wheel.h"

#include "variant/wheel_members.h"
#include "wheel/metadata.h"
#include "wheel/zip_rewrite.h"

namespace fitment {

std::string plain_file_name(std::string_view file) {
  return std::string(file.substr(0, file.rfind('-'))) + ".whl";
}

Result<std::optional<DerivedWheel>> plan_derived_wheel(const ByteSource& source,
                                                       const WheelArchive& wheel,
                                                       const MarkerEnvironment& chosen) {
  const WheelMembers members(source, wheel);
  FITMENT_TRY_ASSIGN(const WheelText metadata, members.read("METADATA"));
  FITMENT_TRY_ASSIGN(std::optional<std::string> settled,
                     settle_variant_markers(metadata.text, metadata.place, chosen));
  if (!settled) {
    return std::optional<DerivedWheel>();
  }
  FITMENT_TRY_ASSIGN(const WheelText record, members.read_record());
  FITMENT_TRY_ASSIGN(
      std::string new_record,
      edit_record(record.text,
                  record.place,
                  record.entry->name,
                  {{metadata.entry->name, record_line(metadata.entry->name, *settled)}}));
  ZipRewrite rewrite(source, wheel.zip);
  rewrite.replace(*metadata.entry, *settled);
  rewrite.replace(*record.entry, std::move(new_record));
  FITMENT_TRY_ASSIGN(Splice bytes, rewrite.plan());
  return std::optional(
      DerivedWheel{plain_file_name(file_of(source)), std::move(*settled), std::move(bytes)});
}

}  // namespace fitment
