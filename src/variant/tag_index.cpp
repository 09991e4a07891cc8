// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "variant/select.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

Result<PythonVersion> python_of(const Machine& machine) {
  if (!machine.python.version) {
    return fail(ErrorCode::invalid_argument, "the machine does not say which Python it has")
        .hint("pass it: `--python 3.12`");
  }
  const std::string implementation = to_lower(machine.python.implementation.value_or("cpython"));
  const std::string& version = *machine.python.version;
  const bool is_named = !version.empty() && is_alpha(version.front());
  return parse_python_version(is_named ? version : implementation + version);
}

}  // namespace

Result<TagIndex> TagIndex::of_machine(const Machine& machine) {
  FITMENT_TRY_ASSIGN(const PythonVersion python, python_of(machine));
  const std::string arch = machine.system.arch.value_or("");
  if (arch.empty()) {
    return fail(ErrorCode::invalid_argument, "the machine does not say its architecture")
        .hint("pass it: `--set system.arch=x86_64`");
  }
  TagIndex index;
  index.arch_ = arch;
  const std::string os = machine.system.os.value_or("linux");
  const Libc libc = machine.system.libc.value_or({});
  std::vector<Tag> tags;
  if (os == "linux") {
    index.libc_family_ = libc.family;
    tags = supported_tags(python, arch, libc.family, libc.version);
  } else {
    tags = supported_tags(python,
                          os == "windows" ? windows_platforms(arch) : std::vector<std::string>{});
  }
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const Tag& tag = tags[i];
    index.ranks_.emplace(to_string(tag), i);
    index.pythons_.insert(tag.python);
    index.abis_.emplace(tag.python, tag.abi);
  }
  const std::string name = python.implementation == "cpython" ? "CPython " : "";
  index.description_ = fmt::format("{}{} on {} {}", name, to_string(python), os, arch);
  if (os == "linux") {
    index.description_ += libc.family.empty()
                              ? ", C library unknown"
                              : fmt::format(" with {} {}", libc.family, to_string(libc.version));
  }
  return index;
}

std::optional<std::size_t> TagIndex::rank(const WheelFilename& wheel) const {
  std::optional<std::size_t> best;
  for (const std::string& python : wheel.python_tags) {
    if (pythons_.count(python) == 0) {
      continue;
    }
    for (const std::string& abi : wheel.abi_tags) {
      for (const std::string& platform : wheel.platform_tags) {
        const auto found = ranks_.find(to_string(Tag{python, abi, platform}));
        if (found != ranks_.end()) {
          best = std::min(best.value_or(found->second), found->second);
        }
      }
    }
  }
  return best;
}

std::string_view TagIndex::reason(const WheelFilename& wheel) const {
  bool has_python = false;
  bool has_abi = false;
  for (const std::string& python : wheel.python_tags) {
    has_python = has_python || pythons_.count(python) == 1;
    for (const std::string& abi : wheel.abi_tags) {
      has_abi = has_abi || abis_.count({python, abi}) == 1;
    }
  }
  if (!has_python) {
    return "python-tag";
  }
  if (!has_abi) {
    return "abi-tag";
  }
  for (const std::string& text : wheel.platform_tags) {
    const auto tag = parse_platform_tag(text);
    if (!tag || tag->arch != arch_) {
      continue;
    }
    if (tag->family == PlatformTag::Family::manylinux && libc_family_ == "glibc") {
      return "glibc-floor";
    }
    if (tag->family == PlatformTag::Family::musllinux && libc_family_ == "musl") {
      return "musl-floor";
    }
  }
  return "platform-tag";
}

}  // namespace fitment
