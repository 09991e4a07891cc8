// SPDX-License-Identifier: Apache-2.0
#include "slim/tree_copy.h"

#include "base/new_file.h"
#include "base/posix_io.h"
#include "slim/journal.h"
#include "slim/original_copy.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace fitment {

namespace {

class TreeCopier {
 public:
  TreeCopier(std::filesystem::path from, std::filesystem::path to)
      : from_(std::move(from)), to_(std::move(to)) {}

  Status run();

 private:
  Status copy_entry(const std::filesystem::path& inside);
  Status copy_file(const std::filesystem::path& source,
                   const std::filesystem::path& target,
                   const struct stat& facts);

  std::filesystem::path from_;
  std::filesystem::path to_;
  std::map<std::pair<dev_t, ino_t>, std::filesystem::path> files_;  // with more than one name
  std::vector<std::pair<std::filesystem::path, struct stat>> folders_;
};

Status TreeCopier::copy_file(const std::filesystem::path& source,
                             const std::filesystem::path& target,
                             const struct stat& facts) {
  if (facts.st_nlink > 1) {
    const auto [first, is_new] = files_.emplace(std::pair(facts.st_dev, facts.st_ino), target);
    if (!is_new) {
      return ::link(first->second.c_str(), target.c_str()) == 0
                 ? Status()
                 : Status(system_error(errno, "link", target));
    }
  }
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(target));
  FITMENT_TRY(copy_whole(source, file));
  return file.commit(false);
}

Status TreeCopier::copy_entry(const std::filesystem::path& inside) {
  const std::filesystem::path source = from_ / inside;
  const std::filesystem::path target = to_ / inside;
  struct stat facts {};
  if (::lstat(source.c_str(), &facts) != 0) {
    return system_error(errno, "look at", source);
  }
  if (S_ISDIR(facts.st_mode)) {
    if (::mkdir(target.c_str(), S_IRWXU) != 0) {
      return system_error(errno, "make", target);
    }
    folders_.emplace_back(target, facts);
    return {};
  }
  if (S_ISLNK(facts.st_mode)) {
    std::error_code error;
    std::filesystem::copy_symlink(source, target, error);
    return error ? Status(system_error(error.value(), "copy", source)) : Status();
  }
  if (!S_ISREG(facts.st_mode)) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` is a device, socket or pipe", source.string()))
        .hint("leave it out of what is copied");
  }
  return copy_file(source, target, facts);
}

Status TreeCopier::run() {
  std::error_code error;
  std::filesystem::create_directories(to_, error);
  if (error) {
    return system_error(error.value(), "make", to_);
  }
  struct stat facts {};
  if (::stat(from_.c_str(), &facts) == 0) {
    folders_.emplace_back(to_, facts);
  }
  const std::filesystem::path journal = journal_path(from_).parent_path();
  std::filesystem::recursive_directory_iterator entry(from_, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    if (entry->path() == journal) {
      entry.disable_recursion_pending();
      continue;
    }
    FITMENT_TRY(copy_entry(entry->path().lexically_relative(from_)));
  }
  if (error) {
    return system_error(error.value(), "list", from_);
  }
  // Last, since what is put into a folder changes its time, and a mode may forbid it.
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    const auto& [path, old] = *folder;
    static_cast<void>(::lchown(path.c_str(), old.st_uid, old.st_gid));
    static_cast<void>(::chmod(path.c_str(), old.st_mode & 07777U));
    const std::array<timespec, 2> times{old.st_atim, old.st_mtim};
    static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0));
  }
  return {};
}

}  // namespace

TreeCopy::TreeCopy(TreeCopy&& other) noexcept
    : path_(std::exchange(other.path_, {})), was_there_(other.was_there_) {}

TreeCopy& TreeCopy::operator=(TreeCopy&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(was_there_, other.was_there_);
  return *this;
}

TreeCopy::~TreeCopy() {
  std::error_code error;
  if (path_.empty()) {
    return;
  }
  if (!was_there_) {
    std::filesystem::remove_all(path_, error);
    return;
  }
  std::vector<std::filesystem::path> entries;
  for (std::filesystem::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    entries.push_back(entry->path());
  }
  for (const std::filesystem::path& entry : entries) {
    std::filesystem::remove_all(entry, error);
  }
}

Result<TreeCopy> TreeCopy::make(const std::filesystem::path& from,
                                const std::filesystem::path& to) {
  std::error_code error;
  const std::filesystem::path real_from = std::filesystem::weakly_canonical(from, error);
  const std::filesystem::path real_to =
      std::filesystem::weakly_canonical(std::filesystem::absolute(to, error), error);
  const std::filesystem::path way = real_to.lexically_relative(real_from);
  if (way.empty() || *way.begin() != "..") {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is inside `{}`", to.string(), from.string()))
        .hint("write the result elsewhere");
  }
  const bool is_there = std::filesystem::exists(real_to, error);
  if (is_there && !std::filesystem::is_empty(real_to, error)) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is there already", to.string()))
        .hint("name a folder that is new or empty");
  }
  TreeCopy copy(real_to, is_there);
  FITMENT_TRY(TreeCopier(real_from, real_to).run());
  return copy;
}

}  // namespace fitment
