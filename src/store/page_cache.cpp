// SPDX-License-Identifier: Apache-2.0
#include "store/page_cache.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/posix_io.h"
#include "store/page_file.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <optional>

namespace fitment {

namespace {

constexpr int kOk = 200;
constexpr int kNotModified = 304;

/// A page on disk and when somebody last made sure of it.
struct KeptPage {
  PageFile file;
  std::chrono::seconds age{0};
};

std::optional<KeptPage> read_kept(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return std::nullopt;
  }
  const auto bytes = read_file(path, kLargestPageFile);
  if (!bytes) {
    return std::nullopt;
  }
  auto page = parse_page_file(*bytes);
  if (!page) {
    return std::nullopt;  // damaged: as if it had never been fetched
  }
  return KeptPage{std::move(*page), std::chrono::seconds(std::time(nullptr) - info.st_mtime)};
}

CachedPage answer(PageFile page, const PageQuery& query, bool is_stale) {
  CachedPage cached{kOk,
                    std::move(page.url),
                    std::move(page.content_type),
                    std::move(page.sha256),
                    std::move(page.body),
                    false,
                    is_stale};
  if (cached.sha256 == query.known_sha256) {
    cached.is_known = true;
    cached.body.clear();
  }
  return cached;
}

bool is_fresh(const KeptPage& kept, const PageQuery& query) {
  return kept.age >= std::chrono::seconds(0) && kept.age < query.fresh_for;
}

}  // namespace

/// One lock for pages whose addresses hash alike: rarely do two pages wait for each other.
struct PageCache::Locks {
  std::array<std::mutex, 64> mutexes;
};

PageCache::PageCache(HttpClient& client, const Store& store)
    : client_(client), folder_(store.pages_folder()), locks_(std::make_unique<Locks>()) {}

PageCache::~PageCache() = default;

Result<CachedPage> PageCache::get(const PageQuery& query) {
  const std::string key =
      sha256_hex(fmt::format("{}\n{}", query.accept, without_credentials(query.url)));
  const std::filesystem::path path = folder_ / key.substr(0, 2) / key;
  const std::size_t slot = std::hash<std::string>()(key) % locks_->mutexes.size();
  const std::scoped_lock lock(locks_->mutexes.at(slot));

  std::optional<KeptPage> kept = read_kept(path);
  if (kept && is_fresh(*kept, query)) {
    return answer(std::move(kept->file), query, false);
  }
  if (kept && client_.is_offline()) {
    return answer(std::move(kept->file), query, true);
  }
  FetchRequest request;
  request.url = query.url;
  request.accept = query.accept;
  request.wants_compression = true;
  if (kept) {
    request.if_none_match = kept->file.etag;
    request.if_modified_since = kept->file.last_modified;
  }
  auto response = client_.get(request, kLargestStoredPage);
  if (!response) {
    if (kept && query.takes_stale && response.error().code() == ErrorCode::network_error) {
      return answer(std::move(kept->file), query, true);
    }
    return std::move(response).error();
  }
  FetchHead& head = response->head;
  if (head.status == kNotModified && kept) {
    static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), nullptr, 0));
    return answer(std::move(kept->file), query, false);
  }
  if (head.status != kOk) {
    return CachedPage{.status = head.status, .url = std::move(head.url)};
  }
  PageFile page{std::move(head.url),
                std::move(head.content_type),
                std::move(head.etag),
                std::move(head.last_modified),
                sha256_hex(response->body),
                std::move(response->body)};
  FITMENT_TRY(make_folder(path.parent_path()));
  FITMENT_TRY(write_file_atomic(path, write_page_file(page)));
  return answer(std::move(page), query, false);
}

}  // namespace fitment
