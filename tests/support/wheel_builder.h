// SPDX-License-Identifier: Apache-2.0
// Small wheels for tests, in memory.
#pragma once

#include "base/digest.h"
#include "wheel/record_file.h"
#include "wheel/zip_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment::testing_support {

using WheelFiles = std::vector<std::pair<std::string, std::string>>;

/// A zip archive of these members.
inline std::string pack_zip(const WheelFiles& files) {
  std::string bytes;
  ZipWriter zip(
      [&bytes](std::string_view piece) {
        bytes += piece;
        return Status();
      },
      {});
  for (const auto& [name, content] : files) {
    EXPECT_TRUE(zip.add({.name = name}, content));
  }
  EXPECT_TRUE(zip.finish());
  return bytes;
}

/// A wheel `a-1` with these files, its METADATA, WHEEL and a RECORD of them all.
inline std::string pack_wheel(WheelFiles files,
                              const std::string& metadata =
                                  "Metadata-Version: 2.1\nName: "
                                  "a\nVersion: 1\n") {
  files.emplace_back("a-1.dist-info/METADATA", metadata);
  files.emplace_back("a-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n");
  std::vector<RecordEntry> record;
  for (const auto& [name, content] : files) {
    record.push_back({name, "sha256", record_digest(sha256_hex(content)), content.size()});
  }
  record.push_back({"a-1.dist-info/RECORD", "", "", {}});
  files.emplace_back("a-1.dist-info/RECORD", write_record(record));
  return pack_zip(files);
}

}  // namespace fitment::testing_support
