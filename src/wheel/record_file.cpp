// SPDX-License-Identifier: Apache-2.0
#include "wheel/record_file.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// One pass over the bytes, a row at a time.
class CsvReader {
 public:
  CsvReader(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::uint64_t row_line() const { return row_line_; }

  Result<std::vector<std::string>> row() {
    row_line_ = line_;
    std::vector<std::string> fields;
    while (true) {
      FITMENT_TRY_ASSIGN(std::string text, field());
      fields.push_back(std::move(text));
      if (at_end()) {
        return fields;
      }
      const char c = bytes_[at_++];
      if (c == ',') {
        continue;
      }
      if (c == '\r' && !at_end() && bytes_[at_] == '\n') {
        ++at_;
      }
      ++line_;
      return fields;
    }
  }

 private:
  Result<std::string> field() {
    std::string text;
    if (at_end() || bytes_[at_] != '"') {
      while (!at_end() && bytes_[at_] != ',' && bytes_[at_] != '\n' && bytes_[at_] != '\r') {
        text += bytes_[at_++];
      }
      return text;
    }
    const std::uint64_t first_line = line_;
    for (++at_; !at_end(); ++at_) {
      if (bytes_[at_] == '"') {
        if (at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '"') {
          ++at_;
        } else {
          ++at_;
          if (!at_end() && bytes_[at_] != ',' && bytes_[at_] != '\n' && bytes_[at_] != '\r') {
            return fail(ErrorCode::parse_error, "text after a closing quote")
                .at({source_, line_, {}, {}});
          }
          return text;
        }
      } else if (bytes_[at_] == '\n') {
        ++line_;
      }
      text += bytes_[at_];
    }
    return fail(ErrorCode::parse_error, "a quote is never closed")
        .at({source_, first_line, {}, {}});
  }

  std::string_view bytes_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t row_line_ = 1;
};

Result<RecordEntry> entry_of(const std::vector<std::string>& fields) {
  if (fields.size() > 3) {
    return fail(ErrorCode::parse_error,
                fmt::format("{} fields where path, digest and size are expected", fields.size()));
  }
  RecordEntry entry;
  entry.path = fields[0];
  if (entry.path.empty() || entry.path.find('\0') != std::string::npos) {
    return fail(ErrorCode::parse_error, "a path is empty or holds a NUL");
  }
  if (fields.size() > 1 && !fields[1].empty()) {
    const std::size_t equals = fields[1].find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == fields[1].size()) {
      return fail(ErrorCode::parse_error,
                  fmt::format("`{}` is not a digest like sha256=...", fields[1]));
    }
    entry.algorithm = fields[1].substr(0, equals);
    entry.digest = fields[1].substr(equals + 1);
  }
  if (fields.size() > 2 && !fields[2].empty()) {
    entry.size = parse_unsigned(fields[2]);
    if (!entry.size) {
      return fail(ErrorCode::parse_error, fmt::format("`{}` is not a size in bytes", fields[2]));
    }
  }
  return entry;
}

/// Calls `take` with each entry (none: an empty line) and the bytes of its line.
template <typename Take>
Status for_each_line(std::string_view bytes, const std::string& source, const Take& take) {
  CsvReader reader(bytes, source);
  while (!reader.at_end()) {
    const std::size_t begin = reader.offset();
    FITMENT_TRY_ASSIGN(const std::vector<std::string> fields, reader.row());
    const std::string_view line = bytes.substr(begin, reader.offset() - begin);
    if (fields.size() == 1 && trim(fields[0]).empty()) {
      take(std::optional<RecordEntry>(), line);
      continue;
    }
    auto entry = entry_of(fields);
    if (!entry) {
      return std::move(entry).error().at({source, reader.row_line(), {}, {}});
    }
    take(std::optional(std::move(*entry)), line);
  }
  return {};
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
    return field;
  }
  return "\"" + replace_all(field, "\"", "\"\"") + "\"";
}

}  // namespace

Result<std::vector<RecordEntry>> parse_record(std::string_view bytes, const std::string& source) {
  std::vector<RecordEntry> entries;
  FITMENT_TRY(for_each_line(bytes, source, [&](std::optional<RecordEntry> entry, std::string_view) {
    if (entry) {
      entries.push_back(std::move(*entry));
    }
  }));
  return entries;
}

std::string write_record(const std::vector<RecordEntry>& entries) {
  std::string text;
  for (const RecordEntry& entry : entries) {
    text += quoted(entry.path);
    text += ',';
    if (!entry.algorithm.empty()) {
      text += quoted(entry.algorithm + "=" + entry.digest);
    }
    text += ',';
    if (entry.size) {
      text += std::to_string(*entry.size);
    }
    text += '\n';
  }
  return text;
}

std::string record_digest(std::string_view hex) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bits = (bits << 8U) | static_cast<std::uint32_t>(parse_hex(hex.substr(i, 2)).value_or(0));
    count += 8;
    while (count >= 6) {
      count -= 6;
      text += kLetters[(bits >> count) & 63U];
    }
  }
  if (count > 0) {
    text += kLetters[(bits << (6 - count)) & 63U];
  }
  return text;
}

Result<std::string> edit_record(std::string_view bytes,
                                const std::string& source,
                                std::string_view own,
                                const RecordChanges& changes) {
  const std::string_view line_end = bytes.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  const auto line_of = [line_end](const RecordEntry& entry) {
    std::string line = write_record({entry});
    return line.replace(line.size() - 1, 1, line_end);
  };
  std::string text;
  RecordChanges left = changes;
  std::size_t added_at = std::string::npos;
  FITMENT_TRY(for_each_line(
      bytes, source, [&](const std::optional<RecordEntry>& entry, std::string_view line) {
        const std::string_view path = entry ? std::string_view(entry->path) : "";
        const auto change = changes.find(path);
        if (path == own) {
          added_at = text.size();
        }
        if (change == changes.end()) {
          text += line;
          return;
        }
        if (change->second) {
          text += line_of(*change->second);
        }
        left.erase(change->first);
      }));
  std::string added;
  for (const auto& [path, entry] : left) {
    added += entry ? line_of(*entry) : "";
  }
  if (added_at == std::string::npos && !added.empty() && !text.empty() && !text.ends_with('\n')) {
    text += line_end;
  }
  return text.insert(std::min(added_at, text.size()), added);
}

std::string record_path(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  const auto walk = [&parts](std::string_view text) {
    for (const std::string_view part : split(text, '/')) {
      if (part == "..") {
        if (!parts.empty()) {
          parts.pop_back();
        }
      } else if (!part.empty() && part != ".") {
        parts.push_back(part);
      }
    }
  };
  if (!path.starts_with('/')) {
    walk(folder);
  }
  walk(path);
  std::string whole;
  for (const std::string_view part : parts) {
    whole += '/';
    whole += part;
  }
  return whole.empty() ? "/" : whole;
}

}  // namespace fitment
