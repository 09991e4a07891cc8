// SPDX-License-Identifier: Apache-2.0
#include "image/recipes.h"

#include "base/closest.h"
#include "base/text.h"
#include "catalog/source_ids.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// A file of the catalogue under images/, parsed, with where it came from.
struct RecipeDocument {
  TomlValue toml;
  std::string source;
};

Result<RecipeDocument> read_document(const Catalog& catalog, std::string_view name) {
  const auto& files = catalog.files();
  const auto found = std::find_if(
      files.begin(), files.end(), [&](const Catalog::File& file) { return file.name == name; });
  if (found == files.end()) {
    return fail(ErrorCode::internal, fmt::format("the catalogue has no file `{}`", name));
  }
  std::string source = found->source == "embedded" ? "catalog/" + found->name : found->source;
  FITMENT_TRY_ASSIGN(TomlValue toml, parse_toml(found->bytes, source));
  return RecipeDocument{std::move(toml), std::move(source)};
}

Status read_profiles(const Catalog& catalog, std::vector<ImageProfile>& profiles) {
  FITMENT_TRY_ASSIGN(const RecipeDocument document, read_document(catalog, "images/profiles.toml"));
  TableReader top(document.toml, document.source, "the file of profiles");
  SourceIds ids;
  ids.read_table(top);
  for (const TomlValue* row : top.tables("profile")) {
    ImageProfile& profile = profiles.emplace_back();
    TableReader reader(*row, document.source, "a profile");
    for (const std::string_view key : {"name", "summary", "source"}) {
      reader.require(key);
    }
    reader.read("name", profile.name);
    reader.read("summary", profile.summary);
    reader.read("frameworks", profile.frameworks);
    reader.read("packages", profile.packages);
    reader.read("arch", profile.arch);
    ids.read(reader, "source", profile.source);
    FITMENT_TRY(reader.finish());
  }
  return top.finish();
}

Status read_bases(const Catalog& catalog, std::vector<BaseSystem>& bases) {
  FITMENT_TRY_ASSIGN(const RecipeDocument document, read_document(catalog, "images/bases.toml"));
  TableReader top(document.toml, document.source, "the file of base systems");
  SourceIds ids;
  ids.read_table(top);
  for (const TomlValue* row : top.tables("base")) {
    BaseSystem& base = bases.emplace_back();
    TableReader reader(*row, document.source, "a base system");
    for (const std::string_view key : {"name", "marks", "libc", "python", "monitor", "source"}) {
      reader.require(key);
    }
    reader.read("name", base.name);
    reader.read("marks", base.marks);
    reader.read_with("libc", DottedVersion::parse, base.libc);
    reader.read("python", base.python);
    reader.read("monitor", base.monitor);
    reader.read("note", base.note);
    ids.read(reader, "source", base.source);
    FITMENT_TRY(reader.finish());
  }
  return top.finish();
}

Status read_stages(const Catalog& catalog, ImageRecipes& recipes) {
  FITMENT_TRY_ASSIGN(const RecipeDocument document, read_document(catalog, "images/stages.toml"));
  TableReader top(document.toml, document.source, "the file of stages");
  top.require("default_base");
  top.read("default_base", recipes.default_base);
  std::map<std::string, std::string> shell;
  top.read("shell", shell);
  recipes.install_packages = shell["install_packages"];
  recipes.add_user = shell["add_user"];
  recipes.clean_up = shell["clean_up"];
  for (const TomlValue* row : top.tables("stage")) {
    StageRecipe& stage = recipes.stages.emplace_back();
    TableReader reader(*row, document.source, "a stage");
    reader.require("name");
    reader.require("summary");
    reader.read("name", stage.name);
    reader.read("variant", stage.variant);
    reader.read("summary", stage.summary);
    reader.read("packages", stage.packages);
    reader.read("env", stage.env);
    reader.read("run", stage.run);
    reader.read("build_packages", stage.build_packages);
    reader.read("build_run", stage.build_run);
    reader.read("build_result", stage.build_result);
    reader.read("result_path", stage.result_path);
    reader.read("tool_image", stage.tool_image);
    reader.read("tool_path", stage.tool_path);
    FITMENT_TRY(reader.finish());
  }
  return top.finish();
}

}  // namespace

Result<const ImageProfile*> ImageRecipes::find_profile(std::string_view name) const {
  for (const ImageProfile& profile : profiles) {
    if (profile.name == name) {
      return &profile;
    }
  }
  const std::vector<std::string> known = profile_names(*this);
  const auto closest = find_closest(name, known);
  return fail(ErrorCode::not_found, fmt::format("there is no profile `{}`", name))
      .hint(closest ? fmt::format("did you mean `{}`?", *closest)
                    : "profiles are " + join(known, ", "));
}

const BaseSystem* ImageRecipes::find_base(std::string_view name) const {
  const auto found = std::find_if(
      bases.begin(), bases.end(), [&](const BaseSystem& base) { return base.name == name; });
  return found == bases.end() ? nullptr : &*found;
}

Result<const StageRecipe*> ImageRecipes::find_stage(std::string_view name,
                                                    std::string_view variant) const {
  std::vector<std::string> variants;
  for (const StageRecipe& stage : stages) {
    if (stage.name == name && stage.variant == variant) {
      return &stage;
    }
    if (stage.name == name) {
      variants.push_back(stage.variant);
    }
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("the stage {} has no variant `{}`", name, variant))
      .hint("variants are " + join(variants, ", "));
}

Result<ImageRecipes> read_image_recipes(const Catalog& catalog) {
  ImageRecipes recipes;
  FITMENT_TRY(read_profiles(catalog, recipes.profiles));
  FITMENT_TRY(read_bases(catalog, recipes.bases));
  FITMENT_TRY(read_stages(catalog, recipes));
  return recipes;
}

std::vector<std::string> profile_names(const ImageRecipes& recipes) {
  std::vector<std::string> names;
  for (const ImageProfile& profile : recipes.profiles) {
    names.push_back(profile.name);
  }
  return names;
}

}  // namespace fitment
