// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"

#include "base/closest.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/text.h"
#include "catalog/cpu_reader.h"
#include "catalog/cuda_reader.h"
#include "catalog/embedded_file.h"
#include "catalog/framework_reader.h"
#include "catalog/gpu_reader.h"
#include "catalog/libraries_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kFrameworkFolder = "frameworks/";
constexpr std::string_view kImageFolder = "images/";
constexpr std::string_view kExtension = ".toml";
constexpr std::string_view kCudaFile = "cuda.toml";
constexpr std::string_view kGpuFile = "gpus.toml";
constexpr std::string_view kCpuFile = "cpus.toml";
constexpr std::string_view kLibraryFile = "libraries.toml";
constexpr std::string_view kIndexFile = "indexes.toml";

bool is_framework_file(std::string_view name) {
  return name.starts_with(kFrameworkFolder) && name.ends_with(kExtension);
}

std::string framework_of_file(std::string_view name) {
  name.remove_prefix(kFrameworkFolder.size());
  name.remove_suffix(kExtension.size());
  return std::string(name);
}

Status check_file_name(const std::filesystem::path& path, std::string_view name) {
  const std::vector<std::string> tables{std::string(kCudaFile),
                                        std::string(kGpuFile),
                                        std::string(kCpuFile),
                                        std::string(kLibraryFile),
                                        std::string(kIndexFile)};
  if (is_framework_file(name) || name.starts_with(kImageFolder)
      || std::find(tables.begin(), tables.end(), name) != tables.end()) {
    return {};
  }
  const auto closest = find_closest(name, tables);
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a file of the catalogue", name))
      .at({path.string(), {}, {}, {}})
      .hint(closest ? fmt::format("did you mean `{}`?", *closest)
                    : "files are " + join(tables, ", ")
                          + ", frameworks/NAME.toml and images/NAME.toml");
}

/// Names of the .toml files in a folder and in its folders `frameworks` and `images`.
Result<std::vector<std::string>> catalog_files_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, list_folder(folder));
  for (const std::string& name : names) {
    std::error_code ignored;
    const std::string inside = name + "/";
    if ((inside == kFrameworkFolder || inside == kImageFolder)
        && std::filesystem::is_directory(folder / name, ignored)) {
      FITMENT_TRY_ASSIGN(const std::vector<std::string> others, list_folder(folder / name));
      for (const std::string& other : others) {
        if (other.ends_with(kExtension)) {
          files.push_back(inside + other);
        }
      }
    } else if (name.ends_with(kExtension)) {
      files.push_back(name);
    }
  }
  return files;
}

}  // namespace

struct Catalog::State {
  std::vector<File> files;
  std::map<std::string, std::string> owned;  ///< bytes of files that replace or add, by name

  // Parsed when first asked for. An error is not kept: whoever asks again gets it again.
  mutable std::mutex mutex;
  mutable std::map<std::string, std::unique_ptr<const Framework>> frameworks;
  mutable std::optional<CudaTables> cuda;
  mutable std::optional<GpuTable> gpus;
  mutable std::optional<CpuTable> cpus;
  mutable std::optional<LibraryTable> libraries;

  [[nodiscard]] const File* find_file(std::string_view name) const {
    const auto found = std::find_if(
        files.begin(), files.end(), [&](const File& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
  }

  [[nodiscard]] static std::string source_of(const File& file) {
    return file.source == "embedded" ? "catalog/" + file.name : file.source;
  }

  /// Parses a table file once.
  template <typename Table, typename Parse>
  Result<const Table*> table(std::string_view name, std::optional<Table>& kept, Parse parse) const {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!kept) {
      const File* file = find_file(name);
      if (file == nullptr) {
        return fail(ErrorCode::internal, fmt::format("the catalogue has no file `{}`", name));
      }
      FITMENT_TRY_ASSIGN(kept, parse(file->bytes, source_of(*file)));
    }
    return &*kept;
  }

  Result<const Framework*> framework(const std::string& name) const {
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto kept = frameworks.find(name); kept != frameworks.end()) {
      return kept->second.get();
    }
    const File* file = find_file(fmt::format("{}{}{}", kFrameworkFolder, name, kExtension));
    if (file == nullptr) {
      return nullptr;
    }
    FITMENT_TRY_ASSIGN(Framework parsed, parse_framework(file->bytes, source_of(*file)));
    if (parsed.name != name) {
      return fail(ErrorCode::parse_error,
                  fmt::format("the file is for `{}`, but holds `{}`", name, parsed.name))
          .at({source_of(*file), {}, {}, {}})
          .hint(fmt::format("rename the file to {}{}", parsed.name, kExtension));
    }
    auto& kept = frameworks[name] = std::make_unique<const Framework>(std::move(parsed));
    return kept.get();
  }
};

Catalog::Catalog() : state_(std::make_unique<State>()) {
  for (const EmbeddedFile& file : embedded_catalog()) {
    state_->files.push_back({std::string(file.name), "embedded", file.bytes});
  }
}

Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;

Result<Catalog> Catalog::with_folder(const std::filesystem::path& folder) {
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, catalog_files_in(folder));
  if (names.empty()) {
    return fail(ErrorCode::not_found, "the folder has no file of a catalogue")
        .at({folder.string(), {}, {}, {}})
        .hint("put frameworks/torch.toml or cuda.toml into it");
  }
  Catalog catalog;
  State& state = *catalog.state_;
  for (const std::string& name : names) {
    const std::filesystem::path path = folder / name;
    FITMENT_TRY(check_file_name(path, name));
    FITMENT_TRY_ASSIGN(std::string bytes, read_file(path));
    const std::string& kept = state.owned[name] = std::move(bytes);
    std::erase_if(state.files, [&](const File& file) { return file.name == name; });
    state.files.push_back({name, path.string(), kept});
  }
  std::sort(state.files.begin(), state.files.end(), [](const File& a, const File& b) {
    return a.name < b.name;
  });
  return catalog;
}

std::vector<std::string> Catalog::framework_names() const {
  std::vector<std::string> names;
  for (const File& file : state_->files) {
    if (is_framework_file(file.name)) {
      names.push_back(framework_of_file(file.name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> Catalog::package_names() const {
  std::set<std::string> names;
  for (const std::string& name : framework_names()) {
    FITMENT_TRY_ASSIGN(const Framework* framework, state_->framework(name));
    names.insert(name);
    names.insert(framework->companions.begin(), framework->companions.end());
    names.insert(framework->shared_companions.begin(), framework->shared_companions.end());
    if (!framework->cpu_name.empty()) {
      names.insert(framework->cpu_name);
    }
    for (const Release& release : framework->releases) {
      for (const Build& build : release.builds) {
        if (!build.requirement_name.empty()) {
          names.insert(build.requirement_name);
        }
      }
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Result<const Framework*> Catalog::find_framework(std::string_view name) const {
  const std::string wanted(name);
  if (name.empty()) {
    return nullptr;
  }
  FITMENT_TRY_ASSIGN(const Framework* own, state_->framework(wanted));
  if (own != nullptr) {
    return own;
  }
  for (const File& file : state_->files) {
    // A file that never mentions the name cannot declare it, so it need not be parsed.
    if (!is_framework_file(file.name) || file.bytes.find(name) == std::string_view::npos) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const Framework* framework, state_->framework(framework_of_file(file.name)));
    const auto lists = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (framework->cpu_name == name || lists(framework->companions)
        || lists(framework->shared_companions) || names_some_builds(*framework, name)) {
      return framework;
    }
  }
  return nullptr;
}

Result<const CudaTables*> Catalog::cuda() const {
  return state_->table(kCudaFile, state_->cuda, parse_cuda_tables);
}

Result<const GpuTable*> Catalog::gpus() const {
  return state_->table(kGpuFile, state_->gpus, parse_gpu_table);
}

Result<const CpuTable*> Catalog::cpus() const {
  return state_->table(kCpuFile, state_->cpus, parse_cpu_table);
}

Result<const LibraryTable*> Catalog::libraries() const {
  return state_->table(kLibraryFile, state_->libraries, parse_library_table);
}

const Catalog::File& Catalog::indexes() const {
  return *state_->find_file(kIndexFile);
}

std::string Catalog::digest() const {
  std::string all;
  for (const File& file : state_->files) {
    all += fmt::format("{} {}\n", sha256_hex(file.bytes), file.name);
  }
  return sha256_hex(all);
}

const std::vector<Catalog::File>& Catalog::files() const {
  return state_->files;
}

}  // namespace fitment
