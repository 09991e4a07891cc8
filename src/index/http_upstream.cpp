// SPDX-License-Identifier: Apache-2.0
#include "index/http_upstream.h"

#include "store/address.h"
#include "store/http_fault.h"
#include "store/remote_file.h"
#include "store/store.h"
#include "wheel/simple_page.h"

#include <optional>

namespace fitment {

namespace {

/// A wheel whose METADATA are wanted is fetched whole only where it is small.
constexpr std::uint64_t kLargestWhole = 64ULL << 20U;
constexpr std::uint64_t kStreamBlock = 4ULL << 20U;

/// PyTorch's index answers 403 for names that it lacks.
bool means_absent(int status) {
  return status == 403 || status == 404 || status == 410;
}

class HttpUpstream final : public Upstream {
 public:
  HttpUpstream(HttpClient& client,
               const Store& store,
               PageCache& pages,
               std::set<std::string> private_origins)
      : client_(client),
        store_(store),
        pages_(pages),
        private_origins_(std::move(private_origins)) {}

  Result<UpstreamPage> get_page(const std::string& url, const std::string& known_sha256) override {
    FITMENT_TRY_ASSIGN(
        CachedPage page,
        pages_.get(
            {.url = url, .accept = std::string(kSimplePageAccept), .known_sha256 = known_sha256}));
    if (means_absent(page.status)) {
      return UpstreamPage{UpstreamPage::State::absent, std::move(page.url), {}, {}, {}};
    }
    FITMENT_TRY(check_status(page.status, page.url));
    return UpstreamPage{
        page.is_known ? UpstreamPage::State::not_modified : UpstreamPage::State::found,
        std::move(page.url),
        std::move(page.content_type),
        std::move(page.body),
        std::move(page.sha256)};
  }

  Result<std::string> get_file(const std::string& url, std::uint64_t limit) override {
    FITMENT_TRY_ASSIGN(FetchAnswer answer, client_.get({.url = url}, limit));
    FITMENT_TRY(check_status(answer.head.status, answer.head.url));
    return std::move(answer.body);
  }

  Result<std::unique_ptr<ByteSource>> open_file(const std::string& url) override {
    RemoteFileOptions options;
    options.largest_whole = kLargestWhole;
    return open_address(client_, url, options);
  }

  Result<std::unique_ptr<ByteSource>> open_stream(const std::string& url) override {
    RemoteFileOptions options;
    options.block_bytes = kStreamBlock;
    options.most_blocks = 2;
    return open_address(client_, url, options);
  }

  [[nodiscard]] bool is_private(const std::string& url) const override {
    return private_origins_.count(origin_of(url)) == 1;
  }
  [[nodiscard]] bool is_offline() const override { return client_.is_offline(); }
  [[nodiscard]] std::string find_kept(const std::string& sha256) const override {
    const std::optional<StoredFile> found = store_.find(sha256);
    return found ? found->path.string() : std::string();
  }

 private:
  HttpClient& client_;
  const Store& store_;
  PageCache& pages_;
  std::set<std::string> private_origins_;
};

}  // namespace

std::unique_ptr<Upstream> make_http_upstream(HttpClient& client,
                                             const Store& store,
                                             PageCache& pages,
                                             std::set<std::string> private_origins) {
  return std::make_unique<HttpUpstream>(client, store, pages, std::move(private_origins));
}

}  // namespace fitment
