// SPDX-License-Identifier: Apache-2.0
#include "report/bill_spdx.h"

#include "base/digest.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

std::string id_of(std::size_t index) {
  return fmt::format("SPDXRef-Package-{}", index + 1);
}

Json item_json(const Bill& bill, const BillItem& item, std::size_t index) {
  Json json{{"SPDXID", id_of(index)},
            {"name", item.name},
            {"downloadLocation", "NOASSERTION"},
            {"filesAnalyzed", false},
            {"licenseConcluded", "NOASSERTION"},
            {"licenseDeclared", "NOASSERTION"},
            {"copyrightText", "NOASSERTION"}};
  if (!item.version.empty()) {
    json["versionInfo"] = item.version;
  }
  if (item.kind == BillItem::Kind::library) {
    json["supplier"] = "Organization: NVIDIA Corporation";
    json["primaryPackagePurpose"] = "LIBRARY";
  }
  if (!item.path.empty()) {
    json["sourceInfo"] = item.path;
  }
  if (const std::string url = package_url(bill, item); !url.empty()) {
    json["externalRefs"] = Json::array({{{"referenceCategory", "PACKAGE-MANAGER"},
                                         {"referenceType", "purl"},
                                         {"referenceLocator", url}}});
  }
  return json;
}

Json relationship(const std::string& from, const char* type, const std::string& to) {
  return {{"spdxElementId", from}, {"relationshipType", type}, {"relatedSpdxElement", to}};
}

}  // namespace

std::string bill_spdx(const Bill& bill,
                      const std::string& name,
                      const std::string& version,
                      std::uint64_t epoch) {
  Json packages = Json::array();
  Json relationships = Json::array();
  for (std::size_t i = 0; i < bill.items.size(); ++i) {
    const BillItem& item = bill.items[i];
    packages.push_back(item_json(bill, item, i));
    relationships.push_back(item.inside ? relationship(id_of(*item.inside), "CONTAINS", id_of(i))
                                        : relationship("SPDXRef-DOCUMENT", "DESCRIBES", id_of(i)));
  }
  const std::chrono::sys_seconds time{std::chrono::seconds(epoch)};
  const Json document{
      {"spdxVersion", "SPDX-2.3"},
      {"dataLicense", "CC0-1.0"},
      {"SPDXID", "SPDXRef-DOCUMENT"},
      {"name", name},
      {"documentNamespace",
       "https://spdx.org/spdxdocs/" + name + "-"
           + sha256_hex(packages.dump(-1, ' ', false, Json::error_handler_t::replace))},
      {"creationInfo",
       {{"created", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time))},
        {"creators", {"Tool: fitment-" + version}}}},
      {"packages", packages},
      {"relationships", relationships}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
