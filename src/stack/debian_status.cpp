// SPDX-License-Identifier: Apache-2.0
#include "stack/debian_status.h"

#include "base/text.h"

namespace fitment {

std::vector<DebianPackage> parse_debian_status(std::string_view text) {
  std::vector<DebianPackage> packages;
  DebianPackage package;
  bool is_installed = true;
  const auto end = [&] {
    if (!package.name.empty() && is_installed) {
      packages.push_back(std::move(package));
    }
    package = {};
    is_installed = true;
  };
  const auto read = [](std::string_view line, std::string_view key, std::string& value) {
    if (line.starts_with(key)) {
      value = trim(line.substr(key.size()));
    }
  };
  for (const std::string_view line : split_lines(text)) {
    if (line.empty()) {
      end();
    } else if (line.starts_with("Status: ")) {
      is_installed = line.ends_with(" installed");
    } else {
      read(line, "Package: ", package.name);
      read(line, "Version: ", package.version);
      read(line, "Architecture: ", package.arch);
    }
  }
  end();
  return packages;
}

}  // namespace fitment
