// SPDX-License-Identifier: Apache-2.0
// Law: whatever the layers, the image that hides nothing any more shows the same tree. What a tree
// is, is worked out here in the simplest way: by unpacking.
#include "image/slim_apply.h"
#include "support/image_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace fitment {
namespace {

/// Unpacks tar archives after one another into a map, as the layer specification says.
class Unpacked {
 public:
  void layer(const std::vector<TarEntry>& entries, const std::vector<std::string>& data) {
    // Whiteouts are about what is below: first.
    for (const TarEntry& entry : entries) {
      const std::string path = clean(entry.path);
      const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
      if (path.substr(name) == ".wh..wh..opq") {
        remove_below(path.substr(0, name));
      } else if (path.substr(name, 4) == ".wh.") {
        const std::string hidden = path.substr(0, name) + path.substr(name + 4);
        remove_below(hidden + "/");
        tree.erase(hidden);
      }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string path = clean(entries[i].path);
      if (path.find(".wh.") != std::string::npos) {
        continue;
      }
      if (entries[i].type == kTarFolder) {
        tree[path] = "folder";
      } else {
        remove_below(path + "/");
        tree[path] = entries[i].type == kTarHardLink ? tree.at(entries[i].link) : "file " + data[i];
      }
    }
  }
  std::map<std::string, std::string> tree;

 private:
  static std::string clean(std::string path) {
    if (path.ends_with('/')) {
      path.pop_back();
    }
    return path;
  }
  void remove_below(const std::string& folder) {
    std::erase_if(tree, [&](const auto& one) { return one.first.starts_with(folder); });
  }
};

std::map<std::string, std::string> unpack(const std::string& layout) {
  Unpacked unpacked;
  const auto image = open_image(layout, std::nullopt);
  RC_ASSERT(image.has_value());
  for (const ImageLayer& layer : image->layers) {
    const auto blob = image->store->open(layer.member);
    const auto stream = LayerStream::open(**blob);
    TarReader reader(**stream);
    std::vector<TarEntry> entries;
    std::vector<std::string> data;
    for (auto entry = reader.next(); entry && *entry; entry = reader.next()) {
      entries.push_back(**entry);
      data.emplace_back(*reader.data(kBlockBytes));
    }
    unpacked.layer(entries, data);
  }
  return unpacked.tree;
}

/// A layer over two names and three levels, valid over what is there.
std::vector<TarMember> some_layer(const std::map<std::string, std::string>& below) {
  const auto step = [] { return *rc::gen::elementOf(std::vector<std::string>{"a", "b"}); };
  std::vector<TarMember> members;
  std::map<std::string, char> own;  // what this layer has said about a path
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    std::string path = step();
    std::vector<std::string> parents;
    for (int depth = *rc::gen::inRange(0, 3); depth > 0; --depth) {
      parents.push_back(path);
      path += "/" + step();
    }
    bool is_possible = own.count(path) == 0;
    for (const std::string& parent : parents) {
      const auto said = own.find(parent);
      is_possible = is_possible && (said == own.end() || said->second == '5');
      if (is_possible && said == own.end()) {
        own[parent] = '5';
        members.push_back({.name = parent + "/", .type = '5'});
      }
    }
    const int what = *rc::gen::inRange(0, 6);
    const auto has_own_below = std::any_of(
        own.begin(), own.end(), [&](const auto& one) { return one.first.starts_with(path + "/"); });
    if (!is_possible || has_own_below) {
      continue;
    }
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    if (what == 0) {
      own[path] = 'w';
      members.push_back({.name = folder + ".wh." + path.substr(folder.size())});
    } else if (what == 1) {
      own[path] = '5';
      members.push_back({.name = path + "/", .type = '5'});
      if (*rc::gen::arbitrary<bool>()) {
        members.push_back({.name = path + "/.wh..wh..opq"});
      }
    } else if (what == 2) {
      // A hard link to a file of this layer, or of one below that nothing here touches.
      for (const auto& [target, content] : below) {
        const bool is_touched =
            std::any_of(own.begin(), own.end(), [&, name = target](const auto& one) {
              return (name + "/").starts_with(one.first + "/");
            });
        if (content.starts_with("file") && !is_touched && !(target + "/").starts_with(path + "/")) {
          own[path] = '1';
          own[target] = 't';  // and nothing after it does
          members.push_back({.name = path, .type = '1', .link = target});
          break;
        }
      }
    } else {
      own[path] = '0';
      members.push_back(
          {.name = path, .data = *rc::gen::elementOf(std::vector<std::string>{"x", "y", "zz"})});
    }
  }
  return members;
}

RC_GTEST_PROP(SlimImage, shows_the_same_tree, ()) {
  const Workshop shop;
  ImageBuilder builder(shop);
  const int layers = *rc::gen::inRange(2, 8);
  std::map<std::string, std::string> tree;
  for (int i = 0; i < layers; ++i) {
    builder.layer(some_layer(tree), LayerCompression::none);
    tree = unpack(builder.oci("in"));
  }
  const auto image = open_image(shop.path("in"), std::nullopt);
  const auto survey = survey_image(*image, {});
  RC_ASSERT(survey.has_value());
  ImageSlimWishes wishes;
  wishes.kept_layers = *rc::gen::inRange<std::size_t>(0, 3);
  const auto plan = plan_image_slim(*survey, wishes);
  RC_ASSERT(plan.has_value());
  ImageSlimOptions options;
  const auto result = apply_image_slim(*image, *survey, *plan, options, shop.root() / "out");
  if (!result) {
    RC_FAIL(to_string(result.error()));
  }
  RC_ASSERT(unpack(shop.path("out")) == tree);
  // And nothing is left to hide, unless layers had to stay or links share it.
  const auto small = open_image(shop.path("out"), std::nullopt);
  const auto again = survey_image(*small, {});
  if (wishes.kept_layers == 0 && plan->shared.files == 0) {
    for (const LayerEntry& entry : again->tree.entries()) {
      RC_ASSERT(entry.fate == EntryFate::seen);
    }
  }
}

}  // namespace
}  // namespace fitment
