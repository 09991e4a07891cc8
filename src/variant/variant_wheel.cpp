// SPDX-License-Identifier: Apache-2.0
#include "variant/variant_wheel.h"

#include "variant/derived_wheel.h"
#include "variant/wheel_members.h"
#include "wheel/quote.h"
#include "wheel/zip_rewrite.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kDocument = "variant.json";

Result<bool> have_same_bytes(const ByteSource& a, const ByteSource& b) {
  constexpr std::uint64_t kBlock = 1U << 20U;
  if (a.size() != b.size()) {
    return false;
  }
  for (std::uint64_t at = 0; at < a.size(); at += kBlock) {
    const std::uint64_t count = std::min(kBlock, a.size() - at);
    FITMENT_TRY_ASSIGN(const std::string left, a.read(at, count, "a wheel"));
    FITMENT_TRY_ASSIGN(const std::string right, b.read(at, count, "a wheel"));
    if (left != right) {
      return false;
    }
  }
  return true;
}

}  // namespace

Status check_is_plain(const ByteSource& source, const WheelArchive& wheel) {
  const std::string document = WheelMembers(source, wheel).path_of(kDocument);
  if (!wheel.name.variant_label && wheel.zip.find(document) == nullptr) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              wheel.name.variant_label ? fmt::format("the wheel is the variant {} already",
                                                     quote(*wheel.name.variant_label))
                                       : fmt::format("the wheel has {} already", quote(document)))
      .at({source.name(), {}, {}, {}})
      .hint("`fitment variant unmake` gives the plain wheel");
}

Result<RewrittenWheel> plan_variant_wheel(const ByteSource& source,
                                          const WheelArchive& wheel,
                                          const VariantMetadata& metadata) {
  FITMENT_TRY(check_is_plain(source, wheel));
  const WheelMembers members(source, wheel);
  const std::string document = members.path_of(kDocument);
  std::string file = file_of(source);
  file.insert(file.size() - std::string_view(".whl").size(), "-" + metadata.variants.front().label);
  if (const auto readable = read_wheel_filename(file); !readable) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} would be the name of no wheel: {}", file, readable.error().why))
        .hint("choose a shorter --label");
  }
  const std::string text = write_variant_metadata(metadata);
  FITMENT_TRY_ASSIGN(const WheelText record, members.read_record());
  FITMENT_TRY_ASSIGN(std::string new_record,
                     edit_record(record.text,
                                 record.place,
                                 record.entry->name,
                                 {{document, record_line(document, text)}}));
  ZipRewrite rewrite(source, wheel.zip);
  rewrite.add_before(*record.entry, document, text);
  rewrite.replace(*record.entry, std::move(new_record));
  FITMENT_TRY_ASSIGN(Splice bytes, rewrite.plan());
  return RewrittenWheel{std::move(file), std::move(bytes)};
}

Result<RewrittenWheel> plan_plain_wheel(const ByteSource& source, const WheelArchive& wheel) {
  if (!wheel.name.variant_label) {
    return fail(ErrorCode::invalid_argument, "the wheel is no variant: its name has no label")
        .at({source.name(), {}, {}, {}})
        .hint("variants are named NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl");
  }
  const WheelMembers members(source, wheel);
  FITMENT_TRY_ASSIGN(const WheelText record, members.read_record());
  const std::string document = members.path_of(kDocument);
  FITMENT_TRY_ASSIGN(
      std::string new_record,
      edit_record(record.text, record.place, record.entry->name, {{document, std::nullopt}}));
  ZipRewrite rewrite(source, wheel.zip);
  if (const ZipEntry* entry = wheel.zip.find(document)) {
    rewrite.remove(*entry);
  }
  rewrite.replace(*record.entry, std::move(new_record));
  FITMENT_TRY_ASSIGN(Splice bytes, rewrite.plan());
  return RewrittenWheel{plain_file_name(file_of(source)), std::move(bytes)};
}

Result<bool> is_reversible(const ByteSource& source, const RewrittenWheel& variant) {
  const SplicedSource made(source, variant.bytes, variant.file);
  FITMENT_TRY_ASSIGN(const WheelArchive wheel, read_wheel_archive(made));
  FITMENT_TRY_ASSIGN(const RewrittenWheel plain, plan_plain_wheel(made, wheel));
  return have_same_bytes(source, SplicedSource(made, plain.bytes, plain.file));
}

}  // namespace fitment
