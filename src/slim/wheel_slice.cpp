// SPDX-License-Identifier: Apache-2.0
#include "slim/wheel_slice.h"

#include "base/digest.h"
#include "base/new_file.h"
#include "base/posix_io.h"
#include "base/text.h"
#include "slim/record_update.h"
#include "slim/wheel_promise.h"
#include "stack/find_files.h"
#include "variant/metadata_reader.h"
#include "variant/wheel_folder.h"
#include "wheel/record_file.h"
#include "wheel/wheel_filename.h"
#include "wheel/zip_member.h"
#include "wheel/zip_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

namespace fitment {

namespace {

constexpr std::uint64_t kTextLimit = 256U << 20U;
constexpr std::uint64_t kBlock = 1U << 20U;
constexpr std::uint32_t kPlainFile = 0100644;

SlimFile plan_member(const ByteSource& original, const SliceOptions& options) {
  SlimFile file;
  auto plan = plan_slice(original, options);
  if (plan) {
    file.plan = std::move(*plan);
    file.action = file.plan.is_changed ? SlimAction::slice : SlimAction::keep;
  } else {
    file.action = SlimAction::refuse;
    file.plan.before_bytes = original.size();
    file.plan.after_bytes = original.size();
    file.plan.why = plan.error().message();
  }
  file.plan.path = original.name();
  return file;
}

/// The new member, with the original's digest in its note.
Result<std::unique_ptr<ByteSource>> make_member(const WheelMember& member,
                                                const ScratchOptions& scratch) {
  const SlicePlan& plan = member.file.plan;
  const SplicedSource planned(*member.original, plan.bytes, member.original->name());
  FITMENT_TRY_ASSIGN(const std::string digest, sha256_hex(*member.original));
  ScratchBytes bytes(scratch);
  for (std::uint64_t at = 0; at < planned.size(); at += kBlock) {
    FITMENT_TRY_ASSIGN(std::string block,
                       planned.read(at, std::min(kBlock, planned.size() - at), "a slice"));
    for (std::size_t i = 0; plan.digest_at && i < digest.size(); ++i) {
      const std::uint64_t place = *plan.digest_at + i;
      if (place >= at && place - at < block.size()) {
        block[place - at] = digest[i];
      }
    }
    FITMENT_TRY(bytes.append(block));
  }
  return bytes.finish(member.original->name());
}

/// WHEEL with its line about the build.
std::string with_build(std::string_view text, std::string_view tag) {
  std::string lines;
  for (const std::string_view line : split_lines(text)) {
    if (!line.starts_with("Build:")) {
      lines += fmt::format("{}\n", line);
    }
  }
  return lines + fmt::format("Build: {}\n", tag);
}

/// Collects what is new in the wheel, and writes it.
class WheelRewriter {
 public:
  WheelRewriter(const ByteSource& source,
                WheelPlan& plan,
                const SliceOptions& options,
                const ScratchOptions& scratch)
      : source_(source), plan_(plan), options_(options), scratch_(scratch) {}

  Status make_members();
  Status set_build(const std::string& tag);
  Status make_record();
  Result<std::uint64_t> write(const std::filesystem::path& output);

 private:
  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const;
  [[nodiscard]] std::string in_info(std::string_view name) const {
    return fmt::format("{}/{}", plan_.archive.dist_info, name);
  }

  const ByteSource& source_;
  WheelPlan& plan_;
  const SliceOptions& options_;
  const ScratchOptions& scratch_;
  std::map<std::size_t, std::unique_ptr<ByteSource>> made_;  // by number in the directory
};

std::optional<std::size_t> WheelRewriter::find(const std::string& name) const {
  const std::vector<ZipEntry>& entries = plan_.archive.zip.entries;
  const auto found = std::find_if(
      entries.begin(), entries.end(), [&](const ZipEntry& entry) { return entry.name == name; });
  return found == entries.end() ? std::nullopt
                                : std::optional<std::size_t>(found - entries.begin());
}

Status WheelRewriter::make_members() {
  for (WheelMember& member : plan_.members) {
    if (member.file.action != SlimAction::slice) {
      continue;
    }
    FITMENT_TRY_ASSIGN(auto made, make_member(member, scratch_));
    FITMENT_TRY_ASSIGN(SliceProof proof,
                       prove_slice(*member.original, *made, member.file.plan, options_));
    member.file.proof = std::move(proof.statements);
    made_[member.entry] = std::move(made);
  }
  return {};
}

Status WheelRewriter::set_build(const std::string& tag) {
  const auto wheel = find(in_info("WHEEL"));
  if (!wheel) {
    return fail(ErrorCode::parse_error, "the wheel has no file WHEEL")
        .at({source_.name(), {}, {}, {}});
  }
  FITMENT_TRY_ASSIGN(const std::string text,
                     read_zip_member(source_, plan_.archive.zip.entries[*wheel], kTextLimit));
  made_[*wheel] = memory_source(with_build(text, tag), in_info("WHEEL"));
  return {};
}

Status WheelRewriter::make_record() {
  const auto record = find(in_info("RECORD"));
  if (!record) {
    return fail(ErrorCode::parse_error, "the wheel has no RECORD").at({source_.name(), {}, {}, {}});
  }
  ChangedFiles changed;
  for (const auto& [number, bytes] : made_) {
    FITMENT_TRY_ASSIGN(std::string digest, sha256_hex(*bytes));
    changed[plan_.archive.zip.entries[number].name] = FileContent{bytes->size(), std::move(digest)};
  }
  FITMENT_TRY_ASSIGN(const std::string text,
                     read_zip_member(source_, plan_.archive.zip.entries[*record], kTextLimit));
  FITMENT_TRY_ASSIGN(auto updated, update_record(text, source_.name(), in_info("RECORD"), changed));
  if (updated) {
    made_[*record] = memory_source(std::move(*updated), in_info("RECORD"));
  }
  return {};
}

Result<std::uint64_t> WheelRewriter::write(const std::filesystem::path& output) {
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(output));
  const auto sink = [&](std::string_view bytes) {
    return write_all(file.descriptor(), bytes) ? Status()
                                               : Status(system_error(errno, "write", output));
  };
  const std::vector<ZipEntry>& entries = plan_.archive.zip.entries;
  const auto record = find(in_info("RECORD"));
  const ZipEntry& like = entries[record.value_or(0)];
  ZipWriter writer(sink, ZipTime{like.dos_time, like.dos_date}, scratch_);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto made = made_.find(i);
    if (made == made_.end()) {
      FITMENT_TRY(writer.copy(source_, entries[i]));
      continue;
    }
    const std::uint32_t mode = entries[i].unix_mode();
    FITMENT_TRY(writer.add({.name = entries[i].name,
                            .method = entries[i].method,
                            .unix_mode = mode != 0 ? mode : kPlainFile},
                           *made->second));
  }
  FITMENT_TRY(writer.finish(plan_.archive.zip.comment));
  const std::uint64_t bytes = writer.size();
  FITMENT_TRY(file.commit(true));
  return bytes;
}

/// What its variant tells still holds when it is sliced.
Status check_variant(const ByteSource& source, const WheelPlan& plan, const KeepPolicy& policy) {
  const std::string place = plan.archive.dist_info + "/variant.json";
  const std::vector<ZipEntry>& entries = plan.archive.zip.entries;
  const bool is_variant = std::any_of(
      entries.begin(), entries.end(), [&](const ZipEntry& entry) { return entry.name == place; });
  if (!is_variant || !plan.is_changed()) {
    return {};
  }
  const bool is_recompressed =
      std::any_of(plan.members.begin(), plan.members.end(), [](const WheelMember& member) {
        return member.file.plan.recompressed > 0;
      });
  FITMENT_TRY_ASSIGN(const WheelDocument document, read_wheel_document(source));
  FITMENT_TRY_ASSIGN(const VariantMetadata metadata,
                     parse_variant_metadata(document.text, document.source));
  for (const VariantEntry& variant : metadata.variants) {
    FITMENT_TRY(check_promise(variant, policy, is_recompressed));
  }
  return {};
}

}  // namespace

bool WheelPlan::is_changed() const {
  return std::any_of(members.begin(), members.end(), [](const WheelMember& member) {
    return member.file.action == SlimAction::slice;
  });
}

Result<WheelPlan> plan_wheel(const ByteSource& source,
                             const std::string& shown,
                             const SliceOptions& options,
                             const ScratchOptions& scratch) {
  WheelPlan plan;
  FITMENT_TRY_ASSIGN(plan.archive, read_wheel_archive(source));
  const std::vector<ZipEntry>& entries = plan.archive.zip.entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ZipEntry& entry = entries[i];
    if (entry.name.starts_with(plan.archive.dist_info + "/RECORD.")) {
      return fail(ErrorCode::unsupported, fmt::format("the wheel is signed: `{}`", entry.name))
          .at({shown, {}, {}, {}})
          .hint("a signature of the original would not fit the result");
    }
    if (entry.is_folder() || entry.is_link() || entry.size == 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string start, read_zip_start(source, entry, kTellingBytes));
    if (!may_be_binary(start, entry.name)) {
      continue;
    }
    WheelMember member{.entry = i, .original = {}, .file = {}};
    FITMENT_TRY_ASSIGN(
        member.original,
        open_zip_member(source, entry, fmt::format("{}: {}", shown, entry.name), scratch));
    member.file = plan_member(*member.original, options);
    plan.members.push_back(std::move(member));
  }
  if (options.cuts_gpu_code) {
    if (Status holds = check_variant(source, plan, options.policy); !holds) {
      return std::move(holds).error().at({shown, {}, {}, {}});
    }
  }
  return plan;
}

Result<std::string> sliced_wheel_name(const std::string& name,
                                      const std::optional<std::string>& build_tag) {
  if (!build_tag) {
    return name;
  }
  // distribution-version[-build]-python-abi-platform.whl
  std::vector<std::string_view> parts = split(name, '-');
  constexpr std::size_t kVersionAt = 1;
  constexpr std::size_t kPlainParts = 5;
  const auto old = parse_wheel_filename(name);
  if (!old || parts.size() < kPlainParts) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not named as a wheel is", name));
  }
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_old_build = i == kVersionAt + 1 && old->build.has_value();
    if (!is_old_build) {
      result += (result.empty() ? "" : "-") + std::string(parts[i]);
    }
    if (i == kVersionAt) {
      result += "-" + *build_tag;
    }
  }
  const auto made = parse_wheel_filename(result);
  if (!made || !made->build) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no build tag", *build_tag))
        .hint("a build tag begins with a digit and has no `-`: `1sm86`");
  }
  return result;
}

Result<std::uint64_t> write_sliced_wheel(const ByteSource& source,
                                         WheelPlan& plan,
                                         const SliceOptions& options,
                                         const ScratchOptions& scratch,
                                         const std::optional<std::string>& build_tag,
                                         const std::filesystem::path& output) {
  WheelRewriter rewriter(source, plan, options, scratch);
  FITMENT_TRY(rewriter.make_members());
  if (build_tag) {
    FITMENT_TRY(rewriter.set_build(*build_tag));
  }
  FITMENT_TRY(rewriter.make_record());
  return rewriter.write(output);
}

}  // namespace fitment
