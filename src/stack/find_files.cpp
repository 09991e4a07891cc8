// SPDX-License-Identifier: Apache-2.0
#include "stack/find_files.h"

#include "base/byte_source.h"
#include "base/posix_io.h"
#include "elf/archive.h"
#include "elf/elf_file.h"
#include "gpucode/scan.h"
#include "wheel/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

/// Files of GPU code that stand alone go by their names: PTX is plain text.
bool has_gpu_name(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kExtensions{
      ".cubin", ".fatbin", ".ptx", ".hsaco", ".co", ".hipfb"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string())
         != kExtensions.end();
}

Result<std::string> read_start(const std::filesystem::path& path) {
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open_file_source(path));
  return source->read(0, std::min(kTellingBytes, source->size()), "the start of the file");
}

/// A name is no proof: `.co` and others are used for much else.
bool holds_gpu_code(const std::filesystem::path& path) {
  const auto source = open_file_source(path);
  const auto code = source ? scan_gpu_code(**source) : Result<GpuCode>(GpuCode{});
  return code && code->kind != GpuFileKind::none;
}

bool is_wheel_name(const std::filesystem::path& path) {
  return path.extension() == ".whl";
}

void take_file(const std::filesystem::path& path, FoundFiles& found) {
  auto start = read_start(path);
  if (!start) {
    found.unreadable.push_back(std::move(start).error());
  } else if (is_wheel_name(path)) {
    found.wheels.push_back(path);
  } else if (looks_like_elf(*start) || looks_like_archive(*start)
             || (has_gpu_name(path) && holds_gpu_code(path))) {
    found.binaries.push_back(path);
  }
}

/// A folder that may not be listed is a failure of its own: what lies in it was not looked at.
void search_folder(const std::filesystem::path& folder, FoundFiles& found) {
  std::vector<std::filesystem::path> open{folder};
  while (!open.empty()) {
    const std::filesystem::path next = std::move(open.back());
    open.pop_back();
    std::error_code code;
    std::filesystem::directory_iterator entry(next, code);
    while (!code && entry != std::filesystem::directory_iterator()) {
      std::error_code ignored;
      const auto status = entry->symlink_status(ignored);
      if (std::filesystem::is_directory(status)) {
        open.push_back(entry->path());
      } else if (std::filesystem::is_regular_file(status)) {
        take_file(entry->path(), found);
      }
      entry.increment(code);
    }
    if (code) {
      found.unreadable.push_back(system_error(code.value(), "list", next));
    }
  }
}

}  // namespace

bool may_be_binary(std::string_view start, const std::filesystem::path& name) {
  return looks_like_elf(start) || looks_like_archive(start) || has_gpu_name(name);
}

Error not_a_binary(std::string_view name) {
  return fail(ErrorCode::unsupported,
              fmt::format("`{}` is neither an ELF file, an archive nor GPU code", name));
}

Result<FoundFiles> find_files(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return system_error(code ? code.value() : ENOENT, "look at", path);
  }
  FoundFiles found;
  if (std::filesystem::is_directory(status)) {
    std::filesystem::directory_iterator top(path, code);
    if (code) {
      return system_error(code.value(), "list", path);
    }
    search_folder(path, found);
    std::sort(found.binaries.begin(), found.binaries.end());
    std::sort(found.wheels.begin(), found.wheels.end());
    return found;
  }
  if (!std::filesystem::is_regular_file(status)) {  // to open a pipe would wait for its writer
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not a regular file", path.string()))
        .hint("give a file or a folder");
  }
  FITMENT_TRY_ASSIGN(const std::string start, read_start(path));
  (is_wheel_name(path) || looks_like_zip(start) ? found.wheels : found.binaries).push_back(path);
  return found;
}

}  // namespace fitment
