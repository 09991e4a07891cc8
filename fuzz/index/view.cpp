// SPDX-License-Identifier: Apache-2.0
// A page of an index, from its bytes to what a machine sees and what a client gets: every line of
// the input is a file name, with the backend of its address behind a blank.
#include "index/view.h"

#include "base/text.h"
#include "index/listing.h"
#include "index/simple_writer.h"
#include "machine/machine_file.h"
#include "wheel/simple_page.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

constexpr std::string_view kMachine = R"({"schema": "fitment.machine/1", "name": "h100",
  "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": "2.35"}},
  "gpus": [{"vendor": "nvidia", "target": "sm_90", "integrated": false}],
  "drivers": {"nvidia": {"version": "570.1", "cuda_api": "12.8"}},
  "python": {"implementation": "cpython", "version": "3.12.3"}})";

const fitment::ViewContext& machine() {
  static const fitment::ViewContext kContext =
      fitment::ViewContext::create(fitment::parse_machine(kMachine, "fuzz").value(),
                                   {},
                                   std::make_shared<const fitment::Catalog>())
          .value();
  return kContext;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto project = std::make_shared<fitment::Project>();
  project->name = "torch";
  for (const std::string_view line : fitment::split_lines(text)) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    fitment::SimpleFile file;
    file.filename = line.substr(0, blank);
    file.url = "https://host/" + file.filename;
    file.core_metadata = fitment::FileHashes();
    project->files.push_back(fitment::classify_file(
        std::move(file), std::string(line.substr(std::min(blank + 1, line.size()))), "torch"));
  }
  const std::vector<fitment::Placeholder> none;
  const auto view = fitment::plan_view({project.get(), &machine(), &none, nullptr});
  if (!view) {
    std::abort();
  }
  if (view->shown.size() + view->hidden.size() != project->files.size()) {
    std::abort();
  }
  fitment::Listing listing;
  listing.project = project;
  listing.view = std::make_shared<const fitment::ProjectView>(*view);
  for (const fitment::ShownFile& shown : listing.view->shown) {
    listing.files.push_back({&shown, &project->files[shown.file], project->files[shown.file].file});
  }
  const std::string json = fitment::write_project_json(listing, "h100");
  const std::string html = fitment::write_project_html(listing);
  // Everything that was listed can be read again.
  const auto again = fitment::parse_simple_json(json, "https://host/simple/torch/");
  if (!again || again->files.size() > listing.files.size()) {
    std::abort();
  }
  static_cast<void>(fitment::parse_simple_html(html, "https://host/simple/torch/"));
  return 0;
}
