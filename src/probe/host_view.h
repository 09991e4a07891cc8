// SPDX-License-Identifier: Apache-2.0
// What a detector may look at: files of a host, and the few facts that are not files. One
// implementation looks at the running host, one at a tree of files: a recorded host, an image, the
// root of another machine. Nothing of the running host shows through the second.
#pragma once

#include "base/environment.h"
#include "base/error.h"
#include "probe/witnesses.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Files are named by absolute paths as the host sees them; links are followed inside the host.
class HostView {
 public:
  HostView() = default;
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  virtual ~HostView() = default;

  /// A whole file. Errors: not_found, io_error (not readable, not a plain file), parse_error when
  /// it is larger than `limit` bytes.
  [[nodiscard]] virtual Result<std::string> read(const std::string& path,
                                                 std::uint64_t limit) const = 0;
  /// At most `size` bytes from an offset; fewer at the end of the file. Errors as for read.
  [[nodiscard]] virtual Result<std::string> read_part(const std::string& path,
                                                      std::uint64_t offset,
                                                      std::uint64_t size) const = 0;
  /// Whether there is something of that name, readable or not.
  [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
  /// Names in a folder, sorted. Errors: not_found, io_error.
  [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;
  /// What a symbolic link holds, as it is written; nothing when the path is no link.
  [[nodiscard]] virtual std::optional<std::string> read_link(const std::string& path) const = 0;
  /// The path with every link resolved, as the host sees it; nothing when it leads nowhere.
  [[nodiscard]] virtual std::optional<std::string> real_path(const std::string& path) const = 0;

  [[nodiscard]] virtual const HostWitnesses& witnesses() const = 0;
  [[nodiscard]] virtual const Environment& environment() const = 0;
  /// Whether libraries and programs of the host can run in this process: only on the running host.
  [[nodiscard]] virtual bool can_load_libraries() const = 0;
};

/// The host that this process runs on.
std::unique_ptr<HostView> live_host(Environment environment);

/// A tree of files: `root/proc/cpuinfo`, `root/sys/...`, `root/etc/os-release`. What is not a file
/// on a host may be told beside them (all optional; witnesses.h has the formats):
///   root/fitment-host/cpuid.txt        CPUID leaves and XCR0
///   root/fitment-host/auxv.txt         HWCAP, HWCAP2 and PLATFORM of the auxiliary vector
///   root/fitment-host/uname.txt        output of `uname -snrm`
///   root/fitment-host/environment.txt  NAME=VALUE lines; `environment` goes over them
///   root/fitment-host/unreadable.txt   paths that exist and may not be read, one a line
/// Errors: not_found, parse_error with the file and line.
Result<std::unique_ptr<HostView>> recorded_host(const std::filesystem::path& root,
                                                Environment environment);

}  // namespace fitment
