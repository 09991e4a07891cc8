// SPDX-License-Identifier: Apache-2.0
#include "isa/tables/later_extensions.h"

namespace fitment {

std::vector<LaterExtension> later_extensions() {
  using F = X86Feature;
  using E = LaterExtension::Encoding;
  using O = LaterExtension::Operand;
  const X86Requirement avx_ifma{{F::avx_ifma}, X86Role::vex_vector};
  const X86Requirement int8{{F::avx_vnni_int8}, X86Role::vex_vector};
  const X86Requirement int16{{F::avx_vnni_int16}, X86Role::vex_vector};
  const X86Requirement convert{{F::avx_ne_convert}, X86Role::vex_vector};
  const X86Requirement sha512{{F::sha512}, X86Role::vex_vector};
  const X86Requirement sm3{{F::sm3}, X86Role::vex_vector};
  const X86Requirement sm4{{F::sm4}, X86Role::vex_vector};
  const X86Requirement amx_fp16{{F::amx_fp16}, X86Role::plain};
  const X86Requirement amx_complex{{F::amx_complex}, X86Role::plain};
  const X86Requirement cmpccxadd{{F::cmpccxadd}, X86Role::plain};
  const X86Requirement raoint{{F::raoint}, X86Role::plain};
  const X86Requirement user_msr{{F::user_msr}, X86Role::plain};
  const X86Requirement privileged{{}, X86Role::privileged};
  return {
      // VPMADD52LUQ, VPMADD52HUQ
      {E::vex, 2, 1, 1, -1, 0xb4, 0xb5, O::any, 0, 0, avx_ifma, "vpmadd52"},
      // VPDPB[SU,UU,SS]D[S]
      {E::vex, 2, 0, 0, -1, 0x50, 0x51, O::any, 0, 0, int8, "vpdpbuud"},
      {E::vex, 2, 2, 0, -1, 0x50, 0x51, O::any, 0, 0, int8, "vpdpbsud"},
      {E::vex, 2, 3, 0, -1, 0x50, 0x51, O::any, 0, 0, int8, "vpdpbssd"},
      // VPDPW[US,SU,UU]D[S]
      {E::vex, 2, 0, 0, -1, 0xd2, 0xd3, O::any, 0, 0, int16, "vpdpwuud"},
      {E::vex, 2, 1, 0, -1, 0xd2, 0xd3, O::any, 0, 0, int16, "vpdpwusd"},
      {E::vex, 2, 2, 0, -1, 0xd2, 0xd3, O::any, 0, 0, int16, "vpdpwsud"},
      // VCVTNE[E,O][BF16,PH]2PS, VBCSTNE[BF16,SH]2PS, VCVTNEPS2BF16
      {E::vex, 2, 0, 0, -1, 0xb0, 0xb0, O::memory, 0, 0, convert, "vcvtneoph2ps"},
      {E::vex, 2, 1, 0, -1, 0xb0, 0xb1, O::memory, 0, 0, convert, "vcvtneeph2ps"},
      {E::vex, 2, 2, 0, -1, 0xb0, 0xb1, O::memory, 0, 0, convert, "vcvtneebf162ps"},
      {E::vex, 2, 3, 0, -1, 0xb0, 0xb0, O::memory, 0, 0, convert, "vcvtneobf162ps"},
      {E::vex, 2, 2, 0, -1, 0x72, 0x72, O::any, 0, 0, convert, "vcvtneps2bf16"},
      // VSHA512RNDS2, VSHA512MSG1, VSHA512MSG2
      {E::vex, 2, 3, 0, 1, 0xcb, 0xcd, O::reg, 0, 0, sha512, "vsha512"},
      // VSM3MSG1, VSM3MSG2, VSM3RNDS2
      {E::vex, 2, 0, 0, 0, 0xda, 0xda, O::any, 0, 0, sm3, "vsm3msg1"},
      {E::vex, 2, 1, 0, 0, 0xda, 0xda, O::any, 0, 0, sm3, "vsm3msg2"},
      {E::vex, 3, 1, 0, 0, 0xde, 0xde, O::any, 0, 1, sm3, "vsm3rnds2"},
      // VSM4KEY4, VSM4RNDS4
      {E::vex, 2, 2, 0, -1, 0xda, 0xda, O::any, 0, 0, sm4, "vsm4key4"},
      {E::vex, 2, 3, 0, -1, 0xda, 0xda, O::any, 0, 0, sm4, "vsm4rnds4"},
      // TDPFP16PS; TCMMIMFP16PS, TCMMRLFP16PS
      {E::vex, 2, 3, 0, 0, 0x5c, 0x5c, O::reg, 0, 0, amx_fp16, "tdpfp16ps"},
      {E::vex, 2, 0, 0, 0, 0x6c, 0x6c, O::reg, 0, 0, amx_complex, "tcmmrlfp16ps"},
      {E::vex, 2, 1, 0, 0, 0x6c, 0x6c, O::reg, 0, 0, amx_complex, "tcmmimfp16ps"},
      // CMPccXADD
      {E::vex, 2, 1, -1, 0, 0xe0, 0xef, O::memory, 0, 0, cmpccxadd, "cmpccxadd"},
      // AADD, AAND, AXOR, AOR
      {E::legacy, 2, 0, -1, -1, 0xfc, 0xfc, O::memory, 0, 0, raoint, "aadd"},
      {E::legacy, 2, 1, -1, -1, 0xfc, 0xfc, O::memory, 0, 0, raoint, "aand"},
      {E::legacy, 2, 2, -1, -1, 0xfc, 0xfc, O::memory, 0, 0, raoint, "axor"},
      {E::legacy, 2, 3, -1, -1, 0xfc, 0xfc, O::memory, 0, 0, raoint, "aor"},
      // URDMSR, UWRMSR, by register and by immediate
      {E::legacy, 2, 3, -1, -1, 0xf8, 0xf8, O::reg, 0, 0, user_msr, "urdmsr"},
      {E::legacy, 2, 2, -1, -1, 0xf8, 0xf8, O::reg, 0, 0, user_msr, "uwrmsr"},
      {E::vex, 7, 3, 0, 0, 0xf8, 0xf8, O::group_of, 0, 4, user_msr, "urdmsr"},
      {E::vex, 7, 2, 0, 0, 0xf8, 0xf8, O::group_of, 0, 4, user_msr, "uwrmsr"},
      // WRMSRNS, RDMSRLIST, WRMSRLIST, PBNDKB, ERETU, ERETS, LKGS
      {E::legacy, 1, 0, -1, -1, 0x01, 0x01, O::exact, 0xc6, 0, privileged, "wrmsrns"},
      {E::legacy, 1, 3, -1, -1, 0x01, 0x01, O::exact, 0xc6, 0, privileged, "rdmsrlist"},
      {E::legacy, 1, 2, -1, -1, 0x01, 0x01, O::exact, 0xc6, 0, privileged, "wrmsrlist"},
      {E::legacy, 1, 0, -1, -1, 0x01, 0x01, O::exact, 0xc7, 0, privileged, "pbndkb"},
      {E::legacy, 1, 2, -1, -1, 0x01, 0x01, O::exact, 0xca, 0, privileged, "eretu"},
      {E::legacy, 1, 3, -1, -1, 0x01, 0x01, O::exact, 0xca, 0, privileged, "erets"},
      {E::legacy, 1, 3, -1, -1, 0x00, 0x00, O::group_of, 6, 0, privileged, "lkgs"},
  };
}

int apx_map4_immediate(int opcode, int digit, bool is_16_bit) {
  const int full = is_16_bit ? 2 : 4;
  switch (opcode) {
    case 0x69:
    case 0x81:
      return full;
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0x24:  // SHLD by immediate
    case 0x2c:  // SHRD by immediate
    case 0xd4:  // SHA1RNDS4
      return 1;
    case 0xf6:
      return digit <= 1 ? 1 : 0;
    case 0xf7:
      return digit <= 1 ? full : 0;
    default:
      return 0;
  }
}

}  // namespace fitment
