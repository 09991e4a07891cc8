// SPDX-License-Identifier: Apache-2.0
#include "image/bake_file.h"

#include "base/closest.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kTargetMark = "target:";

std::string hcl_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\\') {
      quoted += '\\';
    }
    quoted += c;
    if ((c == '$' || c == '%') && text.substr(i + 1).starts_with('{')) {
      quoted += c;  // `$${` stands for `${`
    }
  }
  return quoted + "\"";
}

std::string hcl_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : ", ") + hcl_quoted(item);
  }
  return "[" + text + "]";
}

std::string hcl_map(std::string_view key, const std::map<std::string, std::string>& entries) {
  if (entries.empty()) {
    return {};
  }
  std::string text = fmt::format("  {} = {{\n", key);
  for (const auto& [name, value] : entries) {
    text += fmt::format("    {} = {}\n", hcl_quoted(name), hcl_quoted(value));
  }
  return text + "  }\n";
}

}  // namespace

std::string BakeTarget::parent() const {
  for (const auto& [image, context] : contexts) {
    if (context.starts_with(kTargetMark)) {
      return context.substr(kTargetMark.size());
    }
  }
  return {};
}

const BakeTarget* BakeFile::find(std::string_view name) const {
  const auto found = std::find_if(targets.begin(), targets.end(), [&](const BakeTarget& target) {
    return target.name == name;
  });
  return found == targets.end() ? nullptr : &*found;
}

std::string BakeBuilder::add_image(const std::vector<ImageStage>& stages,
                                   const std::vector<std::string>& tags,
                                   std::uint64_t epoch) {
  std::string parent;
  for (const ImageStage& stage : stages) {
    const auto known = targets_by_tag_.find(stage.tag);
    if (known != targets_by_tag_.end()) {
      parent = known->second;
      continue;
    }
    BakeTarget target;
    target.name = stage.target;
    if (file_.find(target.name) != nullptr) {
      target.name += "-" + stage.tag.substr(stage.tag.rfind(':') + 1);
    }
    target.containerfile = target.name + ".Containerfile";
    target.args["SOURCE_DATE_EPOCH"] = std::to_string(epoch);
    if (!parent.empty()) {
      target.args["BASE_IMG"] = stage.parent;
      target.contexts[stage.parent] = std::string(kTargetMark) + parent;
    }
    if (!stage.parent_context.empty()) {
      target.args["BASE_IMG"] = stage.parent;
      target.contexts[stage.parent] = stage.parent_context;
    }
    target.tags = {stage.tag};
    target.platform = stage.platform;
    containerfiles_[target.containerfile] = stage.containerfile;
    targets_by_tag_[stage.tag] = target.name;
    parent = target.name;
    file_.targets.push_back(std::move(target));
  }
  const auto image = std::find_if(file_.targets.begin(),
                                  file_.targets.end(),
                                  [&](const BakeTarget& target) { return target.name == parent; });
  if (image != file_.targets.end()) {
    image->tags.insert(image->tags.end(), tags.begin(), tags.end());
    if (std::find(file_.default_group.begin(), file_.default_group.end(), parent)
        == file_.default_group.end()) {
      file_.default_group.push_back(parent);
    }
  }
  return parent;
}

Result<BakeFile> select_targets(const BakeFile& file, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const BakeTarget& target : file.targets) {
    known.push_back(target.name);
  }
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    const BakeTarget* target = file.find(name);
    if (target == nullptr) {
      const auto closest = find_closest(name, known);
      return fail(ErrorCode::not_found, fmt::format("there is no target `{}`", name))
          .hint(closest ? fmt::format("did you mean `{}`?", *closest)
                        : "targets are " + join(known, ", "));
    }
    for (; target != nullptr; target = file.find(target->parent())) {
      wanted.insert(target->name);
    }
  }
  BakeFile selected;
  selected.default_group = names;
  for (const BakeTarget& target : file.targets) {
    if (wanted.contains(target.name)) {
      selected.targets.push_back(target);
    }
  }
  return selected;
}

std::string bake_hcl(const BakeFile& file) {
  std::string text = "group \"default\" {\n  targets = " + hcl_list(file.default_group) + "\n}\n";
  for (const BakeTarget& target : file.targets) {
    text += fmt::format("\ntarget {} {{\n  context = \".\"\n  dockerfile = {}\n",
                        hcl_quoted(target.name),
                        hcl_quoted(target.containerfile));
    text += hcl_map("args", target.args);
    text += hcl_map("contexts", target.contexts);
    text += target.platform.empty() ? "" : "  platforms = " + hcl_list({target.platform}) + "\n";
    text += "  tags = " + hcl_list(target.tags) + "\n}\n";
  }
  return text;
}

}  // namespace fitment
