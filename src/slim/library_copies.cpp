// SPDX-License-Identifier: Apache-2.0
#include "slim/library_copies.h"

#include "base/parallel.h"
#include "base/text.h"
#include "doctor/library_names.h"
#include "elf/dynamic.h"
#include "elf/elf_file.h"
#include "elf/library_path.h"
#include "elf/symbols.h"
#include "stack/installed_distribution.h"
#include "stack/system_owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace fitment {

namespace {

/// A program or library with a dynamic table.
struct OpenedBinary {
  std::unique_ptr<ByteSource> source;
  ElfFile elf;  // reads the source
  Dynamic dynamic;
};

/// None: no file, no ELF file, or one that is linked statically.
std::optional<OpenedBinary> open_binary(const FileView& view, const std::string& path) {
  auto source = view.open(path);
  if (!source) {
    return std::nullopt;
  }
  auto elf = ElfFile::read(**source);
  auto dynamic = elf ? read_dynamic(*elf) : Result<std::optional<Dynamic>>(std::nullopt);
  if (!dynamic || !*dynamic) {
    return std::nullopt;
  }
  return OpenedBinary{std::move(*source), std::move(*elf), std::move(**dynamic)};
}

constexpr std::uint64_t kCompareBlock = 1U << 20U;

struct WheelOwner {
  std::string name;
  std::string version;
};

/// By their path without links.
using WheelOwners = std::map<std::string, WheelOwner, std::less<>>;

void add_owners(const SitePackages& packages, WheelOwners& owners) {
  for (const InstalledDistribution& one : packages.distributions) {
    for (const InstalledFile& file : one.files) {
      if (is_library_path(file.path)) {
        owners[file.path] = {one.name, one.metadata.version.public_text()};
      }
    }
  }
}

/// Libraries of the environments. What cannot be read owns nothing.
WheelOwners wheel_owners(const SlimTree& tree) {
  WheelOwners owners;
  for (const PythonEnvironment& environment : tree.environments) {
    for (const std::string& site : environment.sites) {
      if (const auto packages = read_site_packages(*tree.view, site)) {
        add_owners(*packages, owners);
      }
    }
  }
  return owners;
}

std::vector<std::string> conda_prefixes(const SlimTree& tree) {
  std::vector<std::string> prefixes;
  for (const PythonEnvironment& environment : tree.environments) {
    if (environment.kind == PythonEnvironmentKind::conda) {
      prefixes.push_back(environment.prefix);
    }
  }
  return prefixes;
}

/// `13.1.0.3` of `libcublas.so.13.1.0.3`; a soname's single number is no version.
std::optional<DottedVersion> version_in_name(std::string_view name) {
  constexpr std::string_view kInfix = ".so.";
  const std::size_t at = name.find(kInfix);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  auto version = DottedVersion::parse(name.substr(at + kInfix.size()));
  return version && version->size() > 1 ? std::optional(std::move(*version)) : std::nullopt;
}

/// 13 of `2.28.9-1+cuda13.0` and of `libcublas-13-0`.
std::uint32_t cuda_major_in(std::string_view package, std::string_view version) {
  constexpr std::string_view kCuda = "+cuda";
  if (const std::size_t at = version.find(kCuda); at != std::string_view::npos) {
    const auto number = DottedVersion::parse_prefix(version.substr(at + kCuda.size()));
    return number ? number->major() : 0;
  }
  for (const std::string_view part : split(package, '-')) {
    std::string_view digits = part;
    for (const std::string_view start : {"cuda", "cu"}) {
      if (digits.starts_with(start)) {
        digits.remove_prefix(start.size());
        break;
      }
    }
    const auto number = parse_unsigned(digits);
    constexpr std::uint64_t kFirst = 10;
    constexpr std::uint64_t kLast = 19;
    if (number && *number >= kFirst && *number <= kLast) {
      return static_cast<std::uint32_t>(*number);
    }
  }
  return 0;
}

class CopyFinder {
 public:
  CopyFinder(const SlimTree& tree, const LibraryTable& table)
      : view_(*tree.view),
        table_(table),
        wheels_(wheel_owners(tree)),
        system_(SystemOwners::read(view_, tree.is_whole_root, conda_prefixes(tree))) {}

  TreeLibraries run(const std::vector<std::string>& paths);

 private:
  struct Read {
    TreeBinary binary;
    std::optional<LibraryCopy> copy;
  };
  [[nodiscard]] std::optional<Read> read(const std::string& path) const;
  void add_owner(LibraryCopy& copy) const;

  const FileView& view_;
  const LibraryTable& table_;
  WheelOwners wheels_;
  SystemOwners system_;
};

void CopyFinder::add_owner(LibraryCopy& copy) const {
  std::string package;
  std::string version;
  if (const auto wheel = wheels_.find(copy.path); wheel != wheels_.end()) {
    copy.is_of_wheel = true;
    package = wheel->second.name;
    version = wheel->second.version;
  } else if (const auto owner = system_.find(copy.path)) {
    const std::size_t blank = owner->find(' ');
    package = owner->substr(0, blank);
    version = blank == std::string::npos ? "" : owner->substr(blank + 1);
  }
  copy.owner = package + (version.empty() ? "" : " " + version);
  if (auto number = DottedVersion::parse_prefix(version)) {
    copy.versions.push_back(std::move(*number));
  }
  if (auto number = version_in_name(file_name(copy.path))) {
    copy.versions.push_back(std::move(*number));
  }
  const NvidiaLibrary* row = table_.find_wheel(package);
  const std::uint32_t only = table_.cuda_major_of(copy.soname);
  copy.cuda_major = only != 0        ? only
                    : row != nullptr ? row->cuda_major
                                     : cuda_major_in(package, version);
}

std::optional<CopyFinder::Read> CopyFinder::read(const std::string& path) const {
  const auto binary = open_binary(view_, path);
  if (!binary) {
    return std::nullopt;
  }
  Read read{{path, wheels_.contains(path), binary->dynamic.needed}, std::nullopt};
  if (!binary->elf.is_program() && binary->dynamic.soname) {
    read.copy = LibraryCopy{.path = path,
                            .soname = *binary->dynamic.soname,
                            .bytes = binary->source->size(),
                            .machine = binary->elf.header().machine,
                            .is_of_wheel = false,
                            .owner = {},
                            .versions = {},
                            .cuda_major = 0};
    add_owner(*read.copy);
  }
  return read;
}

TreeLibraries CopyFinder::run(const std::vector<std::string>& paths) {
  std::vector<std::optional<Read>> all(paths.size());
  for_each_index(paths.size(), 0, [&](std::size_t i) { all[i] = read(paths[i]); });
  TreeLibraries found;
  std::map<std::tuple<std::string, ElfMachine>, std::vector<LibraryCopy>> groups;
  std::set<std::string> files;
  for (std::optional<Read>& one : all) {
    if (!one) {
      continue;
    }
    if (one->copy && files.insert(view_.identity(one->copy->path)).second) {
      groups[{one->copy->soname, one->copy->machine}].push_back(std::move(*one->copy));
    }
    found.binaries.push_back(std::move(one->binary));
  }
  for (auto& [key, copies] : groups) {
    if (copies.size() > 1 || !table_.find_soname(copies.front().soname).empty()) {
      found.copies.push_back(std::move(copies));
    }
  }
  return found;
}

/// Names with versions that a library defines for others, and the libraries of NVIDIA's that it
/// asks for in any way.
struct Interface {
  std::set<std::string> exports;
  std::set<std::string> asks_for;
};

std::optional<Interface> read_interface(const FileView& view,
                                        const std::string& path,
                                        const LibraryTable& table) {
  const auto binary = open_binary(view, path);
  if (!binary) {
    return std::nullopt;
  }
  const auto symbols = DynamicSymbols::read(binary->elf, binary->dynamic);
  if (!symbols) {
    return std::nullopt;
  }
  Interface found;
  for (const DynamicSymbol& symbol : symbols->all()) {
    if (symbol.is_export()) {
      found.exports.insert(fmt::format("{}@{}", symbol.name, symbol.version));
    }
  }
  std::set<std::string> names = find_library_names(*binary->source);
  names.insert(binary->dynamic.needed.begin(), binary->dynamic.needed.end());
  for (const std::string& name : names) {
    if (!table.find_soname(name).empty()) {
      found.asks_for.insert(name);
    }
  }
  return found;
}

/// The order of the first versions of the same counting; none: there are no such.
std::optional<std::strong_ordering> compare_versions(const LibraryCopy& a, const LibraryCopy& b) {
  for (const DottedVersion& one : a.versions) {
    for (const DottedVersion& other : b.versions) {
      if (one.major() != other.major()) {
        continue;
      }
      for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
        if (one.part(i) != other.part(i)) {
          return one.part(i) <=> other.part(i);
        }
      }
      return std::strong_ordering::equal;
    }
  }
  return std::nullopt;
}

}  // namespace

TreeLibraries find_library_copies(const SlimTree& tree,
                                  const std::vector<std::string>& paths,
                                  const LibraryTable& table) {
  return CopyFinder(tree, table).run(paths);
}

std::optional<std::string> reason_against(const FileView& view,
                                          const LibraryCopy& kept,
                                          const LibraryCopy& dropped,
                                          const LibraryTable& table) {
  if (kept.cuda_major == 0 || kept.cuda_major != dropped.cuda_major) {
    return fmt::format("it is not known that `{}` is for the same CUDA", kept.path);
  }
  const auto order = compare_versions(kept, dropped);
  if (!order) {
    return fmt::format("the versions of it and of `{}` cannot be compared", kept.path);
  }
  if (*order == std::strong_ordering::less) {
    return fmt::format("`{}` ({}) is older", kept.path, kept.shown_owner());
  }
  const auto ours = read_interface(view, kept.path, table);
  const auto theirs = read_interface(view, dropped.path, table);
  if (!ours || !theirs) {
    return "its symbols cannot be read";
  }
  for (const std::string& name : theirs->exports) {
    if (!ours->exports.contains(name)) {
      return fmt::format("`{}` does not define `{}`", kept.path, name.substr(0, name.find('@')));
    }
  }
  if (ours->asks_for != theirs->asks_for) {
    return fmt::format("`{}` opens other libraries than it does", kept.path);
  }
  return std::nullopt;
}

bool are_identical(const FileView& view, const LibraryCopy& a, const LibraryCopy& b) {
  if (a.bytes != b.bytes) {
    return false;
  }
  const auto one = view.open(a.path);
  const auto other = view.open(b.path);
  if (!one || !other) {
    return false;
  }
  std::vector<char> ours(kCompareBlock);
  std::vector<char> theirs(kCompareBlock);
  for (std::uint64_t at = 0; at < a.bytes; at += kCompareBlock) {
    const std::uint64_t count = std::min(kCompareBlock, a.bytes - at);
    if (!(*one)->read_exact(at, count, ours.data(), "a library")
        || !(*other)->read_exact(at, count, theirs.data(), "a library")
        || std::memcmp(ours.data(), theirs.data(), count) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace fitment
