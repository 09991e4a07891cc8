// SPDX-License-Identifier: Apache-2.0
// One file of a plan to make a tree smaller, and the class of what is taken away there.
#pragma once

#include "slim/slice.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Kinds of weight, each of which can be left alone.
enum class SlimClass {
  duplicates,       ///< the same library twice
  gpu_code,         ///< code for GPUs that are not there
  static_archives,  ///< .a files that nothing at run time reads
  build_files,      ///< headers, CMake and pkg-config files
  debug_info,
  caches,  ///< byte code, tests of packages
};

inline constexpr std::array kSlimClasses{SlimClass::duplicates,
                                         SlimClass::gpu_code,
                                         SlimClass::static_archives,
                                         SlimClass::build_files,
                                         SlimClass::debug_info,
                                         SlimClass::caches};

constexpr std::string_view to_string(SlimClass kind) {
  switch (kind) {
    case SlimClass::duplicates:
      return "duplicates";
    case SlimClass::gpu_code:
      return "gpu-code";
    case SlimClass::static_archives:
      return "static-archives";
    case SlimClass::build_files:
      return "build-files";
    case SlimClass::debug_info:
      return "debug-info";
    case SlimClass::caches:
      break;
  }
  return "caches";
}

enum class SlimAction {
  keep,    ///< nothing to gain
  slice,   ///< GPU code is cut
  link,    ///< becomes a link to another file: `link_to`
  remove,  ///< the whole file goes
  refuse,  ///< something speaks against touching it: `why`
};

constexpr std::string_view to_string(SlimAction action) {
  switch (action) {
    case SlimAction::keep:
      return "keep";
    case SlimAction::slice:
      return "slice";
    case SlimAction::link:
      return "link";
    case SlimAction::remove:
      return "remove";
    case SlimAction::refuse:
      break;
  }
  return "refuse";
}

struct SlimFile {
  SlimClass kind = SlimClass::gpu_code;
  SlimAction action = SlimAction::keep;
  SlicePlan plan;       ///< of a file that is not sliced: path, bytes, why and risk alone
  std::string link_to;  ///< the file that stays, named as `plan.path` is
  bool is_hard_link = false;
  std::vector<std::string> proof;  ///< what was checked, when it was applied
};

/// What one run says.
struct SlimRun {
  std::vector<KeepTarget> targets;
  KeepPtx keep_ptx = KeepPtx::needed;
  bool is_applied = false;
  std::vector<SlimFile> files;
  std::vector<std::string> records;  ///< RECORDs that were rewritten
  std::vector<std::string> proof;    ///< what holds of the trees as a whole
  std::vector<std::string> losses;   ///< what would not hold: then nothing is done

  [[nodiscard]] std::uint64_t before_bytes() const;
  [[nodiscard]] std::uint64_t after_bytes() const;

  struct ClassSum {
    std::uint64_t before_bytes = 0;
    std::uint64_t after_bytes = 0;
    std::size_t files = 0;
    std::size_t touched = 0;
  };
  /// Where the bytes are. Debug information of a library counts in its own class.
  [[nodiscard]] std::map<SlimClass, ClassSum> by_class() const;
};

}  // namespace fitment
