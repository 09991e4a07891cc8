// SPDX-License-Identifier: Apache-2.0
#include "index/http_upstream.h"

#include "store/fetch.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr const char* kAcceptPages =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, "
    "text/html;q=0.1";

/// PyTorch's index answers 403 for names that it lacks.
bool means_absent(const Error& error) {
  return error.code() == ErrorCode::not_found
         || error.message().ends_with("answered with status 403");
}

class HttpUpstream final : public Upstream {
 public:
  Result<UpstreamPage> get_page(const std::string& url,
                                const PageValidators& /*validators*/) override {
    FetchOptions options;
    options.accept = kAcceptPages;
    options.limit = kLargestPage;
    auto fetched = fetch_page(url, options);
    if (!fetched && means_absent(fetched.error())) {
      return UpstreamPage{UpstreamPage::State::absent, url, {}, {}, {}};
    }
    if (!fetched) {
      return tl::unexpected(std::move(fetched).error());
    }
    return UpstreamPage{UpstreamPage::State::found,
                        std::move(fetched->url),
                        std::move(fetched->content_type),
                        std::move(fetched->body),
                        {}};
  }

  Result<std::string> get_file(const std::string& url, std::uint64_t limit) override {
    FetchOptions options;
    options.accept = "*/*";
    options.limit = limit;
    FITMENT_TRY_ASSIGN(FetchedPage fetched, fetch_page(url, options));
    return std::move(fetched.body);
  }

  Result<std::unique_ptr<ByteSource>> open_file(const std::string& url) override {
    return fail(ErrorCode::unsupported, fmt::format("{} cannot be read in parts", url));
  }
};

}  // namespace

std::unique_ptr<Upstream> make_http_upstream() {
  return std::make_unique<HttpUpstream>();
}

}  // namespace fitment
