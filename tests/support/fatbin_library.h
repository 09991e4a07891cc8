// SPDX-License-Identifier: Apache-2.0
// A real shared library, compiled here, that holds containers as nvcc's libraries do: in
// .nv_fatbin, each named by a wrapper in .nvFatBinSegment. Its functions read them through the
// wrappers, so that a test sees what a driver would see.
#pragma once

#include "support/fatbin_builder.h"
#include "support/workshop.h"

#include <dlfcn.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct FatbinLibrary {
  std::vector<std::string> containers;  ///< bytes of each
  std::size_t nameless = 0;             ///< of them, the last ones: without a wrapper
  std::vector<std::string> flags;       ///< more for gcc
  bool is_program = false;
};

/// Compiles it as `name` in the workshop.
inline void build_fatbin_library(const Workshop& shop,
                                 const std::string& name,
                                 const FatbinLibrary& library) {
  std::string source =
      "typedef struct { unsigned magic, version; const unsigned char* data; void* more; } "
      "Wrapper;\n";
  std::string assembly = ".section .nv_fatbin,\\\"a\\\"\\n.align 8\\n";
  const std::size_t named = library.containers.size() - library.nameless;
  for (std::size_t i = 0; i < library.containers.size(); ++i) {
    const std::string file = fmt::format("{}.{}.fatbin", name, i);
    shop.write(file, library.containers[i]);
    assembly += fmt::format(
        ".globl fatbin{0}\\n.hidden fatbin{0}\\nfatbin{0}:\\n.incbin \\\"{1}\\\"\\n.align 8\\n",
        i,
        shop.path(file));
    source += fmt::format("extern const unsigned char fatbin{}[];\n", i);
  }
  source += fmt::format("__asm__(\"{}.text\\n\");\n", assembly);
  source += "__attribute__((section(\".nvFatBinSegment\"), used)) static Wrapper wrappers[] = {\n";
  for (std::size_t i = 0; i < named; ++i) {
    source += fmt::format("  {{0x466243B1, 1, fatbin{}, 0}},\n", i);
  }
  source += "  {0, 0, 0, 0}};\n";
  source +=
      "const unsigned char* container(int i) { return ((Wrapper volatile*)wrappers)[i].data; }\n"
      "const unsigned char* nameless(void) { return ";
  source += library.nameless > 0 ? fmt::format("fatbin{}", named) : "0";
  source += "; }\nint answer(void) { return 42; }\nint table[1000] = {1, 2, 3};\n";
  source +=
      "static int constructed; __attribute__((constructor)) static void begin(void) { constructed "
      "= 7; }\n"
      "int was_constructed(void) { return constructed; }\n";
  if (library.is_program) {
    source +=
        "int main(void) { return container(0)[0] == 0x50 && was_constructed() == 7 ? 42 : 1; }\n";
  }
  std::vector<std::string> flags = library.flags;
  if (!library.is_program) {
    flags.insert(flags.end(), {"-shared", "-fPIC", "-Wl,-soname,libfat.so.1"});
  }
  shop.compile(name, source, flags);
}

/// What a loaded library says, from a child process.
struct LoadedLibrary {
  bool is_loaded = false;
  std::string error;
  int answer = 0;
  std::vector<std::string> containers;  ///< header and entries, read through the wrappers
};

/// dlopen with RTLD_NOW. `count` containers have wrappers.
inline LoadedLibrary load_fatbin_library(const std::string& path, std::size_t count) {
  const auto outcome = run_in_child(
      [&](int fd) {
        void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
          const std::string text = ::dlerror();
          return ::write(fd, text.data(), text.size()) > 0 ? 1 : 2;
        }
        const auto function = [&](const char* name) { return ::dlsym(handle, name); };
        std::string out;
        const auto put = [&](const void* bytes, std::size_t size) {
          out.append(static_cast<const char*>(bytes), size);
        };
        const int answer = reinterpret_cast<int (*)()>(function("answer"))()
                           + reinterpret_cast<int (*)()>(function("was_constructed"))() - 7;
        put(&answer, sizeof answer);
        for (std::size_t i = 0; i < count; ++i) {
          const unsigned char* at = reinterpret_cast<const unsigned char* (*)(int)>(
              function("container"))(static_cast<int>(i));
          std::uint64_t size = 0;
          std::memcpy(&size, at + 8, sizeof size);
          size += 16;
          put(&size, sizeof size);
          put(at, size);
        }
        for (std::size_t at = 0; at < out.size();) {
          const ssize_t written = ::write(fd, out.data() + at, out.size() - at);
          if (written <= 0) {
            return 3;
          }
          at += static_cast<std::size_t>(written);
        }
        return 0;
      },
      std::chrono::seconds(30));
  LoadedLibrary loaded;
  if (!outcome || !outcome->ok()) {
    loaded.error = outcome ? outcome->out + outcome->err : to_string(outcome.error());
    return loaded;
  }
  loaded.is_loaded = true;
  const std::string& out = outcome->out;
  std::memcpy(&loaded.answer, out.data(), sizeof loaded.answer);
  for (std::size_t at = sizeof loaded.answer; at + 8 <= out.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, out.data() + at, sizeof size);
    loaded.containers.push_back(out.substr(at + 8, size));
    at += 8 + size;
  }
  return loaded;
}

}  // namespace fitment
