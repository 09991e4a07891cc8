// SPDX-License-Identifier: Apache-2.0
// A process that imports distributions, as the loader would see it: which libraries are loaded, in
// which order, by whom, and which of those that are opened by name at run time are found.
//
// Of each distribution in turn, its extension modules are opened in the order of their names; torch
// first opens libtorch_global_deps.so for everybody, and when that fails, preloads NVIDIA's
// libraries from the site folders. Then come the names that loaded libraries open themselves, and
// last the libraries that nothing has loaded yet.
#pragma once

#include "catalog/libraries.h"
#include "elf/closure.h"
#include "stack/stack.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Why an entry of the closure is there.
enum class EntryRole {
  interpreter,
  preload,     ///< opened for everybody before anything else
  module,      ///< an extension module: import opens it
  opened,      ///< opened by name at run time, and missed when absent
  may_open,    ///< opened by name at run time, where it exists
  unreferred,  ///< a library that no import loads: a plug-in, or opened by a name that nobody knows
};

/// Names that one library opens at run time; one of them is enough.
struct OpenedNames {
  std::vector<std::string> names;  ///< `libcudnn_ops_infer.so.8`
  bool is_required = true;
  std::string known_from;  ///< `text in the file`, `the catalogue`
};

struct ImportProcess {
  std::vector<std::size_t> distributions;  ///< in Stack::distributions, in order of import
  Closure closure;
  std::vector<EntryRole> roles;  ///< by entry
  /// What the loader does not find by name: asked for by which object of the closure.
  struct Unopened {
    std::size_t object = 0;
    OpenedNames names;
    /// A wheel of the environment holds it here: Python code that looks in site-packages finds it.
    std::optional<std::string> in_site;
  };
  std::vector<Unopened> unopened;

  /// The role of the entry that brought an object in.
  [[nodiscard]] EntryRole role_of(std::size_t object) const;
};

/// Builds processes over one stack; what libraries open is found out once for all of them.
class ProcessBuilder {
 public:
  ProcessBuilder(const FileView& view,
                 const Stack& stack,
                 const LibraryTable& libraries,
                 SearchOptions options);

  /// Imports these distributions in this order.
  [[nodiscard]] ImportProcess run(std::vector<std::size_t> distributions);

  /// Numbers of the binaries of a distribution, in Stack::binaries.
  [[nodiscard]] const std::vector<std::size_t>& binaries_of(std::size_t distribution) const {
    return binaries_.at(distribution);
  }
  [[nodiscard]] bool has_modules(std::size_t distribution) const {
    return has_modules_.at(distribution);
  }

 private:
  /// One process while it grows.
  struct Draft {
    ImportProcess process;
    std::vector<ClosureEntry> entries;
    std::size_t preload_at = 0;  // where torch's fallback would stand
    bool has_torch = false;
    struct Asked {
      std::string by;  // real path
      OpenedNames names;
      std::size_t first_entry = 0;
      std::optional<std::string> in_site;
    };
    std::vector<Asked> asked;

    void add(std::string name, EntryRole role, bool is_global = false);
  };
  void add_modules(Draft& draft) const;
  void preload_for_torch(Draft& draft) const;
  void open_names(Draft& draft);
  bool open_new_names(Draft& draft);
  bool open_in_site(Draft& draft) const;
  void add_unreferred(Draft& draft) const;
  void compute(Draft& draft) const;
  static void list_unopened(Draft& draft);
  [[nodiscard]] static bool is_opened(const Draft& draft, const Draft::Asked& asked);

  [[nodiscard]] std::vector<std::string> preload_paths() const;
  [[nodiscard]] std::optional<std::string> find_in_site(const std::string& soname) const;
  [[nodiscard]] const std::vector<OpenedNames>& opened_by(const ClosureObject& object);
  [[nodiscard]] std::vector<OpenedNames> find_opened(const ClosureObject& object) const;
  [[nodiscard]] std::vector<OpenedNames> known_names(const ClosureObject& object,
                                                     const NvidiaLibrary& library) const;
  [[nodiscard]] std::vector<OpenedNames> names_in_text(const ClosureObject& object) const;
  [[nodiscard]] std::optional<std::string> toolkit_minor(const ClosureObject& object,
                                                         const NvidiaLibrary& library) const;

  const FileView& view_;
  const Stack& stack_;
  const LibraryTable& libraries_;
  SearchOptions options_;
  std::vector<std::vector<std::size_t>> binaries_;          // by distribution
  std::vector<bool> has_modules_;                           // by distribution
  std::map<std::string, std::vector<OpenedNames>> opened_;  // by path
};

}  // namespace fitment
