// SPDX-License-Identifier: Apache-2.0
#include "cli/index_files.h"

#include "base/files.h"
#include "base/text.h"
#include "store/http_fault.h"
#include "wheel/simple_page.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

namespace {

bool is_json(std::string_view bytes) {
  return trim(bytes).starts_with('{');
}

Result<std::vector<SeenWheel>> wheels_of_page(const std::string& bytes,
                                              const std::string& url,
                                              const std::string& index) {
  FITMENT_TRY_ASSIGN(
      const SimplePage page,
      is_json(bytes) ? parse_simple_json(bytes, url) : parse_simple_html(bytes, url));
  std::vector<SeenWheel> wheels;
  for (const SimpleFile& file : page.files) {
    if (file.filename.ends_with(".whl") && !file.yanked) {
      wheels.push_back({file.filename, index, file.size});
    }
  }
  return wheels;
}

Result<std::vector<SeenWheel>> wheels_of_folder(const std::filesystem::path& folder,
                                                const std::string& name) {
  for (const char* page : {"index.json", "index.html"}) {
    const std::filesystem::path path = folder / name / page;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      FITMENT_TRY_ASSIGN(const std::string bytes, read_file(path));
      auto wheels = wheels_of_page(bytes, "file://" + path.string(), folder.string());
      if (!wheels) {
        return std::move(wheels).error().at({path.string(), {}, {}, {}});
      }
      return wheels;
    }
  }
  Result<std::vector<std::string>> listed = list_folder(folder);
  if (!listed) {
    return std::move(listed).error().hint("give an https:// address or a folder");
  }
  const std::vector<std::string>& names = *listed;
  std::vector<SeenWheel> wheels;
  for (const std::string& file : names) {
    if (file.ends_with(".whl")) {
      std::error_code code;
      const std::uintmax_t size = std::filesystem::file_size(folder / file, code);
      wheels.push_back(
          {file, "", code || size == 0 ? std::nullopt : std::optional<std::uint64_t>(size)});
    }
  }
  if (wheels.empty()) {
    return fail(ErrorCode::not_found,
                fmt::format("`{}` holds neither wheels nor a page for {}", folder.string(), name))
        .hint(fmt::format("give a folder of .whl files, or one with {}/index.html", name));
  }
  return wheels;
}

}  // namespace

Result<std::vector<SeenWheel>> list_index_files(PageCache& pages,
                                                const std::string& index,
                                                const std::string& name) {
  if (is_http_address(index)) {
    const std::string root = index.ends_with('/') ? index.substr(0, index.size() - 1) : index;
    FITMENT_TRY_ASSIGN(const CachedPage page,
                       pages.get({.url = fmt::format("{}/{}/", root, name),
                                  .accept = std::string(kSimplePageAccept)}));
    FITMENT_TRY(check_status(page.status, page.url));
    return wheels_of_page(page.body, page.url, split_credentials(root).url + "/");
  }
  const auto path = local_path(index);
  if (!path) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not an address to fetch", index))
        .hint("addresses start with https:// or http://; a folder is given by its path");
  }
  return wheels_of_folder(*path, name);
}

}  // namespace fitment
