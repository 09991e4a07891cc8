// SPDX-License-Identifier: Apache-2.0
// What is known about the world: reviewed TOML under catalog/, embedded at build, replaceable by
// files.
//
// Files are parsed when they are first asked for, so that a command pays only for what it uses.
#pragma once

#include "base/error.h"
#include "catalog/cpu_table.h"
#include "catalog/cuda.h"
#include "catalog/framework.h"
#include "catalog/gpu_table.h"
#include "catalog/libraries.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class Catalog {
 public:
  /// The catalogue that was compiled in.
  Catalog();
  ~Catalog();
  Catalog(Catalog&&) noexcept;
  Catalog& operator=(Catalog&&) noexcept;

  /// The embedded catalogue with the .toml files of a folder laid over it: a file of the same
  /// relative name
  /// (`frameworks/torch.toml`) replaces the embedded one, others are added. Error: not_found, or no
  /// such file inside.
  static Result<Catalog> with_folder(const std::filesystem::path& folder);

  /// Names of all frameworks, sorted.
  [[nodiscard]] std::vector<std::string> framework_names() const;
  /// Names of all packages that it can choose builds of: frameworks, their companions and CPU
  /// names, sorted.
  [[nodiscard]] Result<std::vector<std::string>> package_names() const;
  /// The framework of this name, or the one that a companion or CPU name belongs to; nullptr: not
  /// in the catalogue. `name` is normalised (PEP 503).
  [[nodiscard]] Result<const Framework*> find_framework(std::string_view name) const;
  [[nodiscard]] Result<const CudaTables*> cuda() const;
  [[nodiscard]] Result<const GpuTable*> gpus() const;
  [[nodiscard]] Result<const CpuTable*> cpus() const;
  [[nodiscard]] Result<const LibraryTable*> libraries() const;

  /// File names with their bytes as they are in force, sorted by name.
  struct File {
    std::string name;    ///< `frameworks/torch.toml`
    std::string source;  ///< `embedded` or a path
    std::string_view bytes;
  };
  [[nodiscard]] const std::vector<File>& files() const;
  /// The file of known package indexes, `indexes.toml`, which `index` reads.
  [[nodiscard]] const File& indexes() const;
  /// SHA-256 over names and bytes of all files, for records.
  [[nodiscard]] std::string digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitment
