// SPDX-License-Identifier: Apache-2.0
// The C library that counts is that of the interpreter that packages are installed for. ldd is
// never run: distroless images have none, and on musl it prints something else. The library's own
// file holds its version.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/elf_head.h"
#include "probe/host_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kLibraryLimit = 16U << 20U;

struct FoundLibc {
  Libc libc;
  std::string path;
};

/// `GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36.` stands in libc.so.6.
std::optional<DottedVersion> glibc_version_in(std::string_view bytes) {
  constexpr std::string_view kMark = "GNU C Library";
  constexpr std::string_view kVersion = "release version ";
  constexpr std::size_t kLongestBanner = 256;
  const std::size_t mark = bytes.find(kMark);
  if (mark == std::string_view::npos) {
    return {};
  }
  const std::string_view banner = bytes.substr(mark, kLongestBanner);
  const std::size_t at = banner.find(kVersion);
  if (at == std::string_view::npos) {
    return {};
  }
  auto version = DottedVersion::parse_prefix(banner.substr(at + kVersion.size()));
  return version ? std::optional(std::move(*version)) : std::nullopt;
}

/// musl's loader holds its version as a text of its own: a zero byte, `1.2.4`, a zero byte.
std::optional<DottedVersion> musl_version_in(std::string_view bytes) {
  constexpr std::size_t kLongest = 12;
  for (std::size_t at = bytes.find('\0'); at != std::string_view::npos;
       at = bytes.find('\0', at + 1)) {
    if (at + 3 >= bytes.size() || !is_digit(bytes[at + 1]) || bytes[at + 2] != '.') {
      continue;
    }
    const std::string_view text = bytes.substr(at + 1, kLongest);
    const std::size_t end = text.find('\0');
    const auto version = DottedVersion::parse(text.substr(0, end));
    if (end != std::string_view::npos && version && version->size() == 3) {
      return *version;
    }
  }
  return {};
}

/// Alpine's package database, which is quicker than the file: `P:musl` and then `V:1.2.4-r2`.
std::optional<DottedVersion> musl_package_version(const HostView& host) {
  const auto text = host.read("/lib/apk/db/installed", kLibraryLimit);
  if (!text) {
    return {};
  }
  const std::size_t package = text->find("P:musl\n");
  const std::size_t line = package == std::string::npos ? package : text->find("\nV:", package);
  if (line == std::string::npos) {
    return {};
  }
  auto version = DottedVersion::parse_prefix(std::string_view(*text).substr(line + 3));
  return version ? std::optional(std::move(*version)) : std::nullopt;
}

std::optional<FoundLibc> glibc_at(const HostView& host, const std::string& path) {
  const auto bytes = host.read(path, kLibraryLimit);
  if (!bytes) {
    return {};
  }
  const auto version = glibc_version_in(*bytes);
  return version ? std::optional(FoundLibc{{"glibc", *version}, path}) : std::nullopt;
}

std::optional<FoundLibc> musl_at(const HostView& host, const std::string& loader) {
  if (loader.starts_with("/lib/")) {
    if (const auto version = musl_package_version(host)) {
      return FoundLibc{{"musl", *version}, "/lib/apk/db/installed"};
    }
  }
  const auto bytes = host.read(loader, kLibraryLimit);
  if (!bytes) {
    return {};
  }
  return FoundLibc{{"musl", musl_version_in(*bytes).value_or(DottedVersion())}, loader};
}

/// The C library that belongs to a loader: musl is its own; glibc's stands beside the loader, or in
/// the folders where the distribution keeps libraries.
std::optional<FoundLibc> libc_of_loader(const HostView& host,
                                        const std::string& loader,
                                        const std::string& arch) {
  if (loader.find("ld-musl-") != std::string::npos) {
    return musl_at(host, loader);
  }
  std::vector<std::string> folders = library_folders(arch);
  if (const auto real = host.real_path(loader)) {
    folders.insert(folders.begin(), folder_of(*real));
  }
  for (const std::string& folder : folders) {
    if (auto found = glibc_at(host, folder + "/libc.so.6")) {
      return found;
    }
  }
  return {};
}

std::vector<std::string> musl_loaders(const HostView& host) {
  std::vector<std::string> loaders;
  for (const std::string& name : names_in(host, "/lib")) {
    if (name.starts_with("ld-musl-") && name.ends_with(".so.1")) {
      loaders.push_back("/lib/" + name);
    }
  }
  return loaders;
}

/// The loader of the root's own programs; where no program can be read, musl when its loader is
/// there, else glibc.
std::string loader_of_root(const HostView& host) {
  for (const char* path : {"/bin/sh", "/usr/bin/env", "/bin/busybox"}) {
    if (const auto head = read_elf_head(host, path); head && !head->interpreter.empty()) {
      return head->interpreter;
    }
  }
  const auto musl = musl_loaders(host);
  return musl.empty() ? std::string() : musl.front();
}

/// A musl system with glibc laid over it (Alpine images do that) runs wheels for musl only.
void report_glibc_beside_musl(const HostView& host, const FoundLibc& used, Observation& seen) {
  if (used.libc.family != "musl") {
    return;
  }
  auto other = glibc_at(host, "/usr/glibc-compat/lib/libc.so.6");
  if (!other) {
    other = libc_of_loader(host, "", seen.arch());
  }
  if (other) {
    seen.find("second-libc",
              fmt::format("musl {} is used here, and there is glibc {} beside it (`{}`)",
                          used.libc.version.text(),
                          other->libc.version.text(),
                          other->path),
              "take builds for musl (musllinux wheels); for an interpreter that uses glibc, give "
              "its path with --python");
  }
}

}  // namespace

void detect_libc(const HostView& host, Observation& seen) {
  Known<Libc>& libc = seen.machine.system.libc;
  std::string loader;
  if (seen.machine.python.executable) {
    if (const auto head = read_elf_head(host, *seen.machine.python.executable)) {
      loader = head->interpreter;
    }
  }
  if (loader.empty()) {
    loader = loader_of_root(host);
  }
  // This process runs on the same C library when it was started by the same loader: no file needed.
  const std::string& own = host.witnesses().glibc;
  const bool standard =
      loader.starts_with("/lib64/ld-linux") || loader.starts_with("/lib/ld-linux");
  if (!own.empty() && standard) {
    if (auto version = DottedVersion::parse_prefix(own)) {
      libc.set({"glibc", std::move(*version)}, "gnu_get_libc_version");
      return;
    }
  }
  if (const auto found = libc_of_loader(host, loader, seen.arch())) {
    libc.set(found->libc, found->path);
    report_glibc_beside_musl(host, *found, seen);
  }
}

}  // namespace fitment
