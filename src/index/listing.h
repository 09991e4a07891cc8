// SPDX-License-Identifier: Apache-2.0
// The files of a page as clients see them: where each can be had, and under which name.
//
// Files that an index has under the same name are listed with the address that it gives, since
// installers cache and lock by address. What only we can give is listed below our own address:
// files of this machine, variants under their plain names, and wheels whose METADATA the index does
// not offer beside them (the file itself is then a redirect).
#pragma once

#include "index/metadata_source.h"
#include "index/view.h"

#include <memory>
#include <string>
#include <vector>

namespace fitment {

struct ListedFile {
  const ShownFile* shown = nullptr;
  const IndexedFile* origin = nullptr;
  SimpleFile file;          ///< as it is listed; `url` may be relative to the page
  bool is_ours = false;     ///< `url` leads to us
  bool is_derived = false;  ///< made from `origin`: other bytes
};

struct Listing {
  std::shared_ptr<const Project> project;
  std::shared_ptr<const ProjectView> view;
  std::vector<ListedFile> files;
};

/// Never fails: what cannot be asked of a file is left out.
Listing make_listing(std::shared_ptr<const Project> project,
                     std::shared_ptr<const ProjectView> view,
                     const ViewContext& context,
                     MetadataSource& metadata);

/// `files/pytorch/cu128/torch/UPSTREAM/LISTED`, below the base of a view.
std::string file_path(const Project& project, const IndexedFile& origin, std::string_view listed);

/// Everything but letters, digits and `-._~` as `%XX`.
std::string percent_encode(std::string_view text);

}  // namespace fitment
