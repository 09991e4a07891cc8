// SPDX-License-Identifier: Apache-2.0
// fitment image sbom: what is in a root, as SPDX.
#include "base/files.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/image_recipe_options.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/version.h"
#include "image/bill.h"
#include "report/bill_spdx.h"

#include <ostream>

namespace fitment {

namespace {

Result<int> run_image_sbom(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  FITMENT_TRY_ASSIGN(const LibraryTable* libraries, catalog.libraries());
  const std::filesystem::path root = invocation.get("ROOT");
  if (auto listed = list_folder(root); !listed) {
    return std::move(listed).error().hint(
        "give the root of an image (`/`, what `buildah mount` prints) or a Python environment");
  }
  const Bill bill = read_bill(DirectoryView(root.string()), *libraries);
  if (bill.items.empty()) {
    return fail(ErrorCode::not_found, "nothing is installed there")
        .at({root.string(), {}, {}, {}})
        .hint("give the root of an image or a Python environment");
  }
  const std::uint64_t epoch =
      parse_unsigned(value_of(streams.environment, "SOURCE_DATE_EPOCH")).value_or(0);
  const std::string text =
      bill_spdx(bill, invocation.get("name"), std::string(program_version()), epoch);
  if (const auto output = invocation.find("output")) {
    FITMENT_TRY(write_file_atomic(*output, text));
  } else {
    streams.out << text;
  }
  return kExitDone;
}

}  // namespace

CommandSpec image_sbom_command() {
  return {
      .name = "sbom",
      .summary = "what is in a root, as an SPDX document",
      .description =
          "Lists the packages of the distribution, the Python distributions, and the libraries "
          "of NVIDIA's inside them, as SPDX 2.3 JSON: the answer is that document, so there is no "
          "--json. The same files give the same bytes; the "
          "time is that of SOURCE_DATE_EPOCH.",
      .arguments = {{.name = "ROOT",
                     .help = "the root of an image, or a Python environment",
                     .completes = Completes::folder}},
      .options = {{.name = "name",
                   .help = "name of the document",
                   .value = "NAME",
                   .default_value = "image",
                   .group = "Output"},
                  {.name = "output",
                   .help = "write it to this file",
                   .value = "FILE",
                   .completes = Completes::file,
                   .group = "Output"},
                  catalog_option()},
      .examples = {{"fitment image sbom / --output sbom.spdx.json", "the running system"},
                   {"fitment image sbom .venv", "one environment"}},
      .see_also = {"audit"},
      .handler = run_image_sbom};
}

}  // namespace fitment
