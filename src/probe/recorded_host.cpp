// SPDX-License-Identifier: Apache-2.0
// A host as a tree of files. Symbolic links are resolved inside the tree, an absolute target from
// its root and `..` never above it, so that an image's /usr/local/cuda -> /etc/alternatives/cuda
// never leads to the machine that reads it.
#include "base/files.h"
#include "base/text.h"
#include "elf/file_view.h"
#include "probe/host_view.h"
#include "probe/read_part.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kNoteLimit = 1U << 20U;

class RecordedHost final : public HostView {
 public:
  RecordedHost(std::filesystem::path root, Environment environment)
      : root_(std::move(root)), view_(root_.string()), environment_(std::move(environment)) {}

  Status read_notes();

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         std::uint64_t limit) const override {
    FITMENT_TRY_ASSIGN(const std::string real, resolve_readable(path));
    return read_plain_file(on_disk(real), path, limit);
  }
  [[nodiscard]] Result<std::string> read_part(const std::string& path,
                                              std::uint64_t offset,
                                              std::uint64_t size) const override {
    FITMENT_TRY_ASSIGN(const std::string real, resolve_readable(path));
    return read_file_part(on_disk(real), path, offset, size);
  }
  [[nodiscard]] bool exists(const std::string& path) const override {
    return real_path(path).has_value();
  }
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override {
    FITMENT_TRY_ASSIGN(const std::string real, resolve_readable(folder));
    return list_folder(on_disk(real));
  }
  [[nodiscard]] std::optional<std::string> read_link(const std::string& path) const override {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) {
      return {};
    }
    const auto folder = real_path(path.substr(0, slash));
    std::error_code code;
    const std::filesystem::path target =
        std::filesystem::read_symlink(on_disk(folder.value_or("") + path.substr(slash)), code);
    return !folder || code ? std::nullopt : std::optional(target.string());
  }
  [[nodiscard]] std::optional<std::string> real_path(const std::string& path) const override {
    auto real = view_.resolve(path);
    return real ? std::optional(std::move(*real)) : std::nullopt;
  }
  [[nodiscard]] const HostWitnesses& witnesses() const override { return witnesses_; }
  [[nodiscard]] const Environment& environment() const override { return environment_; }
  [[nodiscard]] bool can_load_libraries() const override { return false; }

 private:
  [[nodiscard]] std::filesystem::path on_disk(const std::string& real) const {
    return {root_.string() + real};
  }
  [[nodiscard]] Result<std::string> resolve_readable(const std::string& path) const;
  /// The text of fitment-host/NAME; nothing when there is none.
  [[nodiscard]] Result<std::optional<std::string>> note(const std::string& name) const;

  std::filesystem::path root_;
  DirectoryView view_;
  Environment environment_;
  HostWitnesses witnesses_;
  std::set<std::string> unreadable_;
};

Result<std::string> RecordedHost::resolve_readable(const std::string& path) const {
  auto real = real_path(path);
  if (!real) {
    return fail(ErrorCode::not_found, fmt::format("`{}` does not exist", path));
  }
  if (unreadable_.count(*real) == 1) {
    return fail(ErrorCode::io_error, fmt::format("cannot read `{}`: permission denied", path));
  }
  return std::move(*real);
}

Result<std::optional<std::string>> RecordedHost::note(const std::string& name) const {
  auto text = read("/fitment-host/" + name, kNoteLimit);
  if (!text && text.error().code() == ErrorCode::not_found) {
    return std::optional<std::string>();
  }
  if (!text) {
    return std::move(text).error();
  }
  return std::optional(std::move(*text));
}

Status RecordedHost::read_notes() {
  const auto source = [this](const std::string& name) {
    return on_disk("/fitment-host/" + name).string();
  };
  FITMENT_TRY_ASSIGN(const auto cpuid, note("cpuid.txt"));
  if (cpuid) {
    FITMENT_TRY_ASSIGN(witnesses_.cpuid, parse_cpuid(*cpuid, source("cpuid.txt")));
  }
  FITMENT_TRY_ASSIGN(const auto auxv, note("auxv.txt"));
  if (auxv) {
    FITMENT_TRY_ASSIGN(witnesses_.auxv, parse_auxv(*auxv, source("auxv.txt")));
  }
  FITMENT_TRY_ASSIGN(const auto kernel, note("uname.txt"));
  if (kernel) {
    FITMENT_TRY_ASSIGN(witnesses_.kernel, parse_uname(*kernel, source("uname.txt")));
  }
  FITMENT_TRY_ASSIGN(const auto environment_note, note("environment.txt"));
  const std::string variables = environment_note.value_or("");
  for (const std::string_view line : split_lines(variables)) {
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos) {
      environment_.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  FITMENT_TRY_ASSIGN(const auto unreadable_note, note("unreadable.txt"));
  const std::string unreadable = unreadable_note.value_or("");
  for (const std::string_view line : split_lines(unreadable)) {
    unreadable_.emplace(trim(line));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<HostView>> recorded_host(const std::filesystem::path& root,
                                                Environment environment) {
  std::error_code code;
  if (!std::filesystem::is_directory(root, code)) {
    return fail(ErrorCode::not_found, fmt::format("`{}` is not a folder", root.string()))
        .hint("give the root of a file tree that holds etc/, usr/ and so on");
  }
  auto host = std::make_unique<RecordedHost>(root, std::move(environment));
  FITMENT_TRY(host->read_notes());
  return std::unique_ptr<HostView>(std::move(host));
}

}  // namespace fitment
