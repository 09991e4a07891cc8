// SPDX-License-Identifier: Apache-2.0
// The directory and every member of a zip archive, a copy of what can be read, and the archive with
// one member replaced and one added.
#include "wheel/zip_member.h"
#include "wheel/zip_rewrite.h"
#include "wheel/zip_writer.h"

#include <cstddef>
#include <cstdint>

namespace {

/// A rewritten archive reads as the old one does, with the new bytes.
void rewrite(const fitment::ByteSource& source,
             const fitment::ZipDirectory& zip,
             const fitment::ZipEntry& entry) {
  constexpr const char* kNew = "fitment/new";
  fitment::ZipRewrite rewrite(source, zip);
  rewrite.replace(entry, "replaced");
  if (zip.find(kNew) == nullptr) {
    rewrite.add_before(entry, kNew, "added");
  }
  const auto splice = rewrite.plan();
  if (!splice) {
    return;  // the member cannot be read
  }
  const fitment::SplicedSource result(source, *splice, "rewritten");
  const auto again = fitment::read_zip_directory(result);
  const fitment::ZipEntry* replaced = again ? again->find(entry.name) : nullptr;
  if (replaced == nullptr
      || fitment::read_zip_member(result, *replaced).value_or("") != "replaced") {
    __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = fitment::memory_source(std::string(data, data + size), "input");
  const auto zip = fitment::read_zip_directory(*source);
  if (!zip) {
    return 0;
  }
  std::string copy;
  fitment::ZipWriter writer(
      [&](std::string_view bytes) {
        copy += bytes;
        return fitment::Status{};
      },
      {});
  std::size_t readable = 0;
  for (const fitment::ZipEntry& entry : zip->entries) {
    static_cast<void>(entry.is_link());
    if (fitment::read_zip_member(*source, entry, 1U << 20U)
        && writer.copy(*source, entry).has_value()) {
      ++readable;
      if (readable == 1 && !entry.is_folder()) {
        rewrite(*source, *zip, entry);
      }
    }
  }
  if (!writer.finish(zip->comment)) {
    __builtin_trap();
  }
  // What was copied can be read again.
  const auto again = fitment::read_zip_directory(*fitment::memory_source(copy, "copy"));
  if (readable == zip->entries.size() && (!again || again->entries.size() != readable)) {
    __builtin_trap();
  }
  return 0;
}
