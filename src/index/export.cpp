// SPDX-License-Identifier: Apache-2.0
#include "index/export.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/new_file.h"
#include "base/posix_io.h"
#include "index/simple_writer.h"
#include "index/site_file.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

namespace fitment {

namespace {

constexpr std::uint64_t kBlock = 4ULL << 20U;

Status write_text(const std::filesystem::path& path, const std::string& text) {
  FITMENT_TRY(make_folder(path.parent_path()));
  return write_file_atomic(path, text);
}

/// Is a file there that has these bytes already?
bool is_same_file(const std::filesystem::path& path, const SimpleFile& listed) {
  const auto hash = listed.hashes.find("sha256");
  std::error_code code;
  if (hash == listed.hashes.end() || !listed.size
      || std::filesystem::file_size(path, code) != *listed.size || code) {
    return false;
  }
  const auto source = open_file_source(path);
  if (!source) {
    return false;
  }
  const auto digest = sha256_hex(**source);
  return digest && *digest == hash->second;
}

Status write_source(const std::filesystem::path& path, const ByteSource& bytes) {
  FITMENT_TRY(make_folder(path.parent_path()));
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(path));
  for (std::uint64_t done = 0; done < bytes.size();) {
    const std::uint64_t count = std::min(kBlock, bytes.size() - done);
    FITMENT_TRY_ASSIGN(const std::string block, bytes.read(done, count, "a file of the index"));
    if (!write_all(file.descriptor(), block)) {
      return system_error(errno, "write", path);
    }
    done += count;
  }
  return file.commit(true);
}

/// Files that were written, by their SHA-256: machines share most of them.
using WrittenFiles = std::map<std::string, std::filesystem::path>;

class ViewExport {
 public:
  ViewExport(IndexSite& site,
             std::string prefix,
             const std::filesystem::path& folder,
             WrittenFiles& written)
      : site_(site), machine_(*site.site_at(prefix)), root_(folder / prefix), written_(written) {
    told_.prefix = std::move(prefix);
  }

  Result<ExportedView> run(const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      FITMENT_TRY_ASSIGN(const MachineSite::PagePointer page, machine_.load(name));
      if (!page) {
        told_.absent.push_back(name);
        continue;
      }
      FITMENT_TRY(write_project(page->listing()));
      found.push_back(name);
    }
    told_.projects = found.size();
    FITMENT_TRY(write_text(root_ / "simple" / "index.html", write_names_html(found)));
    FITMENT_TRY(write_text(root_ / "simple" / "index.json", write_names_json(found)));
    return std::move(told_);
  }

 private:
  Status write_project(const Listing& live) {
    Listing listing{live.project, live.view, live.files};
    for (ListedFile& file : listing.files) {
      if (file.is_ours) {
        FITMENT_TRY(take_over(*live.project, file));
      }
    }
    const std::filesystem::path folder = root_ / "simple" / live.project->name;
    FITMENT_TRY(write_text(folder / "index.html", write_project_html(listing)));
    FITMENT_TRY(write_text(folder / "index.json",
                           write_project_json(listing, machine_.context().machine().name)));
    if (const HumanPages* human = site_.human()) {
      FITMENT_TRY(
          write_text(folder / "why.html", human->project_page(listing, machine_.context())));
    }
    return {};
  }

  /// A file that the server would answer for. One that it would only send on stays at its index,
  /// without the METADATA that nobody serves there.
  Status take_over(const Project& project, ListedFile& listed) {
    const std::string address = file_path(project, *listed.origin, listed.file.filename);
    const std::string path = percent_decode(address);
    FITMENT_TRY_ASSIGN(ServedResponse response, answer(project, address));
    if (!response.file) {
      listed.is_ours = false;
      listed.file.url = listed.origin->file.url;
      listed.file.core_metadata = listed.origin->file.core_metadata;
      return {};
    }
    FITMENT_TRY(write_bytes(root_ / path, listed.file, *response.file));
    ++told_.files;
    told_.bytes += response.file->size();
    if (listed.file.core_metadata) {
      FITMENT_TRY_ASSIGN(const ServedResponse metadata, answer(project, address + ".metadata"));
      FITMENT_TRY(write_text(root_ / (path + ".metadata"), *metadata.body));
    }
    return {};
  }

  Status write_bytes(const std::filesystem::path& path,
                     const SimpleFile& listed,
                     const ByteSource& bytes) {
    const auto hash = listed.hashes.find("sha256");
    const std::string digest = hash == listed.hashes.end() ? std::string() : hash->second;
    if (const auto other = written_.find(digest); other != written_.end()) {
      std::error_code code;
      FITMENT_TRY(make_folder(path.parent_path()));
      std::filesystem::remove(path, code);
      std::filesystem::create_hard_link(other->second, path, code);
      if (!code) {
        return {};
      }
    }
    if (!is_same_file(path, listed)) {
      FITMENT_TRY(write_source(path, bytes));
    }
    if (!digest.empty()) {
      written_.emplace(digest, path);
    }
    return {};
  }

  Result<ServedResponse> answer(const Project& project, std::string_view address) {
    const auto wanted = parse_file_path(address.substr(std::string_view("files/").size()));
    return serve_file(*wanted, project, machine_.context(), site_.source(), site_.metadata());
  }

  IndexSite& site_;
  MachineSite& machine_;
  std::filesystem::path root_;
  WrittenFiles& written_;
  ExportedView told_;
};

}  // namespace

Result<std::vector<ExportedView>> export_site(IndexSite& site,
                                              const std::vector<std::string>& names,
                                              const std::filesystem::path& folder) {
  std::vector<ExportedView> views;
  WrittenFiles written;
  for (const std::string& prefix : site.prefixes()) {
    FITMENT_TRY_ASSIGN(ExportedView view, ViewExport(site, prefix, folder, written).run(names));
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace fitment
