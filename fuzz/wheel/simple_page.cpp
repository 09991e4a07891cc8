// SPDX-License-Identifier: Apache-2.0
#include "wheel/simple_page.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kUrl = "https://host/simple/a/";
  const auto html = fitment::parse_simple_html(text, kUrl);
  const auto json = fitment::parse_simple_json(text, kUrl);
  if (!json && !json.error().origin()) {
    std::abort();
  }
  for (const auto* page : {&html, &json}) {
    if (!*page) {
      continue;
    }
    for (const fitment::SimpleFile& file : (*page)->files) {
      if (file.url.find('#') != std::string::npos) {
        std::abort();
      }
    }
  }
  static_cast<void>(fitment::resolve_url(text, text));
  return 0;
}
