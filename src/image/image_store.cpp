// SPDX-License-Identifier: Apache-2.0
#include "image/image_store.h"

#include "base/sub_source.h"
#include "image/layer_compression.h"
#include "image/layer_path.h"
#include "image/tar_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestDocument = 16U << 20U;

class FolderStore final : public ImageStore {
 public:
  explicit FolderStore(std::filesystem::path path) : ImageStore(std::move(path)) {}

  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override {
    return open_file_source(path() / name);
  }
  [[nodiscard]] bool has(std::string_view name) const override {
    std::error_code error;
    return std::filesystem::is_regular_file(path() / name, error);
  }
};

class ArchiveStore final : public ImageStore {
 public:
  ArchiveStore(std::filesystem::path path, std::unique_ptr<ByteSource> source)
      : ImageStore(std::move(path)), source_(std::move(source)) {}

  Status index();
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override {
    const Member* member = find(name);
    if (member == nullptr) {
      return fail(ErrorCode::not_found,
                  fmt::format("there is no `{}` in `{}`", name, path().string()));
    }
    return std::unique_ptr<ByteSource>(std::make_unique<SubSource>(
        *source_, member->offset, member->size, fmt::format("{}: {}", path().string(), name)));
  }
  [[nodiscard]] bool has(std::string_view name) const override { return find(name) != nullptr; }

 private:
  struct Member {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  [[nodiscard]] const Member* find(std::string_view name) const;

  std::unique_ptr<ByteSource> source_;
  std::map<std::string, Member, std::less<>> members_;
  std::map<std::string, std::string, std::less<>> links_;  // Docker links equal layers
};

const ArchiveStore::Member* ArchiveStore::find(std::string_view name) const {
  auto path = layer_path(name, "member");
  constexpr int kMostLinks = 8;
  for (int i = 0; path && i < kMostLinks; ++i) {
    const auto found = members_.find(*path);
    if (found != members_.end()) {
      return &found->second;
    }
    const auto link = links_.find(*path);
    if (link == links_.end()) {
      break;
    }
    path = link->second;
  }
  return nullptr;
}

/// Where a link leads, `..` resolved by name and never above the archive.
std::string follow(std::string_view from, const std::string& target) {
  const std::filesystem::path path =
      std::filesystem::path(from).parent_path() / std::filesystem::path(target);
  return path.lexically_normal().generic_string();
}

Status ArchiveStore::index() {
  SourceStream stream(*source_);
  TarReader reader(stream);
  for (;;) {
    FITMENT_TRY_ASSIGN(const auto entry, reader.next());
    if (!entry) {
      return {};
    }
    if (entry->type == kTarGlobal) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string path, layer_path(entry->path, "member"));
    if (entry->is_file() && !entry->runs) {
      members_[path] = {stream.position(), entry->data_bytes};
    } else if (entry->type == kTarLink) {
      links_[path] = follow(path, entry->link);
    } else if (entry->type == kTarHardLink) {
      links_[path] = follow("/x", entry->link);
    }
  }
}

}  // namespace

Result<std::string> ImageStore::read(std::string_view name) const {
  FITMENT_TRY_ASSIGN(const auto source, open(name));
  return source->read(0, source->size(), fmt::format("`{}`", name), kLargestDocument);
}

Result<std::unique_ptr<ImageStore>> open_image_store(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return std::unique_ptr<ImageStore>(std::make_unique<FolderStore>(path));
  }
  FITMENT_TRY_ASSIGN(auto source, open_file_source(path));
  constexpr std::uint64_t kStart = 8;
  FITMENT_TRY_ASSIGN(const std::string start,
                     source->read(0, std::min(kStart, source->size()), "the beginning"));
  if (detect_compression(start) != LayerCompression::none) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` is compressed as a whole, so it cannot be read in place",
                            path.string()))
        .hint("unpack it first: `gunzip` or `zstd -d`");
  }
  auto store = std::make_unique<ArchiveStore>(path, std::move(source));
  auto indexed = store->index();
  if (!indexed) {
    return std::move(indexed).error().hint(
        "an image is an OCI layout folder, or a tar archive of "
        "one or of `docker save`");
  }
  return std::unique_ptr<ImageStore>(std::move(store));
}

}  // namespace fitment
