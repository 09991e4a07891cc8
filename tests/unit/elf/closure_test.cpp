// SPDX-License-Identifier: Apache-2.0
// Rules of the search, on images in memory. What the real loader does with real files is in
// real_loader_test.cpp.
#include "elf/closure.h"

#include "elf/symbol_bindings.h"
#include "support/elf_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Closures : public testing::Test {
 protected:
  void add(const std::string& path, ElfImage image) {
    if (!image.soname && path.find(".so") != std::string::npos) {
      image.soname = std::string(file_name(path));
    }
    view_.add_file(path, build_elf_image(image));
  }
  Closure load(std::vector<ClosureEntry> entries, const SearchOptions& options = {}) {
    return compute_closure(view_, std::move(entries), options);
  }
  static std::vector<std::string> paths(const Closure& closure) {
    std::vector<std::string> list;
    for (const ClosureObject& object : closure.objects) {
      list.push_back(object.path);
    }
    return list;
  }
  MemoryView view_;
};

TEST_F(Closures, AreBreadthFirst) {
  add("/lib64/liba.so", {.needed = {"libc1.so", "libd.so"}});
  add("/lib64/libb.so", {.needed = {"libd.so", "libe.so"}});
  for (const char* name : {"libc1.so", "libd.so", "libe.so"}) {
    add(std::string("/lib64/") + name, {});
  }
  add("/app", {.needed = {"liba.so", "libb.so"}});
  const Closure closure = load({{"/app"}});
  EXPECT_THAT(paths(closure),
              ElementsAre("/app",
                          "/lib64/liba.so",
                          "/lib64/libb.so",
                          "/lib64/libc1.so",
                          "/lib64/libd.so",
                          "/lib64/libe.so"));
  EXPECT_EQ(closure.objects[4].loaded_by, 1U);
  EXPECT_EQ(closure.objects[4].found_by, FoundBy::default_folder);
  EXPECT_THAT(closure.missing, IsEmpty());
}

TEST_F(Closures, RpathIsInheritedAndRunpathIsNot) {
  add("/r/app", {.needed = {"liba.so"}, .rpath = "$ORIGIN/x"});
  add("/r/x/liba.so", {.needed = {"libb.so"}});
  add("/r/x/libb.so", {});
  Closure closure = load({{"/r/app"}});
  EXPECT_THAT(closure.missing, IsEmpty());
  EXPECT_EQ(closure.objects[2].how, "RPATH `$ORIGIN/x` of `app`");
  EXPECT_EQ(closure.objects[2].real_path, "/r/x/libb.so");

  add("/r/app", {.needed = {"liba.so"}, .runpath = "$ORIGIN/x"});
  closure = load({{"/r/app"}});
  ASSERT_THAT(closure.missing, SizeIs(1));
  EXPECT_EQ(closure.missing[0].name, "libb.so");
  EXPECT_EQ(closure.objects[closure.missing[0].needed_by].name(), "liba.so");

  // A library with a RUNPATH of its own is cut off from its loaders' RPATH.
  add("/r/app", {.needed = {"liba.so"}, .rpath = "$ORIGIN/x"});
  add("/r/x/liba.so", {.needed = {"libb.so"}, .runpath = "/elsewhere"});
  EXPECT_THAT(load({{"/r/app"}}).missing, SizeIs(1));
}

TEST_F(Closures, LibraryPathStandsBetweenRpathAndRunpath) {
  for (const char* folder : {"/own", "/env"}) {
    add(std::string(folder) + "/liba.so", {});
  }
  const SearchOptions options{.ld_library_path = "/none:/env"};
  add("/app", {.needed = {"liba.so"}, .rpath = "/own"});
  EXPECT_EQ(load({{"/app"}}, options).objects[1].path, "/own/liba.so");
  add("/app", {.needed = {"liba.so"}, .runpath = "/own"});
  const Closure closure = load({{"/app"}}, options);
  EXPECT_EQ(closure.objects[1].path, "/env/liba.so");
  EXPECT_EQ(closure.objects[1].how, "LD_LIBRARY_PATH `/env`");
  add("/app", {.needed = {"liba.so"}, .rpath = "/own", .runpath = "/nowhere"});
  EXPECT_EQ(load({{"/app"}}, options).objects[1].path, "/env/liba.so");
}

TEST_F(Closures, ALoadedSonameServesLaterNeeds) {
  add("/one/libx.so.1", {});
  add("/two/libx.so.1", {});
  add("/a.so", {.needed = {"libx.so.1"}, .runpath = "/one"});
  add("/b.so", {.needed = {"libx.so.1"}, .runpath = "/two"});
  const Closure closure = load({{"/a.so"}, {"/b.so"}});
  EXPECT_THAT(paths(closure), ElementsAre("/a.so", "/one/libx.so.1", "/b.so"));
  EXPECT_EQ(closure.objects[2].needed[0].object, 1U);
  // By its soname too, where the file has another name.
  add("/one/libx-1.2.so", {.soname = "libx.so.1"});
  EXPECT_THAT(paths(load({{"/one/libx-1.2.so"}, {"/b.so"}})),
              ElementsAre("/one/libx-1.2.so", "/b.so"));
}

TEST_F(Closures, TwoPathsToOneFileAreOneLibrary) {
  add("/real/libx.so.1", {});
  view_.add_link("/one", "/real");
  view_.add_link("/real/liby.so", "libx.so.1");
  add("/app", {.needed = {"libx.so.1", "liby.so"}, .runpath = "/one"});
  const Closure closure = load({{"/app"}});
  EXPECT_THAT(paths(closure), ElementsAre("/app", "/one/libx.so.1"));
  EXPECT_EQ(closure.objects[0].needed[1].object, 1U);
}

TEST_F(Closures, FilesForOtherMachinesArePassedOver) {
  add("/arm/liba.so", {.machine = 183});
  add("/x86/liba.so", {.machine = 3, .elf_class = 1});
  add("/good/liba.so", {});
  add("/app", {.needed = {"liba.so"}, .runpath = "/arm:/x86:/good"});
  EXPECT_EQ(load({{"/app"}}).objects[1].path, "/good/liba.so");
  add("/app", {.needed = {"liba.so"}, .runpath = "/arm:/x86"});
  const Closure closure = load({{"/app"}});
  ASSERT_THAT(closure.missing, SizeIs(1));
  EXPECT_THAT(closure.missing[0].rejected, SizeIs(2));
  EXPECT_FALSE(closure.missing[0].stops_the_loader);
}

TEST_F(Closures, ADamagedFileStopsTheLoader) {
  view_.add_file("/bad/liba.so", "not a library");
  add("/good/liba.so", {});
  add("/app", {.needed = {"liba.so"}, .runpath = "/bad:/good"});
  const Closure closure = load({{"/app"}});
  ASSERT_THAT(closure.missing, SizeIs(1));
  EXPECT_TRUE(closure.missing[0].stops_the_loader);
  EXPECT_THAT(closure.missing[0].rejected[0].why, HasSubstr("not an ELF file"));
}

TEST_F(Closures, HwcapsFoldersComeFirstWhereTheCpuAllows) {
  add("/x/liba.so", {});
  add("/x/glibc-hwcaps/x86-64-v3/liba.so", {});
  add("/app", {.needed = {"liba.so"}, .rpath = "/x"});
  EXPECT_EQ(load({{"/app"}}, {.cpu_level = 2}).objects[1].path, "/x/liba.so");
  const Closure closure = load({{"/app"}}, {.cpu_level = 4});
  EXPECT_EQ(closure.objects[1].path, "/x/glibc-hwcaps/x86-64-v3/liba.so");
  EXPECT_THAT(closure.objects[1].how, HasSubstr("for x86-64-v3 CPUs"));
}

TEST_F(Closures, NodeflibIgnoresDefaultFoldersAndTheirCacheEntries) {
  add("/lib64/liba.so", {});
  add("/app", {.needed = {"liba.so"}});
  EXPECT_THAT(load({{"/app"}}).missing, IsEmpty());
  add("/app", {.needed = {"liba.so"}, .flags_1 = kFlag1NoDefaultLib});
  EXPECT_THAT(load({{"/app"}}).missing, SizeIs(1));
}

TEST_F(Closures, MissingOnesSayWhereTheyWereLookedFor) {
  view_.add_file("/etc/ld.so.conf", "/conf\n");
  add("/app", {.needed = {"libcudnn.so.9"}, .runpath = "$ORIGIN/lib"});
  const Closure closure = load({{"/app"}}, {.ld_library_path = "/env"});
  ASSERT_THAT(closure.missing, SizeIs(1));
  std::vector<std::string> places;
  for (const SearchedPlace& place : closure.missing[0].searched) {
    places.push_back(place.text);
  }
  EXPECT_THAT(places,
              ElementsAre("LD_LIBRARY_PATH `/env`: /env",
                          "RUNPATH `$ORIGIN/lib` of `app`: //lib",
                          "/etc/ld.so.conf (there is no cache): /conf",
                          "default folder: /lib64",
                          "default folder: /usr/lib64",
                          "default folder: /lib",
                          "default folder: /usr/lib"));
}

TEST_F(Closures, PreloadedNamesAreSatisfied) {
  add("/app", {.needed = {"libcuda.so.1", "libother.so"}});
  const Closure closure = load({{"/app"}}, {.preloaded = {"libcuda.so.1"}});
  ASSERT_THAT(closure.missing, SizeIs(1));
  EXPECT_EQ(closure.missing[0].name, "libother.so");
  EXPECT_TRUE(closure.objects[0].needed[0].is_preloaded);
}

TEST_F(Closures, DlopenSearchesWithTheCallersPaths) {
  add("/py", {.interpreter = "/lib64/ld-linux-x86-64.so.2"});
  add("/pkg/libcudnn.so.9", {.runpath = "$ORIGIN"});
  add("/pkg/libcudnn_ops.so.9", {});
  Closure closure = load({{"/py"}, {"/pkg/libcudnn.so.9"}, {"libcudnn_ops.so.9", "libcudnn.so.9"}});
  EXPECT_THAT(paths(closure), ElementsAre("/py", "/pkg/libcudnn.so.9", "/pkg/libcudnn_ops.so.9"));
  EXPECT_EQ(closure.objects[2].loaded_by, 1U);
  closure = load(
      {{"/py"}, {"/pkg/libcudnn.so.9"}, {"libcudnn_ops.so.9"}, {"/none.so"}, {"x.so", "liby.so"}});
  EXPECT_THAT(closure.failed, SizeIs(3));
  EXPECT_THAT(closure.failed[2].why, HasSubstr("`liby.so`, which opens it, is not loaded"));
}

TEST_F(Closures, TheProgramsRpathCountsForWhatIsOpenedLater) {
  add("/bin/py", {.rpath = "/py/lib", .interpreter = "/lib64/ld-linux-x86-64.so.2"});
  add("/py/lib/libz.so.1", {});
  add("/ext.so", {.needed = {"libz.so.1"}});
  EXPECT_THAT(load({{"/bin/py"}, {"/ext.so"}}).missing, IsEmpty());
  EXPECT_THAT(load({{"/ext.so"}}).missing, SizeIs(1));
}

TEST_F(Closures, MuslInheritsRunpathAndIsItsOwnLibc) {
  view_.add_file("/lib/ld-musl-x86_64.so.1", build_elf_image({.soname = "libc.musl-x86_64.so.1"}));
  add("/app",
      {.needed = {"liba.so", "libpthread.so.0", "libc.musl-x86_64.so.1"},
       .runpath = "/x",
       .interpreter = "/lib/ld-musl-x86_64.so.1"});
  add("/x/liba.so", {.needed = {"libb.so"}});
  add("/x/libb.so", {});
  view_.add_link("/lib/libc.musl-x86_64.so.1", "ld-musl-x86_64.so.1");
  const Closure closure = load({{"/app"}});
  EXPECT_EQ(closure.config.libc, LibcFamily::musl);
  EXPECT_THAT(closure.missing, IsEmpty());
  EXPECT_THAT(paths(closure),
              ElementsAre("/app", "/x/liba.so", "/lib/ld-musl-x86_64.so.1", "/x/libb.so"));
  // LD_LIBRARY_PATH comes before any rpath.
  add("/env/liba.so", {});
  EXPECT_EQ(load({{"/app"}}, {.ld_library_path = "/env"}).objects[1].path, "/env/liba.so");
}

TEST_F(Closures, NeedsInACircleEnd) {
  add("/lib64/liba.so", {.needed = {"libb.so", "liba.so"}});
  add("/lib64/libb.so", {.needed = {"liba.so"}});
  EXPECT_THAT(load({{"/lib64/liba.so"}}).objects, SizeIs(2));
}

TEST(Closure, OfNothingIsEmpty) {
  const DirectoryView view("/");  // a loader is there, and nothing that it would load
  const Closure closure = compute_closure(view, {}, {});
  EXPECT_TRUE(closure.objects.empty());
  EXPECT_TRUE(symbol_bindings(view, closure).missing.empty());
}

}  // namespace
}  // namespace fitment
