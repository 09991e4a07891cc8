// SPDX-License-Identifier: Apache-2.0
#include "wheel/tags.h"

#include "base/text.h"
#include "wheel/quote.h"
#include "wheel/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestNumber = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<std::string_view, 9> kManylinuxArchs{
    "x86_64", "i686", "aarch64", "armv7l", "ppc64", "ppc64le", "s390x", "loongarch64", "riscv64"};

// Bounds for lists that are made from numbers in files. Real minors: Python 3.15, glibc 2.43,
// musl 1.2.
constexpr std::uint32_t kMostMinors = 99;

/// PEP 600: the names that older standards gave to glibc versions.
struct LegacyManylinux {
  std::string_view name;
  std::uint32_t glibc_minor;
};
constexpr std::array<LegacyManylinux, 3> kLegacy{
    {{"manylinux2014", 17}, {"manylinux2010", 12}, {"manylinux1", 5}}};

bool has_manylinux(std::string_view arch) {
  return std::find(kManylinuxArchs.begin(), kManylinuxArchs.end(), arch) != kManylinuxArchs.end();
}

void add_manylinux(std::vector<std::string>& platforms,
                   std::string_view arch,
                   const DottedVersion& glibc) {
  // glibc 2.5 (manylinux1) is the oldest on x86, 2.17 (manylinux2014) everywhere else. There is no
  // glibc 3; a later major would run programs of the earlier one.
  const std::uint32_t oldest = arch == "x86_64" || arch == "i686" ? 5 : 17;
  const std::uint32_t newest = glibc.major() > 2 ? kMostMinors : glibc.minor();
  if (glibc.major() < 2) {
    return;
  }
  for (std::uint32_t minor = std::min(newest, kMostMinors); minor >= oldest; --minor) {
    platforms.push_back(fmt::format("manylinux_2_{}_{}", minor, arch));
    for (const LegacyManylinux& legacy : kLegacy) {
      if (legacy.glibc_minor == minor) {
        platforms.push_back(fmt::format("{}_{}", legacy.name, arch));
      }
    }
  }
}

std::vector<std::string> supported_platforms(std::string_view arch,
                                             std::string_view libc_family,
                                             const DottedVersion& libc) {
  std::vector<std::string> platforms;
  if (libc_family == "glibc" && has_manylinux(arch)) {
    add_manylinux(platforms, arch, libc);
  }
  if (libc_family == "musl") {
    for (std::uint32_t count = std::min(libc.minor(), kMostMinors) + 1; count > 0; --count) {
      platforms.push_back(fmt::format("musllinux_{}_{}_{}", libc.major(), count - 1, arch));
    }
  }
  platforms.push_back(fmt::format("linux_{}", arch));
  return platforms;
}

/// Collects tags for all platforms at once.
class TagList {
 public:
  explicit TagList(std::vector<std::string> platforms) : platforms_(std::move(platforms)) {}

  void add(const std::string& python, const std::string& abi) {
    for (const std::string& platform : platforms_) {
      tags_.push_back({python, abi, platform});
    }
  }
  void add_any(const std::string& python) { tags_.push_back({python, "none", "any"}); }
  std::vector<Tag> take() { return std::move(tags_); }

 private:
  std::vector<std::string> platforms_;
  std::vector<Tag> tags_;
};

void add_cpython(TagList& tags, const PythonVersion& python, std::uint32_t minor) {
  const std::string interpreter = fmt::format("cp{}{}", python.major, minor);
  // The stable ABI came with 3.2; builds without the lock have their own (PEP 803).
  const bool has_stable_abi = python.major > 3 || (python.major == 3 && minor >= 2);
  const std::string stable_abi = python.free_threaded ? "abi3t" : "abi3";
  std::string abi = interpreter + (python.free_threaded ? "t" : "");
  if (python.major < 3 || (python.major == 3 && minor < 8)) {
    abi += python.major == 2 || minor < 3 ? "mu" : "m";  // pymalloc, and before 3.3 wide Unicode
  }
  tags.add(interpreter, abi);
  if (has_stable_abi) {
    tags.add(interpreter, stable_abi);
  }
  tags.add(interpreter, "none");
  if (has_stable_abi) {
    // There was no build without the lock before 3.13, and so no stable ABI of one.
    const std::uint32_t oldest = python.free_threaded ? 13 : 2;
    for (std::uint32_t older = minor; older > oldest; --older) {
      tags.add(fmt::format("cp{}{}", python.major, older - 1), stable_abi);
    }
  }
}

}  // namespace

std::string to_string(const Tag& tag) {
  return tag.python + "-" + tag.abi + "-" + tag.platform;
}

Result<PythonVersion> parse_python_version(std::string_view text) {
  const auto bad = [text] {
    return fail(ErrorCode::parse_error, fmt::format("{} is not a Python version", quote(text)))
        .hint("versions look like 3.12, 3.12.3 or 3.14t (free-threaded)");
  };
  PythonVersion python;
  std::string rest = to_lower(trim(text));
  for (const std::string_view name : {"cpython", "pypy", "python"}) {
    if (rest.starts_with(name)) {
      python.implementation = name == "pypy" ? "pypy" : "cpython";
      rest.erase(0, name.size());
      rest = rest.starts_with('-') ? rest.substr(1) : std::string(trim(rest));
      break;
    }
  }
  if (rest.ends_with('+')) {
    rest.pop_back();  // a build from a changed source tree: `3.12.3+`
  }
  if (rest.ends_with('t')) {
    rest.pop_back();
    python.free_threaded = true;
  }
  const auto version = Version::parse(rest);
  if (!version || !is_digit(rest.front()) || version->epoch() != 0 || !version->local().empty()
      || version->release().size() < 2 || version->release().size() > 3) {
    return bad();
  }
  if (version->major() > 9 || version->minor() > kMostMinors) {
    return bad();
  }
  python.major = static_cast<std::uint32_t>(version->major());
  python.minor = static_cast<std::uint32_t>(version->minor());
  if (python.free_threaded
      && (python.implementation != "cpython" || python.major < 3
          || (python.major == 3 && python.minor < 13))) {
    return bad().hint("free-threaded builds began with CPython 3.13");
  }
  return python;
}

std::string to_string(const PythonVersion& python) {
  return fmt::format("{}{}.{}{}",
                     python.implementation == "cpython" ? "" : python.implementation,
                     python.major,
                     python.minor,
                     python.free_threaded ? "t" : "");
}

std::vector<Tag> supported_tags(const PythonVersion& python,
                                std::string_view arch,
                                std::string_view libc_family,
                                const DottedVersion& libc_version) {
  return supported_tags(python, supported_platforms(arch, libc_family, libc_version));
}

std::vector<std::string> windows_platforms(std::string_view arch) {
  if (arch == "x86_64") {
    return {"win_amd64"};
  }
  if (arch == "aarch64") {
    return {"win_arm64"};
  }
  return arch == "i686" ? std::vector<std::string>{"win32"} : std::vector<std::string>{};
}

std::vector<Tag> supported_tags(const PythonVersion& python, std::vector<std::string> platforms) {
  TagList tags(std::move(platforms));
  const std::uint32_t minor = std::min(python.minor, kMostMinors);
  std::string interpreter = fmt::format("cp{}{}", python.major, minor);
  if (python.implementation == "pypy") {
    interpreter = fmt::format("pp{}{}", python.major, minor);
    // Every PyPy since 7.3 has kept the binary interface of 7.3.
    tags.add(interpreter, fmt::format("pypy{}{}_pp73", python.major, minor));
    tags.add(interpreter, "none");
    interpreter = fmt::format("pp{}", python.major);
  } else {
    add_cpython(tags, python, minor);
  }

  std::vector<std::string> generic{fmt::format("py{}{}", python.major, minor),
                                   fmt::format("py{}", python.major)};
  for (std::uint32_t older = minor; older > 0; --older) {
    generic.push_back(fmt::format("py{}{}", python.major, older - 1));
  }
  for (const std::string& name : generic) {
    tags.add(name, "none");
  }
  tags.add_any(interpreter);
  for (const std::string& name : generic) {
    tags.add_any(name);
  }
  return tags.take();
}

std::optional<std::size_t> best_rank(const WheelFilename& wheel,
                                     const std::vector<Tag>& supported) {
  const auto has = [](const std::vector<std::string>& set, const std::string& tag) {
    return std::find(set.begin(), set.end(), tag) != set.end();
  };
  for (std::size_t i = 0; i < supported.size(); ++i) {
    const Tag& tag = supported[i];
    if (has(wheel.python_tags, tag.python) && has(wheel.abi_tags, tag.abi)
        && has(wheel.platform_tags, tag.platform)) {
      return i;
    }
  }
  return std::nullopt;
}

Result<PlatformTag> parse_platform_tag(std::string_view text) {
  const auto bad = [text] {
    return fail(ErrorCode::parse_error, fmt::format("{} is not a platform tag", quote(text)))
        .hint("platform tags look like manylinux_2_28_x86_64, musllinux_1_2_aarch64 or any");
  };
  using Family = PlatformTag::Family;
  const std::string tag = to_lower(text);
  if (tag.empty()) {
    return bad();
  }
  if (tag == "any") {
    return PlatformTag{};
  }
  for (const LegacyManylinux& legacy : kLegacy) {
    if (tag.starts_with(std::string(legacy.name) + "_")) {
      return PlatformTag{
          Family::manylinux, 2, legacy.glibc_minor, tag.substr(legacy.name.size() + 1)};
    }
  }
  if (tag.starts_with("linux_") && tag.size() > 6) {
    return PlatformTag{Family::linux, 0, 0, tag.substr(6)};
  }
  if (!tag.starts_with("manylinux") && !tag.starts_with("musllinux")) {
    return PlatformTag{Family::other, 0, 0, tag};
  }
  const auto pieces = split(tag, '_');
  if (pieces.size() < 4 || (pieces[0] != "manylinux" && pieces[0] != "musllinux")) {
    return bad();
  }
  const auto major = parse_unsigned(pieces[1]);
  const auto minor = parse_unsigned(pieces[2]);
  const std::size_t arch_at = pieces[0].size() + pieces[1].size() + pieces[2].size() + 3;
  if (!major || !minor || *major > kLargestNumber || *minor > kLargestNumber
      || arch_at >= tag.size()) {
    return bad();
  }
  return PlatformTag{pieces[0] == "manylinux" ? Family::manylinux : Family::musllinux,
                     static_cast<std::uint32_t>(*major),
                     static_cast<std::uint32_t>(*minor),
                     tag.substr(arch_at)};
}

}  // namespace fitment
