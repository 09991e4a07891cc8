// SPDX-License-Identifier: Apache-2.0
#include "elf/ld_so_cache.h"

#include "elf/fields.h"
#include "elf/text_allowance.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kOldMagic = "ld.so-1.7.0";
constexpr std::string_view kNewMagic = "glibc-ld.so.cache1.1";
constexpr std::uint64_t kOldHeader = 16;
constexpr std::uint64_t kOldRow = 12;
constexpr std::uint64_t kNewHeader = 48;
constexpr std::uint64_t kNewRow = 24;
constexpr std::uint64_t kNewAlignment = 8;
constexpr std::uint32_t kExtensionMagic = 0xeaa42174;
constexpr std::uint32_t kHwcapsSection = 1;
constexpr std::uint32_t kHwcapExtension = 1U << 30U;  // of the upper half of the capabilities
constexpr std::uint64_t kTextLimit = 4096;
constexpr std::uint32_t kElf = 1;           // FLAG_ELF: any libc
constexpr std::uint32_t kX86 = 0x0303;      // FLAG_X8664_LIB64 | FLAG_ELF_LIBC6
constexpr std::uint32_t kAarch64 = 0x0a03;  // FLAG_AARCH64_LIB64 | FLAG_ELF_LIBC6

class CacheParser {
 public:
  CacheParser(std::string_view bytes, const std::string& source)
      : bytes_(bytes), source_(source), texts_(bytes.size()) {}

  Result<std::vector<LdCacheEntry>> parse();

 private:
  [[nodiscard]] Error bad(std::string message, std::uint64_t offset) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at({source_, {}, {}, offset})
        .hint("run `ldconfig` to write the cache anew");
  }
  [[nodiscard]] bool has_rows(std::uint64_t at, std::uint64_t count, std::uint64_t size) const {
    return at <= bytes_.size() && count <= (bytes_.size() - at) / size;
  }
  [[nodiscard]] Result<std::string> text(std::uint64_t at, std::uint64_t row);
  Result<std::vector<LdCacheEntry>> parse_old(std::uint64_t count);
  Result<std::vector<LdCacheEntry>> parse_new(std::uint64_t start);
  [[nodiscard]] Result<std::vector<std::string>> parse_hwcaps(std::uint64_t start);

  std::string_view bytes_;
  const std::string& source_;
  TextAllowance texts_;
};

Result<std::string> CacheParser::text(std::uint64_t at, std::uint64_t row) {
  if (at >= bytes_.size()) {
    return bad(fmt::format("a text at {:#x} is outside the cache", at), row);
  }
  std::string text(load_text(bytes_.substr(0, std::min(bytes_.size(), at + kTextLimit)), at));
  if (!texts_.take(text.size())) {
    return bad("the texts of the cache are too long", row);
  }
  return text;
}

Result<std::vector<LdCacheEntry>> CacheParser::parse() {
  if (bytes_.starts_with(kNewMagic)) {
    return parse_new(0);
  }
  if (!bytes_.starts_with(kOldMagic)) {
    return bad("this is not a loader cache: it starts with neither magic", 0);
  }
  const std::uint64_t count = load_field<std::uint32_t>(bytes_, 12);
  if (!has_rows(kOldHeader, count, kOldRow)) {
    return bad(fmt::format("the cache claims {} entries", count), 12);
  }
  const std::uint64_t end = kOldHeader + count * kOldRow;
  const std::uint64_t start = (end + kNewAlignment - 1) / kNewAlignment * kNewAlignment;
  if (start < bytes_.size() && bytes_.substr(start).starts_with(kNewMagic)) {
    return parse_new(start);
  }
  return parse_old(count);
}

Result<std::vector<LdCacheEntry>> CacheParser::parse_old(std::uint64_t count) {
  std::vector<LdCacheEntry> entries;
  const std::uint64_t strings = kOldHeader + count * kOldRow;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t row = kOldHeader + i * kOldRow;
    LdCacheEntry entry;
    entry.flags = load_field<std::uint32_t>(bytes_, row);
    FITMENT_TRY_ASSIGN(entry.name, text(strings + load_field<std::uint32_t>(bytes_, row + 4), row));
    FITMENT_TRY_ASSIGN(entry.path, text(strings + load_field<std::uint32_t>(bytes_, row + 8), row));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::vector<LdCacheEntry>> CacheParser::parse_new(std::uint64_t start) {
  constexpr std::uint64_t kCountAt = 20;
  const std::uint64_t count = load_field<std::uint32_t>(bytes_, start + kCountAt);
  if (bytes_.size() - start < kNewHeader || !has_rows(start + kNewHeader, count, kNewRow)) {
    return bad(fmt::format("the cache claims {} entries", count), start + kCountAt);
  }
  FITMENT_TRY_ASSIGN(const std::vector<std::string> hwcaps, parse_hwcaps(start));
  std::vector<LdCacheEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t row = start + kNewHeader + i * kNewRow;
    LdCacheEntry entry;
    entry.flags = load_field<std::uint32_t>(bytes_, row);
    FITMENT_TRY_ASSIGN(entry.name, text(start + load_field<std::uint32_t>(bytes_, row + 4), row));
    FITMENT_TRY_ASSIGN(entry.path, text(start + load_field<std::uint32_t>(bytes_, row + 8), row));
    const auto index = load_field<std::uint32_t>(bytes_, row + 16);
    const auto upper = load_field<std::uint32_t>(bytes_, row + 20);
    if (upper == kHwcapExtension) {
      if (index >= hwcaps.size()) {
        return bad(fmt::format("an entry refers to hwcaps folder {} of {}", index, hwcaps.size()),
                   row + 16);
      }
      entry.hwcaps = hwcaps[index];
    } else {
      entry.legacy_hwcap = index != 0 || upper != 0;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Extension: magic, count, then (tag, flags, offset, size) each; offsets count from the file start.
Result<std::vector<std::string>> CacheParser::parse_hwcaps(std::uint64_t start) {
  std::vector<std::string> names;
  const std::uint64_t offset = load_field<std::uint32_t>(bytes_, start + 32);
  if (offset == 0) {
    return names;
  }
  const std::uint64_t at = offset;
  const std::uint64_t count = load_field<std::uint32_t>(bytes_, at + 4);
  if (load_field<std::uint32_t>(bytes_, at) != kExtensionMagic || !has_rows(at + 8, count, 16)) {
    return bad("the cache's extension block is damaged", at);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t row = at + 8 + i * 16;
    if (load_field<std::uint32_t>(bytes_, row) != kHwcapsSection) {
      continue;
    }
    const std::uint64_t table = load_field<std::uint32_t>(bytes_, row + 8);
    const std::uint64_t size = load_field<std::uint32_t>(bytes_, row + 12);
    if (!has_rows(table, size / 4, 4)) {
      return bad("the names of hwcaps folders are outside the cache", row);
    }
    for (std::uint64_t k = 0; k + 4 <= size; k += 4) {
      FITMENT_TRY_ASSIGN(std::string name,
                         text(load_field<std::uint32_t>(bytes_, table + k), table + k));
      names.push_back(std::move(name));
    }
    break;
  }
  return names;
}

}  // namespace

Result<LdCache> LdCache::parse(std::string_view bytes, const std::string& source) {
  LdCache cache;
  FITMENT_TRY_ASSIGN(cache.entries_, CacheParser(bytes, source).parse());
  std::stable_sort(cache.entries_.begin(),
                   cache.entries_.end(),
                   [](const LdCacheEntry& a, const LdCacheEntry& b) { return a.name < b.name; });
  return cache;
}

const LdCacheEntry* LdCache::find(std::string_view name,
                                  ElfMachine machine,
                                  const std::vector<std::string>& hwcaps) const {
  const std::uint32_t own = machine == ElfMachine::em_aarch64 ? kAarch64 : kX86;
  const LdCacheEntry* best = nullptr;
  std::size_t best_rank = hwcaps.size();
  auto at = std::lower_bound(
      entries_.begin(), entries_.end(), name, [](const LdCacheEntry& entry, std::string_view text) {
        return entry.name < text;
      });
  for (; at != entries_.end() && at->name == name; ++at) {
    if ((at->flags != own && at->flags != kElf) || at->legacy_hwcap) {
      continue;
    }
    if (!at->hwcaps) {
      if (best == nullptr) {
        best = &*at;
      }
      continue;
    }
    const auto rank = static_cast<std::size_t>(std::find(hwcaps.begin(), hwcaps.end(), *at->hwcaps)
                                               - hwcaps.begin());
    if (rank < best_rank) {
      best = &*at;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace fitment
