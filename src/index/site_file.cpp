// SPDX-License-Identifier: Apache-2.0
#include "index/site_file.h"

#include "base/text.h"
#include "index/derived.h"
#include "wheel/metadata.h"
#include "wheel/name.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kMetadata = ".metadata";

ServedResponse absent(const FilePath& wanted) {
  return text_response(404, fmt::format("the index has no {}", wanted.origin));
}

const IndexedFile* find_file(const Project& project, const FilePath& wanted) {
  const auto found =
      std::find_if(project.files.begin(), project.files.end(), [&](const IndexedFile& file) {
        return file.file.filename == wanted.origin && file.backend == wanted.backend
               && file.kind != IndexedFile::Kind::other;
      });
  return found == project.files.end() ? nullptr : &*found;
}

ServedResponse redirect(const IndexedFile& file) {
  ServedResponse response = text_response(302, "the file is at its index");
  response.headers.emplace_back("Location", file.file.url);
  return response;
}

/// What names these bytes and no others, as a quoted ETag.
std::string etag_of(const SimpleFile& file) {
  const auto hash = file.hashes.find("sha256");
  return hash == file.hashes.end() ? std::string() : fmt::format("\"{}\"", hash->second);
}

}  // namespace

std::optional<FilePath> parse_file_path(std::string_view path) {
  const auto parts = split(path, '/');
  if (parts.size() != 5) {
    return std::nullopt;
  }
  FilePath file{percent_decode(parts[0]),
                percent_decode(parts[1]),
                percent_decode(parts[2]),
                percent_decode(parts[3]),
                percent_decode(parts[4])};
  if (file.backend == "-") {
    file.backend.clear();
  }
  if (file.listed.ends_with(kMetadata)) {
    file.listed.resize(file.listed.size() - kMetadata.size());
    file.is_metadata = true;
  }
  const bool is_name = is_valid_name(file.project) && normalize_name(file.project) == file.project;
  return is_name ? std::optional(std::move(file)) : std::nullopt;
}

namespace {

ServedResponse bytes_response(std::unique_ptr<ByteSource> bytes, std::string etag) {
  ServedResponse response;
  response.file = std::move(bytes);
  response.content_type = "application/octet-stream";
  if (!etag.empty()) {
    response.headers.emplace_back("ETag", std::move(etag));
  }
  return response;
}

ServedResponse metadata_response(std::string text) {
  ServedResponse response;
  response.body = std::make_shared<const std::string>(std::move(text));
  return response;
}

/// The markers to settle in a variant that goes by its plain name; nullopt: it is another file.
Result<std::optional<MarkerEnvironment>> markers_for(const FilePath& wanted,
                                                     const IndexedFile& origin,
                                                     const Project& project,
                                                     const ViewContext& context) {
  if (wanted.listed == wanted.origin) {
    return std::optional<MarkerEnvironment>();
  }
  return chosen_markers(project, origin, context);
}

Result<ServedResponse> serve_own(const IndexedFile& origin,
                                 const Project& project,
                                 const ProjectSource& source) {
  Upstream& network = *source.network_pointer();
  if (!origin.kept.empty()) {
    FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> bytes, open_file_source(origin.kept));
    return bytes_response(std::move(bytes), etag_of(origin.file));
  }
  if (origin.file.url.starts_with('/')) {
    if (!source.may_read(project, origin)) {
      return text_response(404, "the file is outside the folder of its index");
    }
    FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> bytes, open_file_source(origin.file.url));
    return bytes_response(std::move(bytes), etag_of(origin.file));
  }
  if (network.is_private(origin.file.url)) {
    FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> bytes, network.open_stream(origin.file.url));
    return bytes_response(std::move(bytes), etag_of(origin.file));
  }
  return redirect(origin);
}

}  // namespace

Result<ServedResponse> serve_file(const FilePath& wanted,
                                  const Project& project,
                                  const ViewContext& context,
                                  const ProjectSource& source,
                                  MetadataSource& metadata) {
  const IndexedFile* origin = find_file(project, wanted);
  if (origin == nullptr || (wanted.is_metadata && origin->kind != IndexedFile::Kind::wheel)) {
    return absent(wanted);
  }
  FITMENT_TRY_ASSIGN(const std::optional<MarkerEnvironment> chosen,
                     markers_for(wanted, *origin, project, context));
  if (wanted.is_metadata) {
    FITMENT_TRY_ASSIGN(std::string text, metadata.metadata_of(*origin));
    if (chosen) {
      FITMENT_TRY_ASSIGN(std::optional<std::string> settled,
                         settle_variant_markers(text, origin->file.filename, *chosen));
      if (settled) {
        text = std::move(*settled);
      }
    }
    return metadata_response(std::move(text));
  }
  if (chosen) {
    FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> derived,
                       open_derived(*origin, *chosen, metadata));
    if (derived) {
      return bytes_response(std::move(derived), {});
    }
  }
  return serve_own(*origin, project, source);
}

}  // namespace fitment
