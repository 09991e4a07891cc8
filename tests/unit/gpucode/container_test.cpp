// SPDX-License-Identifier: Apache-2.0
#include "gpucode/container.h"

#include "support/fatbin_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

GpuCodeList walk(const std::string& bytes, WalkMode mode = WalkMode::back_to_back) {
  const auto source = memory_source(bytes, "x.fatbin");
  BlockReader reader(*source, 64, 256);
  GpuCodeList list;
  walk_containers(reader, {".nv_fatbin", "", 0, bytes.size()}, mode, list);
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

TEST(Containers, ReadsEveryField) {
  const auto list = walk(build_fatbin({
      {.kind = 2, .arch = 90, .flags = 0x100011, .payload = 128, .text = "k.cu"},
      {.kind = 1,
       .arch = 120,
       .flags = 0x8011,
       .payload = 40,
       .compressed = 37,
       .inflated = 900,
       .major = 9,
       .minor = 0},
      {.kind = 2,
       .arch = 103,
       .flags = 0x202011,
       .payload = 16,
       .compressed = 15,
       .inflated = 64,
       .minor = 7},
      {.kind = 8, .arch = 75, .flags = 0x18011, .payload = 24, .compressed = 20, .inflated = 50},
  }));
  EXPECT_THAT(list.malformed, IsEmpty());
  EXPECT_THAT(targets(list), ElementsAre("sm_90a", "compute_120", "sm_103f", "lto_75"));
  const auto& entries = list.containers.at(0).entries;
  EXPECT_EQ(entries[0].kind, CodeKind::cubin);
  EXPECT_EQ(entries[0].header_bytes, 72U);
  EXPECT_EQ(entries[0].stored_bytes, 200U);
  EXPECT_EQ(entries[0].inflated_bytes, 128U);
  EXPECT_EQ(entries[0].compression, Compression::none);
  EXPECT_EQ(version_text(entries[0]), "CUDA 13");
  EXPECT_EQ(entries[1].kind, CodeKind::ptx);
  EXPECT_EQ(entries[1].inflated_bytes, 900U);
  EXPECT_EQ(entries[1].compression, Compression::zstd);
  EXPECT_EQ(version_text(entries[1]), "PTX 9.0");
  EXPECT_EQ(entries[2].compression, Compression::lz4);
  EXPECT_EQ(version_text(entries[2]), "CUDA 12");
  EXPECT_EQ(entries[3].kind, CodeKind::lto_ir);
}

TEST(Containers, UnknownKindsAndTargetsAreKept) {
  const auto list = walk(build_fatbin({
      {.kind = 64, .arch = 90, .payload = 8},
      {.kind = 2, .arch = 5000, .payload = 8},
      {.kind = 2, .arch = 80, .payload = 8, .compressed = 7},
  }));
  EXPECT_THAT(list.malformed, IsEmpty());
  const auto& entries = list.containers.at(0).entries;
  EXPECT_EQ(entries[0].kind, CodeKind::unknown);
  EXPECT_EQ(entries[0].kind_number, 64);
  EXPECT_FALSE(entries[1].target);
  EXPECT_EQ(target_text(entries[1]), "architecture 5000");
  EXPECT_EQ(entries[2].compression, Compression::unknown);
  EXPECT_FALSE(entries[2].inflated_bytes);
}

TEST(Containers, FollowOneAnotherWithZerosBetween) {
  const std::string one = build_fatbin({{.arch = 80}});
  const std::string two = build_fatbin({{.arch = 86}, {.arch = 89}});
  for (const std::size_t padding : {0U, 8U, 40U, 4096U}) {
    const auto list = walk(one + std::string(padding, '\0') + two + std::string(padding, '\0'));
    EXPECT_THAT(list.malformed, IsEmpty()) << padding;
    EXPECT_THAT(targets(list), ElementsAre("sm_80", "sm_86", "sm_89")) << padding;
  }
}

TEST(Containers, AmongOtherDataTheyAreFoundByMagic) {
  const std::string one = build_fatbin({{.arch = 80}});
  const std::string noise(300008, 'x');
  const std::string bytes = noise + one + noise + one + noise;
  EXPECT_THAT(targets(walk(bytes, WalkMode::anywhere)), ElementsAre("sm_80", "sm_80"));
  EXPECT_THAT(walk(bytes, WalkMode::anywhere).malformed, IsEmpty());
  const auto strict = walk(bytes);
  EXPECT_THAT(targets(strict), ElementsAre("sm_80", "sm_80"));
  ASSERT_THAT(strict.malformed, SizeIs(3));
  EXPECT_THAT(strict.malformed[0].message, HasSubstr("300008 bytes"));
}

TEST(Containers, DamageIsListedAndTheRestIsRead) {
  const std::string good = build_fatbin({{.arch = 86}});
  std::string bad = build_fatbin({{.arch = 80}, {.arch = 75}});
  bad[16 + 128 + 5] = '\x7f';  // header size of the second entry
  const auto list = walk(bad + good);
  EXPECT_THAT(targets(list), ElementsAre("sm_80", "sm_86"));
  ASSERT_THAT(list.malformed, SizeIs(1));
  EXPECT_EQ(list.malformed[0].offset, 16U + 128U);
  EXPECT_EQ(list.malformed[0].place, ".nv_fatbin");

  std::string huge = good;
  huge[15] = '\x7f';  // size of the container
  const auto next = walk(huge + good);
  EXPECT_THAT(targets(next), testing::Contains("sm_86"));
  EXPECT_FALSE(next.malformed.empty());
}

TEST(Containers, EveryTruncationIsSaid) {
  const std::string bytes = build_fatbin({{.arch = 80, .text = "name"}, {.arch = 86}});
  for (std::size_t size = 17; size < bytes.size(); ++size) {
    const auto list = walk(bytes.substr(0, size));
    EXPECT_FALSE(list.malformed.empty()) << size;
    EXPECT_LE(list.malformed.size(), 2U) << size;
  }
  // An extent that leaves the file is said as well.
  const auto source = memory_source(bytes, "x");
  BlockReader reader(*source);
  GpuCodeList list;
  walk_containers(reader, {".nv_fatbin", "", 0, ~std::uint64_t{0}}, WalkMode::back_to_back, list);
  EXPECT_THAT(list.malformed, SizeIs(1));
  EXPECT_THAT(list.containers, SizeIs(1));
}

/// Counts what is read of it.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(std::string bytes) : ByteSource("counted"), bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] std::uint64_t bytes_read() const { return read_; }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    read_ += count;
    return bytes_.copy(out, count, offset);
  }

 private:
  std::string bytes_;
  mutable std::uint64_t read_ = 0;
};

TEST(Containers, StayInsideOfTheFile) {
  std::string bytes = build_fatbin({{.kind = 2, .arch = 90, .payload = 64}});
  bytes[7] = '\x10';  // a header of more than 4096 bytes
  const auto list = walk(bytes);
  ASSERT_THAT(list.containers, SizeIs(1));
  EXPECT_EQ(list.containers[0].size, bytes.size());
  EXPECT_THAT(list.malformed, SizeIs(1));
  // An extent whose end wraps around.
  const auto source = memory_source(bytes, "x.fatbin");
  BlockReader reader(*source, 64, 256);
  GpuCodeList wrapped;
  walk_containers(reader, {"", "", 8, ~std::uint64_t{0}}, WalkMode::anywhere, wrapped);
  EXPECT_THAT(wrapped.containers, IsEmpty());
}

TEST(Containers, TheCostIsIndependentOfThePayload) {
  const auto bytes_read = [](std::uint64_t payload) {
    const CountingSource source(build_fatbin(std::vector<FatbinEntry>(10, {.payload = payload})));
    BlockReader reader(source, 256, 4096);
    GpuCodeList list;
    walk_containers(reader, {"", "", 0, source.size()}, WalkMode::back_to_back, list);
    EXPECT_EQ(list.containers.at(0).entries.size(), 10U);
    return source.bytes_read();
  };
  EXPECT_EQ(bytes_read(1U << 20U), bytes_read(1U << 16U));
  EXPECT_LT(bytes_read(1U << 20U), 5000U);
}

}  // namespace
}  // namespace fitment
