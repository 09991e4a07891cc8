// SPDX-License-Identifier: Apache-2.0
// A stack: what one Python would see. Its distributions in the order of sys.path, every binary they
// installed, and who owns which file.
#pragma once

#include "elf/dynamic.h"
#include "elf/file_view.h"
#include "elf/types.h"
#include "stack/installed_distribution.h"
#include "stack/python_environment.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A program or library that a distribution installed.
struct StackBinary {
  std::string path;              ///< without links
  std::size_t distribution = 0;  ///< in Stack::distributions
  ElfMachine machine = ElfMachine::em_none;
  Dynamic dynamic;
  /// What `import` opens: `_C.cpython-312-x86_64-linux-gnu.so`, `x.abi3.so`, a library without a
  /// soname.
  bool is_extension_module = false;

  /// The soname, or the file name where there is none.
  [[nodiscard]] std::string name() const;
};

struct Stack {
  PythonEnvironment environment;
  /// In order of sys.path, then by name. Of two with one name, Python takes the first.
  std::vector<InstalledDistribution> distributions;
  /// By number: hidden behind another version earlier on sys.path, which is at this number.
  std::vector<std::optional<std::size_t>> shadowed_by;
  std::vector<StackBinary> binaries;  ///< of distributions that are not shadowed, sorted by path
  std::vector<SiteProblem> problems;

  /// The active distribution of a name (normalised).
  [[nodiscard]] const InstalledDistribution* find(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_index(std::string_view name) const;
  /// The distribution whose RECORD lists a path; of several, the last.
  [[nodiscard]] std::optional<std::size_t> owner_of(std::string_view path) const;

  std::map<std::string, std::size_t, std::less<>> owners;  ///< by path of each binary-like file
};

/// Reads the distributions and binaries of an environment. Damage is a problem in words.
Stack read_stack(const FileView& view, PythonEnvironment environment);

}  // namespace fitment
