// SPDX-License-Identifier: Apache-2.0
#include "image/base_image.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

/// A toolkit version is `12.8` at least: `CUDA_VERSION=12` names a line of toolkits, not one.
std::optional<DottedVersion> toolkit_of(std::string_view text) {
  auto version = DottedVersion::parse(trim(text));
  if (!version || version->size() < 2) {
    return {};
  }
  return std::move(*version);
}

struct ReferenceParts {
  std::string_view repository;  ///< with registry, without tag and digest
  std::string_view tag;
  bool has_digest = false;
};

ReferenceParts split_reference(std::string_view reference) {
  ReferenceParts parts;
  if (const std::size_t at = reference.find('@'); at != std::string_view::npos) {
    parts.has_digest = true;
    reference = reference.substr(0, at);
  }
  const std::size_t slash = reference.rfind('/');
  const std::size_t colon = reference.rfind(':');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  parts.repository = reference.substr(0, has_tag ? colon : reference.size());
  parts.tag = has_tag ? reference.substr(colon + 1) : std::string_view();
  return parts;
}

/// `nvidia/cuda:12.8.1-cudnn-devel-ubuntu24.04`: the tag of a repository that is named for CUDA
/// begins with the toolkit's version.
std::optional<DottedVersion> toolkit_in_reference(const ReferenceParts& parts) {
  const std::size_t slash = parts.repository.rfind('/');
  const std::string_view name =
      slash == std::string_view::npos ? parts.repository : parts.repository.substr(slash + 1);
  if (name.find("cuda") == std::string_view::npos) {
    return {};
  }
  return toolkit_of(parts.tag.substr(0, parts.tag.find('-')));
}

std::string flavour_of(std::string_view tag) {
  constexpr std::array<std::string_view, 3> kFlavours{"base", "runtime", "devel"};
  for (const std::string_view word : split(tag, '-')) {
    if (std::find(kFlavours.begin(), kFlavours.end(), word) != kFlavours.end()) {
      return std::string(word);
    }
  }
  return {};
}

/// The mark stands in the reference as a whole: `debian:1` is not in `debian:12`.
bool has_mark(std::string_view reference, std::string_view mark) {
  const std::size_t at = reference.find(mark);
  if (at == std::string_view::npos) {
    return false;
  }
  const std::size_t end = at + mark.size();
  const bool starts = at == 0 || !is_alnum(reference[at - 1]);
  const bool ends = end == reference.size() || (!is_alnum(reference[end]) && reference[end] != '.');
  return starts && ends;
}

Result<const BaseSystem*> find_system(const BaseClues& clues, const ImageRecipes& recipes) {
  if (!clues.distribution.empty()) {
    if (const BaseSystem* told = recipes.find_base(clues.distribution)) {
      return told;
    }
    std::vector<std::string> known;
    for (const BaseSystem& base : recipes.bases) {
      known.push_back(base.name);
    }
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not a base system that recipes know", clues.distribution))
        .hint("they know " + join(known, ", "));
  }
  for (const BaseSystem& base : recipes.bases) {
    for (const std::string& mark : base.marks) {
      if (has_mark(clues.reference, mark)) {
        return &base;
      }
    }
  }
  return static_cast<const BaseSystem*>(nullptr);
}

struct ToolkitClue {
  std::optional<DottedVersion> version;
  std::string evidence;
};

std::vector<ToolkitClue> toolkit_clues(const BaseClues& clues, const ReferenceParts& parts) {
  std::vector<ToolkitClue> found;
  found.push_back({clues.toolkit_in_files, "files"});
  if (const auto told = clues.environment.find("CUDA_VERSION"); told != clues.environment.end()) {
    found.push_back({toolkit_of(told->second), "environment"});
  }
  found.push_back({toolkit_in_reference(parts), "reference"});
  return found;
}

Status check_reference(std::string_view reference) {
  const auto is_fine = [](char c) {
    return is_alnum(c) || std::string_view("./:@_-+").find(c) != std::string_view::npos;
  };
  if (reference.empty() || !std::all_of(reference.begin(), reference.end(), is_fine)
      || !(is_alnum(reference.front()) || reference.front() == '.' || reference.front() == '/')) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not an image reference", reference))
        .hint(
            "write `--from debian:12`, `--from nvidia/cuda:12.8.1-runtime-ubuntu24.04` or the "
            "archive of a root filesystem: `--from root.tar`");
  }
  return {};
}

}  // namespace

std::string BaseImage::parent() const {
  if (layout) {
    return layout->name();
  }
  return is_archive ? "" : qualified_reference(reference);
}

bool is_root_archive(std::string_view reference) {
  constexpr std::array<std::string_view, 5> kEndings{
      ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return reference.ends_with(ending);
  });
}

std::string qualified_reference(std::string_view reference) {
  const std::size_t slash = reference.find('/');
  const std::string_view first = reference.substr(0, slash);
  const bool has_registry =
      slash != std::string_view::npos
      && (first == "localhost" || first.find_first_of(".:") != std::string_view::npos);
  if (has_registry) {
    return std::string(reference);
  }
  return fmt::format(
      "docker.io/{}{}", slash == std::string_view::npos ? "library/" : "", reference);
}

Result<BaseImage> read_base_image(const BaseClues& clues, const ImageRecipes& recipes) {
  if (!clues.layout) {
    FITMENT_TRY(check_reference(clues.reference));
  }
  BaseImage base;
  base.layout = clues.layout;
  base.reference = clues.reference;
  base.is_archive = is_root_archive(clues.reference);
  FITMENT_TRY_ASSIGN(base.system, find_system(clues, recipes));
  if (!base.is_archive) {
    const ReferenceParts parts = split_reference(clues.reference);
    base.moves = !base.layout && !parts.has_digest && (parts.tag.empty() || parts.tag == "latest");
    base.flavour = flavour_of(parts.tag);
    for (const ToolkitClue& clue : toolkit_clues(clues, parts)) {
      if (!clue.version) {
        continue;
      }
      if (!base.cuda_toolkit) {
        base.cuda_toolkit.set(*clue.version, clue.evidence);
      } else if (clue.version->major() != base.cuda_toolkit->major()
                 || clue.version->minor() != base.cuda_toolkit->minor()) {
        base.conflicts.push_back(fmt::format("its {} says CUDA toolkit {}, its {} {}",
                                             clue.evidence,
                                             to_string(*clue.version),
                                             base.cuda_toolkit.evidence(),
                                             to_string(*base.cuda_toolkit)));
      }
    }
  } else if (clues.toolkit_in_files) {
    base.cuda_toolkit.set(*clues.toolkit_in_files, "files");
  }
  return base;
}

}  // namespace fitment
