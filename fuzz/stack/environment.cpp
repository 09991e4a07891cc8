// SPDX-License-Identifier: Apache-2.0
// A root with Python environments, as anybody may have filled it: pyvenv.cfg, .pth files, dist-info
// folders, conda-meta, dpkg's status and lists. What is read stays inside of the root.
#include "stack/python_environment.h"
#include "stack/stack.h"
#include "stack/system_owners.h"
#include "support/file_tree.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

bool is_inside(std::string_view path) {
  return path.starts_with('/') && (std::string(path) + "/").find("/../") == std::string::npos;
}

void read(const MemoryView& view, PythonEnvironment environment) {
  for (const std::string& site : environment.sites) {
    require(view.entry_kind(site) == FileKind::folder);
  }
  const bool is_conda = environment.kind == PythonEnvironmentKind::conda;
  const std::string prefix = environment.prefix;
  const Stack stack = read_stack(view, std::move(environment));
  require(stack.shadowed_by.size() == stack.distributions.size());
  for (std::size_t i = 0; i < stack.distributions.size(); ++i) {
    const InstalledDistribution& distribution = stack.distributions[i];
    require(stack.shadowed_by[i] || stack.find_index(distribution.name) == i);
    for (const InstalledFile& file : distribution.files) {
      require(is_inside(file.path));
    }
  }
  for (const StackBinary& binary : stack.binaries) {
    require(stack.owner_of(binary.path) == binary.distribution && !binary.name().empty());
  }
  const SystemOwners owners =
      SystemOwners::read(view, true, is_conda ? std::vector{prefix} : std::vector<std::string>());
  for (const StackBinary& binary : stack.binaries) {
    static_cast<void>(owners.find(binary.path));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MemoryView view;
  for (TreeEntry& entry : read_tree({reinterpret_cast<const char*>(data), size})) {
    if (entry.is_link) {
      view.add_link(entry.path, std::move(entry.bytes));
    } else {
      view.add_file(entry.path, std::move(entry.bytes));
    }
  }
  const Environment variables{{"HOME", "/root"}, {"PYTHONPATH", "/v/more:relative"}};
  if (auto environment = read_python_environment(view, "/v", variables)) {
    read(view, std::move(*environment));
  }
  for (PythonEnvironment& environment : find_python_environments(view, variables)) {
    read(view, std::move(environment));
  }
  return 0;
}
