// SPDX-License-Identifier: Apache-2.0
#include "index/listing.h"

#include "base/digest.h"
#include "base/text.h"
#include "index/derived.h"

#include <fmt/format.h>

#include <optional>

namespace fitment {

namespace {

/// From the page of a project to the base of its view: `simple/torch/`.
constexpr std::string_view kToBase = "../../";

/// Without METADATA beside the file, an installer would fetch the whole of it.
bool lacks_metadata(const IndexedFile& origin) {
  return origin.kind == IndexedFile::Kind::wheel
         && (!origin.file.core_metadata || !origin.kept.empty());
}

bool is_here(const IndexedFile& origin) {
  return !local_place(origin).empty();
}

}  // namespace

std::string percent_encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string file_path(const Project& project, const IndexedFile& origin, std::string_view listed) {
  return fmt::format("files/{}/{}/{}/{}/{}",
                     project.index,
                     origin.backend.empty() ? "-" : percent_encode(origin.backend),
                     project.name,
                     percent_encode(origin.file.filename),
                     percent_encode(listed));
}

namespace {

class Lister {
 public:
  Lister(const Project& project, const ViewContext& context, MetadataSource& metadata)
      : project_(project), context_(context), metadata_(metadata) {}

  /// nullopt: what it would have to say of its needs cannot be had.
  std::optional<ListedFile> list(const ShownFile& shown) {
    const IndexedFile& origin = project_.files[shown.file];
    ListedFile listed;
    listed.shown = &shown;
    listed.origin = &origin;
    listed.file = origin.file;
    listed.file.filename = shown.filename;
    listed.file.yanked = shown.yanked;
    const bool is_renamed = shown.filename != origin.file.filename;
    const bool can_add_metadata = lacks_metadata(origin) && offers_metadata(origin);
    listed.is_ours = is_here(origin) || is_renamed || can_add_metadata
                     || metadata_.network().is_private(origin.file.url);
    if (listed.is_ours) {
      listed.file.url = std::string(kToBase) + file_path(project_, origin, shown.filename);
    }
    if (can_add_metadata) {
      listed.file.core_metadata = FileHashes();
    }
    if (is_renamed && !settle(origin, listed)) {
      return std::nullopt;
    }
    return listed;
  }

 private:
  /// A variant whose METADATA speak of variants becomes another wheel. False: nobody can tell.
  bool settle(const IndexedFile& origin, ListedFile& listed) {
    const auto chosen = chosen_markers(project_, origin, context_);
    if (!chosen || !*chosen) {
      return false;
    }
    const auto derived = derive_facts(origin, **chosen, metadata_);
    if (!derived || !*derived) {
      return derived.has_value();
    }
    listed.is_derived = true;
    listed.file.size = (*derived)->size;
    listed.file.core_metadata = FileHashes{{"sha256", sha256_hex((*derived)->metadata)}};
    listed.file.hashes.clear();
    if (!(*derived)->sha256.empty()) {
      listed.file.hashes.emplace("sha256", (*derived)->sha256);
    }
    return true;
  }

  /// Whether wheels without METADATA beside them can be read in parts: one of them tells for all.
  bool offers_metadata(const IndexedFile& origin) {
    if (!can_read_) {
      can_read_ = metadata_.metadata_of(origin).has_value();
    }
    return *can_read_;
  }

  const Project& project_;
  const ViewContext& context_;
  MetadataSource& metadata_;
  std::optional<bool> can_read_;
};

}  // namespace

Listing make_listing(std::shared_ptr<const Project> project,
                     std::shared_ptr<const ProjectView> view,
                     const ViewContext& context,
                     MetadataSource& metadata) {
  Listing listing;
  Lister lister(*project, context, metadata);
  for (const ShownFile& shown : view->shown) {
    if (auto listed = lister.list(shown)) {
      listing.files.push_back(std::move(*listed));
    }
  }
  listing.project = std::move(project);
  listing.view = std::move(view);
  return listing;
}

}  // namespace fitment
