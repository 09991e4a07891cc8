// SPDX-License-Identifier: Apache-2.0
#include "image/image_store.h"

#include "base/posix_io.h"
#include "base/sub_source.h"
#include "image/archive_kind.h"
#include "image/layer_path.h"
#include "image/tar_reader.h"

#include <fmt/format.h>

#include <map>
#include <system_error>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestDocument = 16U << 20U;
constexpr const char* kKinds =
    "an image is an OCI layout folder, or a tar archive of one or of `docker save`";

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
    static_cast<void>(std::filesystem::exists(path / "index.json", error));
    if (error == std::errc::permission_denied) {
      return system_error(error.value(), "look into", path);
    }
    return std::unique_ptr<ImageStore>(std::make_unique<FolderStore>(path));
  }
  FITMENT_TRY_ASSIGN(auto source, open_file_source(path));
  FITMENT_TRY_ASSIGN(const ArchiveKind kind, archive_kind_of(*source));
  if (kind == ArchiveKind::none) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no tar archive", path.string()))
        .hint(kKinds);
  }
  if (kind != ArchiveKind::tar) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` is compressed as a whole, so it cannot be read in place",
                            path.string()))
        .hint("unpack it first: `gunzip`, `zstd -d`, `unxz` or `bunzip2`");
  }
  auto store = std::make_unique<ArchiveStore>(path, std::move(source));
  auto indexed = store->index();
  if (!indexed) {
    return std::move(indexed).error().hint(kKinds);
  }
  return std::unique_ptr<ImageStore>(std::move(store));
}

}  // namespace fitment
