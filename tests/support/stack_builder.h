// SPDX-License-Identifier: Apache-2.0
// An environment in memory for tests of a diagnosis: distributions with small ELF libraries.
#pragma once

#include "elf/file_view.h"
#include "support/elf_image.h"

#include <string>
#include <utility>
#include <vector>

namespace fitment {

/// A file of a distribution: its path under the site folder and its library.
using LibraryFile = std::pair<std::string, ElfImage>;

class StackBuilder {
 public:
  static constexpr const char* kSite = "/v/lib/python3.12/site-packages";

  StackBuilder() { view_.add_file("/v/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n"); }

  StackBuilder& add(const std::string& name,
                    const std::string& version,
                    const std::vector<LibraryFile>& files = {},
                    const std::vector<std::string>& requires_dist = {}) {
    const std::string info = std::string(kSite) + "/" + name + "-" + version + ".dist-info/";
    std::string metadata = "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n";
    for (const std::string& requirement : requires_dist) {
      metadata += "Requires-Dist: " + requirement + "\n";
    }
    std::string record;
    for (const auto& [path, image] : files) {
      const std::string bytes = build_elf_image(image);
      view_.add_file(std::string(kSite) + "/" + path, bytes);
      record += path + ",," + std::to_string(bytes.size()) + "\n";
    }
    view_.add_file(info + "METADATA", metadata);
    view_.add_file(info + "RECORD", record);
    return *this;
  }

  [[nodiscard]] MemoryView& view() { return view_; }

 private:
  MemoryView view_;
};

}  // namespace fitment
