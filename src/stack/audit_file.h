// SPDX-License-Identifier: Apache-2.0
// What one binary is and needs, from the file alone: libraries, glibc, CPU, GPU code.
#pragma once

#include "base/byte_source.h"
#include "elf/notes.h"
#include "elf/version_needs.h"
#include "gpucode/scan.h"
#include "isa/arm_verdict.h"
#include "isa/dispatch.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

enum class BinaryKind {
  program,
  library,    ///< shared library or extension module
  object,     ///< relocatable
  archive,    ///< static library
  gpu_code,   ///< a container, bundle, cubin, code object or PTX of its own
  other_elf,  ///< an ELF file of a kind or machine that is not looked into
};
std::string_view to_string(BinaryKind kind);

struct AuditOptions {
  bool isa = true;
  bool gpu_code = true;
  bool functions = false;  ///< list single functions in the verdict
};

/// A library and the symbol versions that are needed of it.
struct VersionsOfLibrary {
  std::string library;                ///< soname: `libc.so.6`
  std::vector<std::string> versions;  ///< `GLIBC_2.34`, as the file lists them, without weak ones
};

struct AuditedFile {
  std::string path;    ///< `x.whl: torch/lib/libfoo.so` inside a wheel
  std::string wheel;   ///< path of the wheel that it lies in; empty: a file of its own
  std::string member;  ///< its name in the wheel
  BinaryKind kind = BinaryKind::other_elf;
  std::string machine;  ///< `x86_64`, `aarch64`; empty where there is none
  std::uint64_t bytes = 0;
  std::optional<std::string> soname;
  std::optional<std::string> interpreter;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::optional<VersionFloor> glibc_floor;
  std::vector<VersionsOfLibrary> versions;
  std::optional<std::string> build_id;
  std::optional<X86Properties> marker;  ///< .note.gnu.property: reported, never believed
  std::optional<X86Verdict> cpu;        ///< x86-64 code only
  std::optional<ArmVerdict> arm_cpu;    ///< arm64 code only
  GpuCode gpu;
  std::vector<TargetTotal> targets;
  std::string remark;  ///< why something was not looked at
};

/// Errors: io_error, parse_error with the offset; unsupported for a file that is no binary.
Result<AuditedFile> audit_file(const ByteSource& source, const AuditOptions& options);

}  // namespace fitment
