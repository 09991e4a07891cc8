// SPDX-License-Identifier: Apache-2.0
// The tree of an image as a view of files, so that all that judges installed software judges
// images. Only the texts that the survey kept can be read; of other files name, kind and size are
// known.
#pragma once

#include "elf/file_view.h"
#include "image/survey.h"

namespace fitment {

class ImageView final : public FileView {
 public:
  /// The survey must outlive it.
  explicit ImageView(const ImageSurvey& survey) : survey_(survey) {}

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override;
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;

 private:
  [[nodiscard]] const LayerEntry* content_of(std::string_view path) const;
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;

  const ImageSurvey& survey_;
};

}  // namespace fitment
