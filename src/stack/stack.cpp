// SPDX-License-Identifier: Apache-2.0
#include "stack/stack.h"

#include "base/parallel.h"
#include "elf/elf_file.h"
#include "elf/library_path.h"

#include <algorithm>

namespace fitment {

namespace {

bool may_be_binary(std::string_view path) {
  const std::string_view name = file_name(path);
  return is_library_path(name) || name.find('.') == std::string_view::npos;
}

bool is_module_name(std::string_view name) {
  return name.ends_with(".abi3.so") || name.find(".cpython-") != std::string_view::npos
         || name.find(".pypy") != std::string_view::npos;
}

/// None for what is no ELF file, a problem for what is a damaged one.
std::optional<StackBinary> read_binary(const FileView& view,
                                       const std::string& path,
                                       std::vector<SiteProblem>& problems) {
  const auto source = view.open(path);
  if (!source || !(*source)->contains(0, 4)) {
    return std::nullopt;
  }
  const auto start = (*source)->read(0, 4, "the start of the file");
  if (!start || !looks_like_elf(*start)) {
    return std::nullopt;
  }
  const auto elf = ElfFile::read(**source);
  if (!elf) {
    problems.push_back({path, describe_problem(elf.error())});
    return std::nullopt;
  }
  auto dynamic = read_dynamic(*elf);
  if (!dynamic) {
    problems.push_back({path, describe_problem(dynamic.error())});
    return std::nullopt;
  }
  if (!*dynamic) {
    return std::nullopt;
  }
  StackBinary binary;
  binary.path = path;
  binary.machine = elf->header().machine;
  binary.dynamic = std::move(**dynamic);
  binary.is_extension_module = !elf->is_program()
                               && (is_module_name(file_name(path))
                                   || (!binary.dynamic.soname && file_name(path).ends_with(".so")));
  return binary;
}

void mark_shadowed(Stack& stack) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < stack.distributions.size(); ++i) {
    const auto [found, is_new] = first.emplace(stack.distributions[i].name, i);
    stack.shadowed_by.push_back(is_new ? std::nullopt : std::optional(found->second));
  }
}

void read_binaries(const FileView& view, Stack& stack) {
  for (std::size_t i = 0; i < stack.distributions.size(); ++i) {
    if (stack.shadowed_by[i]) {
      continue;
    }
    for (const InstalledFile& file : stack.distributions[i].files) {
      if (may_be_binary(file.path)) {
        stack.owners[file.path] = i;
      }
    }
  }
  std::vector<std::pair<std::string, std::size_t>> paths(stack.owners.begin(), stack.owners.end());
  std::vector<std::optional<StackBinary>> read(paths.size());
  std::vector<std::vector<SiteProblem>> problems(paths.size());
  for_each_index(paths.size(), 0, [&](std::size_t i) {
    read[i] = read_binary(view, paths[i].first, problems[i]);
  });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (read[i]) {
      read[i]->distribution = paths[i].second;
      stack.binaries.push_back(std::move(*read[i]));
    }
    stack.problems.insert(stack.problems.end(), problems[i].begin(), problems[i].end());
  }
}

}  // namespace

std::string StackBinary::name() const {
  return dynamic.soname.value_or(std::string(file_name(path)));
}

std::optional<std::size_t> Stack::find_index(std::string_view name) const {
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    if (distributions[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

const InstalledDistribution* Stack::find(std::string_view name) const {
  const auto index = find_index(name);
  return index ? &distributions[*index] : nullptr;
}

std::optional<std::size_t> Stack::owner_of(std::string_view path) const {
  const auto found = owners.find(path);
  return found == owners.end() ? std::nullopt : std::optional(found->second);
}

Stack read_stack(const FileView& view, PythonEnvironment environment) {
  Stack stack;
  stack.environment = std::move(environment);
  for (const std::string& site : stack.environment.sites) {
    auto packages = read_site_packages(view, site);
    if (!packages) {
      stack.problems.push_back({site, describe_problem(packages.error())});
      continue;
    }
    for (InstalledDistribution& distribution : packages->distributions) {
      const auto wheel = stack.environment.wheels.find(distribution.info_folder);
      distribution.wheel = wheel == stack.environment.wheels.end() ? "" : wheel->second;
    }
    std::move(packages->distributions.begin(),
              packages->distributions.end(),
              std::back_inserter(stack.distributions));
    std::move(
        packages->problems.begin(), packages->problems.end(), std::back_inserter(stack.problems));
  }
  mark_shadowed(stack);
  read_binaries(view, stack);
  return stack;
}

}  // namespace fitment
