// SPDX-License-Identifier: Apache-2.0
// Laws of slicing, over random containers and random GPUs.
#include "slim/slice.h"

#include "gpucode/compressed_bundle.h"
#include "gpucode/offload_bundle.h"
#include "gpucode/rewrite.h"
#include "gpucode/scan.h"
#include "machine/keep_rule.h"
#include "support/compressed_bundle.h"
#include "support/noise.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace fitment {
namespace {

const std::vector<std::uint32_t> kArchs{
    50, 53, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

std::vector<FatbinEntry> random_entries() {
  std::vector<FatbinEntry> entries;
  const auto count = *rc::gen::inRange(1, 9);
  for (int i = 0; i < count; ++i) {
    FatbinEntry entry;
    entry.kind = *rc::gen::weightedElement<std::uint16_t>({{6, 2}, {3, 1}, {1, 8}, {1, 64}});
    entry.arch = *rc::gen::elementOf(kArchs);
    entry.flags =
        *rc::gen::weightedElement<std::uint64_t>({{6, 0x11}, {2, 0x100011}, {2, 0x200011}});
    entry.payload = 8 * static_cast<std::uint64_t>(*rc::gen::inRange(1, 60));
    entry.fill = static_cast<char>('a' + i);
    entries.push_back(entry);
  }
  return entries;
}

KeepPolicy random_policy() {
  KeepPolicy policy;
  policy.ptx = *rc::gen::elementOf(
      std::vector<KeepPtx>{KeepPtx::none, KeepPtx::needed, KeepPtx::newest, KeepPtx::all});
  const auto count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t arch = *rc::gen::elementOf(kArchs);
    policy.targets.push_back({CudaTarget{static_cast<int>(arch / 10), static_cast<int>(arch % 10)},
                              *rc::gen::inRange(0, 4) == 0});
  }
  return policy;
}

/// Entries whose answer is at least `least`.
std::vector<const GpuEntry*> runnable(const GpuContainer& container,
                                      CodeKind kind,
                                      const CudaTarget& gpu,
                                      Runs least = Runs::unsure) {
  std::vector<const GpuEntry*> found;
  for (const GpuEntry& entry : container.entries) {
    if (entry.kind == kind && entry.target
        && code_runs_on(std::get<CudaTarget>(*entry.target), gpu) >= least) {
      found.push_back(&entry);
    }
  }
  return found;
}

GpuContainer parsed(const std::string& bytes) {
  const auto source = memory_source(bytes, "x");
  auto code = scan_gpu_code(*source);
  RC_ASSERT(code.has_value());
  RC_ASSERT(code->malformed.empty());
  RC_ASSERT(code->containers.size() == 1U);
  return code->containers[0];
}

TEST(SliceProperty, EveryGpuStillHasWhatItRan) {
  EXPECT_TRUE(rc::check([] {
    const std::string bytes = build_fatbin(random_entries());
    const KeepPolicy policy = random_policy();
    const auto source = memory_source(bytes, "x");
    const auto plan = plan_slice(*source, {.policy = policy});
    RC_ASSERT(plan.has_value());
    const GpuContainer before = parsed(bytes);
    const GpuContainer after = parsed(read_spliced(*source, plan->bytes, 1U << 20U).value());
    for (const KeepTarget& target : policy.targets) {
      const auto& gpu = std::get<CudaTarget>(target.gpu);
      const auto highest = [](const std::vector<const GpuEntry*>& entries,
                              CudaTarget::Suffix suffix) {
        int best = -1;
        for (const GpuEntry* entry : entries) {
          const auto& code = std::get<CudaTarget>(*entry->target);
          best = code.suffix == suffix ? std::max(best, code.number()) : best;
        }
        return best;
      };
      // Code that may or may not run counts only where none surely does.
      const bool has_native = !runnable(before, CodeKind::cubin, gpu, Runs::native).empty();
      const Runs least = has_native ? Runs::native : Runs::unsure;
      for (const auto suffix :
           {CudaTarget::Suffix::none, CudaTarget::Suffix::arch, CudaTarget::Suffix::family}) {
        RC_ASSERT(highest(runnable(before, CodeKind::cubin, gpu, least), suffix)
                  == highest(runnable(after, CodeKind::cubin, gpu, least), suffix));
        if ((!has_native && policy.ptx != KeepPtx::none) || target.wants_ptx) {
          RC_ASSERT(highest(runnable(before, CodeKind::ptx, gpu), suffix)
                    == highest(runnable(after, CodeKind::ptx, gpu), suffix));
        }
      }
    }
  }));
}

TEST(SliceProperty, WhatIsKeptIsByteForByteWhatItWas) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<FatbinEntry> entries = random_entries();
    const std::string bytes = build_fatbin(entries);
    const KeepPolicy policy = random_policy();
    const auto source = memory_source(bytes, "x");
    const auto plan = plan_slice(*source, {.policy = policy});
    RC_ASSERT(plan.has_value());
    const std::string result = read_spliced(*source, plan->bytes, 1U << 20U).value();
    RC_ASSERT(result.size() <= bytes.size());
    const GpuContainer after = parsed(result);
    std::size_t from = 0;
    for (const GpuEntry& entry : after.entries) {
      const std::string kept = result.substr(entry.offset, *entry.stored_bytes);
      const auto found = std::find_if(entries.begin() + static_cast<std::ptrdiff_t>(from),
                                      entries.end(),
                                      [&](const auto& e) { return build_fatbin_entry(e) == kept; });
      RC_ASSERT(found != entries.end());
      from = static_cast<std::size_t>(found - entries.begin()) + 1;
    }
    // Unknown kinds and intermediate code are never dropped.
    for (const FatbinEntry& entry : entries) {
      if (entry.kind > 2) {
        RC_ASSERT(result.find(build_fatbin_entry(entry)) != std::string::npos);
      }
    }
    const SplicedSource again(*source, plan->bytes, "x");
    const auto second = plan_slice(again, {.policy = policy});
    RC_ASSERT(second.has_value());
    RC_ASSERT(!second->is_changed);
  }));
}

/// Ids and code objects of a plain bundle.
std::vector<std::pair<std::string, std::string>> objects_of(const std::string& plain) {
  const auto source = memory_source(plain, "x");
  const auto bundle = read_plain_bundle(*source);
  RC_ASSERT(bundle.has_value());
  std::vector<std::pair<std::string, std::string>> objects;
  for (const GpuEntry& entry : bundle->entries) {
    objects.emplace_back(target_text(entry), plain.substr(entry.offset, entry.payload_bytes));
  }
  return objects;
}

TEST(SliceProperty, BundlesKeepWhatRunsAndWhatIsNotUnderstood) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> names{"gfx90a:xnack-",
                                         "gfx90a:xnack+",
                                         "gfx90a",
                                         "gfx906",
                                         "gfx942",
                                         "gfx1100",
                                         "gfx11-generic",
                                         "spirv"};
    std::vector<std::pair<std::string, std::string>> codes{{"host-x86_64-unknown-linux--", ""}};
    const auto count = *rc::gen::inRange(1, 6);
    for (int i = 0; i < count; ++i) {
      const auto size = static_cast<std::size_t>(*rc::gen::inRange(0, 9000));
      codes.emplace_back("hipv4-amdgcn-amd-amdhsa--" + *rc::gen::elementOf(names),
                         noise(size, static_cast<std::uint32_t>(i)));
    }
    const std::string plain = build_bundle_of(codes);
    const auto version = *rc::gen::inRange(0, 4);
    const std::string bytes =
        version == 0 ? plain : build_compressed_bundle(plain, version, *rc::gen::arbitrary<bool>());
    const GfxTarget gpu =
        parse_gfx_target(*rc::gen::elementOf(std::vector<std::string>{
                             "gfx90a", "gfx90a:xnack-", "gfx906", "gfx942", "gfx1100"}))
            .value();
    const auto source = memory_source(bytes, "x");
    const SliceOptions options{.policy = {.targets = {{gpu, false}}}};
    const auto plan = plan_slice(*source, options);
    RC_ASSERT(plan.has_value());
    const std::string result = read_spliced(*source, plan->bytes, 1U << 20U).value();
    RC_ASSERT(result.size() <= bytes.size());
    const auto made = memory_source(result, "made");
    RC_ASSERT(prove_slice(*source, *made, *plan, options).has_value());
    const std::string after_plain =
        version == 0 ? result : inflate_bundle(*made, parsed(result)).value();
    const auto before = objects_of(plain);
    const auto after = objects_of(after_plain);
    // What stays is in the order in which it was, byte for byte.
    std::size_t at = 0;
    for (const auto& object : before) {
      const auto target = parse_gfx_target(object.first);
      const bool stays = !target || object.first.ends_with("generic")
                         || code_runs_on(*target, gpu) == Runs::native;
      const bool is_next = at < after.size() && after[at] == object;
      RC_ASSERT(!stays || is_next || !plan->is_changed);
      at += is_next ? 1 : 0;
    }
    RC_ASSERT(at == after.size());
    RC_ASSERT(!plan_slice(*made, options)->is_changed);
  }));
}

TEST(SliceProperty, DamagedBundlesAreRefusedOrProven) {
  const std::string plain =
      build_bundle_of({{"host-x86_64-unknown-linux--", ""},
                       {"hipv4-amdgcn-amd-amdhsa--gfx906", std::string(9000, 'a') + noise(500, 1)},
                       {"hipv4-amdgcn-amd-amdhsa--gfx942", noise(700, 2)}});
  EXPECT_TRUE(rc::check([&] {
    const auto version = *rc::gen::inRange(0, 4);
    std::string bytes =
        version == 0 ? plain : build_compressed_bundle(plain, version, *rc::gen::arbitrary<bool>());
    const auto count = *rc::gen::inRange(1, 4);
    for (int i = 0; i < count; ++i) {
      // Most of what matters is at the beginning.
      const std::size_t limit = *rc::gen::arbitrary<bool>() ? 120 : bytes.size();
      const auto at = *rc::gen::inRange<std::size_t>(4, std::min(limit, bytes.size()));
      bytes[at] = *rc::gen::arbitrary<char>();
    }
    if (*rc::gen::inRange(0, 4) == 0) {
      bytes.resize(*rc::gen::inRange<std::size_t>(40, bytes.size()));
    }
    const auto source = memory_source(bytes, "x");
    const SliceOptions options{.policy = {.targets = {{*parse_gfx_target("gfx942"), false}}}};
    const auto plan = plan_slice(*source, options);
    if (plan && plan->is_changed) {
      const auto made =
          memory_source(read_spliced(*source, plan->bytes, 1U << 20U).value(), "made");
      RC_ASSERT(made->size() < bytes.size());
      RC_ASSERT(prove_slice(*source, *made, *plan, options).has_value());
    }
  }));
}

}  // namespace
}  // namespace fitment
