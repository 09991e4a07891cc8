// SPDX-License-Identifier: Apache-2.0
#include "image/run_bake.h"

#include "base/files.h"
#include "base/process.h"
#include "base/shell.h"
#include "base/text.h"
#include "image/base_layout.h"
#include "image/containerfile.h"
#include "image/image_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

namespace fitment {

namespace {

constexpr std::size_t kLinesShown = 20;
constexpr std::size_t kIdLimit = 256;

std::vector<std::string> last_lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) {
      lines.emplace_back(line);
    }
  }
  if (lines.size() > kLinesShown) {
    lines.erase(lines.begin(), lines.end() - kLinesShown);
  }
  return lines;
}

class BakeRun {
 public:
  BakeRun(const BakeFile& file, const BakeRunOptions& options, const BakeWatcher& watcher)
      : file_(file), options_(options), watcher_(watcher), results_(file.targets.size()) {}

  Result<std::vector<BakeResult>> run() {
    for (const BakeTarget& target : file_.targets) {
      if (options_.runs_here) {
        FITMENT_TRY(check_runs_here(target.platform));
      }
    }
    FITMENT_TRY(make_folder(options_.context + "/logs"));
    std::vector<std::thread> workers;
    const std::size_t jobs = std::clamp<std::size_t>(options_.jobs, 1, file_.targets.size());
    for (std::size_t i = 0; i < jobs; ++i) {
      workers.emplace_back([this] { work(); });
    }
    for (std::thread& worker : workers) {
      worker.join();
    }
    if (error_) {
      return tl::unexpected<Error>(*std::move(error_));
    }
    return std::move(results_);
  }

 private:
  enum class Progress {
    waiting,
    running,
    done,
  };

  /// Takes target after target until none is left or the run is broken.
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      std::optional<std::size_t> next;
      changed_.wait(lock, [&] { return (next = find_ready()).has_value() || is_over(); });
      if (!next) {
        return;
      }
      progress_[*next] = Progress::running;
      lock.unlock();
      Result<BakeResult> result = build(file_.targets[*next]);
      lock.lock();
      progress_[*next] = Progress::done;
      if (result) {
        results_[*next] = std::move(*result);
        watcher_.on_end(results_[*next]);
      } else {
        error_ = std::move(result).error();
      }
      changed_.notify_all();
    }
  }

  [[nodiscard]] bool is_over() const {
    return error_.has_value()
           || std::all_of(progress_.begin(), progress_.end(), [](Progress progress) {
                return progress != Progress::waiting;
              });
  }

  /// A target whose parent is done. Those above a failed one are skipped here.
  std::optional<std::size_t> find_ready() {
    if (error_) {
      return {};
    }
    for (std::size_t i = 0; i < file_.targets.size(); ++i) {
      if (progress_[i] != Progress::waiting) {
        continue;
      }
      const auto parent = index_of(file_.targets[i].parent());
      if (!parent) {
        return i;
      }
      if (progress_[*parent] != Progress::done) {
        continue;
      }
      const BakeState state = results_[*parent].state;
      if (state == BakeState::built || state == BakeState::kept) {
        return i;
      }
      results_[i] = {
          file_.targets[i].name, BakeState::skipped, {}, file_.targets[i].tags, {}, {}, {}};
      progress_[i] = Progress::done;
      watcher_.on_end(results_[i]);
      changed_.notify_all();
    }
    return {};
  }

  [[nodiscard]] std::optional<std::size_t> index_of(const std::string& name) const {
    for (std::size_t i = 0; i < file_.targets.size(); ++i) {
      if (file_.targets[i].name == name) {
        return i;
      }
    }
    return {};
  }

  [[nodiscard]] Result<std::string> stored_image(const std::string& tag) const {
    FITMENT_TRY_ASSIGN(const ProcessOutcome outcome,
                       run_process(image_id_command(options_.builder, tag)));
    return outcome.ok() ? std::string(trim(outcome.out)) : std::string();
  }

  /// Builders without bake take a base from their store only.
  Status import_layouts(const BakeTarget& target) {
    const std::lock_guard lock(import_mutex_);
    for (const auto& [name, context] : target.contexts) {
      const std::string folder = layout_folder(context);
      if (folder.empty()) {
        continue;
      }
      FITMENT_TRY_ASSIGN(const std::string known, stored_image(name));
      if (!known.empty()) {
        continue;
      }
      const std::string layout = options_.context + "/" + folder;
      if (options_.builder == ImageBuilder::docker) {
        FITMENT_TRY(load_layout(layout, name));
        continue;
      }
      FITMENT_TRY_ASSIGN(const std::string id,
                         output_of(pull_layout_command(options_.builder, layout)));
      FITMENT_TRY(output_of(tag_command(options_.builder, id, name)));
    }
    return {};
  }

  static Status load_layout(const std::string& layout, const std::string& name) {
    const std::string archive = layout + ".tar";
    std::error_code ignored;
    std::filesystem::remove(archive, ignored);
    Status loaded;
    for (const auto& command : load_layout_commands(layout, name, archive)) {
      if (const auto done = output_of(command); !done) {
        loaded = tl::unexpected<Error>(done.error());
        break;
      }
    }
    std::filesystem::remove(archive, ignored);
    return loaded;
  }

  /// Of a short command that must succeed.
  static Result<std::string> output_of(const std::vector<std::string>& command) {
    FITMENT_TRY_ASSIGN(const ProcessOutcome outcome, run_process(command));
    if (!outcome.ok()) {
      const std::vector<std::string> lines = last_lines_of(outcome.err);
      return fail(
          ErrorCode::external_tool,
          fmt::format(
              "`{}` failed{}", shell_line(command), lines.empty() ? "" : ": " + lines.back()));
    }
    return std::string(trim(outcome.out));
  }

  [[nodiscard]] Result<BakeResult> keep(const BakeTarget& target, BakeResult result) const {
    result.state = BakeState::kept;
    for (std::size_t i = 1; i < target.tags.size(); ++i) {
      FITMENT_TRY(run_process(tag_command(options_.builder, target.tags.front(), target.tags[i])));
    }
    return result;
  }

  Result<BakeResult> build(const BakeTarget& target) {
    BakeResult result{target.name, BakeState::built, {}, target.tags, {}, {}, {}};
    if (!options_.rebuild) {
      FITMENT_TRY_ASSIGN(result.image, stored_image(target.tags.front()));
      if (!result.image.empty()) {
        return keep(target, std::move(result));
      }
    }
    FITMENT_TRY(import_layouts(target));
    const std::string log_folder = options_.context + "/logs/";
    const std::string id_file = log_folder + target.name + ".id";
    result.log = log_folder + target.name + ".log";
    const auto command =
        build_command(options_.builder, target, options_.context, id_file, !options_.rebuild);
    std::ofstream log(result.log, std::ios::binary | std::ios::trunc);
    log << "$ " << shell_line(command) << "\n";
    if (!log) {
      return fail(ErrorCode::io_error, "cannot write a log").at({result.log, {}, {}, {}});
    }
    FITMENT_TRY_ASSIGN(const ProcessOutcome outcome, run_logged(target, command, log));
    if (outcome.ok()) {
      FITMENT_TRY_ASSIGN(const std::string id, read_file(id_file, kIdLimit));
      result.image = trim(id);
      return result;
    }
    result.state = BakeState::failed;
    result.command = shell_line(command);
    result.last_lines = last_lines_of(outcome.out + "\n" + outcome.err);
    if (outcome.end == ProcessOutcome::End::timed_out) {
      result.last_lines.emplace_back("the build took too long and was stopped");
    }
    return result;
  }

  /// All that the builder says goes to the log and, line by line, to the watcher.
  Result<ProcessOutcome> run_logged(const BakeTarget& target,
                                    const std::vector<std::string>& command,
                                    std::ofstream& log) {
    ProcessOptions options;
    options.timeout = options_.timeout;
    std::string rest;
    options.on_output = [&](std::string_view block) {
      log << block << std::flush;
      rest += block;
      std::size_t end = 0;
      while ((end = rest.find('\n')) != std::string::npos) {
        const std::lock_guard lock(mutex_);
        watcher_.on_line(target.name, std::string_view(rest).substr(0, end));
        rest.erase(0, end + 1);
      }
    };
    return run_process(command, options);
  }

  const BakeFile& file_;
  const BakeRunOptions& options_;
  const BakeWatcher& watcher_;
  std::vector<BakeResult> results_;
  std::vector<Progress> progress_ = std::vector<Progress>(file_.targets.size(), Progress::waiting);
  std::optional<Error> error_;
  std::mutex mutex_;
  std::mutex import_mutex_;  // two targets may stand on one layout
  std::condition_variable changed_;
};

}  // namespace

std::string_view to_string(BakeState state) {
  switch (state) {
    case BakeState::built:
      return "built";
    case BakeState::kept:
      return "kept";
    case BakeState::failed:
      return "failed";
    case BakeState::skipped:
      return "skipped";
  }
  return "skipped";
}

Result<std::vector<BakeResult>> run_bake(const BakeFile& file,
                                         const BakeRunOptions& options,
                                         const BakeWatcher& watcher) {
  return BakeRun(file, options, watcher).run();
}

}  // namespace fitment
