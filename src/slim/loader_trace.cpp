// SPDX-License-Identifier: Apache-2.0
#include "slim/loader_trace.h"

#include "base/process.h"
#include "base/text.h"

#include <array>
#include <system_error>

namespace fitment {

namespace {

constexpr std::chrono::seconds kTimeout{60};

std::optional<std::string> host_loader(ElfMachine machine) {
#if defined(__x86_64__)
  constexpr ElfMachine kOwn = ElfMachine::em_x86_64;
  constexpr std::array kLoaders{"/lib64/ld-linux-x86-64.so.2"};
#elif defined(__aarch64__)
  constexpr ElfMachine kOwn = ElfMachine::em_aarch64;
  constexpr std::array kLoaders{"/lib/ld-linux-aarch64.so.1"};
#else
  constexpr ElfMachine kOwn = ElfMachine::em_none;
  constexpr std::array<const char*, 0> kLoaders{};
#endif
  if (machine != kOwn) {
    return std::nullopt;
  }
  for (const char* loader : kLoaders) {
    std::error_code error;
    if (std::filesystem::exists(loader, error)) {
      return loader;
    }
  }
  return std::nullopt;
}

/// The line without the address at its end.
std::string without_address(std::string_view line) {
  return std::string(trim(line.substr(0, line.rfind(" (0x"))));
}

}  // namespace

std::optional<LoaderTrace> trace_loading(const std::filesystem::path& file,
                                         const ElfFile& elf,
                                         const std::filesystem::path& origin) {
  const auto loader = host_loader(elf.header().machine);
  if (!loader || elf.find_segment(SegmentType::pt_dynamic) == nullptr) {
    return std::nullopt;
  }
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).string();
  const auto outcome = run_process({*loader, path},
                                   {.timeout = kTimeout,
                                    .environment = {{{"LD_TRACE_LOADED_OBJECTS", "1"},
                                                     {"LD_WARN", "1"},
                                                     {"LD_BIND_NOW", "1"},
                                                     {"LC_ALL", "C"},
                                                     {"LD_LIBRARY_PATH", origin.string()}}}});
  if (!outcome) {
    return std::nullopt;
  }
  LoaderTrace trace;
  trace.is_loaded = outcome->ok();
  for (const std::string_view line : split_lines(outcome->out)) {
    if (line.find(" => not found") == std::string_view::npos) {
      trace.libraries.insert(without_address(line));
    } else {
      trace.complaints.insert(std::string(trim(line)));
    }
  }
  for (const std::string_view line : split_lines(outcome->err)) {
    trace.complaints.insert(replace_all(std::string(trim(line)), path, "FILE"));
  }
  return trace;
}

}  // namespace fitment
