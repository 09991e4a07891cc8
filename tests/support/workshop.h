// SPDX-License-Identifier: Apache-2.0
// A temporary folder in which a test compiles its own inputs and runs tools on them.
#pragma once

#include "base/files.h"
#include "base/process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace fitment {

class Workshop {
 public:
  Workshop() {
    std::string name = (std::filesystem::temp_directory_path() / "fitment-XXXXXX").string();
    root_ = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

  void write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    ASSERT_TRUE(write_file_atomic(root_ / name, bytes));
  }
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::filesystem::create_symlink(target, root_ / name);
  }

  /// Output of a program that must succeed.
  [[nodiscard]] std::string run(const std::vector<std::string>& command,
                                const ProcessOptions& options = {
                                    .timeout = std::chrono::seconds(300)}) const {
    const auto outcome = run_process(command, options);
    if (!outcome || !outcome->ok()) {
      ADD_FAILURE() << command.front() << ": "
                    << (outcome ? outcome->err : to_string(outcome.error()));
      return {};
    }
    return outcome->out;
  }

  /// Compiles C source to `name` with more arguments for gcc.
  void compile(const std::string& name,
               std::string_view source,
               const std::vector<std::string>& arguments) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    const std::string file = path(name) + ".c";
    ASSERT_TRUE(write_file_atomic(file, source));
    std::vector<std::string> command{"gcc", "-O1", "-o", path(name), file};
    command.insert(command.end(), arguments.begin(), arguments.end());
    static_cast<void>(run(command));
    std::filesystem::remove(file);
  }

 private:
  std::filesystem::path root_;
};

/// Whether a program is on PATH.
inline bool have_program(const std::string& name) {
  const auto outcome = run_process({"sh", "-c", fmt::format("command -v {} >/dev/null", name)});
  return outcome && outcome->ok();
}

}  // namespace fitment
