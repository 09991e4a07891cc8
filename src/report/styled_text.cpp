// SPDX-License-Identifier: Apache-2.0
#include "report/styled_text.h"

#include "base/text.h"
#include "report/display_width.h"

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

/// Pieces of a text without blanks in them; a word may be made of several spans ("`torch`" with
/// literal inside).
struct Word {
  std::vector<StyledText::Span> parts;
  std::size_t width = 0;
  Role gap = Role::plain;  ///< role of the blank before it
  bool after_line_end = false;
};

/// Cuts a text into words at blanks and line ends.
class WordCutter {
 public:
  void add(const StyledText::Span& span) {
    std::string piece;
    for (const char c : span.text) {
      if (c != ' ' && c != '\n') {
        piece += c;
        continue;
      }
      push(piece, span.role);
      finish(span.role);
      if (c == '\n') {
        // An empty line is a word without parts.
        words_.push_back(std::exchange(word_, Word{}));
        word_.after_line_end = true;
      }
    }
    push(piece, span.role);
  }
  std::vector<Word> take() {
    words_.push_back(std::move(word_));
    return std::move(words_);
  }

 private:
  void push(std::string& piece, Role role) {
    if (!piece.empty()) {
      word_.width += display_width(piece);
      word_.parts.push_back({std::exchange(piece, {}), role});
    }
  }
  void finish(Role gap) {
    if (!word_.parts.empty()) {
      words_.push_back(std::exchange(word_, Word{}));
    }
    word_.gap = gap;
  }
  std::vector<Word> words_;
  Word word_;
};

std::vector<Word> words_of(const StyledText& text) {
  WordCutter cutter;
  for (const StyledText::Span& span : text.spans()) {
    cutter.add(span);
  }
  return cutter.take();
}

}  // namespace

StyledText& StyledText::add(std::string_view text, Role role) {
  if (text.empty()) {
    return *this;
  }
  if (!spans_.empty() && spans_.back().role == role) {
    spans_.back().text += printable(text);
  } else {
    spans_.push_back({printable(text), role});
  }
  return *this;
}

std::size_t StyledText::width() const {
  const std::string text = plain();
  std::size_t widest = 0;
  for (const std::string_view line : split(text, '\n')) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

std::size_t StyledText::longest_word() const {
  std::size_t longest = 0;
  for (const Word& word : words_of(*this)) {
    longest = std::max(longest, word.width);
  }
  return longest;
}

std::string StyledText::plain() const {
  std::string text;
  for (const Span& span : spans_) {
    text += span.text;
  }
  return text;
}

std::string StyledText::render(const Theme& theme) const {
  std::string text;
  for (const Span& span : spans_) {
    text += paint(span.text, span.role, theme);
  }
  return text;
}

std::vector<StyledText> wrap(const StyledText& text, std::size_t width) {
  std::vector<StyledText> lines(1);
  std::size_t used = 0;
  for (const Word& word : words_of(text)) {
    const bool first = lines.back().empty();
    if (word.after_line_end || (!first && !word.parts.empty() && used + 1 + word.width > width)) {
      lines.emplace_back();
      used = 0;
    } else if (!first && !word.parts.empty()) {
      lines.back().add(" ", word.gap);
      ++used;
    }
    for (const StyledText::Span& part : word.parts) {
      lines.back().add(part.text, part.role);
    }
    used += word.width;
  }
  return lines;
}

std::string wrap_paragraphs(std::string_view text, std::size_t width, std::string_view indent) {
  const std::size_t room = width > indent.size() ? width - indent.size() : 1;
  std::string wrapped;
  std::string paragraph;
  const auto flush = [&] {
    if (paragraph.empty()) {
      return;
    }
    for (const StyledText& line : wrap(paragraph, room)) {
      wrapped.append(indent).append(line.plain()) += '\n';
    }
    paragraph.clear();
  };
  for (const std::string_view line : split_lines(text)) {
    if (line.empty() || line.front() == ' ') {
      flush();
      wrapped.append(line.empty() ? "" : indent).append(line) += '\n';
    } else {
      paragraph.append(paragraph.empty() ? "" : " ").append(line);
    }
  }
  flush();
  return wrapped;
}

}  // namespace fitment
