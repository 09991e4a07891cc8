// SPDX-License-Identifier: Apache-2.0
#include "gpucode/scan.h"

#include "support/cuda_toolkit.h"
#include "support/fatbin_builder.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

GpuCode scan(const std::string& bytes) {
  const auto source = memory_source(bytes, "x");
  auto code = scan_gpu_code(*source);
  EXPECT_TRUE(code) << to_string(code.error());
  return code ? std::move(*code) : GpuCode();
}

GpuCode scan_file(const std::string& path) {
  const auto source = open_file_source(path);
  if (!source) {
    ADD_FAILURE() << to_string(source.error());
    return {};
  }
  auto code = scan_gpu_code(**source);
  EXPECT_TRUE(code) << to_string(code.error());
  return code ? std::move(*code) : GpuCode();
}

/// `kind target` of all totals.
std::vector<std::string> totals(const GpuCode& code) {
  std::vector<std::string> texts;
  for (const TargetTotal& total : total_by_target(code.containers)) {
    texts.push_back(fmt::format("{} {} x{}", to_string(total.kind), total.target, total.entries));
  }
  return texts;
}

TEST(Scan, FindsEverySectionThatHoldsCode) {
  const auto one = [](std::uint32_t arch) { return build_fatbin({{.arch = arch}}); };
  const GpuCode code =
      scan(build_object({{".text", std::string(100, 'x')},
                         {".nv_fatbin", one(80) + one(86)},
                         {"__nv_relfatbin", one(90)},
                         {".cask_resource", std::string(1000, 'i') + one(100)},
                         {".ldata", one(75) + std::string(16, 'x') + one(75)},
                         {".lrodata", std::string(64, 'x')},
                         {".hip_fatbin", build_bundle({{"hip-amdgcn-amd-amdhsa--gfx90a", 32}})},
                         {".rodata", one(70)}}));
  EXPECT_EQ(code.kind, GpuFileKind::object);
  EXPECT_THAT(code.malformed, IsEmpty());
  EXPECT_THAT(totals(code),
              UnorderedElementsAre("cubin sm_80 x1",
                                   "cubin sm_86 x1",
                                   "cubin sm_90 x1",
                                   "cubin sm_100 x1",
                                   "cubin sm_75 x2",
                                   "code-object gfx90a x1"));
  EXPECT_EQ(code.containers[0].place, ".nv_fatbin");
  EXPECT_EQ(code.entry_count(), 7U);
}

TEST(Scan, KnowsFilesThatAreCodeThemselves) {
  EXPECT_EQ(scan(build_fatbin({{.arch = 80}})).kind, GpuFileKind::container);
  EXPECT_EQ(scan(build_bundle({{"hip-amdgcn-amd-amdhsa--gfx90a", 32}})).kind, GpuFileKind::bundle);
  const GpuCode ptx =
      scan("//\n// comment\n\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(ptx.kind, GpuFileKind::ptx);
  EXPECT_THAT(totals(ptx), ElementsAre("ptx compute_90a x1"));
  EXPECT_EQ(version_text(ptx.containers[0].entries[0]), "PTX 8.5");
  for (const char* text :
       {"", "plain text", "// only a comment", ".version x\n.target sm_90\n", ".version 8.5\n"}) {
    EXPECT_EQ(scan(text).kind, GpuFileKind::none) << text;
  }
  std::string object(64, '\0');
  object.replace(0,
                 9,
                 std::string("\x7f"
                             "ELF\2\1\1\x40\3",
                             9));
  object[18] = '\xe0';
  object[48] = '\x4c';
  object[49] = '\x06';  // xnack off, sramecc any
  EXPECT_THAT(totals(scan(object)), ElementsAre("code-object gfx942:xnack- x1"));
}

TEST(Scan, DamagedFilesAreErrorsAndDamagedCodeIsListed) {
  const auto broken = memory_source("!<arch>\nbroken", "x.a");
  EXPECT_FALSE(scan_gpu_code(*broken));
  std::string container = build_fatbin({{.arch = 80}});
  container[16 + 4] = '\x01';
  const GpuCode code = scan(build_object({{".nv_fatbin", container}}));
  ASSERT_THAT(code.malformed, SizeIs(1));
  EXPECT_EQ(code.malformed[0].offset, 64U + 16U);
}

TEST(Scan, OverlappingSectionsAreWalkedOnce) {
  std::string object =
      build_object({{".nv_fatbin", build_fatbin({{.arch = 80}})}, {".ldata", "x"}});
  // The second section's offset and size become the first one's.
  const std::size_t rows = object.size() - 4 * 64;
  object.replace(rows + 2 * 64 + 24, 16, object.substr(rows + 64 + 24, 16));
  EXPECT_THAT(scan(object).containers, SizeIs(1));
}

TEST(Scan, TotalsAreUnknownWhereASizeIs) {
  GpuEntry known;
  known.kind = CodeKind::code_object;
  known.target_text = "a";
  known.stored_bytes = 5;
  known.inflated_bytes = 7;
  GpuEntry unknown = known;
  unknown.stored_bytes.reset();
  unknown.compression = Compression::zstd;
  GpuContainer container;
  container.entries = {known, known};
  const auto sure = total_by_target({container});
  EXPECT_EQ(sure.at(0).stored_bytes, 10U);
  EXPECT_EQ(sure[0].compression_text(), "none");
  container.entries = {known, unknown};
  const auto unsure = total_by_target({container});
  EXPECT_FALSE(unsure.at(0).stored_bytes);
  EXPECT_EQ(unsure[0].inflated_bytes, 14U);
  EXPECT_EQ(unsure[0].compression_text(), "mixed");
  const auto merged = merge_totals({sure, unsure});
  EXPECT_EQ(merged.at(0).entries, 4U);
  EXPECT_FALSE(merged[0].stored_bytes);
}

class Nvcc : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_program("nvcc")) {
      GTEST_SKIP() << "nvcc is not on PATH";
    }
    shop_.write("k.cu",
                "__global__ void k(float* x) { x[threadIdx.x] *= 2; }\nvoid launch(float* x) { "
                "k<<<1, 32>>>(x); }\n");
  }
  void nvcc(std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.begin(), "nvcc");
    arguments.insert(arguments.end(), {shop_.path("k.cu"), "-o", shop_.path(out)});
    static_cast<void>(shop_.run(arguments));
  }
  Workshop shop_;
};

TEST_F(Nvcc, ObjectsWithSeveralTargets) {
  nvcc({"-c",
        "-rdc=true",
        "-gencode=arch=compute_80,code=[sm_80,compute_80]",
        "-gencode=arch=compute_90a,code=sm_90a",
        "-gencode=arch=compute_100f,code=sm_103f",
        "-gencode=arch=compute_120,code=lto_120"},
       "k.o");
  const GpuCode code = scan_file(shop_.path("k.o"));
  EXPECT_EQ(code.kind, GpuFileKind::object);
  EXPECT_THAT(code.malformed, IsEmpty());
  EXPECT_THAT(totals(code),
              testing::IsSupersetOf({"cubin sm_80 x1",
                                     "cubin sm_90a x1",
                                     "cubin sm_103f x1",
                                     "ptx compute_80 x1",
                                     "lto-ir lto_120 x1"}));
  EXPECT_EQ(code.wrappers, code.containers.size());
}

TEST_F(Nvcc, LibrariesArchivesAndRawContainers) {
  const std::vector<std::string> targets{"-gencode=arch=compute_86,code=sm_86",
                                         "-gencode=arch=compute_89,code=compute_89"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), targets.begin(), targets.end());
    return more;
  };
  nvcc(with({"-shared", "-Xcompiler=-fPIC"}), "libk.so");
  const GpuCode library = scan_file(shop_.path("libk.so"));
  EXPECT_EQ(library.kind, GpuFileKind::library);
  EXPECT_THAT(library.malformed, IsEmpty());
  EXPECT_THAT(totals(library), testing::Contains("ptx compute_89 x1"));
  nvcc(with({"-lib", "-rdc=true"}), "libk.a");
  const GpuCode archive = scan_file(shop_.path("libk.a"));
  EXPECT_EQ(archive.kind, GpuFileKind::archive);
  EXPECT_THAT(archive.malformed, IsEmpty());
  ASSERT_FALSE(archive.containers.empty());
  EXPECT_EQ(archive.containers[0].place, "__nv_relfatbin");
  EXPECT_THAT(archive.containers[0].member, HasSubstr("k.o"));
  EXPECT_EQ(archive.containers[0].entries.at(0).compression, Compression::zstd);
  nvcc(with({"-fatbin", "--compress-mode=speed"}), "k.fatbin");
  const GpuCode raw = scan_file(shop_.path("k.fatbin"));
  EXPECT_EQ(raw.kind, GpuFileKind::container);
  EXPECT_THAT(totals(raw), UnorderedElementsAre("cubin sm_86 x1", "ptx compute_89 x1"));
}

TEST_F(Nvcc, CubinsAndPtx) {
  for (const std::string target : {"sm_75", "sm_90", "sm_90a", "sm_100f", "sm_120a"}) {
    nvcc({"-cubin", "-arch=" + target}, "k.cubin");
    const GpuCode code = scan_file(shop_.path("k.cubin"));
    EXPECT_EQ(code.kind, GpuFileKind::cubin);
    EXPECT_THAT(totals(code), ElementsAre(fmt::format("cubin {} x1", target)));
  }
  nvcc({"-ptx", "-arch=compute_90a"}, "k.ptx");
  EXPECT_THAT(totals(scan_file(shop_.path("k.ptx"))), ElementsAre("ptx compute_90a x1"));
}

/// One library of the CUDA 13.0 toolkit, as slicing a copy by other means counted it.
struct Expected {
  std::uint64_t file_bytes;
  std::size_t containers;  ///< gathered by the linker
  std::size_t entries;
  std::size_t outside;  ///< containers among other data
};

TEST(CudaToolkit, HasNoMalformedContainer) {
  const auto folder = cuda_toolkit_libraries();
  if (!folder) {
    GTEST_SKIP() << "no CUDA libraries beside nvcc";
  }
  const std::map<std::string, Expected> known{
      {"libcublasLt.so.13", {541595600, 2782, 5737, 383}},
      {"libcufft.so.12", {286542352, 1, 1, 23983}},
      {"libcudnn_engines_precompiled.so.9", {245391920, 1379, 4036, 122}},
      {"libnccl.so.2", {217995896, 143, 976, 0}},
      {"libcusparse.so.12", {162565256, 134, 1037, 0}},
      {"libcusolver.so.12", {141152872, 226, 2277, 0}},
      {"libcurand.so.10", {132698328, 11, 109, 0}},
      {"libcudnn_adv.so.9", {109169104, 33, 241, 0}},
      {"libcusolverMg.so.12", {103956840, 103, 1047, 0}},
      {"libcublas.so.13", {54177976, 193, 1257, 0}},
      {"libcudnn_ops.so.9", {39855888, 22, 154, 0}},
  };
  const std::vector<std::string> names = list_folder(*folder).value();
  std::size_t libraries = 0;
  std::size_t containers = 0;
  std::size_t entries = 0;
  std::size_t of_known_size = 0;
  for (const std::string& name : names) {
    const std::filesystem::path path = *folder / name;
    if (name.find(".so") == std::string::npos || std::filesystem::is_symlink(path)
        || !std::filesystem::is_regular_file(path)) {
      continue;
    }
    SCOPED_TRACE(name);
    const GpuCode code = scan_file(path.string());
    EXPECT_THAT(code.malformed, IsEmpty());
    std::size_t gathered = 0;
    std::size_t gathered_entries = 0;
    for (const GpuContainer& container : code.containers) {
      if (container.place == ".nv_fatbin" || container.place == "__nv_relfatbin") {
        ++gathered;
        gathered_entries += container.entries.size();
      }
      for (const GpuEntry& entry : container.entries) {
        EXPECT_TRUE(entry.target.has_value()) << entry.offset;
        EXPECT_NE(entry.kind, CodeKind::unknown) << entry.offset;
      }
    }
    ++libraries;
    containers += gathered;
    entries += gathered_entries;
    const auto expected = known.find(name);
    if (expected != known.end()
        && expected->second.file_bytes == std::filesystem::file_size(path)) {
      EXPECT_EQ(gathered, expected->second.containers);
      EXPECT_EQ(gathered_entries, expected->second.entries);
      EXPECT_EQ(code.containers.size() - gathered, expected->second.outside);
      ++of_known_size;
    }
  }
  EXPECT_GT(libraries, 5U);
  if (of_known_size == known.size()) {  // this is CUDA 13.0 as measured
    EXPECT_EQ(containers, 5086U);
    EXPECT_EQ(entries, 17254U);
  }
}

}  // namespace
}  // namespace fitment
