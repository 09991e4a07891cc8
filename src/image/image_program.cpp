// SPDX-License-Identifier: Apache-2.0
#include "image/image_program.h"

#include "base/files.h"
#include "base/text.h"
#include "elf/architecture.h"
#include "elf/dynamic.h"
#include "elf/elf_file.h"
#include "elf/symbols.h"
#include "elf/version_needs.h"

#include <fmt/format.h>

#include <sys/utsname.h>

#include <array>

namespace fitment {

namespace {

struct ArchName {
  std::string_view arch;  ///< as uname says it
  std::string_view oci;   ///< as OCI platforms say it
};
constexpr std::array<ArchName, 2> kArchs{{{"x86_64", "amd64"}, {"aarch64", "arm64"}}};

const ArchName* find_arch(std::string_view text) {
  for (const ArchName& one : kArchs) {
    if (text == one.arch || text == one.oci) {
      return &one;
    }
  }
  return nullptr;
}

/// An entry of binfmt_misc: `enabled`, `interpreter /usr/bin/qemu-aarch64-static`, `flags: OCF`.
bool is_usable_emulator(std::string_view entry) {
  bool is_enabled = false;
  bool is_fixed = false;  // opened when it was registered, so it needs not lie in the container
  for (const std::string_view line : split_lines(entry)) {
    is_enabled = is_enabled || trim(line) == "enabled";
    is_fixed = is_fixed || (line.starts_with("flags:") && line.find('F') != std::string_view::npos);
  }
  return is_enabled && is_fixed;
}

}  // namespace

Result<ImageProgram> read_image_program(const std::string& path) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(path));
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(*source));
  ImageProgram program;
  program.path = path;
  program.arch = architecture_name(elf.header().machine);
  FITMENT_TRY_ASSIGN(const std::optional<Dynamic> dynamic, read_dynamic(elf));
  if (dynamic) {
    FITMENT_TRY_ASSIGN(const DynamicSymbols symbols, DynamicSymbols::read_versions(elf, *dynamic));
    if (auto floor = glibc_floor(symbols.needed_versions())) {
      program.glibc_floor = std::move(floor->version);
    }
  }
  return program;
}

std::string platform_of_arch(std::string_view arch) {
  const ArchName* known = find_arch(arch);
  return fmt::format("linux/{}", known == nullptr ? arch : known->oci);
}

Result<std::string> parse_image_arch(std::string_view text) {
  constexpr std::string_view kLinux = "linux/";
  std::string_view name = text.starts_with(kLinux) ? text.substr(kLinux.size()) : text;
  if (name == "arm64/v8") {
    name = "arm64";
  }
  if (const ArchName* known = find_arch(name)) {
    return std::string(known->arch);
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("`{}` is not a platform that images are built for", text))
      .hint("write `linux/amd64` or `linux/arm64`");
}

bool is_own_platform(std::string_view platform) {
  struct utsname kernel {};
  return ::uname(&kernel) == 0
         && platform_of_arch(static_cast<const char*>(kernel.machine)) == platform;
}

Status check_runs_here(std::string_view platform) {
  if (platform.empty() || is_own_platform(platform)) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const std::string arch, parse_image_arch(platform));
  const std::string entry = fmt::format("/proc/sys/fs/binfmt_misc/qemu-{}", arch);
  const auto text = read_file(entry);
  if (text && is_usable_emulator(*text)) {
    return {};
  }
  return fail(ErrorCode::unsupported,
              fmt::format("this machine cannot run the steps of an image for {}", platform))
      .hint(fmt::format("install `qemu-user-static` and binfmt support: {} must be enabled, with "
                        "the flag F",
                        entry))
      .hint(
          "or write the files here, `fitment image render ... --output DIR`, and build DIR on a "
          "machine of that platform: `fitment image bake DIR/docker-bake.json --builder buildah`");
}

}  // namespace fitment
