// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/posix_io.h"
#include "base/text.h"
#include "store/download.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

constexpr std::size_t kHashDigits = 64;
constexpr mode_t kReadOnly = 0444;

bool is_sha256(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f');
         });
}

std::filesystem::path folder_of_hash(const std::filesystem::path& files,
                                     const std::string& sha256) {
  return files / sha256.substr(0, 2) / sha256;
}

Result<StoredFile> verify_in_place(const WantedFile& wanted, const std::string& path) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(path));
  FITMENT_TRY_ASSIGN(std::string sha256, sha256_hex(*source));
  FITMENT_TRY(check_promise(wanted, source->size(), sha256));
  return StoredFile{path, std::move(sha256), source->size(), false, {}};
}

}  // namespace

std::string safe_file_name(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  std::string safe;
  for (const char c : name.substr(0, kLongest)) {
    const bool is_plain =
        static_cast<unsigned char>(c) > 0x20 && c != '/' && c != '\\' && c != 0x7f;
    safe += is_plain ? c : '_';
  }
  if (safe.empty() || safe.front() == '.') {
    safe.insert(0, "file");
  }
  return safe;
}

std::optional<StoredFile> Store::find(const std::string& sha256) const {
  if (!is_sha256(sha256)) {
    return std::nullopt;
  }
  const std::filesystem::path folder = folder_of_hash(files_folder(), sha256);
  const auto names = list_folder(folder);
  if (!names) {
    return std::nullopt;
  }
  for (const std::string& name : *names) {
    std::optional<FileLease> lease = FileLease::use(folder / name);
    struct stat info {};
    if (!lease || name.starts_with('.') || ::fstat(lease->descriptor(), &info) != 0) {
      continue;
    }
    // When it was last used decides what goes first; a store that is read-only is used all the
    // same.
    static_cast<void>(::futimens(lease->descriptor(), nullptr));
    return StoredFile{
        folder / name, sha256, static_cast<std::uint64_t>(info.st_size), false, std::move(lease)};
  }
  return std::nullopt;
}

Result<StoredFile> Store::fetch(HttpClient& client,
                                const WantedFile& wanted,
                                const FetchProgress& progress) const {
  if (const auto path = local_path(wanted.url)) {
    return verify_in_place(wanted, *path);
  }
  if (std::optional<StoredFile> found = find(wanted.sha256)) {
    FITMENT_TRY(check_promise(wanted, found->size, found->sha256));
    return std::move(*found);
  }
  if (!wanted.sha256.empty() && !is_sha256(wanted.sha256)) {
    return fail(ErrorCode::parse_error,
                fmt::format("`{}` is not a SHA-256", safe_file_name(wanted.sha256)))
        .at({shown_address(wanted.url), {}, {}, {}});
  }
  FITMENT_TRY(make_folder(partial_folder()));
  const std::string address = without_credentials(wanted.url);
  const std::filesystem::path partial =
      partial_folder() / (wanted.sha256.empty() ? sha256_hex("address " + address) : wanted.sha256);
  FITMENT_TRY_ASSIGN(FileLease lease, FileLease::own(partial));
  // Another process may have fetched it while we waited.
  if (std::optional<StoredFile> found = find(wanted.sha256)) {
    ::unlink(partial.c_str());
    return std::move(*found);
  }
  Result<std::string> sha256 = download(client, wanted, lease, partial, progress);
  if (!sha256) {
    struct stat info {};
    const bool is_of_use =
        !wanted.sha256.empty() && ::stat(partial.c_str(), &info) == 0 && info.st_size > 0;
    if (!is_of_use) {
      ::unlink(partial.c_str());
    }
    return std::move(sha256).error();
  }
  return commit(std::move(lease),
                partial,
                *sha256,
                wanted.name.empty() ? url_filename(wanted.url) : wanted.name);
}

Result<StoredFile> Store::commit(FileLease lease,
                                 const std::filesystem::path& partial,
                                 const std::string& sha256,
                                 const std::string& name) const {
  if (std::optional<StoredFile> found = find(sha256)) {
    ::unlink(partial.c_str());
    return std::move(*found);
  }
  const std::filesystem::path folder = folder_of_hash(files_folder(), sha256);
  const std::filesystem::path target = folder / safe_file_name(name);
  struct stat info {};
  if (::fstat(lease.descriptor(), &info) != 0 || ::fchmod(lease.descriptor(), kReadOnly) != 0
      || ::fsync(lease.descriptor()) != 0) {
    return system_error(errno, "sync", partial);
  }
  // Collecting garbage may take the folder away between the two steps.
  for (int attempt = 0;; ++attempt) {
    constexpr int kMostAttempts = 10;
    FITMENT_TRY(make_folder(folder));
    if (::rename(partial.c_str(), target.c_str()) == 0) {
      break;
    }
    if (errno != ENOENT || attempt == kMostAttempts) {
      return system_error(errno, "create", target);
    }
  }
  sync_folder(folder);
  lease.share();
  return StoredFile{
      target, sha256, static_cast<std::uint64_t>(info.st_size), true, std::move(lease)};
}

Result<StoredFile> Store::add(const ByteSource& bytes, const std::string& name) const {
  FITMENT_TRY_ASSIGN(const std::string sha256, sha256_hex(bytes));
  if (std::optional<StoredFile> found = find(sha256)) {
    return std::move(*found);
  }
  FITMENT_TRY(make_folder(partial_folder()));
  const std::filesystem::path partial = partial_folder() / sha256;
  FITMENT_TRY_ASSIGN(FileLease lease, FileLease::own(partial));
  if (::ftruncate(lease.descriptor(), 0) != 0) {
    return system_error(errno, "write", partial);
  }
  constexpr std::uint64_t kBlock = 1U << 20U;
  for (std::uint64_t at = 0; at < bytes.size(); at += kBlock) {
    const std::uint64_t count = std::min(kBlock, bytes.size() - at);
    FITMENT_TRY_ASSIGN(const std::string block, bytes.read(at, count, "the bytes to store"));
    if (!write_all(lease.descriptor(), block)) {
      const int code = errno;
      ::unlink(partial.c_str());
      return system_error(code, "write", partial).hint("`fitment cache gc` makes room");
    }
  }
  return commit(std::move(lease), partial, sha256, name);
}

}  // namespace fitment
