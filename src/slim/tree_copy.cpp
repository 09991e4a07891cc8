// SPDX-License-Identifier: Apache-2.0
#include "slim/tree_copy.h"

#include "base/files.h"
#include "base/new_file.h"
#include "base/parallel.h"
#include "base/posix_io.h"
#include "slim/journal.h"
#include "slim/original_copy.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace fitment {

namespace {

using Folders = std::vector<std::pair<std::filesystem::path, struct stat>>;

class TreeCopier {
 public:
  TreeCopier(std::filesystem::path from,
             std::filesystem::path to,
             const std::set<std::filesystem::path>& left_out)
      : from_(std::move(from)), to_(std::move(to)), left_out_(left_out) {}

  Result<Folders> run();

 private:
  struct Pair {
    std::filesystem::path source;
    std::filesystem::path target;
  };
  Status walk();
  Status meet(const std::filesystem::path& inside);
  void meet_file(Pair file, const struct stat& facts);
  [[nodiscard]] Status copy_files() const;

  std::filesystem::path from_;
  std::filesystem::path to_;
  const std::set<std::filesystem::path>& left_out_;
  std::map<std::pair<dev_t, ino_t>, std::filesystem::path> names_;  // of files with more than one
  std::vector<Pair> files_;
  std::vector<Pair> links_;  // further names of files
  Folders folders_;
};

void TreeCopier::meet_file(Pair file, const struct stat& facts) {
  if (facts.st_nlink > 1) {
    const auto [first, is_new] = names_.emplace(std::pair(facts.st_dev, facts.st_ino), file.target);
    if (!is_new) {
      links_.push_back({first->second, std::move(file.target)});
      return;
    }
  }
  files_.push_back(std::move(file));
}

Status TreeCopier::meet(const std::filesystem::path& inside) {
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
  if (left_out_.count(inside) == 0) {
    meet_file({source, target}, facts);
  }
  return {};
}

Status TreeCopier::copy_files() const {
  std::vector<Status> results(files_.size());
  for_each_index(files_.size(), 0, [&](std::size_t i) {
    results[i] = [&]() -> Status {
      FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(files_[i].target));
      FITMENT_TRY(copy_whole(files_[i].source, file));
      return file.commit(false);
    }();
  });
  for (Status& result : results) {
    FITMENT_TRY(std::move(result));
  }
  for (const Pair& link : links_) {
    if (::link(link.source.c_str(), link.target.c_str()) != 0) {
      return system_error(errno, "link", link.target);
    }
  }
  return {};
}

Status TreeCopier::walk() {
  std::error_code error;
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
    FITMENT_TRY(meet(entry->path().lexically_relative(from_)));
  }
  if (error) {
    return system_error(error.value(), "list", from_);
  }
  return {};
}

Result<Folders> TreeCopier::run() {
  FITMENT_TRY(walk());
  FITMENT_TRY(copy_files());
  return std::move(folders_);
}

}  // namespace

TreeCopy::TreeCopy(TreeCopy&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      target_(std::move(other.target_)),
      folders_(std::move(other.folders_)) {}

TreeCopy& TreeCopy::operator=(TreeCopy&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(target_, other.target_);
  std::swap(folders_, other.folders_);
  return *this;
}

TreeCopy::~TreeCopy() {
  std::error_code error;
  if (path_.empty()) {
    return;
  }
  if (!was_there()) {
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

Status TreeCopy::keep() {
  // Last, since what is put into a folder changes its time, and a mode may forbid it.
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    const auto& [path, old] = *folder;
    static_cast<void>(::lchown(path.c_str(), old.st_uid, old.st_gid));
    static_cast<void>(::chmod(path.c_str(), old.st_mode & 07777U));
    const std::array<timespec, 2> times{old.st_atim, old.st_mtim};
    static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0));
  }
  if (!was_there() && ::rename(path_.c_str(), target_.c_str()) != 0) {
    return system_error(errno, "write", target_);
  }
  path_.clear();
  return {};
}

namespace {

/// A folder of our own beside the target.
Result<std::filesystem::path> folder_beside(const std::filesystem::path& target) {
  FITMENT_TRY(make_folder(target.parent_path()));
  std::string name =
      (target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return system_error(errno, "make a folder beside", target);
  }
  return std::filesystem::path(name);
}

}  // namespace

Result<TreeCopy> TreeCopy::make(const std::filesystem::path& from,
                                const std::filesystem::path& to,
                                const std::set<std::filesystem::path>& left_out) {
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
  std::filesystem::path place = real_to;
  if (!is_there) {
    FITMENT_TRY_ASSIGN(place, folder_beside(real_to));
  }
  TreeCopy copy(place, real_to);
  FITMENT_TRY_ASSIGN(copy.folders_, TreeCopier(real_from, place, left_out).run());
  return copy;
}

}  // namespace fitment
