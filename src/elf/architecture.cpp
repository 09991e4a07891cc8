// SPDX-License-Identifier: Apache-2.0
#include "elf/architecture.h"

#include <array>

namespace fitment {

namespace {

struct NamedMachine {
  ElfMachine machine;
  std::string_view name;
};

constexpr std::array kNames{
    NamedMachine{ElfMachine::em_x86_64, "x86_64"},
    NamedMachine{ElfMachine::em_aarch64, "aarch64"},
    NamedMachine{ElfMachine::em_ppc64, "ppc64le"},
    NamedMachine{ElfMachine::em_riscv, "riscv64"},
};

}  // namespace

std::string_view architecture_name(ElfMachine machine) {
  for (const NamedMachine& one : kNames) {
    if (one.machine == machine) {
      return one.name;
    }
  }
  return {};
}

std::optional<ElfMachine> find_architecture(std::string_view name) {
  for (const NamedMachine& one : kNames) {
    if (one.name == name) {
      return one.machine;
    }
  }
  return std::nullopt;
}

}  // namespace fitment
