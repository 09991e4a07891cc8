// SPDX-License-Identifier: Apache-2.0
#include "store/store_care.h"

#include "base/digest.h"
#include "store/page_file.h"
#include "support/workshop.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using Kind = StoreEntry::Kind;
using std::chrono::hours;

class StoreCare : public testing::Test {
 protected:
  std::filesystem::path put(const std::string& bytes, const std::string& name, hours age) {
    const auto stored = store_.add(*memory_source(bytes, name), name);
    set_age(stored->path, age);
    return stored->path;
  }
  void set_age(const std::filesystem::path& path, hours age) const {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
  }
  [[nodiscard]] std::vector<StoreEntry> entries() const { return list_store(store_).value(); }
  static std::vector<std::string> names(const std::vector<StoreEntry>& entries) {
    std::vector<std::string> found;
    for (const StoreEntry& entry : entries) {
      found.push_back(entry.path.filename().string());
    }
    return found;
  }

  Workshop shop_;
  Store store_{shop_.root() / "cache"};
  std::chrono::system_clock::time_point now_ = std::chrono::system_clock::now();
};

TEST_F(StoreCare, AStoreThatIsNotThereIsEmpty) {
  EXPECT_TRUE(entries().empty());
}

TEST_F(StoreCare, ListsWhatIsThere) {
  put("one", "one.whl", hours(0));
  shop_.write("cache/partial/abc", "beginning");
  shop_.write("cache/pages/ab/abcd", "page");
  shop_.write("cache/pages/ab/.abcd.XYZ", "cut");
  const auto found = entries();
  ASSERT_EQ(found.size(), 4);
  EXPECT_EQ(found[0].kind, Kind::file);
  EXPECT_EQ(found[0].sha256, sha256_hex("one"));
  EXPECT_EQ(found[0].size, 3);
  EXPECT_EQ(found[1].kind, Kind::leftover);
  EXPECT_EQ(found[2].kind, Kind::page);
  EXPECT_EQ(found[3].kind, Kind::partial);
}

TEST_F(StoreCare, FindsDamage) {
  put("one", "one.whl", hours(0));
  const auto two = put("two", "two.whl", hours(0));
  std::filesystem::permissions(two, std::filesystem::perms::owner_all);
  ASSERT_TRUE(write_file_atomic(two, "tvo"));
  PageFile page{"https://h/", "text/html", "", "", sha256_hex("body"), "body"};
  shop_.write("cache/pages/ab/good", write_page_file(page));
  shop_.write("cache/pages/ab/bad", write_page_file(page) + "x");
  EXPECT_THAT(names(find_damage(entries()).value()),
              testing::UnorderedElementsAre("two.whl", "bad"));
}

TEST_F(StoreCare, OldThingsGo) {
  put("one", "one.whl", hours(48));
  put("two", "two.whl", hours(1));
  shop_.write("cache/partial/abc", "beginning");
  set_age(store_.partial_folder() / "abc", hours(24 * 8));
  shop_.write("cache/partial/def", "beginning");
  EXPECT_THAT(names(plan_garbage(entries(), {now_, hours(24), {}})),
              testing::ElementsAre("abc", "one.whl"));
  EXPECT_THAT(names(plan_garbage(entries(), {now_, {}, {}})), testing::ElementsAre("abc"));
}

TEST_F(StoreCare, TheLongestUnusedGoFirst) {
  put("11111", "old.whl", hours(3));
  put("22222", "middle.whl", hours(2));
  put("33333", "new.whl", hours(1));
  EXPECT_THAT(names(plan_garbage(entries(), {now_, {}, 10})), testing::ElementsAre("old.whl"));
  EXPECT_THAT(names(plan_garbage(entries(), {now_, {}, 9})),
              testing::ElementsAre("old.whl", "middle.whl"));
  EXPECT_EQ(plan_garbage(entries(), {now_, {}, 0}).size(), 3);
}

TEST_F(StoreCare, FindingCountsAsUse) {
  const auto one = put("one", "one.whl", hours(48));
  ASSERT_TRUE(store_.find(sha256_hex("one")));
  EXPECT_TRUE(plan_garbage(entries(), {now_, hours(24), {}}).empty());
}

TEST_F(StoreCare, WhatIsUsedStays) {
  put("one", "one.whl", hours(48));
  put("two", "two.whl", hours(48));
  const auto used = store_.find(sha256_hex("one"));
  ASSERT_TRUE(used);
  const auto removal = remove_entries(entries());
  ASSERT_TRUE(removal);
  EXPECT_EQ(names(removal->removed), std::vector<std::string>{"two.whl"});
  EXPECT_EQ(names(removal->in_use), std::vector<std::string>{"one.whl"});
  EXPECT_EQ(names(entries()), std::vector<std::string>{"one.whl"});
  EXPECT_FALSE(std::filesystem::exists(store_.files_folder() / sha256_hex("two").substr(0, 2)
                                       / sha256_hex("two")));
}

}  // namespace
}  // namespace fitment
