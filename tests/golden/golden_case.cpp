// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_case.h"

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "golden/filters.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace fitment::golden {

namespace fs = std::filesystem;

namespace {

/// A temporary folder that goes away. Its path always has the same length, so that tables do not
/// shift.
class Sandbox {
 public:
  Sandbox() {
    std::string name = "/tmp/fitment-golden.XXXXXX";
    root_ = ::mkdtemp(name.data()) == nullptr ? "" : name;
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox() {
    if (!root_.empty()) {
      std::error_code ignored;
      fs::remove_all(root_, ignored);
    }
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

std::string read_or_empty(const fs::path& path) {
  return read_file(path).value_or("");
}

Tree read_tree(const fs::path& root) {
  Tree tree;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(root, code);
       !code && entry != fs::recursive_directory_iterator();
       entry.increment(code)) {
    const std::string name = entry->path().lexically_relative(root).string();
    if (entry->is_symlink()) {
      tree[name] = "-> " + fs::read_symlink(entry->path()).string();
    } else if (entry->is_regular_file()) {
      tree[name] = read_or_empty(entry->path());
    }
  }
  return tree;
}

std::map<std::string, std::string> hermetic_environment(const fs::path& root) {
  const std::string home = (root / "home").string();
  return {{"PATH", (root / "bin").string() + ":/usr/local/bin:/usr/bin:/bin"},
          {"HOME", home},
          {"XDG_CACHE_HOME", home + "/.cache"},
          {"XDG_CONFIG_HOME", home + "/.config"},
          {"XDG_DATA_HOME", home + "/.local/share"},
          {"XDG_STATE_HOME", home + "/.local/state"},
          {"TMPDIR", (root / "tmp").string()},
          {"TESTS", FITMENT_TESTS_DIR},
          {"LC_ALL", "C.UTF-8"},
          {"NO_COLOR", "1"},
          {"COLUMNS", "80"},
          {"SOURCE_DATE_EPOCH", "1700000000"},
          {"TZ", "UTC"}};
}

Status prepare(const Case& golden_case, const fs::path& root) {
  std::error_code code;
  for (const char* folder : {"bin", "home", "tmp", "work"}) {
    fs::create_directory(root / folder, code);
  }
  fs::create_symlink(FITMENT_BINARY, root / "bin" / "fitment", code);
  if (!code && fs::is_directory(golden_case.folder / "input")) {
    fs::copy(golden_case.folder / "input",
             root / "work",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks,
             code);
  }
  if (code) {
    return fail(ErrorCode::io_error, "cannot prepare the case: " + code.message());
  }
  return {};
}

void write_or_remove(const fs::path& path, const std::string& text) {
  if (text.empty()) {
    fs::remove(path);
  } else {
    std::ofstream(path, std::ios::binary) << text;
  }
}

}  // namespace

std::vector<Case> find_cases(const fs::path& root) {
  std::vector<Case> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().filename() == "cmd") {
      const fs::path folder = entry.path().parent_path();
      std::string name = folder.lexically_relative(root).string();
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !is_alnum(c); }, '_');
      cases.push_back({name, folder});
    }
  }
  std::sort(
      cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

Result<RunResult> run_case(const Case& golden_case) {
  const Sandbox sandbox;
  const fs::path& root = sandbox.root();
  FITMENT_TRY(prepare(golden_case, root));
  ProcessOptions options;
  options.timeout = std::chrono::seconds(60);
  options.environment = hermetic_environment(root);
  FITMENT_TRY_ASSIGN(const ProcessOutcome ended,
                     run_process({"/bin/sh",
                                  "-c",
                                  "cd \"$0\" && . \"$1\"",
                                  (root / "work").string(),
                                  (golden_case.folder / "cmd").string()},
                                 options));
  if (ended.end != ProcessOutcome::End::exited) {
    return fail(ErrorCode::external_tool,
                ended.end == ProcessOutcome::End::timed_out
                    ? "the command took too long"
                    : fmt::format("the shell died of signal {}", ended.code));
  }
  RunResult result;
  result.raw_out = ended.out;
  result.raw_err = ended.err;
  const Filters filters{root.string(), FITMENT_TESTS_DIR, FITMENT_VERSION};
  result.outcome.exit = ended.code;
  result.outcome.out = apply(filters, ended.out);
  result.outcome.err = apply(filters, ended.err);
  for (const auto& [name, bytes] : read_tree(root / "work")) {
    result.outcome.files[name] = apply(filters, bytes);
  }
  return result;
}

Outcome read_expected(const Case& golden_case) {
  Outcome expected;
  const std::string exit = read_or_empty(golden_case.folder / "exit");
  expected.exit = exit.empty() ? 0 : std::stoi(exit);
  expected.out = read_or_empty(golden_case.folder / "stdout");
  expected.err = read_or_empty(golden_case.folder / "stderr");
  const fs::path files = golden_case.folder / "files";
  expected.files = read_tree(fs::is_directory(files) ? files : golden_case.folder / "input");
  return expected;
}

void accept(const Case& golden_case, const Outcome& outcome) {
  write_or_remove(golden_case.folder / "exit",
                  outcome.exit == 0 ? "" : fmt::format("{}\n", outcome.exit));
  write_or_remove(golden_case.folder / "stdout", outcome.out);
  write_or_remove(golden_case.folder / "stderr", outcome.err);
  const fs::path files = golden_case.folder / "files";
  fs::remove_all(files);
  if (outcome.files == read_tree(golden_case.folder / "input")) {
    return;
  }
  for (const auto& [name, bytes] : outcome.files) {
    fs::create_directories((files / name).parent_path());
    if (bytes.starts_with("-> ")) {
      fs::create_symlink(bytes.substr(3), files / name);
    } else {
      std::ofstream(files / name, std::ios::binary) << bytes;
    }
  }
}

std::string diff_texts(const std::string& expected, const std::string& actual) {
  const Sandbox sandbox;
  const fs::path left = sandbox.root() / "expected";
  const fs::path right = sandbox.root() / "actual";
  std::ofstream(left, std::ios::binary) << expected;
  std::ofstream(right, std::ios::binary) << actual;
  const auto outcome = run_process(
      {"diff", "-u", "--label", "expected", "--label", "actual", left.string(), right.string()});
  return outcome ? outcome->out : "expected:\n" + expected + "\nactual:\n" + actual;
}

std::string to_text(const Tree& tree) {
  std::string text;
  for (const auto& [name, bytes] : tree) {
    text += fmt::format("--- {}\n{}\n", name, bytes);
  }
  return text;
}

}  // namespace fitment::golden
