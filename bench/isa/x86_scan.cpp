// SPDX-License-Identifier: Apache-2.0
// How many bytes of .text a second one thread reads, against Zydis (minimal mode, same functions,
// same program) and `objdump -d`. Rates are bytes of .text by CPU time. Files that are not
// installed are left out; FITMENT_BENCH_FILE adds one.
#include "base/byte_source.h"
#include "base/process.h"
#include "isa/dispatch.h"
#include "isa/function_scan.h"
#include "isa/x86_short_decoder.h"
#include "stack/code_image_reader.h"

#include <benchmark/benchmark.h>
#include <Zydis/Zydis.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace fitment {
namespace {

/// A library in memory, read once for all benchmarks of it.
struct Library {
  LoadedCode code;
  std::vector<FunctionScan> functions;
  std::int64_t text_bytes = 0;
};

std::shared_ptr<const Library> load(const std::string& path) {
  auto source = open_file_source(path);
  if (!source) {
    return nullptr;
  }
  const auto elf = ElfFile::read(**source);
  auto code = elf ? read_code_image(*elf) : Result<LoadedCode>(LoadedCode{});
  if (!code) {
    return nullptr;
  }
  auto library = std::make_shared<Library>();
  library->code = std::move(*code);
  library->functions = find_functions(library->code.image);
  for (const TextRange& text : library->code.image.text) {
    library->text_bytes += static_cast<std::int64_t>(text.bytes.size());
  }
  return library;
}

/// Calls visit(start, readable bytes of the function, bytes behind it in its text).
template <typename Visit>
void for_each_function(const Library& library, const Visit& visit) {
  auto function = library.functions.begin();
  for (const TextRange& text : library.code.image.text) {
    for (; function != library.functions.end()
           && AddressRange{text.address, text.bytes.size()}.contains(function->address);
         ++function) {
      const std::size_t offset = function->address - text.address;
      // NOLINTNEXTLINE(*-reinterpret-cast)
      const auto* start = reinterpret_cast<const std::uint8_t*>(text.bytes.data()) + offset;
      visit(start, function->size, text.bytes.size() - offset - function->size);
    }
  }
}

void set_rate(benchmark::State& state, const Library& library) {
  state.SetBytesProcessed(state.iterations() * library.text_bytes);
}

/// Decoding alone: lengths and needs of every instruction of known functions.
void decode(benchmark::State& state, const std::shared_ptr<const Library>& library) {
  for (auto _ : state) {
    std::array<std::uint32_t, 256> histogram{};
    for_each_function(
        *library, [&](const std::uint8_t* start, std::size_t size, std::size_t behind) {
          const std::size_t end = size + behind >= kX86Padding ? size + behind - kX86Padding : 0;
          for (std::size_t at = 0; at < std::min(size, end);) {
            const X86Instruction found = x86::decode_short(start + at);
            ++histogram[found.requirement];
            at += found.length;
          }
        });
    benchmark::DoNotOptimize(histogram);
  }
  set_rate(state, *library);
}

/// What an audit does first: functions found, all decoded, needs of each summed up.
void scan(benchmark::State& state, const std::shared_ptr<const Library>& library) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(scan_functions(library->code.image));
  }
  set_rate(state, *library);
}

/// The whole verdict.
void judge(benchmark::State& state, const std::shared_ptr<const Library>& library) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(judge_x86(library->code.image));
  }
  set_rate(state, *library);
}

void zydis_minimal(benchmark::State& state, const std::shared_ptr<const Library>& library) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
  for (auto _ : state) {
    std::uint64_t instructions = 0;
    for_each_function(*library, [&](const std::uint8_t* start, std::size_t size, std::size_t) {
      for (std::size_t at = 0; at < size; ++instructions) {
        ZydisDecodedInstruction found;
        at += ZYAN_SUCCESS(
                  ZydisDecoderDecodeInstruction(&decoder, nullptr, start + at, size - at, &found))
                  ? found.length
                  : 1U;
      }
    });
    benchmark::DoNotOptimize(instructions);
  }
  set_rate(state, *library);
}

double seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  constexpr double kMicro = 1e-6;
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * kMicro;
}

/// CPU time of the child; its output goes nowhere. Once: it takes long.
void objdump(benchmark::State& state,
             const std::shared_ptr<const Library>& library,
             const std::string& path) {
  for (auto _ : state) {
    const double before = seconds_of_children();
    const auto outcome = run_process({"sh", "-c", "exec objdump -d \"$0\" > /dev/null", path},
                                     {.timeout = std::chrono::minutes(5)});
    if (!outcome || !outcome->ok()) {
      state.SkipWithError("objdump cannot be run");
      return;
    }
    state.SetIterationTime(seconds_of_children() - before);
  }
  set_rate(state, *library);
}

int register_all() {
  std::vector<std::string> paths{"/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1",
                                 "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
                                 "/usr/lib/x86_64-linux-gnu/libavcodec.so.59",
                                 "/usr/lib/x86_64-linux-gnu/libx265.so.199",
                                 "/usr/bin/node"};
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (const char* added = std::getenv("FITMENT_BENCH_FILE"); added != nullptr) {
    paths.emplace_back(added);
  }
  for (const std::string& path : paths) {
    const std::shared_ptr<const Library> library = load(path);
    if (library == nullptr) {
      continue;
    }
    const std::string name = std::filesystem::path(path).filename().string();
    const auto add = [&](const char* what, const auto& function) {
      benchmark::RegisterBenchmark((what + ("/" + name)).c_str(), function, library)
          ->Unit(benchmark::kMillisecond);
    };
    add("decode", decode);
    add("scan", scan);
    add("judge", judge);
    add("zydis_minimal", zydis_minimal);
    benchmark::RegisterBenchmark(("objdump/" + name).c_str(), objdump, library, path)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1);
  }
  return 0;
}

[[maybe_unused]] const int kRegistered = register_all();

}  // namespace
}  // namespace fitment
