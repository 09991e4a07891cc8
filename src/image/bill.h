// SPDX-License-Identifier: Apache-2.0
// What is in a root: packages of the distribution, Python distributions, and the libraries of
// NVIDIA's inside them. The value behind a software bill of materials.
#pragma once

#include "catalog/libraries.h"
#include "elf/file_view.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct BillItem {
  enum class Kind {
    debian,
    python,
    library,  ///< of NVIDIA's, inside a package
  };
  Kind kind = Kind::debian;
  std::string name;
  std::string version;                ///< empty: not known
  std::string arch;                   ///< of a Debian package
  std::string path;                   ///< of a library or of a distribution's metadata
  std::optional<std::size_t> inside;  ///< the item that brought it
};

struct Bill {
  std::string distribution;     ///< of os-release: `debian-12`; empty: not known
  std::vector<BillItem> items;  ///< Debian packages, then distributions, then libraries; by name
};

/// The root of an image or one environment. Damage is passed over: what cannot be read is not
/// listed.
Bill read_bill(const FileView& view, const LibraryTable& libraries);

/// `pkg:pypi/torch@2.8.0`, as package-url names it; empty for a library.
std::string package_url(const Bill& bill, const BillItem& item);

}  // namespace fitment
