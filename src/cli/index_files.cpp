// SPDX-License-Identifier: Apache-2.0
#include "cli/index_files.h"

#include "base/files.h"
#include "base/text.h"
#include "store/http_fault.h"
#include "wheel/simple_page.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace fitment {

namespace {

bool is_json(std::string_view bytes) {
  return trim(bytes).starts_with('{');
}

Result<SimplePage> parse_page(const std::string& bytes, const std::string& url) {
  return is_json(bytes) ? parse_simple_json(bytes, url) : parse_simple_html(bytes, url);
}

/// The page that a mirror keeps in the folder; none: it keeps none.
Result<std::optional<SimplePage>> mirrored_page(const std::filesystem::path& folder,
                                                const std::string& name) {
  for (const char* page : {"index.json", "index.html"}) {
    const std::filesystem::path path = folder / name / page;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      FITMENT_TRY_ASSIGN(const std::string bytes, read_file(path));
      auto parsed = parse_page(bytes, "file://" + path.string());
      if (!parsed) {
        return std::move(parsed).error().at({path.string(), {}, {}, {}});
      }
      return std::optional(std::move(*parsed));
    }
  }
  return std::optional<SimplePage>();
}

Result<SimplePage> page_of_folder(const std::filesystem::path& folder, const std::string& name) {
  FITMENT_TRY_ASSIGN(std::optional<SimplePage> mirrored, mirrored_page(folder, name));
  if (mirrored) {
    return std::move(*mirrored);
  }
  Result<std::vector<std::string>> listed = list_folder(folder);
  if (!listed) {
    return std::move(listed).error().hint("give an https:// address or a folder");
  }
  SimplePage page;
  page.name = name;
  for (const std::string& file : *listed) {
    if (file.ends_with(".whl") || file.ends_with("-variants.json")) {
      std::error_code code;
      const std::filesystem::path path = std::filesystem::absolute(folder / file, code);
      const std::uintmax_t size = std::filesystem::file_size(path, code);
      SimpleFile& found = page.files.emplace_back();
      found.filename = file;
      found.url = file_url(path.lexically_normal().string());
      found.size = code || size == 0 ? std::nullopt : std::optional<std::uint64_t>(size);
    }
  }
  if (page.files.empty()) {
    return fail(ErrorCode::not_found,
                fmt::format("`{}` holds neither wheels nor a page for {}", folder.string(), name))
        .hint(fmt::format("give a folder of .whl files, or one with {}/index.html", name));
  }
  return page;
}

/// As builds name the index that lists them: nothing for a plain folder of wheels.
std::string index_name(const std::string& index, const std::string& name) {
  const auto folder = local_path(index);
  if (!folder) {
    const std::string url = without_credentials(index);
    return url.ends_with('/') ? url : url + "/";
  }
  std::error_code ignored;
  const bool has_pages =
      std::filesystem::is_directory(std::filesystem::path(*folder) / name, ignored);
  return has_pages ? *folder : "";
}

}  // namespace

Result<SimplePage> read_index_page(PageCache& pages,
                                   const std::string& index,
                                   const std::string& name) {
  if (is_http_address(index)) {
    const std::string root = index.ends_with('/') ? index.substr(0, index.size() - 1) : index;
    FITMENT_TRY_ASSIGN(const CachedPage page,
                       pages.get({.url = fmt::format("{}/{}/", root, name),
                                  .accept = std::string(kSimplePageAccept)}));
    FITMENT_TRY(check_status(page.status, page.url));
    return parse_page(page.body, page.url);
  }
  const auto path = local_path(index);
  if (!path) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not an address to fetch", index))
        .hint("addresses start with https:// or http://; a folder is given by its path");
  }
  return page_of_folder(*path, name);
}

Result<std::vector<SeenWheel>> list_index_files(PageCache& pages,
                                                const std::string& index,
                                                const std::string& name) {
  FITMENT_TRY_ASSIGN(const SimplePage page, read_index_page(pages, index, name));
  std::vector<SeenWheel> wheels;
  for (const SimpleFile& file : page.files) {
    if (file.filename.ends_with(".whl") && !file.yanked) {
      wheels.push_back({file.filename, index_name(index, name), file.size});
    }
  }
  return wheels;
}

}  // namespace fitment
