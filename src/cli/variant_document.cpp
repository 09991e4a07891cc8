// SPDX-License-Identifier: Apache-2.0
#include "cli/variant_document.h"

#include "base/files.h"
#include "cli/environment.h"
#include "cli/network.h"
#include "store/http_fault.h"
#include "store/remote_file.h"
#include "variant/wheel_folder.h"
#include "wheel/quote.h"
#include "wheel/url.h"

#include <fmt/format.h>

namespace fitment {

namespace {

/// Where metadata of a wheel stand; its name must have a label.
Result<MetadataPlace> place_in(const WheelFilename& wheel, const std::string& file) {
  if (!wheel.variant_label) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is not a variant: its name has no label", quote(file)))
        .hint("variants are named NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl");
  }
  return MetadataPlace{.in_wheel = true, .label = *wheel.variant_label, .labels = {}};
}

Result<InspectedDocument> read_remote(const std::string& url, Network& network) {
  const std::string file = url_filename(url);
  if (!file.ends_with(".whl")) {
    FetchRequest request;
    request.url = url;
    request.wants_compression = true;
    FITMENT_TRY_ASSIGN(FetchAnswer answer, network.client.get(request, kLargestMetadata));
    FITMENT_TRY(check_status(answer.head.status, answer.head.url));
    return InspectedDocument{std::move(answer.body), shown_address(url), {}};
  }
  FITMENT_TRY_ASSIGN(const WheelFilename wheel, parse_wheel_filename(file));
  FITMENT_TRY_ASSIGN(MetadataPlace place, place_in(wheel, file));
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open_address(network.client, url));
  FITMENT_TRY_ASSIGN(WheelDocument document, read_wheel_document(*source));
  return InspectedDocument{std::move(document.text), std::move(document.source), std::move(place)};
}

Result<InspectedDocument> read_local(const std::string& given) {
  const std::filesystem::path path(given);
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  if (!is_folder && !name.ends_with(".whl")) {
    auto text = read_file(path, kLargestMetadata);
    if (!text) {
      return std::move(text).error().hint(
          "give NAME-VERSION-variants.json, variant.json or a wheel");
    }
    return InspectedDocument{std::move(*text), given, {}};
  }
  const std::string file = name.ends_with(".whl") ? name : name + ".whl";
  FITMENT_TRY_ASSIGN(WheelFilename wheel, parse_wheel_filename(file));
  FITMENT_TRY_ASSIGN(MetadataPlace place, place_in(wheel, file));
  FITMENT_TRY_ASSIGN(WheelDocument document,
                     read_wheel_document({file, std::move(wheel), path, is_folder}));
  return InspectedDocument{std::move(document.text), std::move(document.source), std::move(place)};
}

}  // namespace

Result<InspectedDocument> read_inspected_document(const std::string& given,
                                                  const Invocation& invocation,
                                                  const Streams& streams) {
  if (!is_http_address(given)) {
    return read_local(given);
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<Network> network, open_network(invocation, streams));
  return read_remote(given, *network);
}

}  // namespace fitment
