// SPDX-License-Identifier: Apache-2.0
// fitment variant make | unmake: a variant wheel out of a plain one, and back.
#include "cli/variant_make_command.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/splice.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/streams.h"
#include "report/variant_text.h"
#include "variant/compose.h"
#include "variant/index_file.h"
#include "variant/providers.h"
#include "variant/variant_wheel.h"
#include "wheel/name.h"
#include "wheel/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

namespace fitment {

namespace {

struct OpenedWheel {
  std::filesystem::path path;
  std::unique_ptr<ByteSource> source;
  WheelArchive archive;
};

/// `form` is what such a file is called.
Result<OpenedWheel> open_given(const Invocation& invocation, std::string_view form) {
  OpenedWheel wheel;
  wheel.path = invocation.get("WHEEL");
  auto source = open_file_source(wheel.path);
  if (!source) {
    return std::move(source).error().hint(fmt::format("give the path of a wheel: {}", form));
  }
  wheel.source = std::move(*source);
  FITMENT_TRY_ASSIGN(wheel.archive, read_wheel_archive(*wheel.source));
  return wheel;
}

std::filesystem::path output_folder(const Invocation& invocation, const OpenedWheel& wheel) {
  const auto given = invocation.find("output");
  return given ? std::filesystem::path(*given) : wheel.path.parent_path();
}

// --- what is wished ----------------------------------------------------------------------------

Result<VariantProperty> property_of(const std::string& text, const char* option) {
  auto property = parse_variant_property(text);
  if (!property) {
    return std::move(property).error().at({option, {}, {}, {}});
  }
  return property;
}

/// The provider of a namespace, made when it is first named.
VariantProvider& provider_of(const std::string& space, std::vector<VariantProvider>& providers) {
  const auto found = std::find_if(
      providers.begin(), providers.end(), [&](const auto& one) { return one.space == space; });
  return found == providers.end() ? providers.emplace_back(VariantProvider{.space = space})
                                  : *found;
}

Status add_package(const std::string& text, std::vector<VariantProvider>& providers) {
  const std::size_t equals = text.find('=');
  const std::string space = text.substr(0, equals);
  if (equals == std::string::npos || !is_variant_name(space)) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` names no provider", text))
        .at({"--provider", {}, {}, {}})
        .hint("write NAMESPACE=PACKAGE: `--provider blas_lapack=blas-lapack-variant-provider`");
  }
  const std::string requirement = text.substr(equals + 1);
  const auto parsed = parse_requirement(requirement, {"--provider", {}, {}, {}});
  if (!parsed) {
    return tl::unexpected(parsed.error());
  }
  provider_of(space, providers).requirements.push_back(requirement);
  return {};
}

Status add_static(const std::string& text, std::vector<VariantProvider>& providers) {
  FITMENT_TRY_ASSIGN(const VariantProperty property, property_of(text, "--static"));
  VariantProvider& provider = provider_of(property.space, providers);
  provider.has_static = true;
  auto& features = provider.static_properties;
  auto found = std::find_if(features.begin(), features.end(), [&](const auto& one) {
    return one.name == property.feature;
  });
  if (found == features.end()) {
    found = features.insert(features.end(), {property.feature, {}});
  }
  found->values.push_back(property.value);
  return {};
}

Result<VariantWish> wish_of(const Invocation& invocation) {
  VariantWish wish;
  for (const std::string& text : invocation.list("property")) {
    FITMENT_TRY_ASSIGN(VariantProperty property, property_of(text, "--property"));
    wish.properties.push_back(std::move(property));
  }
  wish.is_null = invocation.flag("null");
  wish.label = invocation.find("label");
  wish.priorities = invocation.list("priority");
  for (const std::string& space : wish.priorities) {
    if (!is_variant_name(space)) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a namespace", space))
          .at({"--priority", {}, {}, {}})
          .hint("namespaces are lower-case letters, digits and `_`");
    }
  }
  for (const std::string& text : invocation.list("provider")) {
    FITMENT_TRY(add_package(text, wish.providers));
  }
  for (const std::string& text : invocation.list("static")) {
    FITMENT_TRY(add_static(text, wish.providers));
  }
  for (const VariantProvider& provider : wish.providers) {
    if (provider.has_static && !provider.requirements.empty()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` has a provider and a list", provider.space))
          .hint("a list answers alone: give --provider or --static");
    }
  }
  return wish;
}

/// What the variants of the version that are in the folder already say; nullopt: there are none.
Result<std::optional<VariantMetadata>> siblings_in(const std::filesystem::path& folder,
                                                   const WheelFilename& name) {
  std::error_code ignored;
  const std::filesystem::path place = folder.empty() ? "." : folder;
  if (!std::filesystem::exists(place, ignored)) {
    return std::optional<VariantMetadata>();
  }
  FITMENT_TRY_ASSIGN(const WheelFolder content, read_wheel_folder(place));
  for (const FolderPackage& package : content.packages) {
    if (package.name == normalize_name(name.distribution)
        && package.version == to_string(name.version)) {
      return plan_index_file(package);
    }
  }
  return std::optional<VariantMetadata>();
}

void tell_unknown_values(const VariantWish& wish, const Streams& streams) {
  for (const VariantProperty& property : wish.properties) {
    const NativeProvider* provider = find_native_provider(property.space);
    if (provider != nullptr && !provider->may_report(property.feature, property.value)) {
      streams.warn(fmt::format("{} never reports `{}`: no machine will match it",
                               provider->package,
                               to_string(property)));
    }
  }
}

// --- writing -----------------------------------------------------------------------------------

/// Another file of this name is never overwritten.
Status write_wheel(const OpenedWheel& from,
                   const RewrittenWheel& wheel,
                   const Invocation& invocation,
                   MadeWheel& made) {
  const std::filesystem::path target = output_folder(invocation, from) / wheel.file;
  made.from = from.path.string();
  made.file = target.string();
  const SplicedSource bytes(*from.source, wheel.bytes, wheel.file);
  made.bytes = bytes.size();
  FITMENT_TRY_ASSIGN(made.sha256, sha256_hex(bytes));
  std::error_code error;
  if (std::filesystem::exists(target, error)) {
    FITMENT_TRY_ASSIGN(const auto there, open_file_source(target));
    FITMENT_TRY_ASSIGN(const std::string digest, sha256_hex(*there));
    if (digest != made.sha256) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` is there already, with other bytes", target.string()))
          .hint("remove it, or give another --output");
    }
    made.change = "unchanged";
    return {};
  }
  made.change = invocation.flag("dry-run") ? "would be written" : "written";
  if (invocation.flag("dry-run")) {
    return {};
  }
  FITMENT_TRY(make_folder(target.parent_path()));
  return write_spliced_file(from.path, wheel.bytes, target);
}

int answer(const MadeWheel& made, const Invocation& invocation, const Streams& streams) {
  streams.out << (invocation.json() ? made_wheel_json(made) : made_wheel_text(made, streams.theme));
  return kExitDone;
}

Result<int> run_make(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const OpenedWheel wheel,
                     open_given(invocation, "NAME-VERSION-PYTHON-ABI-PLATFORM.whl"));
  FITMENT_TRY(check_is_plain(*wheel.source, wheel.archive));
  FITMENT_TRY_ASSIGN(VariantWish wish, wish_of(invocation));
  FITMENT_TRY_ASSIGN(const std::optional<VariantMetadata> siblings,
                     siblings_in(output_folder(invocation, wheel), wheel.archive.name));
  wish.siblings = siblings ? &*siblings : nullptr;
  FITMENT_TRY_ASSIGN(const VariantMetadata metadata, compose_variant(wish));
  FITMENT_TRY_ASSIGN(const RewrittenWheel variant,
                     plan_variant_wheel(*wheel.source, wheel.archive, metadata));
  MadeWheel made;
  made.variant = metadata.variants.front();
  FITMENT_TRY_ASSIGN(made.reversible, is_reversible(*wheel.source, variant));
  FITMENT_TRY(write_wheel(wheel, variant, invocation, made));
  tell_unknown_values(wish, streams);
  if (made.reversible == false) {
    streams.note(
        "`unmake` will give a wheel with the same files and other bytes: whoever packed this one "
        "did it in a way of its own");
  }
  return answer(made, invocation, streams);
}

Result<int> run_unmake(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const OpenedWheel wheel,
                     open_given(invocation, "NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl"));
  FITMENT_TRY_ASSIGN(const RewrittenWheel plain, plan_plain_wheel(*wheel.source, wheel.archive));
  MadeWheel made;
  FITMENT_TRY(write_wheel(wheel, plain, invocation, made));
  return answer(made, invocation, streams);
}

OptionSpec output_option() {
  return {.name = "output",
          .help = "folder to write to (default: where the wheel is)",
          .value = "DIR",
          .letter = 'o',
          .completes = Completes::folder};
}

OptionSpec dry_run_option() {
  return {.name = "dry-run", .help = "write nothing", .letter = 'n'};
}

}  // namespace

CommandSpec variant_make_command() {
  return {
      .name = "make",
      .summary = "make a variant wheel out of a plain one",
      .description =
          "Adds variant.json, its line in RECORD and the label to the name; every other member "
          "keeps "
          "its bytes. The same wheel and properties give the same bytes.\n\n"
          "Variants of the version that are in the output folder are read first: namespaces keep "
          "their order, a label stands for one set of properties. Without --label the label is "
          "made from the properties.",
      .arguments = {{.name = "WHEEL", .help = "a plain wheel", .completes = Completes::file}},
      .options =
          {{.name = "property",
            .help =
                "what the variant asks of a machine: \"nvidia :: sm_arch :: 90_real\"; of several "
                "values of a feature one must be supported",
            .value = "PROPERTY",
            .letter = 'p',
            .repeatable = true},
           {.name = "null",
            .help = "the variant without properties, for machines that fit no other"},
           {.name = "label",
            .help = "label in the name of the wheel",
            .value = "LABEL",
            .letter = 'l'},
           {.name = "priority",
            .help =
                "order of namespaces, most important first (default: that of the other variants, "
                "then of the properties)",
            .value = "NAMESPACE",
            .repeatable = true},
           {.name = "provider",
            .help = "package that answers for a namespace of your own",
            .value = "NAMESPACE=PACKAGE",
            .repeatable = true},
           {.name = "static",
            .help = "what machines support of a namespace of your own, most preferred first",
            .value = "PROPERTY",
            .repeatable = true},
           output_option(),
           dry_run_option()},
      .examples = {{"fitment variant make dist/torch-2.13.0-cp312-cp312-manylinux_2_28_x86_64.whl "
                    "--label cu128 --property \"nvidia :: cuda_version_lower_bound :: 12.8\"",
                    "beside the plain wheel"},
                   {"fitment variant make dist/torch-2.13.0-cp312-cp312-manylinux_2_28_x86_64.whl "
                    "--null -o variants/",
                    "the variant that fits every machine"}},
      .see_also = {},
      .json = true,
      .handler = run_make};
}

CommandSpec variant_unmake_command() {
  return {
      .name = "unmake",
      .summary = "take a variant wheel apart: the plain one that it was made of",
      .description =
          "Takes variant.json, its line in RECORD and the label away. What `make` made becomes "
          "the wheel that it was made of, byte for byte; where that cannot be, `make` says so.",
      .arguments = {{.name = "WHEEL", .help = "a variant wheel", .completes = Completes::file}},
      .options = {output_option(), dry_run_option()},
      .examples = {{"fitment variant unmake "
                    "variants/torch-2.13.0-cp312-cp312-manylinux_2_28_x86_64-cu128.whl -o dist/",
                    "into another folder"}},
      .json = true,
      .handler = run_unmake};
}

}  // namespace fitment
