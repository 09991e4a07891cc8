// SPDX-License-Identifier: Apache-2.0
// A new tree holds what a run in place leaves: same files, bytes, links, modes and times.
#include "slim/new_tree.h"

#include "base/digest.h"
#include "slim/in_place.h"
#include "slim/link_notice.h"
#include "slim/moved_view.h"
#include "slim/record_update.h"
#include "slim/targets.h"
#include "support/fatbin_builder.h"
#include "support/workshop.h"
#include "wheel/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <map>
#include <set>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// One line for each entry below a folder: what it is, its mode, its other names, its bytes.
std::map<std::string, std::string> describe(const std::filesystem::path& root) {
  std::map<std::string, std::string> lines;
  std::map<ino_t, std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().lexically_relative(root).string();
    if (name.starts_with(".fitment-slim")) {
      continue;
    }
    struct stat facts {};
    EXPECT_EQ(::lstat(entry.path().c_str(), &facts), 0);
    std::string& line = lines[name];
    line = fmt::format("{:o} ", facts.st_mode);
    if (entry.is_symlink()) {
      line += "-> " + std::filesystem::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      const std::string first = names.try_emplace(facts.st_ino, name).first->second;
      line += fmt::format("{} {} {} {}",
                          facts.st_mtim.tv_sec,
                          facts.st_mtim.tv_nsec,
                          facts.st_nlink,
                          sha256_hex(read_file(entry.path()).value()));
      line += ::getxattr(entry.path().c_str(), "user.origin", nullptr, 0) > 0 ? " from" : "";
    }
  }
  return lines;
}

class NewTree : public testing::Test {
 protected:
  void SetUp() override {
    options.policy.targets = parse_keep_targets("sm_86").value();
    std::string record;
    const auto add = [&](const std::string& name, const std::string& bytes) {
      shop.write("tree/" + name, bytes);
      record += name + ",sha256=" + record_digest(sha256_hex(bytes)) + ","
                + std::to_string(bytes.size()) + "\n";
    };
    add("p/a.fatbin", code('a'));
    std::filesystem::create_hard_link(tree() / "p/a.fatbin", tree() / "p/a2.fatbin");
    add("p/b.fatbin", code('b'));
    add("p/twin.fatbin", code('b'));
    add("p/build.fatbin", "another build of b");
    add("p/one.a", "!<arch>\n");
    add("p/program", "kept");
    add("p/closed/data", "in a folder that cannot be written to");
    std::filesystem::create_hard_link(tree() / "p/program", tree() / "p/program2");
    record += "p-1.dist-info/RECORD,,\n";
    shop.write("tree/p-1.dist-info/RECORD", record);
    shop.link("tree/p/link", "program");
    ::setxattr((tree() / "p/program").c_str(), "user.origin", "x", 1, 0);  // where it can be
    ::chmod((tree() / "p/a.fatbin").c_str(), 0750);
    ::chmod((tree() / "p/program").c_str(), 04711);
    const std::array<timespec, 2> old{timespec{1'000'000, 5}, timespec{2'000'000, 7}};
    for (const char* name : {"p/a.fatbin", "p/b.fatbin", "p/program", "p/closed", "p"}) {
      ::utimensat(AT_FDCWD, (tree() / name).c_str(), old.data(), 0);
    }
    ::chmod((tree() / "p/closed").c_str(), 0555);
  }
  void TearDown() override {
    for (const char* name : {"tree", "in_place", "new"}) {
      ::chmod((shop.root() / name / "p/closed").c_str(), 0755);
    }
  }

  static std::string code(char fill) {
    return build_fatbin(
        {{.arch = 75, .payload = 3000, .fill = 'x'}, {.arch = 86, .payload = 1000, .fill = fill}});
  }
  [[nodiscard]] std::filesystem::path tree() const { return shop.path("tree"); }

  Status slim(TreeRun& run) const {
    for (const char* name : {"p/a.fatbin", "p/b.fatbin"}) {
      FITMENT_TRY_ASSIGN(const auto source, open_file_source(tree() / name));
      FITMENT_TRY_ASSIGN(const SlicePlan plan, plan_slice(*source, options));
      FITMENT_TRY(run.slice(name, plan, options));
    }
    FITMENT_TRY(run.link("p/a2.fatbin", "p/a.fatbin", true));
    FITMENT_TRY(run.link("p/twin.fatbin", "p/b.fatbin", true));
    FITMENT_TRY(run.link("p/build.fatbin", "p/b.fatbin", false));
    FITMENT_TRY(run.remove({"p/one.a"}));
    FITMENT_TRY(write_link_notices(run));
    FITMENT_TRY_ASSIGN(const auto records, update_records(run));
    EXPECT_THAT(records, ElementsAre("p-1.dist-info/RECORD"));
    return {};
  }
  [[nodiscard]] Result<std::unique_ptr<NewTreeRun>> start() const {
    return NewTreeRun::start(
        tree(),
        shop.path("new"),
        {"p/a.fatbin", "p/a2.fatbin", "p/b.fatbin", "p/twin.fatbin", "p/build.fatbin", "p/one.a"},
        false);
  }

  Workshop shop;
  SliceOptions options;
};

TEST_F(NewTree, holds_what_a_run_in_place_leaves) {
  const std::string in_place = shop.path("in_place");
  static_cast<void>(shop.run({"cp", "-a", tree().string(), in_place}));
  const auto before = describe(tree());
  {
    auto run = InPlaceRun::open(in_place, {.backup = {}, .traces = false}).value();
    ASSERT_TRUE(slim(run));
  }
  auto run = start().value();
  const Status done = slim(*run);
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_FALSE(std::filesystem::exists(shop.root() / "new")) << "half a result has no name";
  ASSERT_TRUE(run->keep());
  const auto made = describe(shop.path("new"));
  // What is written anew has the time of now in both.
  auto expected = describe(in_place);
  const std::string notice = "p-1.dist-info/fitment-links.json";
  ASSERT_TRUE(made.contains(notice));
  EXPECT_EQ(read_file(shop.root() / "new" / notice).value(),
            read_file(std::filesystem::path(in_place) / notice).value());
  expected[notice] = made.at(notice);
  EXPECT_EQ(made, expected);
  EXPECT_EQ(describe(tree()), before) << "the original is left alone";
}

TEST_F(NewTree, folders_get_their_modes_and_times_in_the_end) {
  auto run = start().value();
  ASSERT_TRUE(slim(*run));
  ASSERT_TRUE(run->keep());
  struct stat folder {};
  ASSERT_EQ(::stat((shop.root() / "new/p").c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mtim.tv_sec, 2'000'000);
  ASSERT_EQ(::stat((shop.root() / "new/p/closed").c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777U, 0555U);
}

TEST_F(NewTree, goes_away_unless_it_is_finished) {
  std::filesystem::path unfinished;
  {
    auto run = start().value();
    unfinished = run->root();
    SlicePlan plan = plan_slice(*open_file_source(tree() / "p/a.fatbin").value(), options).value();
    ASSERT_TRUE(run->slice("p/b.fatbin", plan, options)) << "of the same size, so of no harm";
    shop.write("tree/p/a.fatbin", "another file now");
    const auto failed = run->slice("p/a.fatbin", plan, options);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message(), HasSubstr("changed since it was planned"));
    EXPECT_TRUE(std::filesystem::exists(unfinished));
  }
  EXPECT_FALSE(std::filesystem::exists(unfinished));
  EXPECT_FALSE(std::filesystem::exists(shop.path("new")));
}

TEST_F(NewTree, never_copies_what_is_cut_or_goes) {
  const auto run = start().value();
  for (const char* name : {"p/a.fatbin", "p/a2.fatbin", "p/one.a", "p/build.fatbin"}) {
    EXPECT_FALSE(std::filesystem::exists(run->root() / name)) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(run->root() / "p/program2"));
}

TEST_F(NewTree, is_seen_in_the_place_of_the_original) {
  shop.link("tree/absolute", (tree() / "p/one.a").string());
  shop.write("new/p/one.a", "of the new tree");
  shop.link("new/absolute", (tree() / "p/one.a").string());
  const MovedView view(tree().string(), shop.path("new"));
  EXPECT_EQ(view.read(tree().string() + "/absolute", 100).value(), "of the new tree");
  EXPECT_EQ(view.kind(tree().string() + "/p/program"), FileKind::missing);
  EXPECT_THAT(view.list(tree().string() + "/p").value(), ElementsAre("one.a"));
  EXPECT_EQ(view.kind(tree().string() + "x"), FileKind::missing) << "a folder of a longer name";
}

}  // namespace
}  // namespace fitment
