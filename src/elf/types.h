// SPDX-License-Identifier: Apache-2.0
// The numbers of the ELF specification (System V gABI, GNU extensions) that fitment reads, by the
// names of the specification in lower case. A value without a name here is kept as it is.
#pragma once

#include <cstdint>

namespace fitment {

/// e_machine
enum class ElfMachine : std::uint16_t {
  em_none = 0,
  em_386 = 3,        ///< x86, 32-bit
  em_mips = 8,       ///< MIPS
  em_ppc64 = 21,     ///< POWER, 64-bit
  em_s390 = 22,      ///< IBM Z
  em_arm = 40,       ///< ARM, 32-bit
  em_x86_64 = 62,    ///< x86-64
  em_aarch64 = 183,  ///< ARM, 64-bit
  em_cuda = 190,     ///< NVIDIA machine code: a cubin
  em_amdgpu = 224,   ///< AMD machine code: a code object
  em_riscv = 243,    ///< RISC-V
  em_loongarch = 258,
};

/// e_type
enum class ElfType : std::uint16_t {
  et_none = 0,
  et_rel = 1,   ///< relocatable object (.o)
  et_exec = 2,  ///< executable at fixed addresses
  et_dyn = 3,   ///< shared library or position-independent executable
  et_core = 4,  ///< memory dump
};

/// p_type
enum class SegmentType : std::uint32_t {
  pt_null = 0,
  pt_load = 1,     ///< bytes of the file that become memory
  pt_dynamic = 2,  ///< the dynamic table
  pt_interp = 3,   ///< path of the dynamic loader
  pt_note = 4,
  pt_phdr = 6,  ///< the program headers themselves
  pt_tls = 7,   ///< template of thread-local storage
  pt_gnu_eh_frame = 0x6474e550,
  pt_gnu_stack = 0x6474e551,
  pt_gnu_relro = 0x6474e552,
  pt_gnu_property = 0x6474e553,  ///< the .note.gnu.property note
};

/// p_flags
constexpr std::uint32_t kSegmentExecutable = 1;  ///< PF_X
constexpr std::uint32_t kSegmentWritable = 2;    ///< PF_W
constexpr std::uint32_t kSegmentReadable = 4;    ///< PF_R

/// sh_type
enum class SectionType : std::uint32_t {
  sht_null = 0,
  sht_progbits = 1,
  sht_symtab = 2,
  sht_strtab = 3,
  sht_rela = 4,
  sht_hash = 5,
  sht_dynamic = 6,
  sht_note = 7,
  sht_nobits = 8,  ///< occupies no bytes of the file
  sht_rel = 9,
  sht_dynsym = 11,
  sht_symtab_shndx = 18,
  sht_gnu_hash = 0x6ffffff6,
  sht_gnu_verdef = 0x6ffffffd,
  sht_gnu_verneed = 0x6ffffffe,
  sht_gnu_versym = 0x6fffffff,
};

/// sh_flags
constexpr std::uint64_t kSectionWritable = 0x1;      ///< SHF_WRITE
constexpr std::uint64_t kSectionAllocated = 0x2;     ///< SHF_ALLOC: part of memory at run time
constexpr std::uint64_t kSectionExecutable = 0x4;    ///< SHF_EXECINSTR
constexpr std::uint64_t kSectionCompressed = 0x800;  ///< SHF_COMPRESSED

/// d_tag
enum class DynamicTag : std::uint64_t {
  dt_null = 0,         ///< end of the table
  dt_needed = 1,       ///< name of a needed library
  dt_pltrelsz = 2,     ///< bytes of dt_jmprel
  dt_hash = 4,         ///< address of the System V hash table
  dt_strtab = 5,       ///< address of the strings
  dt_symtab = 6,       ///< address of the symbols
  dt_rela = 7,         ///< address of relocations
  dt_relasz = 8,       ///< bytes of dt_rela
  dt_relaent = 9,      ///< bytes of one relocation
  dt_strsz = 10,       ///< bytes of dt_strtab
  dt_syment = 11,      ///< bytes of one symbol
  dt_init = 12,        ///< address of a function to run at load
  dt_soname = 14,      ///< name under which others need this library
  dt_rpath = 15,       ///< search path, inherited by needed libraries, before LD_LIBRARY_PATH
  dt_symbolic = 16,    ///< search own symbols first
  dt_textrel = 22,     ///< relocations change read-only segments
  dt_jmprel = 23,      ///< address of the relocations of the procedure linkage table
  dt_bind_now = 24,    ///< bind all functions at load
  dt_init_array = 25,  ///< address of an array of functions to run at load
  dt_init_arraysz = 27,
  dt_runpath = 29,  ///< search path of this object alone, after LD_LIBRARY_PATH
  dt_flags = 30,    ///< df_ flags
  dt_relrsz = 35,
  dt_relr = 36,
  dt_gnu_hash = 0x6ffffef5,
  dt_versym = 0x6ffffff0,     ///< version index of each symbol
  dt_flags_1 = 0x6ffffffb,    ///< df_1_ flags
  dt_verdef = 0x6ffffffc,     ///< versions that this object defines
  dt_verdefnum = 0x6ffffffd,  ///< how many
  dt_verneed = 0x6ffffffe,    ///< versions that this object needs
  dt_verneednum = 0x6fffffff,
  dt_auxiliary = 0x7ffffffd,  ///< library whose symbols come first, if it exists
  dt_filter = 0x7fffffff,     ///< library that stands in for this one
};

/// DT_FLAGS and DT_FLAGS_1
constexpr std::uint64_t kFlagSymbolic = 0x2;         ///< DF_SYMBOLIC
constexpr std::uint64_t kFlagBindNow = 0x8;          ///< DF_BIND_NOW
constexpr std::uint64_t kFlag1Now = 0x1;             ///< DF_1_NOW
constexpr std::uint64_t kFlag1NoDefaultLib = 0x800;  ///< DF_1_NODEFLIB: no default folders
constexpr std::uint64_t kFlag1Pie = 0x8000000;       ///< DF_1_PIE: an executable

/// The upper half of st_info
enum class SymbolBinding : std::uint8_t {
  stb_local = 0,
  stb_global = 1,
  stb_weak = 2,         ///< may stay undefined
  stb_gnu_unique = 10,  ///< one definition in the whole process
};

/// The lower half of st_info
enum class SymbolType : std::uint8_t {
  stt_notype = 0,
  stt_object = 1,
  stt_func = 2,
  stt_section = 3,
  stt_file = 4,
  stt_common = 5,
  stt_tls = 6,
  stt_gnu_ifunc = 10,  ///< a function that chooses an implementation at load
};

/// The lower two bits of st_other
enum class SymbolVisibility : std::uint8_t {
  stv_default = 0,
  stv_internal = 1,
  stv_hidden = 2,
  stv_protected = 3,
};

constexpr std::uint16_t kSectionUndefined = 0;      ///< SHN_UNDEF: the symbol is defined elsewhere
constexpr std::uint16_t kSectionExtended = 0xffff;  ///< SHN_XINDEX: the number is stored elsewhere

/// n_type of notes of the owner `GNU`
enum class GnuNoteType : std::uint32_t {
  nt_gnu_abi_tag = 1,   ///< operating system and lowest kernel
  nt_gnu_build_id = 3,  ///< digest that names this build
  nt_gnu_property_type_0 = 5,
};

/// pr_type in a GNU property note
enum class GnuProperty : std::uint32_t {
  aarch64_feature_1_and = 0xc0000000,  ///< BTI, PAC
  x86_feature_1_and = 0xc0000002,      ///< IBT, SHSTK
  x86_isa_1_needed = 0xc0008002,       ///< microarchitecture levels that must be there
  x86_isa_1_used = 0xc0010002,         ///< microarchitecture levels that may be used
};

}  // namespace fitment
