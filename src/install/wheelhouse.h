// SPDX-License-Identifier: Apache-2.0
// A wheelhouse: a folder of wheels that installs on a machine without a network.
//
//   DIR/*.whl
//   DIR/requirements.txt   every package with version and hash
//   DIR/SHA256SUMS         for `sha256sum --check` behind the transfer
#pragma once

#include "install/pip_report.h"
#include "store/store.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fitment {

struct WheelhouseFile {
  std::string name;  ///< normalised
  std::string version;
  std::string filename;
  std::string url;
  std::string sha256;      ///< empty until it is fetched where the index does not state it
  std::uint64_t size = 0;  ///< bytes; 0 until it is fetched
};

/// The files of a resolution, sorted by name. Error: unsupported for a package that is no wheel of
/// an index (a source distribution, a repository).
Result<std::vector<WheelhouseFile>> plan_wheelhouse(const PipReport& report);

/// Puts each file into the folder (a hard link where it can be) and fills in
/// hashes and sizes; then writes requirements.txt and SHA256SUMS. Errors: those of fetching;
/// io_error.
Status apply_wheelhouse(const std::function<Result<StoredFile>(const WheelhouseFile&)>& fetch,
                        const std::filesystem::path& folder,
                        std::vector<WheelhouseFile>& files,
                        const std::function<void(const WheelhouseFile&)>& tell);

/// `torch==2.8.0+cu128 --hash=sha256:...`, a line a package.
std::string wheelhouse_requirements(const std::vector<WheelhouseFile>& files);
std::string wheelhouse_sums(const std::vector<WheelhouseFile>& files);

/// What to run on the other machine, in the folder's parent.
std::vector<std::string> wheelhouse_command(const std::filesystem::path& folder);

}  // namespace fitment
