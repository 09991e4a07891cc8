// SPDX-License-Identifier: Apache-2.0
#include "catalog/derive.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/tags.h"
#include "wheel/wheel_filename.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// `3.13t` of the tags cp313 and cp313t; empty where a wheel is not for one CPython version.
std::string python_of(const WheelFilename& wheel) {
  for (const std::string& tag : wheel.python_tags) {
    if (!tag.starts_with("cp3") || tag.size() < 4) {
      continue;
    }
    const auto minor = parse_unsigned(std::string_view(tag).substr(3));
    if (minor) {
      const bool free_threaded =
          std::any_of(wheel.abi_tags.begin(), wheel.abi_tags.end(), [&](const std::string& abi) {
            return abi == tag + "t";
          });
      return fmt::format("3.{}{}", *minor, free_threaded ? "t" : "");
    }
  }
  return {};
}

/// Sorted by number: 3.9 before 3.10 before 3.10t.
void add_python(std::vector<std::string>& list, const std::string& python) {
  if (python.empty() || std::find(list.begin(), list.end(), python) != list.end()) {
    return;
  }
  list.push_back(python);
  std::sort(list.begin(), list.end(), [](const std::string& a, const std::string& b) {
    const auto left = parse_python_version(a);
    const auto right = parse_python_version(b);
    if (!left || !right) {
      return a < b;
    }
    return std::tuple(left->major, left->minor, left->free_threaded)
           < std::tuple(right->major, right->minor, right->free_threaded);
  });
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(text);
  }
}

class BuildCollector {
 public:
  BuildCollector(const Framework& known, std::string source) : source_(std::move(source)) {
    derived_.framework = known;
  }

  void add(const SeenWheel& seen) {
    const auto wheel = parse_wheel_filename(seen.filename);
    if (!wheel) {
      ignore(seen, wheel.error().message());
      return;
    }
    const std::string name = normalize_name(wheel->distribution);
    if (name != derived_.framework.name) {
      ignore(seen, fmt::format("it is a wheel of {}", name));
      return;
    }
    const auto backend = backend_of(*wheel);
    if (!backend) {
      ignore(seen, backend.error().message());
      return;
    }
    Release& release = release_of(wheel->version);
    add_python(release.python, python_of(*wheel));
    for (const std::string& text : wheel->platform_tags) {
      const auto platform = parse_platform_tag(text);
      if (platform && platform->family != PlatformTag::Family::other) {
        add_platform(release, *backend, platform->arch, text, seen);
      }
    }
  }

  Derived take() {
    auto& releases = derived_.framework.releases;
    std::stable_sort(releases.begin(), releases.end(), [](const Release& a, const Release& b) {
      const auto left = Version::parse(a.version);
      const auto right = Version::parse(b.version);
      return left && right && *left < *right;
    });
    return std::move(derived_);
  }

 private:
  void ignore(const SeenWheel& seen, const std::string& why) {
    derived_.ignored.push_back(seen.filename + ": " + why);
  }

  /// The label tells the backend; PyPI's file without a label is the build that the release names
  /// as its default.
  [[nodiscard]] Result<Backend> backend_of(const WheelFilename& wheel) const {
    std::string label = wheel.version.local();
    if (label.empty()) {
      const auto known = std::find_if(
          derived_.framework.releases.begin(),
          derived_.framework.releases.end(),
          [&](const Release& release) { return release.version == wheel.version.public_text(); });
      if (known == derived_.framework.releases.end() || known->pypi_default.empty()) {
        return fail(ErrorCode::unsupported, "its name has no backend label");
      }
      label = known->pypi_default;
    }
    return parse_backend(label);
  }

  Release& release_of(const Version& version) {
    auto& releases = derived_.framework.releases;
    const std::string text = version.public_text();
    const auto found = std::find_if(releases.begin(), releases.end(), [&](const Release& release) {
      return release.version == text;
    });
    if (found != releases.end()) {
      return *found;
    }
    Release release;
    release.version = text;
    release.source = source_;
    release.other_arches_unknown = true;
    release.other_backends_unknown = true;
    releases.push_back(std::move(release));
    return releases.back();
  }

  void add_platform(Release& release,
                    const Backend& backend,
                    const std::string& arch,
                    const std::string& platform,
                    const SeenWheel& seen) {
    const auto same = [&](const Build& build) {
      return build.backend.text == backend.text && (build.arch == arch || build.arch.empty());
    };
    auto build = std::find_if(release.builds.begin(), release.builds.end(), same);
    if (build == release.builds.end()) {
      Build made;
      made.backend = backend;
      made.arch = arch;
      made.index = seen.index;
      made.source = source_;
      release.builds.push_back(std::move(made));
      build = std::prev(release.builds.end());
    }
    add_once(build->platforms, platform);
    if (!build->size_bytes) {
      build->size_bytes = seen.size_bytes;
    }
  }

  Derived derived_;
  std::string source_;
};

}  // namespace

Derived derive_builds(const Framework& known,
                      const std::vector<SeenWheel>& wheels,
                      const std::string& source) {
  BuildCollector collector(known, source);
  for (const SeenWheel& wheel : wheels) {
    collector.add(wheel);
  }
  return collector.take();
}

}  // namespace fitment
