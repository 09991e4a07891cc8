// SPDX-License-Identifier: Apache-2.0
#include "store/curl_library.h"

#include <dlfcn.h>

#include <optional>

namespace fitment {

namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

std::optional<CurlLibrary> load() {
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return std::nullopt;
  }
  CurlLibrary curl;
  const bool complete = find(library, "curl_global_init", curl.global_init)
                        && find(library, "curl_easy_init", curl.easy_init)
                        && find(library, "curl_easy_cleanup", curl.easy_cleanup)
                        && find(library, "curl_easy_setopt", curl.easy_setopt)
                        && find(library, "curl_easy_perform", curl.easy_perform)
                        && find(library, "curl_easy_reset", curl.easy_reset)
                        && find(library, "curl_easy_getinfo", curl.easy_getinfo)
                        && find(library, "curl_easy_strerror", curl.easy_strerror)
                        && find(library, "curl_slist_append", curl.slist_append)
                        && find(library, "curl_slist_free_all", curl.slist_free_all);
  if (!complete || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return std::nullopt;
  }
  return curl;
}

}  // namespace

Result<const CurlLibrary*> curl_library() {
  static const std::optional<CurlLibrary> kCurl = load();
  if (!kCurl) {
    return fail(ErrorCode::unsupported,
                "this machine has no libcurl (libcurl.so.4), which fetches over HTTP")
        .hint(
            "install it (Debian and Ubuntu: `apt-get install libcurl4`), or give a folder instead "
            "of a URL");
  }
  return &*kCurl;
}

}  // namespace fitment
