// SPDX-License-Identifier: Apache-2.0
#include "stack/audit_file.h"

#include "elf/architecture.h"
#include "elf/archive.h"
#include "elf/dynamic.h"
#include "elf/elf_file.h"
#include "elf/symbols.h"
#include "stack/code_image_reader.h"
#include "stack/find_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kMagicBytes = 64;

Result<std::string> read_start(const ByteSource& source) {
  return source.read(0, std::min(source.size(), kMagicBytes), "the start of the file");
}

/// By library, in the order in which the file lists them.
std::vector<VersionsOfLibrary> by_library(const std::vector<NeededVersion>& needed) {
  std::vector<VersionsOfLibrary> list;
  for (const NeededVersion& one : needed) {
    if (one.is_weak) {
      continue;
    }
    auto found = std::find_if(list.begin(), list.end(), [&](const VersionsOfLibrary& known) {
      return known.library == one.library;
    });
    if (found == list.end()) {
      found = list.insert(list.end(), {std::string(one.library), {}});
    }
    found->versions.emplace_back(one.name);
  }
  return list;
}

Status read_needs(const ElfFile& elf, AuditedFile& file) {
  FITMENT_TRY_ASSIGN(const std::optional<Dynamic> dynamic, read_dynamic(elf));
  FITMENT_TRY_ASSIGN(file.interpreter, elf.interpreter());
  FITMENT_TRY_ASSIGN(const std::vector<ElfNote> notes, read_notes(elf));
  file.build_id = find_build_id(notes);
  file.marker = find_x86_properties(notes);
  if (!dynamic) {
    return {};
  }
  file.needed = dynamic->needed;
  file.soname = dynamic->soname;
  file.rpath = dynamic->rpath;
  file.runpath = dynamic->runpath;
  FITMENT_TRY_ASSIGN(const DynamicSymbols versions, DynamicSymbols::read_versions(elf, *dynamic));
  file.glibc_floor = glibc_floor(versions.needed_versions());
  file.versions = by_library(versions.needed_versions());
  return {};
}

Status read_cpu(const ElfFile& elf, const AuditOptions& options, AuditedFile& file) {
  const ElfMachine machine = elf.header().machine;
  if (machine != ElfMachine::em_x86_64 && machine != ElfMachine::em_aarch64) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const LoadedCode code, read_code_image(elf));
  const auto list = options.functions ? ListFunctions::yes : ListFunctions::no;
  if (!code.image.text.empty() && machine == ElfMachine::em_x86_64) {
    file.cpu = judge_x86(code.image, list);
  } else if (!code.image.text.empty()) {
    file.arm_cpu = judge_arm(code.image, list);
  }
  if (!code.is_complete) {
    file.remark = "text larger than 1 GiB was not judged";
  }
  return {};
}

Status read_elf(const ByteSource& source, const AuditOptions& options, AuditedFile& file) {
  auto elf = ElfFile::read(source);
  if (!elf) {
    if (elf.error().code() == ErrorCode::unsupported) {
      file.remark = elf.error().message();
      return {};
    }
    return tl::unexpected<Error>(std::move(elf).error());
  }
  file.machine = architecture_name(elf->header().machine);
  if (elf->header().type == ElfType::et_rel) {
    file.kind = BinaryKind::object;
    return {};
  }
  file.kind = elf->is_program() ? BinaryKind::program : BinaryKind::library;
  FITMENT_TRY(read_needs(*elf, file));
  if (options.gpu_code) {
    file.slice = read_slice_note(*elf);
  }
  return options.isa ? read_cpu(*elf, options, file) : Status{};
}

}  // namespace

std::string_view to_string(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::program:
      return "program";
    case BinaryKind::library:
      return "library";
    case BinaryKind::object:
      return "object";
    case BinaryKind::archive:
      return "archive";
    case BinaryKind::gpu_code:
      return "gpu-code";
    case BinaryKind::other_elf:
      return "other-elf";
  }
  return "other-elf";
}

Result<AuditedFile> audit_file(const ByteSource& source, const AuditOptions& options) {
  AuditedFile file;
  file.path = source.name();
  file.bytes = source.size();
  FITMENT_TRY_ASSIGN(const std::string start, read_start(source));
  if (options.gpu_code) {
    FITMENT_TRY_ASSIGN(file.gpu, scan_gpu_code(source));
    file.targets = total_by_target(file.gpu.containers);
  }
  const GpuFileKind gpu_kind = file.gpu.kind;
  if (gpu_kind == GpuFileKind::container || gpu_kind == GpuFileKind::bundle
      || gpu_kind == GpuFileKind::cubin || gpu_kind == GpuFileKind::code_object
      || gpu_kind == GpuFileKind::ptx) {
    file.kind = BinaryKind::gpu_code;
    return file;
  }
  if (looks_like_elf(start)) {
    FITMENT_TRY(read_elf(source, options, file));
    return file;
  }
  if (looks_like_archive(start)) {
    file.kind = BinaryKind::archive;
    return file;
  }
  return not_a_binary(source.name())
      .hint("audit looks into ELF files, archives, GPU code, wheels and folders of them");
}

}  // namespace fitment
