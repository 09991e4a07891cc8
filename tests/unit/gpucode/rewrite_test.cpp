// SPDX-License-Identifier: Apache-2.0
// What a container keeps for which GPU, and its new bytes.
#include "gpucode/rewrite.h"

#include "base/md5.h"
#include "gpucode/compressed_bundle.h"
#include "gpucode/recompress.h"
#include "gpucode/scan.h"
#include "support/compressed_bundle.h"
#include "support/noise.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kArchSuffix = 0x100011;
constexpr std::uint64_t kFamilySuffix = 0x200011;

FatbinEntry cubin(std::uint32_t arch, std::uint64_t flags = 0x11) {
  return {.arch = arch, .flags = flags};
}
FatbinEntry ptx(std::uint32_t arch) {
  return {.kind = 1, .arch = arch, .major = 8, .minor = 5};
}

KeepPolicy policy_for(const std::vector<std::string>& targets, KeepPtx keep = KeepPtx::needed) {
  KeepPolicy policy{.targets = {}, .ptx = keep};
  for (std::string text : targets) {
    KeepTarget target;
    target.wants_ptx = text.ends_with("+ptx");
    if (target.wants_ptx) {
      text.resize(text.size() - 4);
    }
    target.gpu =
        parse_gpu_target(text.starts_with("gfx") ? GpuVendor::amd : GpuVendor::nvidia, text)
            .value();
    policy.targets.push_back(std::move(target));
  }
  return policy;
}

GpuContainer one_container(const std::string& bytes) {
  const auto source = memory_source(bytes, "x");
  const auto code = scan_gpu_code(*source);
  EXPECT_TRUE(code);
  EXPECT_EQ(code->containers.size(), 1U);
  return code->containers.at(0);
}

std::vector<std::string> kept(const std::vector<FatbinEntry>& entries, const KeepPolicy& policy) {
  const GpuContainer container = one_container(build_fatbin(entries));
  const EntrySelection selection = select_entries(container, policy);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < container.entries.size(); ++i) {
    if (selection.keep[i]) {
      texts.push_back(target_text(container.entries[i]));
    }
  }
  return texts;
}

TEST(Keep, TheHighestThatRunsInEachContainer) {
  const std::vector<FatbinEntry> all{
      cubin(75), cubin(80), cubin(86), cubin(89), cubin(90), ptx(75), ptx(90)};
  EXPECT_THAT(kept(all, policy_for({"sm_86"})), ElementsAre("sm_86"));
  EXPECT_THAT(kept(all, policy_for({"sm_80", "sm_89"})), ElementsAre("sm_80", "sm_89"));
  EXPECT_THAT(kept({cubin(75), cubin(80)}, policy_for({"sm_86"})), ElementsAre("sm_80"));
  EXPECT_THAT(kept({cubin(75), cubin(90)}, policy_for({"sm_86"})), IsEmpty());
  EXPECT_THAT(kept(all, policy_for({"sm_100"})), ElementsAre("compute_90"));
  EXPECT_THAT(kept(all, policy_for({"sm_100"}, KeepPtx::none)), IsEmpty());
  EXPECT_THAT(kept(all, policy_for({"sm_86+ptx"})), ElementsAre("sm_86", "compute_75"));
  EXPECT_THAT(kept(all, policy_for({"sm_86"}, KeepPtx::newest)),
              ElementsAre("sm_86", "compute_90"));
  EXPECT_THAT(kept(all, policy_for({"sm_86"}, KeepPtx::all)),
              ElementsAre("sm_86", "compute_75", "compute_90"));
}

TEST(Keep, TheHighestOfEachSuffixClass) {
  EXPECT_THAT(kept({cubin(90), cubin(90, kArchSuffix)}, policy_for({"sm_90"})),
              ElementsAre("sm_90", "sm_90a"));
  EXPECT_THAT(kept({cubin(100),
                    cubin(100, kFamilySuffix),
                    cubin(103, kFamilySuffix),
                    cubin(100, kArchSuffix)},
                   policy_for({"sm_103"})),
              ElementsAre("sm_100", "sm_103f"));
}

TEST(Keep, MoreWhereEvidenceConflicts) {
  // Desktop code may or may not run on an Orin: it stays, and so does the PTX that surely compiles.
  EXPECT_THAT(kept({cubin(80), cubin(90), ptx(80)}, policy_for({"sm_87"})),
              ElementsAre("sm_80", "compute_80"));
}

TEST(Keep, WhatIsNotUnderstoodStays) {
  const FatbinEntry lto{.kind = 8, .arch = 90};
  const FatbinEntry strange{.kind = 64, .arch = 90};
  const FatbinEntry nowhere{.kind = 2, .arch = 5};
  EXPECT_THAT(kept({lto, strange, nowhere, cubin(90)}, policy_for({"sm_75"})),
              ElementsAre("lto_90", "sm_90", "architecture 5"));
  const EntrySelection selection =
      select_entries(one_container(build_fatbin({cubin(90)})), policy_for({"gfx942"}));
  EXPECT_FALSE(selection.is_subject) << "no GPU of that vendor was named";
  EXPECT_EQ(selection.kept(), 1U);
}

TEST(Keep, CodeObjectsByNameAndFeature) {
  const GpuContainer bundle =
      one_container(build_bundle({{"host-x86_64-unknown-linux--", 0},
                                  {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", 64},
                                  {"hipv4-amdgcn-amd-amdhsa--gfx942", 64},
                                  {"hipv4-amdgcn-amd-amdhsa--gfx11-generic", 64}}));
  const EntrySelection selection = select_entries(bundle, policy_for({"gfx942"}));
  EXPECT_THAT(selection.keep, ElementsAre(false, true, true));
}

TEST(Rewrite, KeptEntriesMoveDownAsTheyAre) {
  std::vector<FatbinEntry> entries{cubin(75), cubin(86), cubin(90), ptx(90)};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].fill = static_cast<char>('a' + i);
    entries[i].payload = 128 * (i + 1);
    entries[i].text = "name.cu";
  }
  const std::string bytes = build_fatbin(entries);
  const auto source = memory_source(bytes, "x");
  const GpuContainer container = one_container(bytes);
  const KeepPolicy policy = policy_for({"sm_86", "sm_90"});
  const RewrittenContainer rewritten =
      rewrite_container(container, select_entries(container, policy), nullptr, {});
  EXPECT_EQ(read_spliced(*source, rewritten.bytes, 1 << 20).value(),
            build_fatbin({entries[1], entries[2]}));
  EXPECT_EQ(rewritten.saved(), 128U + 512U + 2 * (64U + 8U));
}

TEST(Rewrite, AContainerWithNothingToKeepGetsTheSmallestForeignCode) {
  const std::string small = build_fatbin({{.arch = 75, .payload = 64, .fill = 's'}});
  const std::string large =
      build_fatbin({{.arch = 90, .payload = 4096}, {.kind = 1, .arch = 90, .payload = 2048}});
  const std::string bytes = build_object({{".nv_fatbin", small + large}});
  const auto source = memory_source(bytes, "x");
  const auto code = scan_gpu_code(*source).value();
  const KeepPolicy policy = policy_for({"sm_86"});
  const auto donors = find_donors(code.containers, policy);
  ASSERT_TRUE(donors.contains(".nv_fatbin"));
  const GpuEntry& donor = donors.at(".nv_fatbin");
  const auto rewritten = [&](const GpuContainer& container, const GpuEntry* stub) {
    return read_spliced(
               *source,
               rewrite_container(container, select_entries(container, policy), stub, {}).bytes,
               1 << 20)
        .value();
  };
  EXPECT_EQ(rewritten(code.containers[1], &donor), small);
  EXPECT_EQ(rewritten(code.containers[0], &donor), small);
  EXPECT_EQ(rewritten(code.containers[1], nullptr),
            build_fatbin({{.kind = 1, .arch = 90, .payload = 2048}}))
      << "without a donor its own smallest entry";
  EXPECT_TRUE(find_donors(code.containers, policy_for({"sm_75", "sm_90"})).empty());
}

TEST(Rewrite, BundlesKeepTheirAlignment) {
  const std::string bytes = build_bundle({{"host-x86_64-unknown-linux--", 0},
                                          {"hipv4-amdgcn-amd-amdhsa--gfx906", 9000},
                                          {"hipv4-amdgcn-amd-amdhsa--gfx942", 5000}});
  const auto source = memory_source(bytes, "x");
  const GpuContainer bundle = one_container(bytes);
  const auto rewritten =
      rewrite_bundle(*source, bundle, select_entries(bundle, policy_for({"gfx942"})));
  ASSERT_TRUE(rewritten) << to_string(rewritten.error());
  const std::string made = read_spliced(*source, rewritten->bytes, 1 << 20).value();
  EXPECT_LT(made.size(), bytes.size());
  const GpuContainer again = one_container(made);
  ASSERT_EQ(again.entries.size(), 1U);
  EXPECT_EQ(target_text(again.entries[0]), "gfx942");
  EXPECT_EQ(again.entries[0].offset % 4096, bundle.entries[1].offset % 4096);
  EXPECT_EQ(made.substr(again.entries[0].offset, 5000), std::string(5000, '\x7f'));
}

TEST(Rewrite, CompressedBundlesAreInflatedCutAndCompressedAgain) {
  const std::string code = noise(5000, 7);
  const std::string plain = build_bundle_of({{"host-x86_64-unknown-linux--", ""},
                                             {"hipv4-amdgcn-amd-amdhsa--gfx906", noise(9000, 1)},
                                             {"hipv4-amdgcn-amd-amdhsa--gfx942", code},
                                             {"hipv4-amdgcn-amd-amdhsa--gfx1100", ""}});
  for (const int version : {1, 2, 3}) {
    for (const bool zstd : {false, true}) {
      SCOPED_TRACE(fmt::format("version {} zstd {}", version, zstd));
      const std::string bytes = build_compressed_bundle(plain, version, zstd);
      const auto source = memory_source(bytes, "x");
      const GpuContainer bundle = one_container(bytes);
      const auto rewritten =
          rewrite_bundle(*source, bundle, select_entries(bundle, policy_for({"gfx942"})));
      ASSERT_TRUE(rewritten) << to_string(rewritten.error());
      EXPECT_GT(rewritten->saved(), 8000U);
      const std::string made = read_spliced(*source, rewritten->bytes, 1 << 20).value();
      EXPECT_EQ(made.substr(0, 8), bytes.substr(0, 8)) << "the same version and method";
      const auto made_source = memory_source(made, "made");
      const GpuContainer again = one_container(made);
      ASSERT_EQ(again.entries.size(), 1U);
      EXPECT_EQ(target_text(again.entries[0]), "gfx942");
      EXPECT_EQ(again.size, made.size());
      const std::string inside = inflate_bundle(*made_source, again).value();
      EXPECT_EQ(inside.substr(inside.size() - code.size()), code);
      EXPECT_EQ(parse_compressed_bundle(made)->hash, md5_start(inside))
          << "AMD's code object manager keys its cache by it";
      // For the targets that it has, a bundle stays as it is.
      const auto same = rewrite_bundle(
          *source, bundle, select_entries(bundle, policy_for({"gfx906", "gfx942", "gfx1100"})));
      ASSERT_TRUE(same);
      EXPECT_EQ(same->saved(), 0U);
      EXPECT_EQ(same->entries.size(), bundle.entries.size());
      EXPECT_EQ(read_spliced(*source, same->bytes, 1 << 20).value(), bytes);
    }
  }
}

TEST(Rewrite, DamagedCompressedBundlesAreErrors) {
  const std::string good =
      build_compressed_bundle(build_bundle_of({{"hip-amdgcn-amd-amdhsa--gfx906", noise(90'000, 1)},
                                               {"hip-amdgcn-amd-amdhsa--gfx942", noise(500, 2)}}),
                              2,
                              false);  // zlib has a checksum
  const auto rewrite = [](const std::string& bytes) {
    const auto source = memory_source(bytes, "x");
    const GpuContainer bundle = one_container(bytes);
    EXPECT_EQ(bundle.entries.size(), 2U);
    const auto made =
        rewrite_bundle(*source, bundle, select_entries(bundle, policy_for({"gfx942"})));
    return made ? "" : made.error().message();
  };
  EXPECT_EQ(rewrite(good), "");
  std::string bytes = good;
  bytes[good.size() - 100] ^= '\x55';
  EXPECT_THAT(rewrite(bytes), testing::HasSubstr("damaged"));
  bytes = good;
  bytes[12] ^= '\1';  // the inflated size
  EXPECT_THAT(rewrite(bytes), testing::HasSubstr("does not inflate to"));
  bytes[15] = '\x7f';
  EXPECT_THAT(rewrite(bytes), testing::HasSubstr("sizes cannot be true"));
}

TEST(Recompress, RawAndLz4BecomeZstdThatInflatesToTheSame) {
  for (const std::uint16_t kind : {std::uint16_t{1}, std::uint16_t{2}}) {
    FatbinEntry entry{.kind = kind, .arch = 86, .payload = 8192, .text = "a.cu", .fill = 'k'};
    const std::string bytes = build_fatbin({entry});
    const auto source = memory_source(bytes, "x");
    const GpuContainer container = one_container(bytes);
    ASSERT_TRUE(may_recompress(container.entries[0]));
    const auto made = recompress_entry(*source, container.entries[0]);
    ASSERT_TRUE(made && *made);
    EXPECT_LT((*made)->size(), 512U);
    const RewrittenContainer rewritten =
        rewrite_container(container,
                          select_entries(container, policy_for({"sm_86"}, KeepPtx::all)),
                          nullptr,
                          {{container.entries[0].offset, **made}});
    const std::string result = read_spliced(*source, rewritten.bytes, 1 << 20).value();
    const GpuContainer again = one_container(result);
    EXPECT_EQ(again.entries[0].compression, Compression::zstd);
    EXPECT_EQ(inflate_entry(*memory_source(result, "y"), again.entries[0]).value(),
              std::string(8192, 'k'));
    EXPECT_FALSE(may_recompress(again.entries[0]));
  }
}

TEST(Recompress, Lz4Blocks) {
  // Literals "abcd", a match of 8 at distance 4, then literals to the end.
  const std::string block(
      "\x44"
      "abcd\x04\x00\x10z",
      9);
  EXPECT_EQ(inflate_lz4_block(block, 13).value(), "abcdabcdabcdz");
  EXPECT_FALSE(inflate_lz4_block(block, 12));
  EXPECT_FALSE(inflate_lz4_block(block, 14));
  EXPECT_FALSE(inflate_lz4_block(std::string("\x44"
                                             "abcd\x09\x00",
                                             7),
                                 12))
      << "before the start";
  EXPECT_FALSE(inflate_lz4_block("\xff", 100));
  const std::string run(
      "\x1f"
      "a\x01\x00\xff\x05\x00",
      7);  // one literal, then 15+255+5+4 of it
  EXPECT_EQ(inflate_lz4_block(run, 280).value(), std::string(280, 'a'));
}

TEST(Recompress, LyingSizesAreErrors) {
  FatbinEntry entry{.flags = 0x2011, .payload = 64, .compressed = 60, .inflated = 1ULL << 40U};
  const auto source = memory_source(build_fatbin({entry}), "x");
  EXPECT_FALSE(inflate_entry(*source, one_container(build_fatbin({entry})).entries[0]));
  entry.inflated = 1000;
  entry.compressed = 65;
  EXPECT_FALSE(inflate_entry(*source, one_container(build_fatbin({entry})).entries[0]));
}

}  // namespace
}  // namespace fitment
