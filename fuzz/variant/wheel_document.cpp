// SPDX-License-Identifier: Apache-2.0
// A wheel of any bytes, or one that holds any files: what it says of itself, the plain wheel that
// is derived from a variant, and the variant that is made of a plain one. What is rewritten is a
// wheel again.
#include "support/file_tree.h"
#include "variant/derived_wheel.h"
#include "variant/metadata_reader.h"
#include "variant/variant_wheel.h"
#include "variant/wheel_folder.h"
#include "wheel/zip_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kVariantJson = R"({"$schema":
  "https://variants-schema.wheelnext.dev/peps/825/v0.1.0.json",
  "default-priorities": {"namespace": ["nvidia"]},
  "variants": {"cu128": {"nvidia": {"cuda_version_lower_bound": ["12.8"]}}}})";

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// Files whose checksums are right, as nobody finds them by chance.
std::string pack(const std::vector<TreeEntry>& files) {
  std::string bytes;
  ZipWriter zip(
      [&bytes](std::string_view piece) {
        bytes += piece;
        return Status();
      },
      {});
  for (const TreeEntry& file : files) {
    if (!zip.add({.name = file.path.substr(1)}, file.bytes)) {
      return {};
    }
  }
  return zip.finish() ? bytes : std::string();
}

void check(const ByteSource& source, const std::string& file, const Splice& bytes) {
  const SplicedSource result(source, bytes, file);
  const auto wheel = read_wheel_archive(result);
  require(wheel.has_value() && !wheel->dist_info.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kMetadata = parse_variant_metadata(kVariantJson, "fuzz");
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("@ /")) {
    bytes = pack(read_tree(bytes));
  }
  for (const char* name : {"a-1-py3-none-any.whl", "a-1-py3-none-any-cu128.whl"}) {
    const auto source = memory_source(bytes, name);
    const auto wheel = read_wheel_archive(*source);
    if (!wheel) {
      continue;
    }
    if (const auto document = read_wheel_document(*source)) {
      static_cast<void>(parse_variant_metadata(
          document->text, document->source, {.in_wheel = true, .label = "cu128", .labels = {}}));
    }
    MarkerEnvironment chosen;
    chosen.variant_label = "cu128";
    chosen.variant_namespaces = {"nvidia"};
    if (wheel->name.variant_label) {
      const auto derived = plan_derived_wheel(*source, *wheel, chosen);
      if (derived && *derived) {
        check(*source, (*derived)->file, (*derived)->bytes);
      }
    }
    if (const auto plain = plan_plain_wheel(*source, *wheel)) {
      check(*source, plain->file, plain->bytes);
    }
    if (const auto variant = plan_variant_wheel(*source, *wheel, kMetadata.value())) {
      check(*source, variant->file, variant->bytes);
      static_cast<void>(is_reversible(*source, *variant));
    }
  }
  return 0;
}
