// SPDX-License-Identifier: Apache-2.0
// Private: libcurl, loaded when the first address is fetched. Linked in the usual way it would cost
// every start of the program some thirty shared libraries; most commands never use the network.
#pragma once

#include "base/error.h"

#include <curl/curl.h>

namespace fitment {

/// The functions of libcurl that we call.
struct CurlLibrary {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
};

/// Loads it once. Error: unsupported when the machine has no libcurl.so.4.
Result<const CurlLibrary*> curl_library();

}  // namespace fitment
