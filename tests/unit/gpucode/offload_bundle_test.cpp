// SPDX-License-Identifier: Apache-2.0
#include "gpucode/offload_bundle.h"

#include "support/compressed_bundle.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<std::pair<std::string, std::uint64_t>> kTwo{
    {"host-x86_64-unknown-linux--", 0},
    {"hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", 5000},
    {"hipv4-amdgcn-amd-amdhsa--gfx1100", 700}};

GpuCodeList walk(const std::string& bytes) {
  const auto source = memory_source(bytes, "x.hip");
  BlockReader reader(*source);
  GpuCodeList list;
  walk_bundles(reader, {".hip_fatbin", "", 0, bytes.size()}, list);
  return list;
}

std::vector<std::string> targets(const GpuCodeList& list) {
  std::vector<std::string> texts;
  for (const GpuContainer& container : list.containers) {
    for (const GpuEntry& entry : container.entries) {
      texts.push_back(target_text(entry));
    }
  }
  return texts;
}

std::vector<std::string> messages(const GpuCodeList& list) {
  std::vector<std::string> texts;
  for (const MalformedCode& one : list.malformed) {
    texts.push_back(fmt::format("{:#x} {}", one.offset, one.message));
  }
  return texts;
}

std::string compressed_bundle(int version, bool zstd) {
  return build_compressed_bundle(build_bundle(kTwo), version, zstd);
}

TEST(Bundles, ListTargetsWithFeatures) {
  const auto list = walk(build_bundle(kTwo));
  EXPECT_THAT(messages(list), IsEmpty());
  EXPECT_THAT(targets(list), ElementsAre("gfx90a:sramecc+:xnack-", "gfx1100"));
  const auto& entries = list.containers.at(0).entries;
  EXPECT_EQ(entries[0].kind, CodeKind::code_object);
  EXPECT_EQ(entries[0].stored_bytes, 5000U);
  EXPECT_EQ(entries[1].inflated_bytes, 700U);
}

TEST(Bundles, FollowOneAnotherAlignedToPages) {
  std::string bytes = build_bundle(kTwo);
  bytes.resize(8192);
  bytes += build_bundle({{"hip-amdgcn-amd-amdhsa-gfx906", 16}});
  bytes.resize(12288);
  const auto list = walk(bytes);
  EXPECT_THAT(messages(list), IsEmpty());
  EXPECT_THAT(targets(list), ElementsAre("gfx90a:sramecc+:xnack-", "gfx1100", "gfx906"));
}

TEST(Bundles, CompressedOnesAreListedByTheirBeginning) {
  for (const int version : {1, 2, 3}) {
    for (const bool zstd : {false, true}) {
      SCOPED_TRACE(fmt::format("version {} zstd {}", version, zstd));
      std::string bytes = compressed_bundle(version, zstd);
      const std::size_t size = bytes.size();
      bytes.resize((size + 4095) / 4096 * 4096);
      const auto list = walk(bytes + build_bundle({{"hip-amdgcn-amd-amdhsa-gfx906", 16}}));
      EXPECT_THAT(messages(list), IsEmpty());
      EXPECT_THAT(targets(list), ElementsAre("gfx90a:sramecc+:xnack-", "gfx1100", "gfx906"));
      const GpuContainer& container = list.containers.at(0);
      EXPECT_EQ(container.format, ContainerFormat::compressed_bundle);
      if (version > 1) {
        EXPECT_EQ(container.size, size);
      }
      EXPECT_EQ(container.entries[0].inflated_bytes, 5000U);
      EXPECT_FALSE(container.entries[0].stored_bytes);
      EXPECT_EQ(container.entries[0].compression, zstd ? Compression::zstd : Compression::zlib);
    }
  }
}

TEST(Bundles, DamagedDataAreStillAnEntry) {
  std::string bytes = compressed_bundle(2, true);
  bytes.replace(24, 16, std::string(16, 'x'));
  const auto list = walk(bytes);
  ASSERT_THAT(list.containers, SizeIs(1));
  EXPECT_THAT(targets(list), ElementsAre("unknown"));
  EXPECT_EQ(list.containers[0].entries[0].stored_bytes, bytes.size());
}

TEST(Bundles, TruncationsAndLiesAreMalformed) {
  const std::string bytes = build_bundle(kTwo);
  for (std::size_t size = 25; size < bytes.size(); size += 13) {
    EXPECT_FALSE(walk(bytes.substr(0, size)).malformed.empty()) << size;
  }
  std::string lies = bytes;
  lies[31] = '\x7f';
  EXPECT_THAT(walk(lies).malformed, SizeIs(1));
  EXPECT_THAT(walk(compressed_bundle(2, true).substr(0, 40)).malformed, SizeIs(1));
}

TEST(Bundles, ThePartOfAMagicIsPassedOver) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) {
    bytes += "__CLANG_OFFLOAD_BUNDLE.........";
    bytes += '.';
  }
  const auto list = walk(bytes + build_bundle(kTwo));
  EXPECT_THAT(list.containers, SizeIs(1));
  EXPECT_THAT(messages(list), ElementsAre("0x0 3200000 bytes that belong to no bundle"));
}

TEST(Bundles, ReadsWhatClangsBundlerWrites) {
  if (!have_program("clang-offload-bundler-14")) {
    GTEST_SKIP() << "clang-offload-bundler-14 is not installed";
  }
  const Workshop shop;
  shop.write("host.o", "");
  shop.write("a.co", std::string(100, 'a'));
  shop.write("b.co", std::string(300, 'b'));
  static_cast<void>(
      shop.run({"clang-offload-bundler-14",
                "-type=o",
                "-bundle-align=4096",
                "-targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx942:xnack+,hipv4-"
                "amdgcn-amd-amdhsa--gfx1030",
                fmt::format("-inputs=/dev/null,{},{}", shop.path("a.co"), shop.path("b.co")),
                "-outputs=" + shop.path("out.hipfb")}));
  const auto list = walk(read_file(shop.path("out.hipfb")).value());
  EXPECT_THAT(messages(list), IsEmpty());
  EXPECT_THAT(targets(list), ElementsAre("gfx942:xnack+", "gfx1030"));
  EXPECT_EQ(list.containers.at(0).entries[1].stored_bytes, 300U);
}

}  // namespace
}  // namespace fitment
