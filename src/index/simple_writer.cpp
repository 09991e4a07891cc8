// SPDX-License-Identifier: Apache-2.0
#include "index/simple_writer.h"

#include "base/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace fitment {

namespace {

/// Bytes of the character that the text begins with; 0: not UTF-8. Overlong forms and surrogates
/// are let through, which JSON readers replace.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  const bool is_whole =
      length != 0 && length <= text.size()
      && std::all_of(text.begin() + 1,
                     text.begin() + static_cast<std::ptrdiff_t>(length),
                     [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; });
  return is_whole ? length : 0;
}

/// Pages have tens of thousands of keys, so they are written without a tree.
class JsonText {
 public:
  JsonText& raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  JsonText& string(std::string_view text) {
    text_ += '"';
    for (std::size_t i = 0; i < text.size();) {
      const auto byte = static_cast<unsigned char>(text[i]);
      const std::size_t length = utf8_length(text.substr(i));
      if (text[i] == '"' || text[i] == '\\') {
        text_ += '\\';
        text_ += text[i];
      } else if (byte < 0x20 || length == 0) {
        // Texts of strangers may be no UTF-8: such a byte is shown as the character of Latin-1.
        fmt::format_to(std::back_inserter(text_), "\\u{:04x}", byte);
      } else {
        text_ += text.substr(i, length);
      }
      i += std::max<std::size_t>(length, 1);
    }
    text_ += '"';
    return *this;
  }
  JsonText& key(std::string_view name) { return string(name).raw(":"); }
  JsonText& member(std::string_view name, std::string_view value) {
    return raw(",").key(name).string(value);
  }
  JsonText& number(std::uint64_t value) {
    fmt::format_to(std::back_inserter(text_), "{}", value);
    return *this;
  }
  /// A list with a comma between items.
  template <typename Items, typename Write>
  JsonText& list(const Items& items, Write write) {
    raw("[");
    bool is_first = true;
    for (const auto& item : items) {
      raw(is_first ? "" : ",");
      is_first = false;
      write(item);
    }
    return raw("]");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_hashes(JsonText& json, const FileHashes& hashes) {
  json.raw("{");
  bool is_first = true;
  for (const auto& [algorithm, digits] : hashes) {
    json.raw(is_first ? "" : ",").key(algorithm).string(digits);
    is_first = false;
  }
  json.raw("}");
}

void write_file(JsonText& json, const ListedFile& listed) {
  const SimpleFile& file = listed.file;
  json.raw("{").key("filename").string(file.filename).member("url", file.url);
  json.raw(",").key("hashes");
  write_hashes(json, file.hashes);
  if (file.requires_python) {
    json.member("requires-python", *file.requires_python);
  }
  if (file.size) {
    json.raw(",").key("size").number(*file.size);
  }
  if (file.upload_time) {
    json.member("upload-time", *file.upload_time);
  }
  if (file.yanked) {
    json.raw(",").key("yanked");
    file.yanked->empty() ? json.raw("true") : json.string(*file.yanked);
  }
  if (file.core_metadata) {
    json.raw(",").key("core-metadata");
    if (file.core_metadata->empty()) {
      json.raw("true");
    } else {
      write_hashes(json, *file.core_metadata);
    }
  }
  const bool is_renamed = listed.origin->file.filename != file.filename;
  if (is_renamed || listed.is_derived || !listed.shown->backend.empty()) {
    json.raw(",").key("_fitment").raw("{").key("backend").string(listed.shown->backend);
    if (is_renamed) {
      json.member("origin", listed.origin->file.filename);
    }
    json.raw(listed.is_derived ? R"(,"derived":true})" : "}");
  }
  json.raw("}");
}

void write_reason(JsonText& json, const Reason& reason) {
  json.raw("{").key("rule").string(reason.rule);
  json.member("verdict", to_string(reason.verdict)).member("fact", reason.fact);
  json.member("found", reason.found).member("required", reason.required);
  if (!reason.hint.empty()) {
    json.member("hint", reason.hint);
  }
  json.raw("}");
}

void write_indices(JsonText& json, const std::vector<std::size_t>& indices) {
  json.list(indices, [&](std::size_t index) { json.number(index); });
}

void write_explanation(JsonText& json, const Listing& listing, std::string_view machine) {
  const ProjectView& view = *listing.view;
  json.raw("{").key("schema").string("fitment.project-view/1").member("machine", machine);
  json.member("index", listing.project->index).raw(",").key("choices");
  json.list(view.choices, [&](const VersionChoice& choice) {
    json.raw("{").key("version").string(choice.version).member("chosen", choice.chosen);
    if (!choice.note.empty()) {
      json.member("note", choice.note);
    }
    json.raw(",").key("warnings").list(choice.warnings, [&](const Warning& warning) {
      json.raw("{").key("id").string(warning.id).member("text", warning.text).raw("}");
    });
    json.raw("}");
  });
  json.raw(",").key("reasons").list(view.reasons,
                                    [&](const Reason& reason) { write_reason(json, reason); });
  json.raw(",").key("hidden").list(view.hidden, [&](const HiddenFile& hidden) {
    json.raw("{").key("filename").string(listing.project->files[hidden.file].file.filename);
    json.raw(",").key("reasons");
    write_indices(json, hidden.reasons);
    json.raw("}");
  });
  json.raw("}");
}

std::vector<std::string> versions_of(const Listing& listing) {
  std::set<Version> versions;
  for (const ListedFile& file : listing.files) {
    versions.insert(file.origin->version);
  }
  std::vector<std::string> texts;
  texts.reserve(versions.size());
  for (const Version& version : versions) {
    texts.push_back(to_string(version));
  }
  return texts;
}

/// PEP 700 wants the size of every file; an index that does not say them speaks the older version.
std::string_view api_version(const Listing& listing) {
  const bool has_sizes =
      std::all_of(listing.files.begin(), listing.files.end(), [](const ListedFile& file) {
        return file.file.size.has_value();
      });
  return has_sizes ? "1.1" : "1.0";
}

void append_attribute(std::string& html, std::string_view name, std::string_view value) {
  html += ' ';
  html += name;
  html += "=\"";
  html += escape_html(value);
  html += '"';
}

std::string hash_text(const FileHashes& hashes) {
  const auto sha256 = hashes.find("sha256");
  const auto hash = sha256 == hashes.end() ? hashes.begin() : sha256;
  return hash == hashes.end() ? std::string() : hash->first + "=" + hash->second;
}

void append_anchor(std::string& html, const SimpleFile& file) {
  const std::string hash = hash_text(file.hashes);
  html += "<a";
  append_attribute(html, "href", hash.empty() ? file.url : file.url + "#" + hash);
  if (file.requires_python) {
    append_attribute(html, "data-requires-python", *file.requires_python);
  }
  if (file.yanked) {
    append_attribute(html, "data-yanked", *file.yanked);
  }
  if (file.core_metadata) {
    const std::string known = hash_text(*file.core_metadata);
    for (const char* name : {"data-core-metadata", "data-dist-info-metadata"}) {
      append_attribute(html, name, known.empty() ? "true" : known);
    }
  }
  html += '>';
  html += escape_html(file.filename);
  html += "</a><br>\n";
}

std::string html_head(std::string_view version, std::string_view title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">"
      "<meta name=\"pypi:repository-version\" content=\"{}\"><title>{}</title></head><body>\n",
      version,
      title);
}

}  // namespace

std::string write_project_json(const Listing& listing, std::string_view machine) {
  JsonText json;
  json.raw("{").key("meta").raw("{").key("api-version").string(api_version(listing)).raw("}");
  json.member("name", listing.project->name).raw(",").key("versions");
  json.list(versions_of(listing), [&](const std::string& version) { json.string(version); });
  json.raw(",").key("files").list(listing.files,
                                  [&](const ListedFile& file) { write_file(json, file); });
  json.raw(",").key("_fitment");
  write_explanation(json, listing, machine);
  return json.raw("}\n").take();
}

std::string write_project_html(const Listing& listing) {
  std::string html = html_head("1.1", "Links for " + listing.project->name);
  for (const ListedFile& file : listing.files) {
    append_anchor(html, file.file);
  }
  return html + "</body></html>\n";
}

std::string write_names_json(const std::vector<std::string>& names) {
  JsonText json;
  json.raw(R"({"meta":{"api-version":"1.1"},"projects":)");
  json.list(names,
            [&](const std::string& name) { json.raw("{").key("name").string(name).raw("}"); });
  return json.raw("}\n").take();
}

std::string write_names_html(const std::vector<std::string>& names) {
  std::string html = html_head("1.1", "Simple index");
  for (const std::string& name : names) {
    html += fmt::format("<a href=\"{}/\">{}</a><br>\n", name, name);
  }
  return html + "</body></html>\n";
}

}  // namespace fitment
