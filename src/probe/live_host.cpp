// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "probe/host_view.h"
#include "probe/read_part.h"

#include <utility>

namespace fitment {

namespace {

class LiveHost final : public HostView {
 public:
  explicit LiveHost(Environment environment)
      : environment_(std::move(environment)), witnesses_(live_witnesses()) {}

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         std::uint64_t limit) const override {
    return read_plain_file(path, path, limit);
  }
  [[nodiscard]] Result<std::string> read_part(const std::string& path,
                                              std::uint64_t offset,
                                              std::uint64_t size) const override {
    return read_file_part(path, path, offset, size);
  }
  [[nodiscard]] bool exists(const std::string& path) const override {
    std::error_code code;
    return std::filesystem::exists(path, code);
  }
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override {
    return list_folder(folder);
  }
  [[nodiscard]] std::optional<std::string> read_link(const std::string& path) const override {
    std::error_code code;
    const std::filesystem::path target = std::filesystem::read_symlink(path, code);
    return code ? std::nullopt : std::optional(target.string());
  }
  [[nodiscard]] std::optional<std::string> real_path(const std::string& path) const override {
    std::error_code code;
    const std::filesystem::path real = std::filesystem::canonical(path, code);
    return code ? std::nullopt : std::optional(real.string());
  }
  [[nodiscard]] const HostWitnesses& witnesses() const override { return witnesses_; }
  [[nodiscard]] const Environment& environment() const override { return environment_; }
  [[nodiscard]] bool can_load_libraries() const override { return true; }

 private:
  Environment environment_;
  HostWitnesses witnesses_;
};

}  // namespace

std::unique_ptr<HostView> live_host(Environment environment) {
  return std::make_unique<LiveHost>(std::move(environment));
}

}  // namespace fitment
