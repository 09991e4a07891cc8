// SPDX-License-Identifier: Apache-2.0
#include "slim/dead_weight.h"

#include "base/parallel.h"
#include "base/text.h"
#include "stack/installed_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace fitment {

namespace {

constexpr std::uint64_t kSourceLimit = 8U << 20U;

enum class WeightKind {
  archive,
  header,
  build_text,
  byte_code,
  test
};

struct Candidate {
  std::string path;
  WeightKind kind = WeightKind::archive;
  std::size_t owner = 0;
  std::string mark;  ///< archives: `cudart_static`; tests: their folder
};

/// What one Python file says about the candidates.
struct SourceWords {
  bool names_include = false;
  bool names_nvidia = false;
  std::set<std::string> archives;
  std::set<std::string> tests;
};

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::any_of(
      ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool is_name_letter(char c) {
  return is_alnum(c) || c == '_';
}

/// `word` in `line`, not as part of a longer name.
bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_letter(line[at - 1]))
        && (end == line.size() || !is_name_letter(line[end]))) {
      return true;
    }
  }
  return false;
}

class WeightFinder {
 public:
  WeightFinder(const SlimTree& tree, const std::set<SlimClass>& classes)
      : tree_(tree), view_(*tree.view), classes_(classes) {}

  void read(const PythonEnvironment& environment);
  std::vector<SlimFile> judge();

 private:
  [[nodiscard]] bool wants(SlimClass kind) const { return classes_.count(kind) > 0; }
  void take(const InstalledDistribution& distribution, const InstalledFile& file);
  void take_byte_code(const std::string& source);
  void scan_sources();
  [[nodiscard]] SourceWords read_words(std::size_t source) const;
  [[nodiscard]] std::optional<std::string> reason_to_keep(const Candidate& candidate) const;
  [[nodiscard]] std::string shown(const std::string& path) const { return tree_.inside(path); }

  const SlimTree& tree_;
  const FileView& view_;
  const std::set<SlimClass>& classes_;
  std::size_t distributions_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<std::string, std::size_t>> sources_;  // Python files and their owners
  std::set<std::string> byte_code_;
  std::optional<std::string> compiler_;
  std::map<std::string, std::size_t> test_folders_;  // by path, their owners
  std::set<std::string> real_tests_;                 // folders with files named as tests
  // What the sources say, with the file that says it.
  std::map<std::size_t, std::string> include_by_owner_;
  std::optional<std::string> nvidia_include_;
  std::map<std::string, std::string> named_archives_;
  std::map<std::string, std::string> imported_tests_;
};

void WeightFinder::read(const PythonEnvironment& environment) {
  for (const std::string& site : environment.sites) {
    if (!tree_.contains(site) && site != tree_.root) {
      continue;
    }
    const auto packages = read_site_packages(view_, site);
    if (!packages) {
      continue;
    }
    for (const InstalledDistribution& distribution : packages->distributions) {
      for (const InstalledFile& file : distribution.files) {
        if (tree_.contains(file.path) && view_.entry_kind(file.path) == FileKind::regular) {
          take(distribution, file);
        }
      }
      ++distributions_;
    }
  }
}

void WeightFinder::take(const InstalledDistribution& distribution, const InstalledFile& file) {
  const std::string& path = file.path;
  const std::string name(file_name(path));
  if (name == "nvcc" && !compiler_) {
    compiler_ = shown(path);
  }
  if (!path.starts_with(distribution.site + "/") || path.starts_with(distribution.info_folder)) {
    return;
  }
  const std::string inside = path.substr(distribution.site.size());
  for (const std::string_view folder : {"/tests/", "/test/"}) {
    // A folder at the top would be a package of its own.
    const std::size_t at = inside.find(folder, 1);
    if (wants(SlimClass::caches) && at != std::string::npos) {
      const std::string tests = distribution.site + inside.substr(0, at + folder.size() - 1);
      test_folders_.emplace(tests, distributions_);
      if (name == "conftest.py" || name.starts_with("test_") || name.ends_with("_test.py")) {
        real_tests_.insert(tests);
      }
      candidates_.push_back({path, WeightKind::test, distributions_, tests});
      return;
    }
  }
  if (name.ends_with(".py")) {
    sources_.emplace_back(path, distributions_);
    if (wants(SlimClass::caches)) {
      take_byte_code(path);
    }
  } else if (name.ends_with(".a") && wants(SlimClass::static_archives)) {
    const std::size_t lib = name.starts_with("lib") ? 3 : 0;
    candidates_.push_back(
        {path, WeightKind::archive, distributions_, name.substr(lib, name.size() - lib - 2)});
  } else if (wants(SlimClass::build_files)) {
    if (ends_with_any(name, {".cmake", ".pc"})) {
      candidates_.push_back({path, WeightKind::build_text, distributions_, ""});
    } else if (has(inside, "/include/")
               && ends_with_any(name, {".h", ".hpp", ".hh", ".hxx", ".cuh", ".inl"})) {
      candidates_.push_back({path, WeightKind::header, distributions_, ""});
    }
  }
}

/// `__pycache__/name.cpython-312.pyc` of a source that is there.
void WeightFinder::take_byte_code(const std::string& source) {
  const std::string name(file_name(source));
  const std::string stem = name.substr(0, name.size() - 2);  // with the dot
  const std::string folder = join_path(parent_folder(source), "__pycache__");
  if (byte_code_.insert(folder).second) {
    const auto names = view_.list(folder);
    for (const std::string& one : names.value_or(std::vector<std::string>{})) {
      byte_code_.insert(join_path(folder, one));
    }
  }
  const std::string prefix = join_path(folder, stem);
  for (auto at = byte_code_.lower_bound(prefix); at != byte_code_.end() && at->starts_with(prefix);
       ++at) {
    const bool is_plain = at->find('.', prefix.size()) != std::string::npos;
    if (is_plain && at->ends_with(".pyc") && view_.entry_kind(*at) == FileKind::regular) {
      candidates_.push_back({*at, WeightKind::byte_code, distributions_, ""});
    }
  }
}

SourceWords WeightFinder::read_words(std::size_t source) const {
  const auto& [path, owner] = sources_[source];
  SourceWords words;
  const auto text = view_.read(path, kSourceLimit);
  if (!text) {
    // What cannot be read may say anything.
    words.names_include = true;
    words.names_nvidia = true;
    return words;
  }
  words.names_include =
      has(*text, "\"include\"") || has(*text, "'include'") || has(*text, "/include");
  words.names_nvidia = has(*text, "nvidia");
  for (const Candidate& candidate : candidates_) {
    if (candidate.kind == WeightKind::archive && has(*text, candidate.mark)) {
      words.archives.insert(candidate.mark);
    }
  }
  if (test_folders_.empty() || !has(*text, "test")) {
    return words;
  }
  for (const std::string_view line : split_lines(*text)) {
    if (!has(line, "import") || !has(line, "test")) {
      continue;
    }
    for (const auto& [folder, tests_owner] : test_folders_) {
      const std::string parent(file_name(std::string(parent_folder(folder))));
      const std::string own(file_name(folder));
      if (tests_owner == owner ? has_word(line, own)
                               : has(line, fmt::format("{}.{}", parent, own))) {
        words.tests.insert(folder);
      }
    }
  }
  return words;
}

void WeightFinder::scan_sources() {
  std::vector<SourceWords> words(sources_.size());
  for_each_index(sources_.size(), 0, [&](std::size_t i) { words[i] = read_words(i); });
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string by = shown(sources_[i].first);
    if (words[i].names_include) {
      include_by_owner_.emplace(sources_[i].second, by);
      if (words[i].names_nvidia && !nvidia_include_) {
        nvidia_include_ = by;
      }
    }
    for (const std::string& archive : words[i].archives) {
      named_archives_.emplace(archive, by);
    }
    for (const std::string& tests : words[i].tests) {
      imported_tests_.emplace(tests, by);
    }
  }
}

std::optional<std::string> WeightFinder::reason_to_keep(const Candidate& candidate) const {
  if (candidate.kind == WeightKind::archive) {
    if (candidate.mark == "cudadevrt") {
      return "Numba and others link it at run time";
    }
    const auto named = named_archives_.find(candidate.mark);
    if (named != named_archives_.end()) {
      return fmt::format("`{}` names it", named->second);
    }
  }
  if (candidate.kind == WeightKind::header) {
    const auto own = include_by_owner_.find(candidate.owner);
    if (own != include_by_owner_.end()) {
      return fmt::format("`{}` names an include folder", own->second);
    }
    if (nvidia_include_ && has(candidate.path, "/nvidia/")) {
      return fmt::format("`{}` names NVIDIA's include folders", *nvidia_include_);
    }
  }
  if (candidate.kind == WeightKind::archive || candidate.kind == WeightKind::header) {
    if (compiler_) {
      return fmt::format("`{}` may compile and link at run time", *compiler_);
    }
  }
  if (candidate.kind == WeightKind::test) {
    if (real_tests_.count(candidate.mark) == 0) {
      return "the folder holds no file that is named as a test";
    }
    const auto imported = imported_tests_.find(candidate.mark);
    if (imported != imported_tests_.end()) {
      return fmt::format("`{}` may import it", imported->second);
    }
  }
  return std::nullopt;
}

std::vector<SlimFile> WeightFinder::judge() {
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.path < b.path;
  });
  candidates_.erase(
      std::unique(candidates_.begin(),
                  candidates_.end(),
                  [](const Candidate& a, const Candidate& b) { return a.path == b.path; }),
      candidates_.end());
  scan_sources();
  std::vector<SlimFile> files;
  for (const Candidate& candidate : candidates_) {
    const auto real = view_.resolve(candidate.path);
    if (!real || *real != candidate.path) {
      continue;  // behind a link to a folder: it may be elsewhere
    }
    SlimFile file;
    file.plan.path = shown(candidate.path);
    file.plan.before_bytes = view_.entry_size(candidate.path).value_or(0);
    file.plan.after_bytes = file.plan.before_bytes;
    file.action = SlimAction::keep;
    switch (candidate.kind) {
      case WeightKind::archive:
        file.kind = SlimClass::static_archives;
        file.plan.why = "a static archive: read by linkers alone";
        break;
      case WeightKind::header:
        file.kind = SlimClass::build_files;
        file.plan.why = "a header: no installed Python file names its folder";
        break;
      case WeightKind::build_text:
        file.kind = SlimClass::build_files;
        file.plan.why = "read by build tools alone";
        break;
      case WeightKind::byte_code:
        file.kind = SlimClass::caches;
        file.plan.why = "byte code: Python makes it again, at the first import";
        break;
      case WeightKind::test:
        file.kind = SlimClass::caches;
        file.plan.why = "tests of a package: nothing outside of them imports them";
        break;
    }
    if (auto reason = reason_to_keep(candidate)) {
      file.plan.why = std::move(*reason);
    } else {
      file.action = SlimAction::remove;
      file.plan.after_bytes = 0;
      const bool may_be_read =
          candidate.kind == WeightKind::test || candidate.kind == WeightKind::header;
      file.plan.risk = may_be_read ? SliceRisk::medium : SliceRisk::low;
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::vector<SlimFile> plan_dead_weight(const SlimTree& tree, const std::set<SlimClass>& classes) {
  WeightFinder finder(tree, classes);
  for (const PythonEnvironment& environment : tree.environments) {
    finder.read(environment);
  }
  return finder.judge();
}

}  // namespace fitment
