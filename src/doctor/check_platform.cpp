// SPDX-License-Identifier: Apache-2.0
// The C library and the processor: versions of GLIBC_ symbols above the C library that counts, and
// code above the machine's level that runs without a check.
#include "base/parallel.h"
#include "doctor/examination.h"
#include "elf/architecture.h"
#include "elf/elf_file.h"
#include "elf/notes.h"
#include "elf/version_needs.h"
#include "isa/features.h"
#include "stack/audit_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kShown = 5;

struct FileNeeds {
  std::optional<VersionFloor> glibc;
  std::optional<int> marker_level;  // of the note that the loader obeys
  std::optional<AuditedFile> audited;
};

/// The C library of a whole root, from the version names that it defines.
std::optional<DottedVersion> glibc_of_root(const Examination& x) {
  const ClosureObject* libc = x.everything.closure.find("libc.so.6");
  if (libc == nullptr) {
    return std::nullopt;
  }
  const auto source = x.view->open(libc->real_path);
  const auto elf =
      source ? ElfFile::read(**source) : Result<ElfFile>(tl::unexpected<Error>(source.error()));
  if (!elf) {
    return std::nullopt;
  }
  const auto symbols = DynamicSymbols::read_versions(*elf, libc->dynamic);
  std::optional<DottedVersion> newest;
  constexpr std::string_view kPrefix = "GLIBC_";
  if (symbols) {
    for (const DefinedVersion& version : symbols->defined_versions()) {
      const auto parsed = version.name.starts_with(kPrefix)
                              ? DottedVersion::parse(version.name.substr(kPrefix.size()))
                              : Result<DottedVersion>(DottedVersion{});
      if (parsed && (!newest || *parsed > *newest)) {
        newest = *parsed;
      }
    }
  }
  return newest;
}

class PlatformCheck {
 public:
  explicit PlatformCheck(Examination& examination) : x_(examination) {
    if (x_.machine->cpu.level) {
      level_ = parse_x86_level(*x_.machine->cpu.level);
    }
    if (x_.is_whole_root) {
      libc_ = glibc_of_root(x_);
      libc_from_ = "the root's own C library";
    }
    if (!libc_ && x_.machine->system.libc && x_.machine->system.libc->family == "glibc") {
      libc_ = x_.machine->system.libc->version;
      libc_from_ = "the machine's C library";
    }
  }

  void check() {
    check_architecture();
    const std::vector<StackBinary>& binaries = x_.stack.binaries;
    std::vector<FileNeeds> needs(binaries.size());
    for_each_index(binaries.size(), 0, [&](std::size_t i) { needs[i] = look(binaries[i]); });
    std::map<std::size_t, std::vector<std::size_t>> by_distribution;
    for (std::size_t i = 0; i < binaries.size(); ++i) {
      by_distribution[binaries[i].distribution].push_back(i);
    }
    for (const auto& [distribution, numbers] : by_distribution) {
      judge_glibc(distribution, numbers, needs);
      judge_cpu(distribution, numbers, needs);
    }
    if (!x_.machine->cpu.level) {
      x_.unknowns.emplace_back("the machine does not say which CPU level it has");
    }
  }

 private:
  void check_architecture();
  [[nodiscard]] FileNeeds look(const StackBinary& binary) const;
  void judge_glibc(std::size_t distribution,
                   const std::vector<std::size_t>& numbers,
                   const std::vector<FileNeeds>& needs);
  void judge_cpu(std::size_t distribution,
                 const std::vector<std::size_t>& numbers,
                 const std::vector<FileNeeds>& needs);

  Examination& x_;
  std::optional<X86Level> level_;
  std::optional<DottedVersion> libc_;
  std::string libc_from_;
};

/// Packages for another processor family than the machine's: an environment that was copied, or an
/// image for another platform.
void PlatformCheck::check_architecture() {
  if (!x_.machine->system.arch) {
    return;
  }
  const std::string& wanted = *x_.machine->system.arch;
  std::set<std::size_t> foreign;
  std::set<std::size_t> own;
  std::string example;
  for (const StackBinary& binary : x_.stack.binaries) {
    const bool is_own = architecture_name(binary.machine) == wanted;
    (is_own ? own : foreign).insert(binary.distribution);
    if (!is_own && example.empty()) {
      example =
          fmt::format("{} is for {}", x_.shown(binary.path), architecture_name(binary.machine));
    }
  }
  std::vector<std::string> names;
  for (const std::size_t distribution : foreign) {
    if (own.count(distribution) == 0) {
      names.push_back(x_.shown_distribution(distribution));
    }
  }
  if (names.empty()) {
    return;
  }
  const std::size_t count = names.size();
  names.resize(std::min(count, kShown));
  x_.findings.push_back(
      {.rule = "platform-tag",
       .severity = Severity::error,
       .subject = count == 1 ? names.front() : fmt::format("{} packages", count),
       .cause =
           fmt::format("their libraries are for another processor than the machine's {}", wanted),
       .evidence = {example,
                    fmt::format(
                        "{}{}", fmt::join(names, ", "), count > names.size() ? ", ..." : "")},
       .fix = {"make the environment again on that machine", {}}});
}

FileNeeds PlatformCheck::look(const StackBinary& binary) const {
  FileNeeds needs;
  const auto source = x_.view->open(binary.path);
  const auto elf =
      source ? ElfFile::read(**source) : Result<ElfFile>(tl::unexpected<Error>(source.error()));
  if (!elf) {
    return needs;
  }
  if (const auto symbols = DynamicSymbols::read_versions(*elf, binary.dynamic)) {
    needs.glibc = glibc_floor(symbols->needed_versions());
  }
  if (const auto notes = read_notes(*elf)) {
    const auto marker = find_x86_properties(*notes);
    needs.marker_level = marker ? marker->isa_needed : std::nullopt;
  }
  // No code of a level that the machine has can be wrong; NVIDIA's libraries check the processor.
  const bool is_judged = level_ && *level_ < X86Level::v4
                         && x_.libraries->find_soname(binary.name()).empty()
                         && binary.machine == ElfMachine::em_x86_64;
  if (is_judged) {
    if (auto audited = audit_file(**source, {.isa = true, .gpu_code = false})) {
      needs.audited = std::move(*audited);
    }
  }
  return needs;
}

void PlatformCheck::judge_glibc(std::size_t distribution,
                                const std::vector<std::size_t>& numbers,
                                const std::vector<FileNeeds>& needs) {
  std::vector<std::string> evidence;
  const VersionFloor* highest = nullptr;
  for (const std::size_t i : numbers) {
    const auto& floor = needs[i].glibc;
    if (!libc_ || !floor || floor->version <= *libc_) {
      continue;
    }
    evidence.push_back(
        fmt::format("{} needs {}", x_.shown(x_.stack.binaries[i].path), floor->name));
    if (highest == nullptr || floor->version > highest->version) {
      highest = &*floor;
    }
  }
  if (highest == nullptr) {
    return;
  }
  evidence.resize(std::min(evidence.size(), kShown));
  evidence.push_back(fmt::format("{} is glibc {}", libc_from_, libc_->text()));
  x_.findings.push_back(
      {.rule = "glibc-floor",
       .severity = Severity::error,
       .subject = x_.shown_distribution(distribution),
       .cause = fmt::format(
           "it was built for glibc {}, and {} is there", highest->version.text(), libc_->text()),
       .evidence = std::move(evidence),
       .fix = {
           fmt::format("install a wheel for glibc {} or older (manylinux), or use a newer system",
                       libc_->text()),
           {x_.install_command(fmt::format("--force-reinstall --only-binary :all: '{}'",
                                           x_.stack.distributions[distribution].name))}}});
}

void PlatformCheck::judge_cpu(std::size_t distribution,
                              const std::vector<std::size_t>& numbers,
                              const std::vector<FileNeeds>& needs) {
  if (!level_) {
    return;
  }
  Finding finding{
      .rule = "cpu-level",
      .severity = Severity::error,
      .subject = x_.shown_distribution(distribution),
      .cause = {},
      .evidence = {},
      .fix = {"install a build for this processor, or compile it here",
              {x_.install_command(fmt::format("--no-binary '{0}' '{0}'",
                                              x_.stack.distributions[distribution].name))}}};
  const int machine_level = static_cast<int>(*level_) - static_cast<int>(X86Level::v1) + 1;
  for (const std::size_t i : numbers) {
    const std::string path = x_.shown(x_.stack.binaries[i].path);
    const auto& audited = needs[i].audited;
    if (audited && audited->cpu && audited->cpu->built_for > *level_) {
      finding.cause = fmt::format("code for {} runs without a check, and the machine has {}",
                                  to_string(audited->cpu->built_for),
                                  to_string(*level_));
      finding.evidence.push_back(
          fmt::format("{} is built for {}", path, to_string(audited->cpu->built_for)));
      if (!audited->cpu->evidence.empty()) {
        const InstructionEvidence& shown = audited->cpu->evidence.front();
        finding.evidence.push_back(
            fmt::format("{} at {:#x} in {}", shown.mnemonic, shown.address, shown.function));
      }
    } else if (needs[i].marker_level && *needs[i].marker_level > machine_level) {
      finding.cause =
          fmt::format("a note asks for x86-64-v{}, and the machine has {}: the loader refuses it",
                      *needs[i].marker_level,
                      to_string(*level_));
      finding.evidence.push_back(
          fmt::format("{}: .note.gnu.property needs x86-64-v{}", path, *needs[i].marker_level));
    }
  }
  if (!finding.cause.empty()) {
    x_.findings.push_back(std::move(finding));
  }
}

}  // namespace

void check_platform(Examination& examination) {
  PlatformCheck(examination).check();
}

}  // namespace fitment
