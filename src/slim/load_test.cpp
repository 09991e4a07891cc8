// SPDX-License-Identifier: Apache-2.0
#include "slim/load_test.h"

#include "base/posix_io.h"
#include "base/process.h"
#include "base/text.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <chrono>
#include <string_view>
#include <system_error>

namespace fitment {

namespace {

constexpr std::chrono::seconds kTimeout{60};
constexpr int kNotLoaded = 1;

}  // namespace

Result<LoadOutcome> test_loading(const std::filesystem::path& file,
                                 const std::vector<std::string>& needed,
                                 const std::filesystem::path& folder) {
  std::error_code error;
  // A name with a slash is a path to the loader, never a name to search for.
  const std::string path = std::filesystem::absolute(file, error).string();
  const std::filesystem::path place = std::filesystem::absolute(folder, error);
  const auto load = [&](int answer) {
    for (const std::string& name : needed) {
      const std::string own = (place / name).string();
      std::error_code ignored;
      if (std::filesystem::exists(own, ignored)) {
        static_cast<void>(::dlopen(own.c_str(), RTLD_NOW | RTLD_GLOBAL));
      }
    }
    if (::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) {
      return 0;
    }
    const char* const words = ::dlerror();  // NOLINT(concurrency-mt-unsafe): a child of one thread
    static_cast<void>(write_all(answer, words != nullptr ? words : "no reason given"));
    return kNotLoaded;
  };
  FITMENT_TRY_ASSIGN(const ProcessOutcome child, run_in_child(load, kTimeout));
  LoadOutcome outcome{.is_loaded = child.ok(), .complaint = {}};
  switch (child.end) {
    case ProcessOutcome::End::exited:
      outcome.complaint = replace_all(std::string(trim(child.out)), path, "FILE");
      break;
    case ProcessOutcome::End::signalled:
      outcome.complaint = fmt::format("the child process got signal {}", child.code);
      break;
    case ProcessOutcome::End::timed_out:
      outcome.complaint = "the child process did not end";
      break;
  }
  return outcome;
}

}  // namespace fitment
