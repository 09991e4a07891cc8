// SPDX-License-Identifier: Apache-2.0
// Libraries that a tree holds more than once: the same soname for the same machine in several
// files, with what tells whether one copy can stand for another.
#pragma once

#include "base/dotted_version.h"
#include "catalog/libraries.h"
#include "elf/types.h"
#include "slim/slim_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct LibraryCopy {
  std::string path;    ///< in the view, without links
  std::string soname;  ///< the file name where there is none
  std::uint64_t bytes = 0;
  ElfMachine machine = ElfMachine::em_none;
  bool is_of_wheel = false;
  std::string owner;                    ///< `nvidia-cublas 13.1.0.3`; empty: no package
  std::vector<DottedVersion> versions;  ///< of the package and in the file name, as far as known
  std::uint32_t cuda_major = 0;         ///< of a library of NVIDIA's; 0: unknown

  /// The owner, or words for none.
  [[nodiscard]] std::string shown_owner() const { return owner.empty() ? "no package" : owner; }
};

/// A program or library that needs others.
struct TreeBinary {
  std::string path;
  bool is_of_wheel = false;
  std::vector<std::string> needed;
};

struct TreeLibraries {
  /// By soname and machine: those with several copies, and all that the catalogue knows.
  std::vector<std::vector<LibraryCopy>> copies;
  std::vector<TreeBinary> binaries;  ///< sorted by path
};

/// `paths` are the binaries of the tree, in the view and without links. Several paths to one file
/// (hard links) are one copy, the first. What is damaged is passed over.
TreeLibraries find_library_copies(const SlimTree& tree,
                                  const std::vector<std::string>& paths,
                                  const LibraryTable& table);

/// Why `kept` cannot stand for `dropped`, which has other bytes; none: it can. It must define every
/// symbol that `dropped` does, be for the same CUDA, and be of the same version or a newer one of
/// the same major; what is not known speaks against it.
std::optional<std::string> reason_against(const FileView& view,
                                          const LibraryCopy& kept,
                                          const LibraryCopy& dropped,
                                          const LibraryTable& table);

/// Byte for byte.
bool are_identical(const FileView& view, const LibraryCopy& a, const LibraryCopy& b);

}  // namespace fitment
