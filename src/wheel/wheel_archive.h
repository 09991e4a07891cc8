// SPDX-License-Identifier: Apache-2.0
// A wheel as a file: its name, the directory of the zip archive, and where its metadata are.
#pragma once

#include "wheel/wheel_filename.h"
#include "wheel/zip_directory.h"

#include <string>

namespace fitment {

struct WheelArchive {
  WheelFilename name;
  ZipDirectory zip;
  std::string dist_info;  ///< `foo-1.0.dist-info`, which holds METADATA, WHEEL and RECORD
};

/// Reads the wheel in `source`, whose name ends in the wheel's file name. Errors: parse_error (not
/// a zip archive, damaged, a name that says nothing), unsupported (a zip archive that is no wheel).
Result<WheelArchive> read_wheel_archive(const ByteSource& source);

/// Where an installer puts a member below site-packages: what stands in `NAME.data/platlib` and
/// `purelib` goes beside the rest (PEP 427).
std::string_view installed_place(std::string_view member);

}  // namespace fitment
