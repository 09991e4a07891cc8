// SPDX-License-Identifier: Apache-2.0
// An image on the disk as a host that detectors look at: its files and its environment. Nothing is
// unpacked or run, and nothing of the running host shows through.
#pragma once

#include "image/image_view.h"
#include "probe/host_view.h"

namespace fitment {

class ImageHost final : public HostView {
 public:
  /// The survey must outlive it, and have kept texts by tells_of_base.
  ImageHost(const ImageSurvey& survey, Environment environment)
      : survey_(survey), view_(survey), environment_(std::move(environment)) {}

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         std::uint64_t limit) const override;
  [[nodiscard]] Result<std::string> read_part(const std::string& path,
                                              std::uint64_t offset,
                                              std::uint64_t size) const override;
  [[nodiscard]] bool exists(const std::string& path) const override { return view_.exists(path); }
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override;
  [[nodiscard]] std::optional<std::string> read_link(const std::string& path) const override;
  [[nodiscard]] std::optional<std::string> real_path(const std::string& path) const override;
  [[nodiscard]] const HostWitnesses& witnesses() const override { return witnesses_; }
  [[nodiscard]] const Environment& environment() const override { return environment_; }
  [[nodiscard]] bool can_load_libraries() const override { return false; }

 private:
  const ImageSurvey& survey_;
  ImageView view_;
  Environment environment_;
  HostWitnesses witnesses_;
};

/// Whether a file tells which system and which toolkits an image has: os-release, version files and
/// the headers that hold versions.
bool tells_of_base(std::string_view path);

}  // namespace fitment
