// SPDX-License-Identifier: Apache-2.0
// fitment variant providers | inspect | select | index | check | conformance: wheel variants
// (PEP 825, 850) without running anybody's code.
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "cli/variant_check_command.h"
#include "cli/variant_document.h"
#include "cli/variant_inputs.h"
#include "cli/variant_make_command.h"
#include "report/human.h"
#include "report/variant_text.h"
#include "variant/index_file.h"
#include "variant/providers.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

Result<std::vector<Machine>> machines_of(const Invocation& invocation, const Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  return load_machines(machine_request(invocation), catalog, streams);
}

Result<Machine> one_machine(const Invocation& invocation, const Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  return load_one_machine(
      machine_request(invocation), catalog, streams, "run the command once for each machine");
}

// --- providers ---------------------------------------------------------------------------------

Result<int> run_providers(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const TrustPolicy policy, load_trust_policy(invocation, streams));
  FITMENT_TRY_ASSIGN(const Machine machine, one_machine(invocation, streams));
  std::vector<std::string> spaces = invocation.list("NAMESPACE");
  const bool is_asked = !spaces.empty();
  if (!is_asked) {
    for (const NativeProvider& provider : native_providers()) {
      spaces.emplace_back(provider.space);
    }
    for (const SupportedNamespace& list : policy.lists) {
      if (std::find(spaces.begin(), spaces.end(), list.space) == spaces.end()) {
        spaces.push_back(list.space);
      }
    }
  }
  std::vector<NamespaceAnswer> answers;
  for (const std::string& space : spaces) {
    if (!is_variant_name(space)) {
      return fail(ErrorCode::invalid_argument, fmt::format("{} is not a namespace", quote(space)))
          .hint("namespaces are lower-case letters, digits and `_`: `nvidia`, `x86_64`");
    }
    FITMENT_TRY_ASSIGN(NamespaceAnswer answer,
                       answer_namespace(space, nullptr, false, machine, policy));
    if (is_asked && answer.source == NamespaceAnswer::Source::nobody) {
      streams.warn(fmt::format("{}: {}", space, describe_answer(answer)));
    } else if (is_asked && answer.features.empty()) {
      streams.note(fmt::format("{}: {}", space, describe_answer(answer)));
    }
    answers.push_back(std::move(answer));
  }
  if (invocation.json()) {
    streams.out << answers_json(machine, answers);
    return kExitDone;
  }
  streams.out << answers_text(answers, is_asked, streams.theme);
  if (!is_asked) {
    streams.note(
        "every other namespace is answered by nobody: packages of providers are never installed "
        "or run");
  }
  return kExitDone;
}

// --- inspect -----------------------------------------------------------------------------------

Result<int> run_inspect(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const InspectedDocument file,
                     read_inspected_document(invocation.get("FILE"), invocation, streams));
  const MetadataReading reading = examine_metadata(file.text, file.place);
  if (!reading.metadata) {
    return metadata_error(*reading.fault, file.text, file.source);
  }
  if (invocation.json()) {
    streams.out << metadata_json(reading, file.source);
    return kExitDone;
  }
  streams.out << metadata_text(reading, streams.theme);
  for (const MetadataFinding& note : reading.notes) {
    streams.warn(
        fmt::format("{} at {}: {}", note.message, quote(note.pointer), hint_of(note.rule)));
  }
  return kExitDone;
}

// --- select ------------------------------------------------------------------------------------

Result<PackageSelection> select_package(const GivenPackage& given,
                                        const Machine& machine,
                                        const TagIndex* tags,
                                        const TrustPolicy& policy,
                                        const std::optional<NamespaceAnswer>& abi) {
  PackageSelection package;
  package.name = given.name;
  package.version = given.version;
  SelectRequest request;
  request.files = given.files;
  MetadataReading reading;
  if (given.metadata) {
    package.metadata_file = given.metadata->file;
    MetadataPlace place;
    place.labels = given.labels;
    reading = examine_metadata(given.metadata->text, place);
    if (reading.fault) {
      Error error = metadata_error(*reading.fault, given.metadata->text, given.metadata->file);
      if (given.files.empty()) {
        return tl::unexpected(std::move(error));
      }
      package.unusable = fmt::format(
          "{} at {}", error.message(), error.origin() ? to_string(*error.origin()) : "");
      request.is_unusable = true;
    }
  }
  if (reading.metadata) {
    request.metadata = &*reading.metadata;
    package.schema = to_string(reading.metadata->schema);
    package.notes = reading.notes;
    FITMENT_TRY_ASSIGN(request.answers, answer_namespaces(*reading.metadata, machine, policy));
    if (abi) {
      request.answers.push_back(*abi);
    }
  }
  package.selection = tags == nullptr || given.files.empty()
                          ? select_labels(*reading.metadata, request.answers)
                          : select_wheels(request, *tags);
  package.answers = std::move(request.answers);
  return package;
}

/// Who asserted instead of detected, and who could not be asked.
void tell_answers(const PackageSelection& package, const Streams& streams) {
  for (const NamespaceAnswer& answer : package.answers) {
    const bool is_asserted = answer.source == NamespaceAnswer::Source::publisher
                             && find_native_provider(answer.space) != nullptr;
    if (is_asserted || answer.source == NamespaceAnswer::Source::nobody
        || answer.source == NamespaceAnswer::Source::disabled) {
      streams.warn(fmt::format("{}: {}", answer.space, describe_answer(answer)));
    }
  }
  for (const MetadataFinding& note : package.notes) {
    streams.detail(fmt::format(
        "{} {}: {} at {}", package.name, package.version, note.message, quote(note.pointer)));
  }
}

Result<int> run_select(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const VariantInputs inputs, gather_variant_inputs(invocation.list("FILE")));
  for (const std::string& name : inputs.misnamed) {
    streams.warn(fmt::format("{} is not named as wheels are, and is left out", quote(name)));
  }
  if (inputs.packages.empty()) {
    return fail(ErrorCode::not_found, "no wheel was given")
        .hint("give names of wheels, a folder of wheels, or NAME-VERSION-variants.json");
  }
  FITMENT_TRY_ASSIGN(const TrustPolicy policy, load_trust_policy(invocation, streams));
  FITMENT_TRY_ASSIGN(const auto abi, load_abi_dependencies(invocation, streams));
  FITMENT_TRY_ASSIGN(const std::vector<Machine> machines, machines_of(invocation, streams));
  const bool has_wheels = std::any_of(inputs.packages.begin(),
                                      inputs.packages.end(),
                                      [](const auto& package) { return !package.files.empty(); });
  std::vector<MachineSelection> selections;
  bool is_all_fitting = true;
  for (const Machine& machine : machines) {
    MachineSelection selection{&machine, {}, {}};
    std::optional<TagIndex> tags;
    if (has_wheels) {
      FITMENT_TRY_ASSIGN(tags, TagIndex::of_machine(machine));
      selection.tags = tags->description();
    }
    for (const GivenPackage& given : inputs.packages) {
      FITMENT_TRY_ASSIGN(PackageSelection package,
                         select_package(given, machine, tags ? &*tags : nullptr, policy, abi));
      is_all_fitting = is_all_fitting && !package.selection.order.empty();
      tell_answers(package, streams);
      selection.packages.push_back(std::move(package));
    }
    selections.push_back(std::move(selection));
  }
  if (invocation.json()) {
    streams.out << selections_json(selections);
  } else {
    for (const MachineSelection& selection : selections) {
      streams.out << (&selection == selections.data() ? "" : "\n")
                  << selection_text(selection, invocation.flag("all"), streams.theme);
    }
  }
  return is_all_fitting ? kExitDone : kExitNo;
}

// --- index --------------------------------------------------------------------------------------

Result<int> run_index(const Invocation& invocation, Streams& streams) {
  const std::filesystem::path path(invocation.get("DIR"));
  FITMENT_TRY_ASSIGN(const WheelFolder folder, wheel_folder_of(path));
  // Everything is worked out before the first file is written.
  std::vector<std::pair<WrittenIndex, std::string>> planned;
  for (const FolderPackage& package : folder.packages) {
    FITMENT_TRY_ASSIGN(const std::optional<VariantMetadata> metadata, plan_index_file(package));
    if (metadata) {
      planned.emplace_back(
          WrittenIndex{
              package.variants_file, package.name, package.version, package.labels(), "written"},
          write_variant_metadata(*metadata));
    }
  }
  if (planned.empty()) {
    return fail(ErrorCode::not_found, fmt::format("`{}` holds no variant wheels", path.string()))
        .hint("variants are named NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl");
  }
  std::vector<WrittenIndex> indexes;
  for (auto& [index, bytes] : planned) {
    const std::filesystem::path file = path / index.file;
    std::error_code ignored;
    const auto before =
        std::filesystem::exists(file, ignored) ? read_file(file) : Result<std::string>("");
    if (before && *before == bytes) {
      index.change = "unchanged";
    } else if (invocation.flag("dry-run")) {
      index.change = "would be written";
    } else {
      FITMENT_TRY(write_file_atomic(file, bytes));
    }
    indexes.push_back(std::move(index));
  }
  streams.out << (invocation.json() ? indexes_json(indexes) : indexes_text(indexes, streams.theme));
  return kExitDone;
}

// --- conformance -------------------------------------------------------------------------------

Result<int> run_variant_conformance(const Invocation& invocation, Streams& streams) {
  const std::string file = invocation.get("FILE");
  const auto text = read_file(file);
  if (!text) {
    return Error(text.error()).hint("give a file of cases: tests/conformance/variants/ has some");
  }
  FITMENT_TRY_ASSIGN(const ConformanceResult result, run_conformance(*text, file));
  streams.out << (invocation.json() ? conformance_json(result)
                                    : conformance_text(result, streams.theme));
  return result.failures.empty() ? kExitDone : kExitNo;
}

void add_options(CommandSpec& spec, const std::vector<OptionSpec>& options) {
  spec.options.insert(spec.options.end(), options.begin(), options.end());
}

CommandSpec providers_spec() {
  CommandSpec spec{
      .name = "providers",
      .summary = "who answers for which namespace, and what this machine supports",
      .description =
          "Providers say what a machine supports of a namespace. The published ones are Python "
          "packages; fitment never installs or runs them. Those of nvidia, amd, intel, x86_64 and "
          "aarch64 are built in, with the same names, values and order. For any other namespace "
          "your own list in fitment.toml answers, or the list that a publisher puts into the "
          "metadata; otherwise nobody does, and its variants do not fit.\n\n"
          "With namespaces, prints every property of them, best first.",
      .arguments = {{.name = "NAMESPACE",
                     .help = "namespaces to print in full",
                     .count = ArgumentSpec::Count::any}},
      .examples = {{"fitment variant providers", "the policy and this machine"},
                   {"fitment variant providers nvidia --machine "
                    "examples/machines/h100-driver-535.json",
                    "every property of a namespace on another machine"}},
      .see_also = {"probe"},
      .json = true,
      .handler = run_providers};
  add_options(spec, trust_options());
  add_options(spec, machine_options());
  spec.options.push_back(catalog_option());
  return spec;
}

CommandSpec select_spec() {
  CommandSpec spec{
      .name = "select",
      .summary = "which variant a machine gets, with the whole ranking and all reasons",
      .description =
          "Ranks wheels as PEP 825 says: what the tags allow, then the variants by what the "
          "machine supports, then tags and build numbers. Each wheel that is left out has the "
          "first property that failed and the nearest value.\n\n"
          "Names of wheels need not exist as files. Without any wheel the labels of the metadata "
          "are ranked alone. Wheels of several packages or versions give one answer each.",
      .arguments = {{.name = "FILE",
                     .help = "names of wheels, folders of wheels, NAME-VERSION-variants.json",
                     .count = ArgumentSpec::Count::at_least_one,
                     .completes = Completes::file}},
      .options = {{.name = "all",
                   .help = "every wheel, not the best of each label",
                   .group = "Output"},
                  {.name = "environment",
                   .help = "an environment whose packages answer for `abi_dependency`",
                   .value = "DIR",
                   .completes = Completes::folder,
                   .group = "Providers"}},
      .examples = {{"fitment variant select wheels/ --python 3.12", "a folder on this machine"},
                   {"fitment variant select torch-2.13.0-variants.json --machine "
                    "examples/machines/h100-driver-535.json",
                    "the labels alone, for another machine"}},
      .exit_codes = {{kExitNo, "nothing fits for one of the packages"}},
      .see_also = {"plan"},
      .json = true,
      .handler = run_select};
  add_options(spec, trust_options());
  add_options(spec, machine_options());
  spec.options.push_back(catalog_option());
  return spec;
}

}  // namespace

CommandSpec variant_command() {
  CommandSpec inspect{
      .name = "inspect",
      .summary = "what variant metadata say",
      .description =
          "Reads NAME-VERSION-variants.json, variant.json or a wheel, packed or unpacked, of the "
          "formats "
          "0.0.x, 0.1.x and 0.2.x. What makes it unusable is an error with its place; what an "
          "index would refuse is a warning.\n\n"
          "Of a wheel behind an address only the parts that matter are fetched, where its server "
          "can send parts.",
      .arguments = {{.name = "FILE",
                     .help = "a file of metadata or a wheel, or the address of one",
                     .completes = Completes::file}},
      .examples = {{"fitment variant inspect torch-2.13.0-variants.json", "labels and properties"},
                   {"fitment variant inspect "
                    "https://example.org/torch-2.13.0-cp313-cp313-linux_x86_64-cu128.whl",
                    "a wheel of gigabytes by a few requests"}},
      .json = true,
      .handler = run_inspect};
  CommandSpec index{
      .name = "index",
      .summary = "write NAME-VERSION-variants.json for a folder of wheels",
      .description =
          "Merges what the variant wheels of each version say of themselves into the file that an "
          "index serves beside them. Wheels that do not agree are an error, and then nothing is "
          "written.",
      .arguments = {{.name = "DIR", .help = "a folder of wheels", .completes = Completes::folder}},
      .options = {{.name = "dry-run", .help = "write nothing", .letter = 'n'}},
      .examples = {{"fitment variant index wheels/", "all versions in a folder"}},
      .see_also = {},
      .json = true,
      .handler = run_index};
  CommandSpec conformance{
      .name = "conformance",
      .summary = "run data-driven cases of the wheel variant rules",
      .description =
          "Works out the answer of every case of a file from its input alone and compares it with "
          "what the case expects. tests/conformance/variants/README.md tells the format.",
      .arguments = {{.name = "FILE", .help = "a file of cases", .completes = Completes::file}},
      .examples = {{"fitment variant conformance tests/conformance/variants/order.json",
                    "one file"}},
      .exit_codes = {{kExitNo, "a case failed"}},
      .json = true,
      .handler = run_variant_conformance};
  return {.name = "variant",
          .group = "Choose",
          .summary = "wheel variants: which one fits, who answers, what the metadata say",
          .description =
              "Wheel variants (PEP 825, PEP 850) are builds of one version that differ in what "
              "they ask of a machine. No code of a package or provider is ever run to choose.",
          .subcommands = {select_spec(),
                          providers_spec(),
                          std::move(inspect),
                          variant_make_command(),
                          variant_unmake_command(),
                          std::move(index),
                          variant_check_command(),
                          std::move(conformance)}};
}

}  // namespace fitment
