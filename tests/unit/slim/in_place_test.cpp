// SPDX-License-Identifier: Apache-2.0
// A tree that is changed in place and ends anywhere in between: every file is old or new, a second
// run completes, and undo brings everything back.
#include "slim/in_place.h"

#include "base/digest.h"
#include "slim/link_notice.h"
#include "slim/record_update.h"
#include "slim/targets.h"
#include "slim/undo.h"
#include "support/fatbin_builder.h"
#include "support/workshop.h"
#include "wheel/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include <map>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kSite = "lib/python3.12/site-packages/";

/// Files of a folder with their bytes, without the journal.
std::map<std::string, std::string> files_of(const std::filesystem::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().lexically_relative(root).string();
    if (entry.is_regular_file() && !name.starts_with(".fitment-slim")) {
      files[name] = read_file(entry.path()).value();
    }
  }
  return files;
}

/// Every step waits for the disk several times: a disk in memory keeps hundreds of runs quick.
struct MemoryDisk {
  MemoryDisk() {
    std::error_code error;
    if (std::filesystem::is_directory("/dev/shm", error)) {
      ::setenv("TMPDIR", "/dev/shm", 0);  // NOLINT(concurrency-mt-unsafe): one thread
    }
  }
};

class InPlace : private MemoryDisk, public testing::Test {
 protected:
  void SetUp() override {
    options_.policy.targets = parse_keep_targets("sm_86").value();
    make_tree();
  }

  void make_tree() const {
    std::filesystem::remove_all(root());
    std::filesystem::remove_all(shop_.path("kept"));
    std::string record;
    const auto add = [&](const std::string& name, const std::string& bytes) {
      shop_.write("tree/" + (kSite + name), bytes);
      record += name + ",sha256=" + record_digest(sha256_hex(bytes)) + ","
                + std::to_string(bytes.size()) + "\n";
    };
    for (const char* name : {"p/a b.fatbin", "p/b.fatbin"}) {
      add(name,
          build_fatbin({{.arch = 75, .payload = 3000, .fill = 'x'},
                        {.arch = 86, .payload = 1000, .fill = name[2]}}));
    }
    add("p/copy.fatbin", read_file(root() / kSite / "p/b.fatbin").value());
    add("p/other.fatbin", "another build of a");
    add("p/one.a", "!<arch>\n");
    add("p/two.a", "!<arch>\n");
    record += "p-1.dist-info/RECORD,,\n";
    shop_.write(std::string("tree/") + kSite + "p-1.dist-info/RECORD", record);
    std::filesystem::create_hard_link(root() / kSite / "p/b.fatbin", shop_.path("cache.fatbin"));
  }
  void TearDown() override { std::filesystem::remove(shop_.path("cache.fatbin")); }

  std::filesystem::path root() const { return shop_.path("tree"); }

  /// What a whole run does; steps that an earlier run did are left out.
  Status slim(const StepWatch& watch, bool keeps = true) const {
    InPlaceOptions in_place{.backup = {}, .traces = false, .watch = watch};
    if (keeps) {
      in_place.backup = shop_.path("kept");
    }
    FITMENT_TRY_ASSIGN(InPlaceRun run, InPlaceRun::open(root(), in_place));
    for (const char* name : {"p/a b.fatbin", "p/b.fatbin"}) {
      const std::string path = kSite + std::string(name);
      FITMENT_TRY_ASSIGN(const auto source, open_file_source(root() / path));
      FITMENT_TRY_ASSIGN(const SlicePlan plan, plan_slice(*source, options_));
      if (plan.is_changed) {
        FITMENT_TRY(run.slice(path, plan, options_));
      }
    }
    const std::string site = kSite;
    if (!std::filesystem::equivalent(root() / kSite / "p/copy.fatbin",
                                     root() / kSite / "p/b.fatbin")) {
      FITMENT_TRY(run.link(site + "p/copy.fatbin", site + "p/b.fatbin", true));
    }
    if (!std::filesystem::is_symlink(root() / kSite / "p/other.fatbin")) {
      FITMENT_TRY(run.link(site + "p/other.fatbin", site + "p/a b.fatbin", false));
    }
    std::vector<std::string> removed;
    for (const char* name : {"p/one.a", "p/two.a"}) {
      if (std::filesystem::exists(root() / kSite / name)) {
        removed.push_back(kSite + std::string(name));
      }
    }
    FITMENT_TRY(run.remove(removed));
    FITMENT_TRY(write_link_notices(run));
    FITMENT_TRY(update_records(run));
    return {};
  }

  /// Runs it in a process that is gone at the given moment. False: it came to its end before.
  template <typename Work>
  static bool dies_at(int moment, const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      int passed = 0;
      const Status status = work([&](StepPoint, const std::string&) -> Status {
        if (passed++ == moment) {
          ::_exit(9);
        }
        return {};
      });
      ::_exit(status ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 1) << "the run failed";
    return WEXITSTATUS(status) == 9;
  }

  Workshop shop_;
  SliceOptions options_;
};

TEST_F(InPlace, a_run_that_dies_at_any_moment_leaves_old_or_new_files_and_the_next_completes_it) {
  const auto before = files_of(root());
  ASSERT_TRUE(slim({}));
  const auto after = files_of(root());
  EXPECT_THAT(after, SizeIs(before.size() - 2 + 1));  // two archives go, a notice comes
  int moment = 0;
  for (bool died = true; died; ++moment) {
    TearDown();
    make_tree();
    died = dies_at(moment, [&](const StepWatch& watch) { return slim(watch); });
    for (const auto& [name, bytes] : files_of(root())) {
      const bool is_temporary = name.find("/.") != std::string::npos;
      const auto old_file = before.find(name);
      const auto new_file = after.find(name);
      EXPECT_TRUE(is_temporary || (old_file != before.end() && old_file->second == bytes)
                  || (new_file != after.end() && new_file->second == bytes))
          << name << " after " << moment;
    }
    for (const auto& [name, bytes] : after) {
      EXPECT_TRUE(!before.contains(name) || std::filesystem::exists(root() / name))
          << name << " after " << moment;
    }
    ASSERT_TRUE(slim({})) << moment;
    EXPECT_EQ(files_of(root()), after) << moment;
    const auto undone = undo_slim(root(), {});
    ASSERT_TRUE(undone) << to_string(undone.error());
    EXPECT_TRUE(undone->is_complete()) << moment;
    EXPECT_EQ(files_of(root()), before) << moment;
    EXPECT_FALSE(std::filesystem::exists(journal_path(root())));
  }
  EXPECT_GT(moment, 15);
}

TEST_F(InPlace, an_undo_that_dies_at_any_moment_is_completed_by_the_next) {
  const auto before = files_of(root());
  for (int moment = 0;; ++moment) {
    TearDown();
    make_tree();
    ASSERT_TRUE(slim({}));
    const bool died = dies_at(moment, [&](const StepWatch& watch) -> Status {
      FITMENT_TRY(undo_slim(root(), {}, watch));
      return {};
    });
    if (died) {
      ASSERT_TRUE(undo_slim(root(), {}));
    }
    EXPECT_EQ(files_of(root()), before) << moment;
    if (!died) {
      break;
    }
  }
}

TEST_F(InPlace, a_failure_before_the_rename_leaves_the_file_and_says_so_in_the_journal) {
  const auto before = files_of(root());
  const auto failed = slim([](StepPoint point, const std::string&) -> Status {
    return point == StepPoint::ready ? Status(fail(ErrorCode::io_error, "the disk is full"))
                                     : Status();
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(files_of(root()), before);
  const auto journal = parse_journal(read_file(journal_path(root())).value(), "journal").value();
  ASSERT_THAT(journal.steps, SizeIs(1));
  EXPECT_EQ(journal.steps[0].state, StepState::dropped);
}

TEST_F(InPlace, hard_links_elsewhere_keep_the_original_and_attributes_come_back) {
  const std::filesystem::path file = root() / kSite / "p/b.fatbin";
  ASSERT_EQ(::chmod(file.c_str(), 0750), 0);
  const std::string original = read_file(file).value();
  struct stat before {};
  ASSERT_EQ(::stat(file.c_str(), &before), 0);
  ASSERT_TRUE(slim({}));
  EXPECT_EQ(read_file(shop_.path("cache.fatbin")).value(), original);
  ASSERT_TRUE(undo_slim(root(), {}));
  struct stat after {};
  ASSERT_EQ(::stat(file.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
  EXPECT_EQ(read_file(file).value(), original);
}

TEST_F(InPlace, an_original_without_other_names_moves_into_the_backup) {
  const auto facts_of = [](const std::filesystem::path& path) {
    struct stat facts {};
    EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
    return facts;
  };
  const std::string alone = kSite + std::string("p/a b.fatbin");
  const std::string shared = kSite + std::string("p/b.fatbin");  // `cache.fatbin` as well
  const ino_t alone_before = facts_of(root() / alone).st_ino;
  const ino_t shared_before = facts_of(root() / shared).st_ino;
  ASSERT_TRUE(slim({}));
  const std::filesystem::path kept = shop_.path("kept");
  EXPECT_EQ(facts_of(kept / alone).st_ino, alone_before) << "nothing was copied";
  EXPECT_EQ(facts_of(kept / alone).st_nlink, 1U);
  EXPECT_NE(facts_of(kept / shared).st_ino, shared_before)
      << "whoever writes through the other name would change the backup";
}

TEST_F(InPlace, undo_leaves_what_somebody_changed_since_and_what_has_no_copy) {
  ASSERT_TRUE(slim({}, false));
  auto undone = undo_slim(root(), {}).value();
  EXPECT_THAT(undone.restored, IsEmpty());
  EXPECT_THAT(undone.not_kept, SizeIs(7));
  TearDown();
  make_tree();
  ASSERT_TRUE(slim({}));
  shop_.write(std::string("tree/") + kSite + "p/b.fatbin", "new");
  shop_.write("kept/" + (kSite + std::string("p/one.a")), "other");
  undone = undo_slim(root(), {}).value();
  EXPECT_THAT(undone.changed, ElementsAre(HasSubstr("b.fatbin")));
  EXPECT_THAT(undone.damaged, ElementsAre(HasSubstr("one.a")));
  EXPECT_THAT(undone.restored, SizeIs(5));
  EXPECT_TRUE(std::filesystem::exists(journal_path(root())));
}

TEST_F(InPlace, one_path_alone_is_undone) {
  ASSERT_TRUE(slim({}));
  const auto undone = undo_slim(root(), kSite + std::string("p/one.a")).value();
  EXPECT_THAT(undone.restored, SizeIs(1));
  EXPECT_TRUE(std::filesystem::exists(root() / kSite / "p/one.a"));
  EXPECT_FALSE(std::filesystem::exists(root() / kSite / "p/two.a"));
  // RECORD tells of it again, and the rest comes back as well.
  const std::string record = read_file(root() / kSite / "p-1.dist-info/RECORD").value();
  EXPECT_THAT(record, HasSubstr("p/one.a,"));
  EXPECT_THAT(record, testing::Not(HasSubstr("p/two.a,")));
  EXPECT_TRUE(undo_slim(root(), {})->is_complete());
  EXPECT_FALSE(std::filesystem::exists(journal_path(root())));
}

TEST_F(InPlace, two_runs_exclude_each_other) {
  const auto first = InPlaceRun::open(root(), {});
  ASSERT_TRUE(first);
  const auto second = InPlaceRun::open(root(), {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("another run"));
}

TEST(JournalText, a_torn_last_line_did_not_happen_and_other_damage_is_refused) {
  const std::string digest(64, 'a');
  const std::string good =
      "fitment-slim-journal 1\nbegin 1 remove a%20b 3\nready 1 " + digest + " 0 - /k/a\n";
  auto journal = parse_journal(good + "don", "j").value();
  EXPECT_EQ(journal.whole_bytes, good.size());
  ASSERT_THAT(journal.steps, SizeIs(1));
  EXPECT_EQ(journal.steps[0].path, "a b");
  EXPECT_EQ(journal.steps[0].backup, "/k/a");
  EXPECT_EQ(journal.steps[0].state, StepState::ready);
  EXPECT_THAT(parse_journal("", "j").value().steps, IsEmpty());
  for (const std::string& bad : {good + "done 2\n",
                                 good + "done 1\ndone 1\n",
                                 good + "begin 2 remove ../x 3\n",
                                 good + "begin 2 remove /x 3\n",
                                 good + "begin 3 remove x 3\n",
                                 std::string("hello\n")}) {
    EXPECT_FALSE(parse_journal(bad, "j")) << bad;
  }
}

TEST(RecordUpdate, lines_go_change_and_stay) {
  EXPECT_EQ(record_digest(sha256_hex(std::string_view("hello"))),
            "LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ");
  const std::string record =
      "../../../bin/x,sha256=AA,1\np/a.so,sha256=AA,10\n\"p/b,c\",,\np/gone,,\n";
  const ChangedFiles changed{
      {"lib/p3/site/p/a.so", FileContent{5, sha256_hex(std::string_view("hello"))}},
      {"lib/p3/site/p/gone", std::nullopt}};
  const auto text =
      update_record(record, "RECORD", "lib/p3/site/p-1.dist-info/RECORD", changed).value();
  EXPECT_EQ(text.value_or(""),
            "../../../bin/x,sha256=AA,1\n"
            "p/a.so,sha256=LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ,5\n\"p/b,c\",,\n");
  EXPECT_FALSE(update_record(*text, "RECORD", "lib/p3/site/p-1.dist-info/RECORD", changed).value());
}

}  // namespace
}  // namespace fitment
