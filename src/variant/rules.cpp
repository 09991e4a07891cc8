// SPDX-License-Identifier: Apache-2.0
// Sources: PEP 825 (order, metadata), PEP 850 (providers), PEP 425 and 656 (tags).
#include "variant/rules.h"

namespace fitment {

namespace {

using Kind = RuleText::Kind;

constexpr RuleText kFileName{
    Kind::rule,
    "file-name",
    "the file is not named as wheels are",
    "`NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM[-LABEL].whl`, at most 255 bytes. Six parts are a "
    "wheel with a build tag when the third begins with a digit, and a variant otherwise; a Python "
    "tag never begins with a digit; a label has lower-case letters, digits, `_` and `.`.\n\n"
    "Way out: whoever published the file has to rename it."};

constexpr RuleText kAbiTag{
    Kind::rule,
    "abi-tag",
    "the wheel is built for another binary interface of the same Python",
    "`cp313t` is the interpreter without the global lock and does not load `cp313` modules, nor "
    "the "
    "other way round. `abi3` is the stable interface of every later CPython with the lock.\n\n"
    "Way out: a wheel whose ABI tag the interpreter has, or the other build of Python."};

constexpr RuleText kMuslFloor{Kind::rule,
                              "musl-floor",
                              "the machine's musl is older than the wheel needs",
                              "`musllinux_1_2` means: needs musl 1.2 or later (PEP 656).\n\n"
                              "Way out: a newer image, or a wheel with a lower number."};

constexpr RuleText kLabelUnlisted{
    Kind::rule,
    "variant-label-unlisted",
    "the metadata do not know the variant's label",
    "The file NAME-VERSION-variants.json lists the labels of a version with their properties. A "
    "wheel whose label it lacks cannot be judged and is left out, the label `null` too.\n\n"
    "Way out: whoever runs the index writes the file again: `fitment variant index DIR`."};

constexpr RuleText kNamespaceUnlisted{
    Kind::rule,
    "variant-namespace-unlisted",
    "the metadata use a namespace without ordering it",
    "Variants are compared by namespaces in the order of `default-priorities.namespace`. A "
    "namespace "
    "that is not in that list has no place, so a variant that uses it is never chosen. The "
    "namespace `abi_dependency` is never in the list: it counts when it is known what is "
    "installed.\n\n"
    "Way out: the publisher adds the namespace; for `abi_dependency` there is `--environment "
    "DIR`."};

constexpr RuleText kNamespaceUnsupported{
    Kind::rule,
    "variant-namespace-unsupported",
    "the machine supports nothing of a namespace that the variant needs",
    "What a machine supports of a namespace comes from your own list, from a list in the metadata, "
    "or from a provider that is built in (nvidia, amd, intel, x86_64, aarch64). Provider packages "
    "are never installed or run. Either the machine has nothing of the kind, or nobody could "
    "answer: `fitment variant providers` says which.\n\n"
    "Way out for a namespace that nobody answers for: list what you support under "
    "`[variant.static.NAMESPACE]` in fitment.toml."};

constexpr RuleText kFeatureUnsupported{
    Kind::rule,
    "variant-feature-unsupported",
    "the machine lacks a feature that the variant needs",
    "The namespace is answered for, but the feature is not among what the machine supports. All "
    "features of a variant must be supported.\n\n"
    "Way out: another variant, or another machine."};

constexpr RuleText kValueUnsupported{
    Kind::rule,
    "variant-value-unsupported",
    "the machine supports none of the values that the variant accepts",
    "Of the values that a variant lists for a feature one must be supported. The answer names the "
    "first feature that failed, in the order in which namespaces and features count, with the "
    "values that would do and the nearest one that the machine supports.\n\n"
    "Lists are those of the published providers. So `cuda_version_lower_bound` 12.8 does not fit a "
    "driver that reports 12.4, although minor-version compatibility would often run it, and PTX of "
    "an older major is not listed for a newer GPU.\n\n"
    "Way out: a newer driver, `--set` for a fact that you know better, or a list of your own."};

constexpr RuleText kMetadataMissing{
    Kind::rule,
    "variant-metadata-missing",
    "there are no metadata for the variants of this version",
    "Without NAME-VERSION-variants.json nobody knows what a label stands for. Every wheel with a "
    "label is then left out, `null` too, and wheels without a label decide.\n\n"
    "Way out: give the file beside the wheels, or write it with `fitment variant index DIR`."};

constexpr RuleText kMetadataUnusable{
    Kind::rule,
    "variant-metadata-unusable",
    "the metadata of this version's variants cannot be relied on",
    "A document with a wrong type, a name that PEP 825 does not allow, a key or value that stands "
    "twice, an empty list or an unknown major version is not used at all: reading half of it would "
    "choose by accident. Wheels without a label decide.\n\n"
    "Way out: `fitment variant inspect FILE` says what is wrong and where."};

}  // namespace

const std::vector<RuleText>& variant_rules() {
  static const std::vector<RuleText> kRules{kFileName,
                                            kAbiTag,
                                            kMuslFloor,
                                            kLabelUnlisted,
                                            kNamespaceUnlisted,
                                            kNamespaceUnsupported,
                                            kFeatureUnsupported,
                                            kValueUnsupported,
                                            kMetadataMissing,
                                            kMetadataUnusable};
  return kRules;
}

}  // namespace fitment
