// SPDX-License-Identifier: Apache-2.0
// Shared libraries that a test compiles from a few lines, in a folder that goes away with the test.
#pragma once

#include "base/files.h"
#include "base/process.h"
#include "support/elf_code_image.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fitment::testing_support {

class Compiler {
 public:
  explicit Compiler(std::string program) : program_(std::move(program)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "fitment-isa.XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) {
      folder_ = pattern;
    }
  }
  ~Compiler() { std::filesystem::remove_all(folder_); }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  [[nodiscard]] bool is_installed() const {
    const auto outcome = run_process({program_, "--version"});
    return outcome && outcome->ok();
  }

  /// A shared library of C code; nullopt when it does not compile, with what the compiler said in
  /// `message()`.
  std::optional<ElfCodeImage> library(const std::string& source,
                                      const std::vector<std::string>& flags) {
    const std::string input = (folder_ / "source.c").string();
    const std::string output = (folder_ / "library.so").string();
    if (!write_file_atomic(input, source)) {
      return std::nullopt;
    }
    std::vector<std::string> command{program_, "-shared", "-fPIC", "-O2", input, "-o", output};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto outcome = run_process(command, {.timeout = std::chrono::seconds(60)});
    if (!outcome || !outcome->ok()) {
      message_ = outcome ? outcome->err : to_string(outcome.error());
      return std::nullopt;
    }
    return ElfCodeImage::load(output);
  }

  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  std::string program_;
  std::filesystem::path folder_;
  std::string message_;
};

}  // namespace fitment::testing_support
