// SPDX-License-Identifier: Apache-2.0
// fitment export: a record for other programs.
#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/record_input.h"
#include "cli/streams.h"
#include "record/pylock.h"
#include "record/record_file.h"
#include "record/requirements_export.h"
#include "report/install_commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

namespace fitment {

namespace {

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

Result<std::string> render(const LockRecord& record,
                           const RecordedTarget& target,
                           const std::string& format) {
  if (format == "pylock") {
    return write_pylock(record, target);
  }
  if (format == "requirements") {
    return write_requirements(target);
  }
  const InstallCommands commands = install_commands(plan_of(target));
  std::string text;
  if (format == "uv") {
    const std::string constraints = write_uv_constraints(target);
    text = commands.tool_uv + (commands.tool_uv.empty() || constraints.empty() ? "" : "\n")
           + constraints;
  } else if (format == "conda") {
    text = lines_of(commands.conda);
  } else {
    const std::string instruction = write_run_instruction(target);
    text = instruction.empty() ? lines_of(commands.dockerfile) : instruction;
  }
  if (text.empty()) {
    return fail(ErrorCode::unsupported,
                fmt::format("this target cannot be said in the words of {}", format))
        .hint(format == "conda" ? "conda-forge has no builds of some of these packages"
                                : "its packages come from PyPI, which needs no settings");
  }
  return text;
}

Result<std::vector<const RecordedTarget*>> targets_of(const LockRecord& record,
                                                      const Invocation& invocation) {
  std::vector<const RecordedTarget*> targets;
  if (const auto name = invocation.find("target")) {
    const RecordedTarget* target = record.find(*name);
    if (target == nullptr) {
      std::string names;
      for (const RecordedTarget& one : record.targets) {
        names += (names.empty() ? "" : ", ") + one.machine.name;
      }
      return fail(ErrorCode::not_found, fmt::format("the record has no target `{}`", *name))
          .hint("targets are: " + names);
    }
    targets.push_back(target);
    return targets;
  }
  for (const RecordedTarget& target : record.targets) {
    targets.push_back(&target);
  }
  if (targets.empty()) {
    return fail(ErrorCode::not_found, "the record has no targets");
  }
  if (targets.size() > 1 && !invocation.find("output")) {
    return fail(ErrorCode::invalid_argument, "the record has several targets")
        .hint("name one with --target, or a folder for all with --output");
  }
  return targets;
}

/// In a folder of its own name, so that the files of several targets stand side by side.
std::string file_name_of(const RecordedTarget& target, const std::string& format) {
  std::string pylock = pylock_name(target);
  if (format == "pylock") {
    return pylock;
  }
  const std::string stem = pylock.substr(std::string_view("pylock").size(),
                                         pylock.rfind('.') - std::string_view("pylock").size());
  const bool is_toml = format == "uv";
  return format == "dockerfile" ? "Dockerfile" + stem
                                : format + stem + (is_toml ? ".toml" : ".txt");
}

Result<int> run_export(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const LockRecord record,
                     read_record_at(invocation.find("RECORD").value_or(std::string(kRecordName))));
  FITMENT_TRY_ASSIGN(const auto targets, targets_of(record, invocation));
  const std::string format = invocation.get("format");
  std::vector<std::string> texts;
  for (const RecordedTarget* target : targets) {
    FITMENT_TRY_ASSIGN(std::string text, render(record, *target, format));
    texts.push_back(std::move(text));
  }
  const auto output = invocation.find("output");
  if (!output) {
    streams.out << texts.front();
    return kExitDone;
  }
  FITMENT_TRY(make_folder(*output));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::filesystem::path path =
        std::filesystem::path(*output) / file_name_of(*targets[i], format);
    FITMENT_TRY(write_file_atomic(path, texts[i]));
    streams.out << path.string() << "\n";
  }
  return kExitDone;
}

}  // namespace

CommandSpec export_command() {
  return {
      .name = "export",
      .group = "Record",
      .summary = "a record for other programs: pylock, requirements, uv, conda, dockerfile",
      .description =
          "pylock writes pylock.toml (PEP 751), one file a target, since markers cannot say which "
          "GPU; it needs files and digests, so a record that was made with --index. requirements "
          "writes addresses with digests where they are known, else indexes and versions. A record "
          "that `fitment install` wrote knows every file, dependencies too: then dockerfile "
          "installs exactly those, and uv gets their versions as constraints.",
      .arguments = {{.name = "RECORD",
                     .help = "a record; default: fitment.lock.json",
                     .count = ArgumentSpec::Count::optional,
                     .completes = Completes::file}},
      .options = {{.name = "format",
                   .help = "what to write",
                   .value = "FORMAT",
                   .letter = 'f',
                   .choices = {"pylock", "requirements", "uv", "conda", "dockerfile"},
                   .default_value = "pylock"},
                  {.name = "target", .help = "one target of the record", .value = "NAME"},
                  {.name = "output",
                   .help = "folder to write to, a file for each target",
                   .value = "DIR",
                   .letter = 'o',
                   .completes = Completes::folder}},
      .examples = {{"fitment export --format requirements", "the only target"},
                   {"fitment export -o locks/", "pylock.NAME.toml for every target"}},
      .see_also = {"lock"},
      .handler = run_export};
}

}  // namespace fitment
