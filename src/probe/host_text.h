// SPDX-License-Identifier: Apache-2.0
// Private: small readings that most detectors make. What cannot be read is nothing.
#pragma once

#include "probe/host_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A small text file.
std::optional<std::string> read_text(const HostView& host, const std::string& path);
/// The first line, without blanks around it; nothing when it is empty.
std::optional<std::string> read_line(const HostView& host, const std::string& path);
/// A sysfs number such as `0x10de` or `65`.
std::optional<std::uint64_t> read_number(const HostView& host, const std::string& path);
/// Names in a folder; none when it cannot be listed.
std::vector<std::string> names_in(const HostView& host, const std::string& folder);
/// A variable that holds something.
std::optional<std::string> variable(const HostView& host, const std::string& name);
/// Folder names of the host's C library conventions that hold libraries for this architecture.
std::vector<std::string> library_folders(std::string_view arch);
/// The part after the last slash.
std::string base_name(std::string_view path);
/// The part before the last slash; `/` for names directly below the root.
std::string folder_of(std::string_view path);

}  // namespace fitment
