// SPDX-License-Identifier: Apache-2.0
#include "install/pip_report.h"

#include "base/json_position.h"
#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::json;

std::string text_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

bool flag_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_boolean() && found->get<bool>();
}

/// Never throws: null where there is no such member.
const Json& member_at(const Json& object, const char* key) {
  static const Json kNothing;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? *found : kNothing;
}

/// `hashes` since pip 23, `hash` (`sha256=...`) before.
std::string sha256_of(const Json& archive) {
  std::string digest = text_at(member_at(archive, "hashes"), "sha256");
  constexpr std::string_view kPrefix = "sha256=";
  const std::string old = text_at(archive, "hash");
  if (digest.empty() && old.starts_with(kPrefix)) {
    digest = old.substr(kPrefix.size());
  }
  return to_lower(digest);
}

Result<ReportedPackage> read_package(const Json& item, const std::string& source) {
  const Json& metadata = member_at(item, "metadata");
  const Json& download = member_at(item, "download_info");
  ReportedPackage package{text_at(metadata, "name"),
                          text_at(metadata, "version"),
                          text_at(download, "url"),
                          sha256_of(member_at(download, "archive_info")),
                          flag_at(item, "is_direct"),
                          flag_at(item, "requested"),
                          flag_at(item, "is_yanked")};
  if (package.name.empty() || package.version.empty()) {
    return fail(ErrorCode::parse_error, "a package in pip's report has no name or version")
        .at({source, {}, {}, {}});
  }
  return package;
}

}  // namespace

Result<PipReport> parse_pip_report(std::string_view text, const std::string& source) {
  constexpr std::size_t kDeepest = 64;
  if (const auto deep = find_too_deep_json(text, kDeepest)) {
    return fail(ErrorCode::parse_error, "pip's report is nested too deeply")
        .at(origin_of_offset(source, text, *deep));
  }
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::parse_error, "pip's report is not JSON")
        .at(origin_of_offset(source, text, error.byte > 0 ? error.byte - 1 : 0));
  } catch (const Json::exception&) {
    return fail(ErrorCode::parse_error, "pip's report holds a number that is too large")
        .at({source, {}, {}, {}});
  }
  if (text_at(document, "version") != "1") {
    return fail(ErrorCode::unsupported, "pip's report has another format than 1")
        .at({source, {}, {}, {}});
  }
  PipReport report{text_at(document, "pip_version"), {}};
  for (const Json& item : member_at(document, "install")) {
    FITMENT_TRY_ASSIGN(ReportedPackage package, read_package(item, source));
    report.packages.push_back(std::move(package));
  }
  return report;
}

}  // namespace fitment
