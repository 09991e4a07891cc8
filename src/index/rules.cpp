// SPDX-License-Identifier: Apache-2.0
#include "index/rules.h"

namespace fitment {

namespace {

using Kind = RuleText::Kind;

constexpr RuleText kOtherBuild{
    Kind::rule,
    "other-build",
    "the build fits, but another one of the same version suits the machine better",
    "Of several builds of one version an installer takes the one whose local label sorts last, "
    "whatever the machine. So `fitment serve` offers one of them: the best by the order of "
    "`fitment plan`.\n\n"
    "Way out: ask for the build by its exact label, as in `torch==2.8.0+cu126`. It is listed as "
    "yanked, which installers take for an exact pin alone."};

constexpr RuleText kOtherVariant{
    Kind::rule,
    "other-variant",
    "the wheel fits, but a better variant of the same version is offered",
    "Of the wheels of a version, those stay that some Python on the machine takes by the order of "
    "wheel variants; they stand under their plain names.\n\n"
    "Way out: `fitment variant select` prints the whole ranking."};

constexpr RuleText kPlaceholder{
    Kind::rule,
    "placeholder",
    "the file installs nothing useful",
    "Some names on PyPI hold a source distribution that fails on purpose, or that fetches the real "
    "wheel from another index while it is built. The catalogue's indexes.toml lists them, with "
    "their sources.\n\n"
    "Way out: none is needed where the routes send the name to the index that has the real "
    "wheels; otherwise add such an index to fitment.toml."};

constexpr RuleText kVariantFile{
    Kind::rule,
    "variant-file",
    "the file describes variants, for installers that know them",
    "`NAME-VERSION-variants.json` was read to choose, and is not offered: the variant that was "
    "chosen stands under its plain name."};

constexpr RuleText kFileKind{
    Kind::rule,
    "file-kind",
    "the file is neither a wheel nor a source distribution of the project",
    "Eggs, installers, signatures, and files whose names do not begin with the name of the "
    "project are not offered: no installer takes them."};

}  // namespace

const std::vector<RuleText>& index_rules() {
  static const std::vector<RuleText> kRules{
      kOtherBuild, kOtherVariant, kPlaceholder, kVariantFile, kFileKind};
  return kRules;
}

}  // namespace fitment
