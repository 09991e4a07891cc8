// SPDX-License-Identifier: Apache-2.0
// What strangers write into requests: ranges, Accept headers, ETags, credentials, addresses of
// files.
#include "index/basic_auth.h"
#include "index/negotiate.h"
#include "index/served_message.h"
#include "index/site_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::uint64_t kSize = 1000;
  const auto range = fitment::parse_range(text, kSize);
  if (range && range->is_satisfiable
      && (range->count == 0 || range->first >= kSize || range->count > kSize - range->first)) {
    std::abort();
  }
  static_cast<void>(fitment::choose_format(text, {}));
  static_cast<void>(fitment::choose_encoding(text));
  static_cast<void>(fitment::names_etag(text, "\"a\""));
  static_cast<void>(fitment::carries_token(text, "0123456789abcdef"));
  if (const auto path = fitment::parse_file_path(text); path && path->project.empty()) {
    std::abort();
  }
  return 0;
}
