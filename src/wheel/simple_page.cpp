// SPDX-License-Identifier: Apache-2.0
#include "wheel/simple_page.h"

#include "base/json_position.h"
#include "base/text.h"
#include "wheel/html_links.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::array<std::string_view, 9> kPackageEndings{
    ".whl", ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz", ".egg", ".exe", "-variants.json"};

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> kAlgorithms{
    "sha256", "sha384", "sha512", "sha224", "sha1", "md5"};

Status check_api_version(std::string_view version, std::string_view url) {
  const auto major = parse_unsigned(split(version, '.').front());
  if (version.empty() || major == 1U) {
    return {};
  }
  return fail(ErrorCode::unsupported,
              fmt::format("the index speaks version {} of the Simple API", quote(version)))
      .at({std::string(url), {}, {}, {}})
      .hint("this fitment reads version 1; use a newer one");
}

/// `sha256=0123...` of a URL fragment or of an attribute.
FileHashes parse_hashes(std::string_view text) {
  FileHashes hashes;
  for (const std::string_view pair : split(text, '&')) {
    for (const std::string_view algorithm : kAlgorithms) {
      if (!pair.starts_with(algorithm) || !pair.substr(algorithm.size()).starts_with('=')) {
        continue;
      }
      const std::string digits = to_lower(pair.substr(algorithm.size() + 1));
      if (!digits.empty() && digits.find_first_not_of("0123456789abcdef") == std::string::npos) {
        hashes.emplace(algorithm, digits);
      }
    }
  }
  return hashes;
}

bool is_package_file(std::string_view filename) {
  return std::any_of(
      kPackageEndings.begin(), kPackageEndings.end(), [filename](std::string_view ending) {
        return filename.size() > ending.size() && filename.ends_with(ending);
      });
}

/// `https://host/simple/torch/` is the page of torch.
std::string name_from_url(std::string_view url) {
  const std::string_view path = url.substr(0, url.find_first_of("?#"));
  if (!path.ends_with('/')) {
    return {};
  }
  const std::string name = url_filename(path.substr(0, path.size() - 1));
  return is_valid_name(name) ? normalize_name(name) : std::string();
}

std::optional<std::string> find_attribute(const HtmlAttributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::optional<SimpleFile> file_of_anchor(const HtmlAttributes& anchor, std::string_view base) {
  const std::string url = resolve_url(base, anchor.at("href"));
  const std::size_t mark = std::min(url.find('#'), url.size());
  SimpleFile file;
  file.url = url.substr(0, mark);
  file.filename = url_filename(file.url);
  if (!is_package_file(file.filename)) {
    return std::nullopt;
  }
  file.hashes = parse_hashes(std::string_view(url).substr(std::min(mark + 1, url.size())));
  file.requires_python = find_attribute(anchor, "data-requires-python");
  if (file.requires_python && trim(*file.requires_python).empty()) {
    file.requires_python.reset();
  }
  file.yanked = find_attribute(anchor, "data-yanked");
  // PEP 714: the new name counts where both stand.
  auto metadata = find_attribute(anchor, "data-core-metadata");
  if (!metadata) {
    metadata = find_attribute(anchor, "data-dist-info-metadata");
  }
  if (metadata && *metadata != "false") {
    file.core_metadata = parse_hashes(*metadata);
  }
  return file;
}

/// Turns the JSON document into a page, with the position of the first wrong value.
class JsonPageReader {
 public:
  JsonPageReader(std::string_view text, std::string_view url) : text_(text), url_(url) {}

  Result<SimplePage> read(const Json& document) {
    if (!document.is_object()) {
      return wrong({}, "a project page is a JSON object");
    }
    if (const Json* meta = value_at(document, "meta"); meta != nullptr && meta->is_object()) {
      std::optional<std::string> version;
      FITMENT_TRY(read_text(*meta, {"meta"}, "api-version", version));
      FITMENT_TRY(check_api_version(version.value_or(""), url_));
    }
    SimplePage page;
    std::optional<std::string> name;
    FITMENT_TRY(read_text(document, {}, "name", name));
    page.name = name.value_or(name_from_url(url_));
    FITMENT_TRY(read_versions(document, page.versions));
    const Json* files = value_at(document, "files");
    if (files == nullptr || !files->is_array()) {
      return wrong({"files"}, "`files` must be a list")
          .hint("is this the page of one project, in the format of PEP 691?");
    }
    page.files.reserve(files->size());
    for (std::size_t i = 0; i < files->size(); ++i) {
      FITMENT_TRY_ASSIGN(SimpleFile file, read_file((*files)[i], {"files", std::to_string(i)}));
      page.files.push_back(std::move(file));
    }
    return page;
  }

 private:
  using Path = std::vector<std::string>;

  static const Json* value_at(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }
  static Path below(Path path, std::string key) {
    path.push_back(std::move(key));
    return path;
  }
  static std::string dotted(const Path& path) {
    std::string text;
    for (const std::string& key : path) {
      if (!key.empty() && is_digit(key.front())) {
        text += "[" + key + "]";
      } else {
        text += (text.empty() ? "" : ".") + key;
      }
    }
    return text;
  }
  [[nodiscard]] Error wrong(const Path& path, std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at(origin_of_offset(std::string(url_), text_, find_json_value(text_, path)));
  }
  [[nodiscard]] Error wrong_type(const Path& path, std::string_view expected) const {
    return wrong(path, fmt::format("`{}` must be {}", dotted(path), expected));
  }

  Status read_text(const Json& object,
                   const Path& path,
                   const char* key,
                   std::optional<std::string>& text) const {
    const Json* value = value_at(object, key);
    if (value == nullptr) {
      return {};
    }
    if (!value->is_string()) {
      return wrong_type(below(path, key), "a string");
    }
    text = value->get<std::string>();
    return {};
  }

  Status read_versions(const Json& document, std::vector<std::string>& versions) const {
    const Json* list = value_at(document, "versions");
    if (list == nullptr) {
      return {};
    }
    if (!list->is_array()) {
      return wrong_type({"versions"}, "a list of strings");
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (!(*list)[i].is_string()) {
        return wrong_type({"versions", std::to_string(i)}, "a string");
      }
      versions.push_back((*list)[i].get<std::string>());
    }
    return {};
  }

  [[nodiscard]] Result<FileHashes> read_hashes(const Json& object, const Path& path) const {
    FileHashes hashes;
    for (const auto& [algorithm, digits] : object.items()) {
      if (!digits.is_string()) {
        return wrong_type(below(path, algorithm), "a string of hexadecimal digits");
      }
      hashes.emplace(to_lower(algorithm), to_lower(digits.get<std::string>()));
    }
    return hashes;
  }

  [[nodiscard]] Result<SimpleFile> read_file(const Json& object, const Path& path) const {
    if (!object.is_object()) {
      return wrong_type(path, "an object");
    }
    SimpleFile file;
    std::optional<std::string> filename;
    std::optional<std::string> url;
    FITMENT_TRY(read_text(object, path, "filename", filename));
    FITMENT_TRY(read_text(object, path, "url", url));
    if (!filename || !url) {
      return wrong(path, fmt::format("`{}` needs `filename` and `url`", dotted(path)));
    }
    file.filename = *filename;
    file.url = resolve_url(url_, *url);
    file.url.resize(std::min(file.url.find('#'), file.url.size()));
    if (const Json* hashes = value_at(object, "hashes"); hashes != nullptr) {
      if (!hashes->is_object()) {
        return wrong_type(below(path, "hashes"), "an object");
      }
      FITMENT_TRY_ASSIGN(file.hashes, read_hashes(*hashes, below(path, "hashes")));
    }
    FITMENT_TRY(read_text(object, path, "requires-python", file.requires_python));
    if (file.requires_python && trim(*file.requires_python).empty()) {
      file.requires_python.reset();
    }
    FITMENT_TRY(read_text(object, path, "upload-time", file.upload_time));
    if (const Json* size = value_at(object, "size"); size != nullptr) {
      if (!size->is_number_unsigned()) {
        return wrong_type(below(path, "size"), "a whole number of bytes");
      }
      file.size = size->get<std::uint64_t>();
    }
    FITMENT_TRY(read_yanked(object, path, file));
    FITMENT_TRY(read_metadata(object, path, file));
    return file;
  }

  Status read_yanked(const Json& object, const Path& path, SimpleFile& file) const {
    const Json* value = value_at(object, "yanked");
    if (value == nullptr || (value->is_boolean() && !value->get<bool>())) {
      return {};
    }
    if (!value->is_boolean() && !value->is_string()) {
      return wrong_type(below(path, "yanked"), "true, false or a reason");
    }
    file.yanked = value->is_string() ? value->get<std::string>() : std::string();
    return {};
  }

  /// PEP 714: `core-metadata` counts where both keys stand.
  Status read_metadata(const Json& object, const Path& path, SimpleFile& file) const {
    for (const char* key : {"core-metadata", "dist-info-metadata"}) {
      const Json* value = value_at(object, key);
      if (value == nullptr) {
        continue;
      }
      if (value->is_object()) {
        FITMENT_TRY_ASSIGN(file.core_metadata, read_hashes(*value, below(path, key)));
      } else if (!value->is_boolean()) {
        return wrong_type(below(path, key), "true, false or an object of hashes");
      } else if (value->get<bool>()) {
        file.core_metadata = FileHashes();
      }
      return {};
    }
    return {};
  }

  std::string_view text_;
  std::string_view url_;
};

}  // namespace

Result<SimplePage> parse_simple_html(std::string_view bytes, std::string_view base_url) {
  const HtmlPage html = read_html_links(bytes);
  FITMENT_TRY(check_api_version(trim(html.repository_version), base_url));
  const std::string base =
      html.base_href.empty() ? std::string(base_url) : resolve_url(base_url, html.base_href);
  SimplePage page;
  page.name = name_from_url(base_url);
  for (const HtmlAttributes& anchor : html.anchors) {
    if (auto file = file_of_anchor(anchor, base)) {
      page.files.push_back(std::move(*file));
    }
  }
  return page;
}

Result<SimplePage> parse_simple_json(std::string_view bytes, std::string_view base_url) {
  try {
    return JsonPageReader(bytes, base_url).read(Json::parse(bytes));
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    return fail(ErrorCode::parse_error, "the answer of the index is not valid JSON")
        .at(origin_of_offset(std::string(base_url), bytes, offset));
  } catch (const Json::exception& error) {
    return fail(ErrorCode::parse_error,
                fmt::format("the answer of the index cannot be read: {}", error.what()))
        .at({std::string(base_url), {}, {}, {}});
  }
}

}  // namespace fitment
