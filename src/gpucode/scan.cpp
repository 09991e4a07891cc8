// SPDX-License-Identifier: Apache-2.0
#include "gpucode/scan.h"

#include "base/text.h"
#include "elf/archive.h"
#include "elf/block_reader.h"
#include "elf/elf_file.h"
#include "elf/fields.h"
#include "gpucode/bare_code.h"
#include "gpucode/container.h"
#include "gpucode/offload_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kStart = 4096;
constexpr std::uint64_t kBareRead = 64U << 10U;
constexpr std::uint64_t kSmallestRead = 256;
constexpr std::uint64_t kLargestRead = 4096;
constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint64_t kWrapperSize = 24;
constexpr std::uint64_t kWrapperLimit = 64U << 20U;

enum class SectionRole {
  none,
  containers,  ///< NVIDIA, gathered by a linker
  mixed,       ///< NVIDIA, among other data
  bundles,     ///< AMD
  wrappers,    ///< pointers to containers
};

SectionRole role_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, SectionRole>, 7> kRoles{{
      {".nv_fatbin", SectionRole::containers},
      {"__nv_relfatbin", SectionRole::containers},
      {".cask_resource", SectionRole::mixed},
      {".ldata", SectionRole::mixed},
      {".lrodata", SectionRole::mixed},
      {".hip_fatbin", SectionRole::bundles},
      {".nvFatBinSegment", SectionRole::wrappers},
  }};
  for (const auto& [known, role] : kRoles) {
    if (name == known) {
      return role;
    }
  }
  return SectionRole::none;
}

/// Looks through one source: a file or a member of an archive.
class SourceScan {
 public:
  SourceScan(const ByteSource& source, std::string member, GpuCode& out)
      : source_(source),
        member_(std::move(member)),
        reader_(source, kSmallestRead, kLargestRead),
        out_(out) {}

  /// `start` is the beginning of the source.
  Result<GpuFileKind> run(std::string_view start);

 private:
  Result<GpuFileKind> scan_elf();
  void scan_sections(const ElfFile& elf, const ElfSections& sections);
  void scan_segments(const ElfFile& elf);
  void scan_wrappers(const ElfFile& elf, const ElfSection& section);
  void walk(CodeExtent extent, SectionRole role);
  [[nodiscard]] bool is_covered(std::uint64_t offset) const;
  void take(GpuCodeList list);

  const ByteSource& source_;
  std::string member_;
  BlockReader reader_;
  GpuCode& out_;
  std::vector<CodeExtent> walked_;
};

Result<GpuFileKind> SourceScan::run(std::string_view start) {
  if (load_field<std::uint32_t>(start, 0) == kContainerMagic) {
    walk({"", member_, 0, source_.size()}, SectionRole::containers);
    return GpuFileKind::container;
  }
  if (looks_like_bundle(start)) {
    walk({"", member_, 0, source_.size()}, SectionRole::bundles);
    return GpuFileKind::bundle;
  }
  const bool is_host_elf =
      looks_like_elf(start)
      && load_field<std::uint16_t>(start, 18) != static_cast<std::uint16_t>(ElfMachine::em_cuda)
      && load_field<std::uint16_t>(start, 18) != static_cast<std::uint16_t>(ElfMachine::em_amdgpu);
  if (is_host_elf) {
    return scan_elf();
  }
  // PTX begins with comments of any length, a cubin's note stands behind its first sections.
  std::string more;
  const std::string_view words = trim(start);
  const bool may_be_text = words.starts_with("//") || words.starts_with(".version");
  if ((may_be_text || looks_like_elf(start)) && source_.size() > start.size()) {
    FITMENT_TRY_ASSIGN(
        more, source_.read(0, std::min(kBareRead, source_.size()), "the beginning of the file"));
    start = more;
  }
  auto entry = read_bare_code(source_, start);
  if (!entry) {
    return GpuFileKind::none;
  }
  const CodeKind kind = entry->kind;
  GpuContainer container{.format = ContainerFormat::bare,
                         .place = {},
                         .member = member_,
                         .offset = 0,
                         .size = source_.size(),
                         .entries = {}};
  container.entries.push_back(std::move(*entry));
  out_.containers.push_back(std::move(container));
  return kind == CodeKind::ptx     ? GpuFileKind::ptx
         : kind == CodeKind::cubin ? GpuFileKind::cubin
                                   : GpuFileKind::code_object;
}

Result<GpuFileKind> SourceScan::scan_elf() {
  auto elf = ElfFile::read(source_);
  if (!elf) {
    // A library for another machine holds no GPU code that anybody could load from here.
    if (elf.error().code() == ErrorCode::unsupported) {
      return GpuFileKind::none;
    }
    return tl::unexpected<Error>(std::move(elf).error());
  }
  const auto sections = elf->read_sections();
  if (!sections || sections->all.empty()) {
    scan_segments(*elf);
  } else {
    scan_sections(*elf, *sections);
  }
  return elf->header().type == ElfType::et_rel ? GpuFileKind::object : GpuFileKind::library;
}

void SourceScan::scan_sections(const ElfFile& elf, const ElfSections& sections) {
  for (const ElfSection& section : sections.all) {
    const SectionRole role = role_of(section.name);
    const bool is_code = role != SectionRole::none && role != SectionRole::wrappers;
    if (is_code && section.has_bytes() && section.size > 0) {
      walk({section.name, member_, section.offset, section.size}, role);
    }
  }
  for (const ElfSection& section : sections.all) {
    if (role_of(section.name) == SectionRole::wrappers && section.has_bytes()) {
      scan_wrappers(elf, section);
    }
  }
}

void SourceScan::scan_segments(const ElfFile& elf) {
  for (const ElfSegment& segment : elf.segments()) {
    if (segment.type == SegmentType::pt_load && segment.file_size > 0) {
      walk({"", member_, segment.offset, segment.file_size}, SectionRole::mixed);
    }
  }
}

// Wrapper: u32 magic, u32 version, u64 address of a container, u64 more.
void SourceScan::scan_wrappers(const ElfFile& elf, const ElfSection& section) {
  const auto bytes = elf.section_bytes(section, kWrapperLimit);
  if (!bytes) {
    out_.malformed.push_back({section.name, member_, section.offset, bytes.error().message()});
    return;
  }
  for (std::uint64_t at = 0; at + kWrapperSize <= bytes->size(); at += kWrapperSize) {
    if (load_field<std::uint32_t>(*bytes, at) != kWrapperMagic) {
      continue;
    }
    ++out_.wrappers;
    // In an object file the pointer is a relocation and zero here.
    const auto place = elf.find_address(load_field<std::uint64_t>(*bytes, at + 8));
    if (elf.header().type == ElfType::et_rel || !place || is_covered(place->offset)) {
      continue;
    }
    const auto header = reader_.at(place->offset, 16, "a container header");
    if (!header || load_field<std::uint32_t>(*header, 0) != kContainerMagic) {
      continue;  // reached by relocations that are not stored in place
    }
    const auto size = load_field<std::uint64_t>(*header, 8);
    const std::uint64_t all =
        std::min(place->available, size > ~std::uint64_t{16} ? size : size + 16);
    walk({section.name, member_, place->offset, all}, SectionRole::containers);
  }
}

bool SourceScan::is_covered(std::uint64_t offset) const {
  return std::any_of(walked_.begin(), walked_.end(), [&](const CodeExtent& extent) {
    return offset >= extent.offset && offset - extent.offset < extent.size;
  });
}

void SourceScan::walk(CodeExtent extent, SectionRole role) {
  // Sections of a damaged file may overlap: no byte is walked twice.
  if (is_covered(extent.offset)) {
    return;
  }
  GpuCodeList list;
  if (role == SectionRole::bundles) {
    walk_bundles(reader_, extent, list);
  } else {
    const bool is_mixed = role == SectionRole::mixed;
    walk_containers(reader_, extent, is_mixed ? WalkMode::anywhere : WalkMode::back_to_back, list);
  }
  walked_.push_back(std::move(extent));
  take(std::move(list));
}

void SourceScan::take(GpuCodeList list) {
  std::move(list.containers.begin(), list.containers.end(), std::back_inserter(out_.containers));
  std::move(list.malformed.begin(), list.malformed.end(), std::back_inserter(out_.malformed));
}

Status scan_archive(const ByteSource& source, GpuCode& out) {
  FITMENT_TRY_ASSIGN(const Archive archive, read_archive(source));
  out.is_thin_archive = archive.is_thin;
  if (archive.is_thin) {
    return {};
  }
  for (const ArchiveMember& member : archive.members) {
    const SubSource part = member_source(source, member);
    const auto start = part.read(0, std::min(kStart, part.size()), "an archive member");
    if (!start) {
      return tl::unexpected<Error>(start.error());
    }
    // An archive inside an archive is not unpacked: no toolchain looks into one.
    if (const auto kind = SourceScan(part, member.name, out).run(*start); !kind) {
      out.malformed.push_back({"", member.name, member.offset, kind.error().message()});
    }
  }
  return {};
}

}  // namespace

std::string_view to_string(GpuFileKind kind) {
  switch (kind) {
    case GpuFileKind::none:
      return "none";
    case GpuFileKind::library:
      return "library";
    case GpuFileKind::object:
      return "object";
    case GpuFileKind::archive:
      return "archive";
    case GpuFileKind::container:
      return "container";
    case GpuFileKind::bundle:
      return "offload bundle";
    case GpuFileKind::cubin:
      return "cubin";
    case GpuFileKind::code_object:
      return "code object";
    case GpuFileKind::ptx:
      return "ptx";
  }
  return "unknown";
}

std::uint64_t GpuCode::entry_count() const {
  std::uint64_t count = 0;
  for (const GpuContainer& container : containers) {
    count += container.entries.size();
  }
  return count;
}

Result<GpuCode> scan_gpu_code(const ByteSource& source) {
  GpuCode code;
  FITMENT_TRY_ASSIGN(const std::string start,
                     source.read(0, std::min(kStart, source.size()), "the beginning of the file"));
  if (looks_like_archive(start)) {
    code.kind = GpuFileKind::archive;
    FITMENT_TRY(scan_archive(source, code));
    return code;
  }
  FITMENT_TRY_ASSIGN(code.kind, SourceScan(source, "", code).run(start));
  return code;
}

}  // namespace fitment
