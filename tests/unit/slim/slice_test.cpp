// SPDX-License-Identifier: Apache-2.0
// Slices of libraries that are compiled here, judged by the loader, by strip and patchelf, and by
// what the library itself reads through its wrappers.
#include "slim/slice.h"

#include "elf/elf_file.h"
#include "gpucode/slice_note.h"
#include "slim/targets.h"
#include "support/compressed_bundle.h"
#include "support/fatbin_library.h"
#include "support/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

namespace fitment {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

FatbinEntry cubin(std::uint32_t arch, std::uint64_t payload, char fill) {
  return {.arch = arch, .payload = payload, .fill = fill};
}

/// Twelve containers of some pages; the third has no code for sm_86.
std::vector<std::string> containers() {
  std::vector<std::string> all;
  for (int i = 0; i < 12; ++i) {
    const auto fill = static_cast<char>('a' + i);
    all.push_back(i == 2 ? build_fatbin({cubin(75, 50'000, fill), cubin(90, 64, 'd')})
                         : build_fatbin({cubin(75, 50'000, 'x'),
                                         cubin(86, 1000 + 8 * static_cast<std::uint64_t>(i), fill),
                                         cubin(90, 40'000, 'y'),
                                         {.kind = 1, .arch = 90, .payload = 20'000}}));
  }
  return all;
}

/// What each of them is for sm_86.
std::vector<std::string> sliced_containers() {
  std::vector<std::string> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(
        i == 2 ? build_fatbin({cubin(90, 64, 'd')})
               : build_fatbin({cubin(
                   86, 1000 + 8 * static_cast<std::uint64_t>(i), static_cast<char>('a' + i))}));
  }
  return all;
}

class Slice : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_program("gcc")) {
      GTEST_SKIP() << "gcc is not on PATH";
    }
    options_.policy.targets = parse_keep_targets("sm_86").value();
    options_.smallest_hole = 4096;
  }

  SlicePlan plan(const std::string& name) const {
    const auto source = open_file_source(shop_.path(name));
    auto plan = plan_slice(**source, options_);
    EXPECT_TRUE(plan) << to_string(plan.error());
    return plan ? std::move(*plan) : SlicePlan();
  }

  /// Slices `name` into `name`.slim.
  SlicePlan slice(const std::string& name) const {
    SlicePlan planned = plan(name);
    const auto proof = apply_slice(shop_.path(name),
                                   planned,
                                   options_,
                                   {.output = shop_.path(name + ".slim"), .syncs = false});
    EXPECT_TRUE(proof) << to_string(proof.error());
    return planned;
  }

  void expect_works(const std::string& name, std::size_t count = 12) const {
    const LoadedLibrary loaded = load_fatbin_library(shop_.path(name), count);
    EXPECT_TRUE(loaded.is_loaded) << name << ": " << loaded.error;
    EXPECT_EQ(loaded.answer, 42);
    std::vector<std::string> expected = sliced_containers();
    expected.resize(count);
    EXPECT_EQ(loaded.containers, expected) << name;
  }

  void expect_survives_tools(const std::string& name) const {
    if (have_program("strip")) {
      static_cast<void>(shop_.run({"strip", "-o", shop_.path("stripped.so"), shop_.path(name)}));
      expect_works("stripped.so");
    }
    if (have_program("patchelf")) {
      static_cast<void>(shop_.run({"patchelf",
                                   "--set-rpath",
                                   "$ORIGIN/" + std::string(300, 'x'),
                                   "--output",
                                   shop_.path("patched.so"),
                                   shop_.path(name)}));
      expect_works("patched.so");
    }
  }

  Workshop shop_;
  SliceOptions options_;
};

TEST_F(Slice, ALibraryLosesItsPagesAndKeepsItsAddresses) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  const SlicePlan planned = slice("lib.so");
  EXPECT_TRUE(planned.is_changed);
  EXPECT_EQ(planned.risk, SliceRisk::low);
  EXPECT_EQ(planned.stubs, 1U);
  EXPECT_EQ(planned.holes_left, 0U);
  EXPECT_GE(planned.holes, 12U);
  EXPECT_GT(planned.saved_bytes(), 1'000'000U);
  EXPECT_EQ(std::filesystem::file_size(shop_.path("lib.so.slim")), planned.after_bytes);
  expect_works("lib.so.slim");
  // Again there is nothing to do.
  EXPECT_FALSE(plan("lib.so.slim").is_changed);
}

TEST_F(Slice, LayoutsOfOtherLinkers) {
  const std::vector<std::vector<std::string>> layouts{
      {"-Wl,-z,noseparate-code"},
      {"-Wl,-z,max-page-size=0x200000,-z,noseparate-code"},
      {"-Wl,-z,max-page-size=0x200000"},
      {"-g", "-Wl,--hash-style=both"},
      {"-Wl,-z,now", "-Wl,-s"}};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const std::string name = fmt::format("lib{}.so", i);
    SCOPED_TRACE(layouts[i].front());
    build_fatbin_library(shop_, name, {.containers = containers(), .flags = layouts[i]});
    EXPECT_EQ(slice(name).holes_left, 0U);
    expect_works(name + ".slim");
  }
}

TEST_F(Slice, ProgramsRunAsBefore) {
  for (const char* flag : {"-pie", "-no-pie"}) {
    build_fatbin_library(
        shop_, "program", {.containers = containers(), .flags = {flag}, .is_program = true});
    EXPECT_GT(slice("program").saved_bytes(), 500'000U) << flag;
    const auto outcome = run_process({shop_.path("program.slim")});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->code, 42) << flag << outcome->err;
    EXPECT_EQ(outcome->end, ProcessOutcome::End::exited);
  }
}

TEST_F(Slice, SurvivesStripAndPatchelf) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  slice("lib.so");
  expect_survives_tools("lib.so.slim");
  if (have_program("patchelf")) {  // and the other way around
    static_cast<void>(shop_.run({"patchelf",
                                 "--set-rpath",
                                 "$ORIGIN/" + std::string(300, 'x'),
                                 "--output",
                                 shop_.path("first.so"),
                                 shop_.path("lib.so")}));
    slice("first.so");
    expect_works("first.so.slim");
  }
}

TEST_F(Slice, DebugInformationLeavesWithOrWithoutGpuCode) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers(), .flags = {"-g3"}});
  const auto sections = [&](const std::string& name) {
    return have_program("readelf") ? shop_.run({"readelf", "-SW", shop_.path(name)}) : "";
  };
  options_.drops_debug_info = true;
  const SlicePlan both = slice("lib.so");
  EXPECT_GT(both.debug_bytes, 4096U);
  EXPECT_GT(both.saved_bytes(), both.debug_bytes + 1'000'000);
  EXPECT_THAT(sections("lib.so.slim"), testing::Not(HasSubstr(".debug_")));
  expect_works("lib.so.slim");
  if (have_program("strip")) {
    static_cast<void>(
        shop_.run({"strip", "-o", shop_.path("stripped.so"), shop_.path("lib.so.slim")}));
    expect_works("stripped.so");
  }
  options_.cuts_gpu_code = false;
  options_.policy.targets.clear();
  const SlicePlan alone = slice("lib.so");
  EXPECT_EQ(alone.debug_bytes, both.debug_bytes);
  EXPECT_EQ(alone.holes, 0U);
  EXPECT_THAT(sections("lib.so.slim"), testing::Not(HasSubstr(".debug_")));
  const LoadedLibrary loaded = load_fatbin_library(shop_.path("lib.so.slim"), 12);
  EXPECT_EQ(loaded.answer, 42) << loaded.error;
  EXPECT_TRUE(loaded.containers == load_fatbin_library(shop_.path("lib.so"), 12).containers);
  EXPECT_FALSE(plan("lib.so.slim").is_changed);
}

TEST_F(Slice, PackMovesOnlyWhatOneWrapperNames) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers(), .nameless = 1});
  const SlicePlan split = plan("lib.so");
  options_.packs = true;
  const SlicePlan packed = slice("lib.so");
  EXPECT_LT(packed.after_bytes, split.after_bytes);
  EXPECT_EQ(packed.risk, SliceRisk::medium);
  EXPECT_LE(packed.holes, 2U);
  expect_works("lib.so.slim", 11);
}

// The hash table moves so that the program headers have room; of its old place they need little.
TEST_F(Slice, TheOldPlaceOfWhatMovesLeavesTheFileAsWell) {
  std::string names;
  for (int i = 0; i < 3000; ++i) {
    names += fmt::format(".globl name{0}\nname{0}:\n", i);
  }
  shop_.write("names.s", names);
  build_fatbin_library(shop_, "few.so", {.containers = containers()});
  build_fatbin_library(
      shop_, "many.so", {.containers = containers(), .flags = {shop_.path("names.s")}});
  options_.packs = true;
  const SlicePlan few = slice("few.so");
  const SlicePlan many = slice("many.so");
  EXPECT_EQ(many.holes, few.holes + 1);
  EXPECT_EQ(many.holes_left, 0U);
  expect_works("many.so.slim");
  expect_survives_tools("many.so.slim");
  EXPECT_FALSE(plan("many.so.slim").is_changed);
}

TEST_F(Slice, RecompressedCodeInflatesToWhatItWas) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  options_.recompresses = true;
  const SlicePlan planned = slice("lib.so");
  EXPECT_EQ(planned.recompressed, 11U);
  EXPECT_EQ(planned.risk, SliceRisk::medium);
  EXPECT_THAT(planned.warnings, Contains(HasSubstr("12.4")));
  EXPECT_TRUE(load_fatbin_library(shop_.path("lib.so.slim"), 12).is_loaded);
}

TEST_F(Slice, TheNoteSaysWhatWasTakenFromWhat) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  slice("lib.so");
  const auto source = open_file_source(shop_.path("lib.so.slim"));
  const auto note = read_slice_note(ElfFile::read(**source).value());
  ASSERT_TRUE(note);
  EXPECT_EQ(note->original_sha256, shop_.run({"sha256sum", shop_.path("lib.so")}).substr(0, 64));
  EXPECT_EQ(note->original_bytes, std::filesystem::file_size(shop_.path("lib.so")));
  EXPECT_THAT(note->targets, ElementsAre("sm_86"));
  EXPECT_THAT(note->kept, ElementsAre("sm_86"));
  EXPECT_THAT(note->removed, ElementsAre("compute_90", "sm_75", "sm_90"));
}

TEST_F(Slice, InPlaceKeepsAttributesAndLeavesHardLinksAlone) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  std::filesystem::create_hard_link(shop_.path("lib.so"), shop_.path("cache.so"));
  ASSERT_EQ(::chmod(shop_.path("lib.so").c_str(), 0555), 0);
  const auto before = read_file(shop_.path("cache.so")).value();
  const auto time = std::filesystem::last_write_time(shop_.path("lib.so"));
  const auto proof = apply_slice(shop_.path("lib.so"), plan("lib.so"), options_, {});
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_THAT(proof->statements, Contains(HasSubstr("the loader")));
  EXPECT_EQ(read_file(shop_.path("cache.so")).value(), before);
  EXPECT_EQ(std::filesystem::last_write_time(shop_.path("lib.so")), time);
  struct stat info {};
  ::stat(shop_.path("lib.so").c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777U, 0555U);
  expect_works("lib.so");
}

TEST_F(Slice, AnyFailureReplacesNothing) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  SlicePlan planned = plan("lib.so");
  const std::string digest = shop_.run({"sha256sum", shop_.path("lib.so")});
  // A plan that keeps less than the GPU needs does not pass the proof.
  planned.rewritten[5].entries[0].source_offset += 8;
  EXPECT_FALSE(apply_slice(shop_.path("lib.so"), planned, options_, {}));
  // Neither does one for a file that has grown since.
  EXPECT_EQ(shop_.run({"sha256sum", shop_.path("lib.so")}), digest);
  planned = plan("lib.so");
  std::filesystem::resize_file(shop_.path("lib.so"),
                               std::filesystem::file_size(shop_.path("lib.so")) + 1);
  EXPECT_FALSE(apply_slice(shop_.path("lib.so"), planned, options_, {}));
  std::filesystem::create_symlink(shop_.path("lib.so"), shop_.path("link.so"));
  EXPECT_FALSE(apply_slice(shop_.path("link.so"), planned, options_, {})) << "a link";
  const std::vector<std::string> names = list_folder(shop_.root()).value();
  for (const std::string& name : names) {
    EXPECT_FALSE(name.starts_with(".lib.so")) << name;
  }
}

TEST_F(Slice, ObjectsAndArchivesLinkAsBefore) {
  // An object as nvcc makes it: one container at the section's start.
  shop_.write("one.fatbin", containers()[3]);
  const std::string source = fmt::format(
      "extern const unsigned char fatbinData[];\n"
      "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.align 8\\nfatbinData:\\n.incbin \\\"{}\\\"\\n"
      ".size fatbinData, .-fatbinData\\n.text\\n\");\n"
      "const unsigned char* data(void) {{ return fatbinData; }}\n",
      shop_.path("one.fatbin"));
  shop_.compile("one.o", source, {"-c"});
  shop_.compile("main.o",
                "const unsigned char* data(void);\n"
                "int main(void) { return data()[25] == 4 && data()[80] == 'd' ? 42 : 1; }\n",
                {"-c"});
  EXPECT_GT(slice("one.o").saved_bytes(), 100'000U);
  static_cast<void>(
      shop_.run({"ar", "crs", shop_.path("lib.a"), shop_.path("main.o"), shop_.path("one.o")}));
  EXPECT_GT(slice("lib.a").saved_bytes(), 100'000U);
  for (const std::string input : {"one.o.slim", "lib.a.slim"}) {
    std::vector<std::string> command{"gcc", "-o", shop_.path("program")};
    if (input == "one.o.slim") {
      command.push_back(shop_.path("main.o"));
    }
    // The linker decides by content, but wants to be told for an archive with another name.
    std::filesystem::copy_file(shop_.path(input),
                               shop_.path(input == "one.o.slim" ? "two.o" : "libtwo.a"),
                               std::filesystem::copy_options::overwrite_existing);
    command.push_back(shop_.path(input == "one.o.slim" ? "two.o" : "libtwo.a"));
    static_cast<void>(shop_.run(command));
    const auto outcome = run_process({shop_.path("program")});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->code, 42) << input;
  }
}

TEST_F(Slice, BareContainersAndBundles) {
  shop_.write("k.fatbin", containers()[3]);
  slice("k.fatbin");
  EXPECT_EQ(read_file(shop_.path("k.fatbin.slim")).value(), sliced_containers()[3]);
  options_.policy.targets = parse_keep_targets("gfx942").value();
  shop_.write("k.hipfb",
              build_bundle({{"host-x86_64-unknown-linux--", 0},
                            {"hipv4-amdgcn-amd-amdhsa--gfx906", 9000},
                            {"hipv4-amdgcn-amd-amdhsa--gfx942", 5000}}));
  EXPECT_GT(slice("k.hipfb").saved_bytes(), 4000U);
  options_.policy.targets = parse_keep_targets("gfx1100").value();
  EXPECT_GT(slice("k.hipfb").saved_bytes(), 13'000U) << "a bundle without code for this GPU";
}

TEST_F(Slice, BundlesInALibraryPlainAndCompressed) {
  options_.policy.targets = parse_keep_targets("gfx942").value();
  const auto code = [](const std::string& target, std::uint32_t seed) {
    return std::pair("hipv4-amdgcn-amd-amdhsa--" + target, noise(30'000, seed));
  };
  const std::string both = build_bundle_of({code("gfx906", 1), code("gfx942", 2)});
  const std::vector<std::string> bundles{
      both,
      build_bundle_of({code("gfx942", 3)}),  // loses nothing
      build_compressed_bundle(both, 1, true),
      build_compressed_bundle(both, 2, true),
      build_compressed_bundle(both, 3, false),
      build_compressed_bundle(build_bundle_of({code("gfx942", 4)}), 2, true)};
  std::string assembly = ".section .hip_fatbin,\\\"a\\\"\\n";
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    shop_.write(fmt::format("{}.hipfb", i), bundles[i]);
    assembly += fmt::format(".p2align 12\\nbundle{}:\\n.incbin \\\"{}\\\"\\n",
                            i,
                            shop_.path(fmt::format("{}.hipfb", i)));
  }
  const std::string source =
      fmt::format("__asm__(\"{}.text\\n\");\nint answer(void) {{ return 42; }}\n", assembly);
  shop_.compile("lib.so", source, {"-shared", "-fPIC"});
  shop_.compile("one.o", source, {"-c"});
  for (const std::string name : {"lib.so", "one.o"}) {
    const SlicePlan planned = slice(name);
    EXPECT_EQ(planned.containers, 6U);
    if (name == "one.o") {  // objects lose what is at the end of a section alone
      EXPECT_FALSE(planned.is_changed);
      EXPECT_EQ(read_file(shop_.path("one.o.slim")).value(),
                read_file(shop_.path("one.o")).value());
      continue;
    }
    EXPECT_GT(planned.saved_bytes(), 95'000U);
    const auto source_after = open_file_source(shop_.path(name + ".slim"));
    const GpuCode after = scan_gpu_code(**source_after).value();
    EXPECT_THAT(after.malformed, testing::IsEmpty());
    ASSERT_THAT(after.containers, SizeIs(6));
    for (const GpuContainer& container : after.containers) {
      EXPECT_THAT(container.entries, SizeIs(1));
      EXPECT_EQ(target_text(container.entries.at(0)), "gfx942");
    }
    // Again: nothing more goes.
    EXPECT_FALSE(plan_slice(**source_after, options_)->is_changed) << name;
  }
}

TEST_F(Slice, WhatCostsMoreThanItSavesIsCopiedByteForByte) {
  build_fatbin_library(
      shop_, "lib.so", {.containers = {build_fatbin({cubin(75, 64, 'a'), cubin(86, 64, 'b')})}});
  const SlicePlan planned = slice("lib.so");
  EXPECT_FALSE(planned.is_changed);
  EXPECT_THAT(planned.why, HasSubstr("smaller than what its removal costs"));
  EXPECT_EQ(read_file(shop_.path("lib.so.slim")).value(), read_file(shop_.path("lib.so")).value());
}

TEST_F(Slice, LoadingForRealIsToldAndComparedWithTheOriginal) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  const auto load = [&](const std::string& name) {
    return apply_slice(shop_.path(name),
                       plan(name),
                       options_,
                       {.output = shop_.path(name + ".slim"), .syncs = false, .load_tests = true});
  };
  const auto proof = load("lib.so");
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_THAT(proof->statements, Contains(HasSubstr("loaded it with RTLD_NOW and ran")));
  // A library that aborts when it is loaded does so before and after.
  shop_.write("k.fatbin", containers()[0]);
  shop_.compile("abort.so",
                fmt::format("__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.align 8\\n.incbin "
                            "\\\"{}\\\"\\n.text\\n\");\n"
                            "__attribute__((constructor)) static void fall(void) "
                            "{{ __builtin_trap(); }}\n",
                            shop_.path("k.fatbin")),
                {"-shared", "-fPIC"});
  const auto same = load("abort.so");
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_THAT(same->statements,
              Contains(HasSubstr("does not load on this host either: the child")));
}

TEST_F(Slice, SaysWhenNothingIsLeftForAnyTarget) {
  shop_.write("k.fatbin", build_fatbin({cubin(75, 5000, 'a'), cubin(90, 64, 'b')}));
  const SlicePlan planned = plan("k.fatbin");
  EXPECT_EQ(planned.risk, SliceRisk::high);
  EXPECT_THAT(planned.warnings, Contains(HasSubstr("no GPU code of this file runs on sm_86")));
}

TEST_F(Slice, HostileFilesStayAsTheyAre) {
  build_fatbin_library(shop_, "lib.so", {.containers = containers()});
  const std::string good = read_file(shop_.path("lib.so")).value();
  const auto field = [&](std::string bytes, std::uint64_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) {
      bytes[at + i] = static_cast<char>(value >> (8 * i));
    }
    return bytes;
  };
  const auto source = memory_source(good, "lib.so");
  const ElfFile elf = ElfFile::read(*source).value();
  const std::uint64_t segments = elf.header().segment_table_offset;
  const std::uint64_t rows = elf.header().section_table_offset;
  std::uint64_t second_load = 0;
  std::size_t loads = 0;
  for (std::size_t i = 0; i < elf.segments().size(); ++i) {
    if (elf.segments()[i].type == SegmentType::pt_load && ++loads == 2) {
      second_load = segments + 56 * i;
    }
  }
  const ElfSections sections = elf.read_sections().value();
  const auto index = static_cast<std::uint64_t>(sections.find(".nv_fatbin") - sections.all.data());
  const std::uint64_t fatbin = rows + 64 * index;
  const std::uint64_t container = sections.find(".nv_fatbin")->offset;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"segments share bytes", field(good, second_load + 8, 0)},
      {"overlap in memory", field(good, second_load + 16, 0)},
      {"leaves the file", field(good, second_load + 32, 1ULL << 62U)},
      {"congruent", field(good, second_load + 16, elf.segments()[1].address + 0x8)},
      {"container", field(good, container + 8, 1ULL << 60U)},
      {"container", field(good, container + 16 + 8, 1ULL << 60U)},
      {"", field(good, fatbin + 32, 1ULL << 60U)},
      {"", field(good, fatbin + 24, good.size() - 16)},
      {"behind everything", good + "appended"},
      {"", good.substr(0, good.size() / 2)}};
  for (const auto& [words, bytes] : cases) {
    const auto hostile = memory_source(bytes, "hostile.so");
    const auto planned = plan_slice(*hostile, options_);
    if (!planned) {
      EXPECT_THAT(planned.error().message(), HasSubstr(words));
    } else {
      EXPECT_FALSE(planned->is_changed) << words;
    }
  }
  EXPECT_FALSE(plan_slice(*memory_source(good, "x"), SliceOptions())) << "no targets";
}

TEST_F(Slice, ARelocationIntoDeadBytesForbidsTheSlice) {
  FatbinLibrary library{
      .containers = containers(), .nameless = 0, .flags = {}, .is_program = false};
  build_fatbin_library(shop_, "a.so", library);
  shop_.write("c.fatbin", containers()[0]);
  shop_.compile(
      "lib.so",
      fmt::format("__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.align 8\\n.hidden fb\\n.globl fb\\n"
                  "fb:\\n.incbin \\\"{}\\\"\\n.text\\n\");\n"
                  "extern const char fb[];\nconst char* inside = fb + 60000;\n",
                  shop_.path("c.fatbin")),
      {"-shared", "-fPIC"});
  const auto source = open_file_source(shop_.path("lib.so"));
  const auto planned = plan_slice(**source, options_);
  ASSERT_FALSE(planned);
  EXPECT_THAT(planned.error().message(), HasSubstr("a relocation points to"));
}

TEST(Targets, AreGpusWithOrWithoutPtx) {
  const auto targets = parse_keep_targets("sm_90+ptx, sm_86,9.0,gfx942:xnack-,sm_90a");
  ASSERT_TRUE(targets);
  EXPECT_EQ(to_string(*targets), "sm_86, sm_90+ptx, gfx942:xnack-");
  for (const char* text : {"", "sm_86,", "compute_90", "gfx942+ptx", "rtx", "sm_"}) {
    EXPECT_FALSE(parse_keep_targets(text)) << text;
  }
}

}  // namespace
}  // namespace fitment
