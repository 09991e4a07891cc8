// SPDX-License-Identifier: Apache-2.0
// A whole host as a tree of files that says anything: probing ends, and the machine that it gives
// is written and read again.
#include "machine/machine_file.h"
#include "probe/probe.h"
#include "support/file_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

/// Without links below folders: a link is a file's other name.
class TreeHost final : public HostView {
 public:
  explicit TreeHost(std::vector<TreeEntry> entries) {
    for (TreeEntry& entry : entries) {
      for (std::size_t slash = entry.path.rfind('/'); slash != std::string::npos && slash != 0;
           slash = entry.path.rfind('/', slash - 1)) {
        folders_.insert(entry.path.substr(0, slash));
      }
      entries_[entry.path] = std::move(entry);
    }
    take_note("/fitment-host/cpuid.txt", &parse_cpuid, witnesses_.cpuid);
    take_note("/fitment-host/auxv.txt", &parse_auxv, witnesses_.auxv);
    take_note("/fitment-host/uname.txt", &parse_uname, witnesses_.kernel);
  }

  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    const auto real = real_path(path);
    const auto found = entries_.find(real.value_or(""));
    if (found == entries_.end()) {
      return fail(ErrorCode::not_found, "no such file");
    }
    return found->second.bytes.substr(0, limit);
  }
  Result<std::string> read_part(const std::string& path,
                                std::uint64_t offset,
                                std::uint64_t size) const override {
    FITMENT_TRY_ASSIGN(const std::string bytes, read(path, UINT64_MAX));
    return bytes.substr(std::min<std::uint64_t>(offset, bytes.size()), size);
  }
  bool exists(const std::string& path) const override { return real_path(path).has_value(); }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    std::set<std::string> names;
    const std::string inside = folder + "/";
    for (const auto& [path, entry] : entries_) {
      if (path.starts_with(inside)) {
        const std::string rest = path.substr(inside.size());
        names.insert(rest.substr(0, rest.find('/')));
      }
    }
    if (names.empty()) {
      return fail(ErrorCode::not_found, "no such folder");
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  std::optional<std::string> read_link(const std::string& path) const override {
    const auto found = entries_.find(path);
    return found != entries_.end() && found->second.is_link ? std::optional(found->second.bytes)
                                                            : std::nullopt;
  }
  std::optional<std::string> real_path(const std::string& path) const override {
    std::string real = path;
    for (int links = 0; links < 8; ++links) {
      const auto found = entries_.find(real);
      if (found == entries_.end()) {
        return folders_.contains(real) ? std::optional(real) : std::nullopt;
      }
      if (!found->second.is_link) {
        return real;
      }
      real = found->second.bytes;
    }
    return std::nullopt;
  }
  const HostWitnesses& witnesses() const override { return witnesses_; }
  const Environment& environment() const override { return environment_; }
  bool can_load_libraries() const override { return false; }

 private:
  template <typename T>
  void take_note(const std::string& path,
                 Result<T> (*parse)(std::string_view, const std::string&),
                 std::optional<T>& to) {
    if (const auto found = entries_.find(path); found != entries_.end()) {
      if (auto note = parse(found->second.bytes, path)) {
        to = std::move(*note);
      }
    }
  }

  std::map<std::string, TreeEntry> entries_;
  std::set<std::string> folders_;
  HostWitnesses witnesses_;
  Environment environment_{{"PATH", "/usr/bin"}, {"VIRTUAL_ENV", "/v"}, {"CONDA_PREFIX", "/c"}};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog kCatalog;
  const TreeHost host(read_tree({reinterpret_cast<const char*>(data), size}));
  ProbeOptions options;
  options.host = &host;
  options.catalog = &kCatalog;
  const Machine machine = probe_machine(options);
  const std::string once = write_machine(machine);
  const auto again = parse_machine(once, "again");
  if (!again || write_machine(*again) != once) {
    std::abort();
  }
  return 0;
}
