// SPDX-License-Identifier: Apache-2.0
// A folder of wheels as an index sees it: the wheels of each package version, and the files
// NAME-VERSION-variants.json beside them. An unpacked wheel is a folder that is named as its file
// would be, with or without `.whl`.
#pragma once

#include "base/byte_source.h"
#include "base/error.h"
#include "wheel/wheel_filename.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fitment {

struct FolderWheel {
  std::string file;  ///< the name of the wheel file, also for an unpacked one
  WheelFilename name;
  std::filesystem::path path;
  bool is_unpacked = false;
};

/// A file that is named `.whl` but is not named as wheels are.
struct MisnamedWheel {
  std::string file;
  WheelNameFault fault;
};

struct FolderPackage {
  std::string name;           ///< normalised
  std::string version;        ///< normal form
  std::string variants_file;  ///< `torch-2.13.0-variants.json`
  std::vector<FolderWheel> wheels;
  std::filesystem::path index_file;  ///< empty where there is none

  /// Labels of the wheels, sorted, each once.
  [[nodiscard]] std::vector<std::string> labels() const;
};

struct WheelFolder {
  std::vector<FolderPackage> packages;  ///< sorted by name and version
  std::vector<MisnamedWheel> misnamed;
  std::vector<std::string> index_files_without_wheels;
};

/// Looks at names alone. Errors: not_found, io_error.
Result<WheelFolder> read_wheel_folder(const std::filesystem::path& folder);

/// The bytes of a wheel's own variant.json and the name of the file for messages.
struct WheelDocument {
  std::string text;
  std::string source;
};

/// Errors: not_found (no dist-info folder, no variant.json), io_error, parse_error (damaged, larger
/// than metadata may be), unsupported (a zip archive that is no wheel).
Result<WheelDocument> read_wheel_document(const FolderWheel& wheel);
/// Of a packed wheel.
Result<WheelDocument> read_wheel_document(const ByteSource& wheel);

}  // namespace fitment
