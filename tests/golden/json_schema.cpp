// SPDX-License-Identifier: Apache-2.0
#include "golden/json_schema.h"

#include "base/files.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace fitment::golden {

namespace {

using Json = nlohmann::json;

std::vector<std::string> validate(const Json& document, const Json& schema_document) {
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::vector<std::string> problems;
  if (!validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      problems.push_back(fmt::format("{}: {}", fmt::join(error.context, ""), error.description));
    }
  }
  return problems;
}

}  // namespace

std::vector<std::string> schema_problems(const std::string& text) {
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) {
    return {};
  }
  const auto named = document.find("schema");
  if (named == document.end() || !named->is_string()) {
    return {};
  }
  const std::string schema = named->get<std::string>();
  const std::string prefix = "fitment.";
  if (!schema.starts_with(prefix)) {
    return {fmt::format("`{}` is none of our schemas", schema)};
  }
  const std::string name = schema.substr(prefix.size(), schema.find('/') - prefix.size());
  const std::string path = fmt::format("{}/{}.schema.json", FITMENT_SCHEMAS_DIR, name);
  const auto bytes = read_file(path);
  if (!bytes) {
    return {bytes.error().message()};
  }
  const Json schema_document = Json::parse(*bytes, nullptr, false);
  if (schema_document.is_discarded()) {
    return {fmt::format("`{}` is not valid JSON", path)};
  }
  return validate(document, schema_document);
}

}  // namespace fitment::golden
