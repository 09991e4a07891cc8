// SPDX-License-Identifier: Apache-2.0
#include "slim/journal.h"

#include "base/files.h"
#include "base/posix_io.h"
#include "base/text.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kFirstLine = "fitment-slim-journal 1";
constexpr std::string_view kFolder = ".fitment-slim";
constexpr std::string_view kFile = "journal";
constexpr std::string_view kNothing = "-";
constexpr std::size_t kDigestDigits = 64;
constexpr mode_t kFileMode = 0644;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || c == '%' || byte == 0x7F) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto byte = i + 2 < text.size() ? parse_hex(text.substr(i + 1, 2)) : std::nullopt;
    if (!byte || *byte == 0 || *byte > 0xFF) {
      return std::nullopt;
    }
    out += static_cast<char>(*byte);
    i += 2;
  }
  return out;
}

bool stays_inside(std::string_view path) {
  const auto parts = split(path, '/');
  return std::none_of(parts.begin(), parts.end(), [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f');
         });
}

std::optional<StepAction> parse_action(std::string_view word) {
  for (const StepAction action :
       {StepAction::slice, StepAction::link, StepAction::record, StepAction::remove}) {
    if (word == to_string(action)) {
      return action;
    }
  }
  return std::nullopt;
}

bool is_open(const JournalStep& step) {
  return step.state == StepState::begun || step.state == StepState::ready;
}

/// One line; false: it makes no sense.
bool take_line(const std::vector<std::string_view>& words, std::vector<JournalStep>& steps) {
  const auto number = words.size() < 2 ? std::nullopt : parse_unsigned(words[1]);
  if (!number || *number == 0) {
    return false;
  }
  if (words[0] == "begin") {
    const auto action = words.size() == 5 ? parse_action(words[2]) : std::nullopt;
    auto path = action ? unescaped(words[3]) : std::nullopt;
    const auto bytes = path ? parse_unsigned(words[4]) : std::nullopt;
    if (!bytes || !stays_inside(*path) || *number != steps.size() + 1) {
      return false;
    }
    steps.push_back({.action = *action, .path = std::move(*path), .before_bytes = *bytes});
    return true;
  }
  if (*number > steps.size()) {
    return false;
  }
  JournalStep& step = steps[*number - 1];
  if (words[0] == "ready") {
    const auto bytes = words.size() == 6 ? parse_unsigned(words[3]) : std::nullopt;
    const auto backup = bytes ? unescaped(words[5]) : std::nullopt;
    const auto is_good = [](std::string_view word) { return word == kNothing || is_digest(word); };
    if (!backup || step.state != StepState::begun || !is_good(words[2]) || !is_good(words[4])
        || (words[2] == kNothing && words[4] == kNothing)
        || (*backup != kNothing && (*backup)[0] != '/')) {
      return false;
    }
    const auto digest = [](std::string_view word) { return word == kNothing ? "" : word; };
    step.before_sha256 = digest(words[2]);
    step.after_bytes = *bytes;
    step.after_sha256 = digest(words[4]);
    step.backup = *backup == kNothing ? "" : *backup;
    step.state = StepState::ready;
    return true;
  }
  if (words.size() != 2) {
    return false;
  }
  if (words[0] == "done" && step.state == StepState::ready) {
    step.state = StepState::done;
  } else if (words[0] == "dropped" && is_open(step)) {
    step.state = StepState::dropped;
  } else if (words[0] == "undone" && step.state == StepState::done) {
    step.state = StepState::undone;
  } else {
    return false;
  }
  return true;
}

Error cannot(std::string_view what, const std::filesystem::path& path) {
  return fail(ErrorCode::io_error,
              fmt::format("cannot {} the journal `{}`: {}",
                          what,
                          path.string(),
                          std::generic_category().message(errno)))
      .hint("without a journal nothing is changed in place; `--output PATH` writes elsewhere");
}

}  // namespace

std::string_view to_string(StepAction action) {
  switch (action) {
    case StepAction::slice:
      return "slice";
    case StepAction::link:
      return "link";
    case StepAction::record:
      return "record";
    case StepAction::remove:
      break;
  }
  return "remove";
}

Result<JournalText> parse_journal(std::string_view bytes, const std::string& source) {
  JournalText text;
  const std::size_t last = bytes.rfind('\n');
  text.whole_bytes = last == std::string_view::npos ? 0 : last + 1;
  std::uint64_t number = 0;
  for (const std::string_view line : split_lines(bytes.substr(0, text.whole_bytes))) {
    ++number;
    const bool is_good =
        number == 1 ? line == kFirstLine : take_line(split_words(line), text.steps);
    if (!is_good) {
      return fail(ErrorCode::parse_error, "this line of the journal makes no sense")
          .at({source, number, {}, {}})
          .hint("nothing was changed; look at the journal, or move its folder away");
    }
  }
  return text;
}

std::filesystem::path journal_path(const std::filesystem::path& root) {
  return root / kFolder / kFile;
}

Result<std::vector<JournalStep>> read_journal(const std::filesystem::path& root) {
  const std::filesystem::path path = journal_path(root);
  FITMENT_TRY_ASSIGN(const std::string bytes, read_file(path));
  FITMENT_TRY_ASSIGN(JournalText text, parse_journal(bytes, path.string()));
  return std::move(text.steps);
}

Result<Journal> Journal::open(const std::filesystem::path& root) {
  const std::filesystem::path path = journal_path(root);
  std::error_code error;
  std::filesystem::create_directory(path.parent_path(), error);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kFileMode);
  if (fd < 0) {
    return cannot("open", path);
  }
  Journal journal(fd, path);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::io_error, fmt::format("another run works on `{}`", root.string()))
        .hint("wait for it to end");
  }
  FITMENT_TRY_ASSIGN(const std::string bytes, read_file(path));
  FITMENT_TRY_ASSIGN(JournalText text, parse_journal(bytes, path.string()));
  if (text.whole_bytes < bytes.size()
      && ::ftruncate(fd, static_cast<off_t>(text.whole_bytes)) != 0) {
    return cannot("repair", path);
  }
  if (::lseek(fd, 0, SEEK_END) < 0) {
    return cannot("read", path);
  }
  journal.steps_ = std::move(text.steps);
  if (text.whole_bytes == 0) {
    FITMENT_TRY(journal.append(std::string(kFirstLine)));
    FITMENT_TRY(journal.sync());
    sync_folder(path.parent_path());
    sync_folder(root);
  }
  return journal;
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      steps_(std::move(other.steps_)) {}

Journal::~Journal() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Status Journal::begin(StepAction action, const std::string& path, std::uint64_t before_bytes) {
  if (!stays_inside(path)) {
    return fail(ErrorCode::internal, fmt::format("`{}` is not a path inside the tree", path));
  }
  FITMENT_TRY(append(fmt::format(
      "begin {} {} {} {}", steps_.size() + 1, to_string(action), escaped(path), before_bytes)));
  steps_.push_back({.action = action, .path = path, .before_bytes = before_bytes});
  return {};
}

Status Journal::ready(std::size_t step, const JournalStep& facts) {
  const auto word = [](const std::string& text) {
    return text.empty() ? std::string(kNothing) : escaped(text);
  };
  FITMENT_TRY(append(fmt::format("ready {} {} {} {} {}",
                                 step + 1,
                                 word(facts.before_sha256),
                                 facts.after_bytes,
                                 word(facts.after_sha256),
                                 word(facts.backup))));
  JournalStep& own = steps_.at(step);
  own.before_sha256 = facts.before_sha256;
  own.after_bytes = facts.after_bytes;
  own.after_sha256 = facts.after_sha256;
  own.backup = facts.backup;
  own.state = StepState::ready;
  return {};
}

Status Journal::end(std::size_t step, StepState state) {
  const std::string_view word = state == StepState::done      ? "done"
                                : state == StepState::dropped ? "dropped"
                                                              : "undone";
  FITMENT_TRY(append(fmt::format("{} {}", word, step + 1)));
  steps_.at(step).state = state;
  return {};
}

Status Journal::append(const std::string& line) {
  const std::string bytes = line + "\n";
  const off_t start = ::lseek(fd_, 0, SEEK_END);
  if (!write_all(fd_, bytes)) {
    Error error = cannot("write", path_);
    // A torn line would run into the next one.
    if (start < 0 || ::ftruncate(fd_, start) != 0 || ::lseek(fd_, start, SEEK_SET) < 0) {
      ::close(std::exchange(fd_, -1));
    }
    return error;
  }
  return {};
}

Status Journal::sync() {
  if (::fsync(fd_) != 0) {
    return cannot("write", path_);
  }
  return {};
}

Status Journal::remove() {
  std::error_code error;
  if (!std::filesystem::remove(path_, error)) {
    return cannot("remove", path_);
  }
  std::filesystem::remove(path_.parent_path(), error);  // stays where something else is in it
  return {};
}

}  // namespace fitment
