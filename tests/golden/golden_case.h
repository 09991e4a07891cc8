// SPDX-License-Identifier: Apache-2.0
// A golden case: a folder that says how to run fitment and what must come out. golden_main.cpp
// tells the format.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace fitment::golden {

/// Relative paths of regular files and links, with their bytes or `-> target`.
using Tree = std::map<std::string, std::string>;

struct Case {
  std::string name;  ///< `explain_wrong_rule`
  std::filesystem::path folder;

  /// What a failed test shows.
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

/// Output of a run after the filters, or what a case expects.
struct Outcome {
  int exit = 0;
  std::string out;
  std::string err;
  Tree files;
};

struct RunResult {
  Outcome outcome;
  std::string raw_out;  ///< before the filters, for validation
  std::string raw_err;
};

/// Every folder below `root` that holds a file `cmd`, sorted.
std::vector<Case> find_cases(const std::filesystem::path& root);

/// Runs the case in a new temporary folder with nothing of the outer environment.
Result<RunResult> run_case(const Case& golden_case);

/// The expectation that is stored beside `cmd`.
Outcome read_expected(const Case& golden_case);

/// Stores an outcome as the expectation (FITMENT_ACCEPT=1).
void accept(const Case& golden_case, const Outcome& outcome);

/// `diff -u` of two texts.
std::string diff_texts(const std::string& expected, const std::string& actual);

/// One text for a tree, for comparison.
std::string to_text(const Tree& tree);

}  // namespace fitment::golden
