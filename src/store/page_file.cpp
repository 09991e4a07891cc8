// SPDX-License-Identifier: Apache-2.0
#include "store/page_file.h"

#include "base/digest.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kMagic = "fitment page 1\n";

struct PageField {
  std::string_view name;
  std::string PageFile::*value;
};
constexpr std::array<PageField, 5> kFields{{{"url", &PageFile::url},
                                            {"content-type", &PageFile::content_type},
                                            {"etag", &PageFile::etag},
                                            {"last-modified", &PageFile::last_modified},
                                            {"sha256", &PageFile::sha256}}};

Error damaged(std::string_view what) {
  return fail(ErrorCode::parse_error, fmt::format("a stored page {}", what));
}

}  // namespace

std::string write_page_file(const PageFile& page) {
  std::string bytes(kMagic);
  for (const PageField& field : kFields) {
    std::string value = page.*field.value;
    std::replace(value.begin(), value.end(), '\n', ' ');
    bytes += fmt::format("{}: {}\n", field.name, value);
  }
  return bytes + "\n" + page.body;
}

Result<PageFile> parse_page_file(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    return damaged("begins with something else");
  }
  bytes.remove_prefix(kMagic.size());
  PageFile page;
  for (const PageField& field : kFields) {
    const std::string begin = fmt::format("{}: ", field.name);
    const std::size_t end = bytes.find('\n');
    if (!bytes.starts_with(begin) || end == std::string_view::npos) {
      return damaged(fmt::format("has no line `{}`", field.name));
    }
    page.*field.value = bytes.substr(begin.size(), end - begin.size());
    bytes.remove_prefix(end + 1);
  }
  if (!bytes.starts_with('\n')) {
    return damaged("has no empty line before its bytes");
  }
  page.body = bytes.substr(1);
  if (sha256_hex(page.body) != page.sha256) {
    return damaged("has other bytes than it had");
  }
  return page;
}

}  // namespace fitment
