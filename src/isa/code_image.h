// SPDX-License-Identifier: Apache-2.0
// What an audit sees of a binary: its code, the data that code refers to, where functions are, and
// what the loader will put into which slot. Plain values; whoever reads the file fills them in and
// keeps the bytes alive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class CodeMachine : std::uint8_t {
  x86_64,
  aarch64,
};

/// Addresses from `address` on, `size` of them.
struct AddressRange {
  std::uint64_t address = 0;
  std::uint64_t size = 0;

  [[nodiscard]] bool contains(std::uint64_t at) const { return at - address < size; }
};

/// Executable bytes.
struct TextRange {
  std::uint64_t address = 0;
  std::string_view bytes;
  bool is_plt = false;  ///< import stubs (.plt, .plt.got, .plt.sec), not functions of the file
};

/// Data in memory. `bytes` holds what the file gives of it; the rest is zero.
struct DataRange {
  AddressRange range;
  std::string_view bytes;
  bool is_writable = false;
  bool is_got = false;  ///< slots for addresses; never a variable of the program
};

/// A function symbol.
struct CodeFunction {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;    ///< 0: not known
  bool is_exported = false;  ///< other files can call it
  bool is_resolver = false;  ///< STT_GNU_IFUNC: runs once and returns the function to call
};

/// A word that the loader fills in.
struct CodeSlot {
  enum class Kind : std::uint8_t {
    pointer,   ///< data that holds an address: R_X86_64_RELATIVE, R_X86_64_64
    linkage,   ///< GLOB_DAT, JUMP_SLOT: what code loads or calls through
    resolver,  ///< IRELATIVE: what the function at `target` returns
  };
  std::uint64_t address = 0;
  Kind kind = Kind::pointer;
  std::uint64_t target = 0;  ///< in this file; 0 when it is imported
  std::string import;        ///< name of the symbol, when there is one
};

struct DataSymbol {
  std::string name;
  std::uint64_t address = 0;
};

struct CodeImage {
  CodeMachine machine = CodeMachine::x86_64;
  bool is_position_dependent = false;  ///< pointers in data are plain numbers without slots
  std::uint64_t entry = 0;             ///< where a program starts; 0 for a library
  std::vector<TextRange> text;
  std::vector<DataRange> data;
  std::vector<CodeFunction> functions;
  std::vector<AddressRange>
      unwind_ranges;  ///< of .eh_frame: where functions are in a stripped file
  std::vector<CodeSlot> slots;
  std::vector<DataSymbol> data_symbols;
  std::vector<AddressRange> init_arrays;  ///< of functions that the loader calls
  std::vector<std::uint64_t> init_functions;
};

}  // namespace fitment
