// SPDX-License-Identifier: Apache-2.0
#include "index/file_origin.h"

#include "index/derived.h"
#include "wheel/url.h"

namespace fitment {

Result<std::optional<FileOrigin>> find_file_origin(IndexSite& site,
                                                   const std::string& project,
                                                   const std::string& filename) {
  FITMENT_TRY_ASSIGN(const MachineSite::PagePointer page, site.site_at("")->load(project));
  const IndexRoute* route = site.source().routes().find(project);
  if (!page || route == nullptr) {
    return std::optional<FileOrigin>();
  }
  const Listing& listing = page->listing();
  for (const ListedFile& listed : listing.files) {
    if (listed.file.filename != filename) {
      continue;
    }
    const IndexedFile& origin = *listed.origin;
    FileOrigin found{local_place(origin),
                     without_credentials(route->url_for(origin.backend)),
                     origin.file,
                     listed.is_derived,
                     {}};
    const auto variants = listing.project->variants.find(to_string(origin.version));
    const bool is_variant = origin.wheel && origin.wheel->variant_label;
    if (is_variant && variants != listing.project->variants.end()) {
      found.variants = variants->second.metadata;
    }
    return std::optional(std::move(found));
  }
  return std::optional<FileOrigin>();
}

Result<std::shared_ptr<const ByteSource>> open_derived_file(IndexSite& site,
                                                            const std::string& project,
                                                            const std::string& filename) {
  const std::shared_ptr<MachineSite> machine = site.site_at("");
  FITMENT_TRY_ASSIGN(const MachineSite::PagePointer page, machine->load(project));
  if (page) {
    for (const ListedFile& listed : page->listing().files) {
      if (!listed.is_derived || listed.file.filename != filename) {
        continue;
      }
      FITMENT_TRY_ASSIGN(
          const auto chosen,
          chosen_markers(*page->listing().project, *listed.origin, machine->context()));
      FITMENT_TRY_ASSIGN(auto bytes, open_derived(*listed.origin, *chosen, site.metadata()));
      return std::shared_ptr<const ByteSource>(std::move(bytes));
    }
  }
  return fail(ErrorCode::not_found, "the index derives no file of this name")
      .at({filename, {}, {}, {}});
}

Result<std::vector<std::string>> list_shown_files(IndexSite& site, const std::string& project) {
  FITMENT_TRY_ASSIGN(const MachineSite::PagePointer page, site.site_at("")->load(project));
  std::vector<std::string> names;
  if (page) {
    for (const ListedFile& listed : page->listing().files) {
      names.push_back(listed.file.filename);
    }
  }
  return names;
}

}  // namespace fitment
