// SPDX-License-Identifier: Apache-2.0
#include "image/layer_entry.h"

#include "elf/file_view.h"
#include "image/layer_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fitment {

namespace {

/// Holes of a sparse file: more than any real one has, and than a disk should be asked for.
constexpr std::uint64_t kMostHoles = 16ULL << 30U;

Error refuse(const TarEntry& entry, std::string_view why) {
  return fail(ErrorCode::parse_error, fmt::format("the entry `{}` {}", entry.path, why));
}

/// The memory devices and terminals that every container gets anyway; root trees bring them along.
bool is_harmless_device(const TarEntry& entry, std::string_view path) {
  constexpr std::uint64_t kMemory = 1;
  constexpr std::uint64_t kTerminal = 5;
  return entry.type == kTarCharacterDevice && path.starts_with("/dev/")
         && ((entry.device_major == kMemory && entry.device_minor >= 3 && entry.device_minor <= 9)
             || (entry.device_major == kTerminal && entry.device_minor <= 2));
}

std::uint64_t hash_metadata(const TarEntry& entry) {
  constexpr std::uint64_t kModeBits = 07777;
  std::string text =
      fmt::format("{:o} {} {} {}", entry.mode & kModeBits, entry.uid, entry.gid, entry.mtime);
  if (const std::string* time = find_pax(entry.pax, "mtime")) {
    text += " " + *time;
  }
  std::vector<std::string> attributes;
  for (const auto& [key, value] : entry.pax) {
    if (key.find(".xattr.") != std::string::npos) {
      attributes.push_back(fmt::format("{}={}", key, value));
    }
  }
  std::sort(attributes.begin(), attributes.end());
  for (const std::string& attribute : attributes) {
    text += '\0' + attribute;
  }
  return hash_content(text).low;
}

/// Whiteouts by their names. False: an ordinary name.
Result<bool> take_marker(const TarEntry& entry, LayerEntry& to) {
  if (to.path.starts_with("/.wh..wh.") && to.path.substr(1) != kOpaque) {
    to.kind = EntryKind::aside;  // AUFS's own files, in the root
    return true;
  }
  if (std::string_view(to.path).substr(0, to.path.rfind('/')).find("/.wh.")
      != std::string_view::npos) {
    return refuse(entry, "stands below a whiteout");
  }
  const std::string name(file_name(to.path));
  if (!name.starts_with(kWhiteout)) {
    return false;
  }
  const std::string hidden = name.substr(kWhiteout.size());
  const std::string folder(parent_folder(to.path));
  if (name == kOpaque) {
    to.kind = EntryKind::opaque;
    to.path = folder;
  } else if (hidden.starts_with(kWhiteout)) {
    to.kind = EntryKind::aside;  // AUFS's own
  } else if (hidden.empty() || hidden == "." || hidden == "..") {
    return refuse(entry, "is a whiteout of nothing");
  } else {
    to.kind = EntryKind::whiteout;
    to.path = join_path(folder, hidden);
  }
  return true;
}

}  // namespace

Result<LayerEntry> classify_entry(const TarEntry& entry, std::string& hard_link) {
  LayerEntry to;
  to.archive_bytes = entry.raw.size() + tar_padded(entry.data_bytes);
  if (entry.type == kTarGlobal) {
    return to;
  }
  FITMENT_TRY_ASSIGN(to.path, layer_path(entry.path, "entry"));
  to.metadata = hash_metadata(entry);
  FITMENT_TRY_ASSIGN(const bool is_marker, take_marker(entry, to));
  if (is_marker) {
    return to;
  }
  if (to.path == "/" && entry.type != kTarFolder) {
    return refuse(entry, "would replace the root of the image");
  }
  switch (entry.type) {
    case kTarFolder:
      to.kind = EntryKind::folder;
      return to;
    case kTarLink:
      if (entry.link.empty()) {
        return refuse(entry, "is a link to nothing");
      }
      to.kind = EntryKind::link;
      to.content = hash_content(entry.link);
      return to;
    case kTarHardLink: {
      auto target = layer_path(entry.link, "hard link target");
      if (!target) {
        return std::move(target).error().while_doing(
            fmt::format("reading the entry `{}`", entry.path));
      }
      to.kind = EntryKind::hard_link;
      hard_link = std::move(*target);
      return to;
    }
    case kTarPipe:
      to.kind = EntryKind::pipe;
      return to;
    case kTarCharacterDevice:
    case kTarBlockDevice:
      if (!is_harmless_device(entry, to.path)) {
        return refuse(entry,
                      fmt::format("is a device node ({} {}:{})",
                                  entry.type == kTarBlockDevice ? "block" : "character",
                                  entry.device_major,
                                  entry.device_minor))
            .hint("images have no devices; the program that runs them makes those in /dev");
      }
      to.kind = EntryKind::device;
      to.content = {entry.device_major, entry.device_minor};
      return to;
    default:
      break;
  }
  to.kind = EntryKind::file;
  to.bytes = entry.file_bytes;
  if (entry.runs && entry.file_bytes - entry.data_bytes > kMostHoles) {
    return refuse(entry, fmt::format("claims {} bytes, nearly all of them holes", entry.file_bytes))
        .hint(
            "programs that unpack it may fill a disk; a /var/log/lastlog of users with huge "
            "numbers is such a file");
  }
  return to;
}

}  // namespace fitment
