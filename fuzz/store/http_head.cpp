// SPDX-License-Identifier: Apache-2.0
#include "store/http_head.h"

#include "base/text.h"
#include "store/address.h"
#include "store/retry.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fitment::FetchHead head;
  for (const std::string_view line : fitment::split_lines(text)) {
    fitment::take_header_line(line, head);
    const auto range = fitment::parse_content_range(line);
    if (range && (range->first > range->last || (range->size && range->last >= *range->size))) {
      std::abort();
    }
    const fitment::Address address = fitment::split_credentials(line);
    if (fitment::split_credentials(address.url).url != address.url) {
      std::abort();  // a second reader would find credentials that the first one left
    }
    const auto wait = fitment::parse_retry_after(line, std::chrono::system_clock::time_point());
    if (wait && wait->count() < 0) {
      std::abort();
    }
    static_cast<void>(fitment::origin_of(line));
    static_cast<void>(fitment::shown_address(line));
    static_cast<void>(fitment::local_path(line));
  }
  return 0;
}
