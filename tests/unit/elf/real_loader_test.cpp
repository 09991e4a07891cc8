// SPDX-License-Identifier: Apache-2.0
// The real loader of this system is the judge: it lists what it would load, we compare.
#include "support/real_loader.h"

#include "elf/closure.h"
#include "elf/symbol_bindings.h"
#include "support/cuda_toolkit.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kLoader = "/lib64/ld-linux-x86-64.so.2";

SearchOptions options_here(const std::string& ld_library_path = {}) {
  static const int level = cpu_level_of_loader(kLoader);
  return {.ld_library_path = ld_library_path, .cpu_level = level};
}

/// Our answer in the form of the loader's: without the file itself and the loader.
LoaderAnswer our_answer(const std::string& file, const SearchOptions& options) {
  const Closure closure = compute_closure(DirectoryView("/"), {{file}}, options);
  LoaderAnswer answer;
  for (const ClosureObject& object : closure.objects) {
    if (object.found_by != FoundBy::entry && object.found_by != FoundBy::loader) {
      answer.paths.insert(object.real_path);
    }
  }
  for (const MissingLibrary& missing : closure.missing) {
    answer.missing.insert(missing.name);
  }
  return answer;
}

/// One line about a file where the two differ, or nothing.
std::string difference(const std::string& file, const std::string& ld_library_path = {}) {
  auto expected = ask_real_loader(kLoader, file, ld_library_path);
  if (!expected) {
    return {};
  }
  expected->paths.erase(std::filesystem::canonical(kLoader).string());
  expected->paths.erase(std::filesystem::canonical(file).string());
  const LoaderAnswer ours = our_answer(file, options_here(ld_library_path));
  std::string text;
  for (const auto& [name, mine, theirs] : {std::tuple{"path", &ours.paths, &expected->paths},
                                           {"missing", &ours.missing, &expected->missing}}) {
    for (const std::string& one : *mine) {
      text +=
          theirs->count(one) == 0 ? fmt::format("{}: only we say {} {}\n", file, name, one) : "";
    }
    for (const std::string& one : *theirs) {
      text += mine->count(one) == 0
                  ? fmt::format("{}: only the loader says {} {}\n", file, name, one)
                  : "";
    }
  }
  return text;
}

bool is_dynamic_elf(const std::filesystem::path& path) {
  const auto source = open_file_source(path);
  const auto elf =
      source ? ElfFile::read(**source) : Result<ElfFile>(tl::unexpected<Error>(source.error()));
  return elf && elf->header().machine == ElfMachine::em_x86_64
         && elf->find_segment(SegmentType::pt_dynamic) != nullptr;
}

class RealLoader : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kLoader)) {
      GTEST_SKIP() << "this system has no " << kLoader;
    }
  }
  void library(const std::string& path,
               const std::vector<std::string>& needs,
               const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"-shared",
                                       "-fPIC",
                                       "-nostdlib",
                                       "-Wl,--no-as-needed",
                                       "-Wl,--allow-shlib-undefined",
                                       "-Wl,-soname," + std::string(file_name(path))};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (const std::string& need : needs) {
      arguments.push_back(shop_.path(need));
    }
    shop_.compile(path, fmt::format("int f_{}(void) {{ return 1; }}", ++count_), arguments);
  }
  void program(const std::vector<std::string>& needs, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined", "-Wl,--unresolved-symbols=ignore-all"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (const std::string& need : needs) {
      arguments.push_back(shop_.path(need));
    }
    shop_.compile("app", "int main(void) { return 0; }", arguments);
  }
  /// Agreement of both, and which folders the libraries of this test came from.
  std::vector<std::string> folders(const std::string& ld_library_path = {}) {
    EXPECT_EQ(difference(shop_.path("app"), ld_library_path), "");
    std::vector<std::string> list;
    const Closure closure =
        compute_closure(DirectoryView("/"), {{shop_.path("app")}}, options_here(ld_library_path));
    for (const ClosureObject& object : closure.objects) {
      if (object.path.starts_with(shop_.root().string()) && object.found_by != FoundBy::entry) {
        list.push_back(object.real_path.substr(shop_.root().string().size() + 1));
      }
    }
    return list;
  }
  Workshop shop_;
  int count_ = 0;
};

TEST_F(RealLoader, RpathRunpathAndLibraryPath) {
  for (const char* folder : {"own", "env"}) {
    library(fmt::format("{}/libx.so.1", folder), {});
  }
  library("mid/liby.so.1", {"own/libx.so.1"});
  const std::string rpath = "-Wl,--disable-new-dtags,-rpath,$ORIGIN/mid:$ORIGIN/own";
  const std::string runpath = "-Wl,--enable-new-dtags,-rpath,$ORIGIN/mid:$ORIGIN/own";
  const std::string env = shop_.path("env");
  program({"mid/liby.so.1"}, {rpath});
  EXPECT_THAT(folders(), ElementsAre("mid/liby.so.1", "own/libx.so.1"));
  EXPECT_THAT(folders(env), ElementsAre("mid/liby.so.1", "own/libx.so.1"));
  program({"mid/liby.so.1"}, {runpath});
  EXPECT_THAT(folders(), ElementsAre("mid/liby.so.1"));
  EXPECT_THAT(folders(env), ElementsAre("mid/liby.so.1", "env/libx.so.1"));
  program({"own/libx.so.1"}, {runpath});
  EXPECT_THAT(folders(env), ElementsAre("env/libx.so.1"));
  // A RUNPATH in the middle cuts off the RPATH of the program.
  library("mid/liby.so.1", {"own/libx.so.1"}, {"-Wl,--enable-new-dtags,-rpath,/nowhere"});
  program({"mid/liby.so.1"}, {rpath});
  EXPECT_THAT(folders(), ElementsAre("mid/liby.so.1"));
}

TEST_F(RealLoader, DiamondsLinksAndForeignFiles) {
  library("real/libbase.so.1", {});
  shop_.link("lib", "real");
  shop_.link("real/libbase2.so", "libbase.so.1");
  library("real/liba.so.1", {"real/libbase.so.1"});
  library("real/libb.so.1", {"real/libbase.so.1"});
  program({"real/libb.so.1", "real/liba.so.1"},
          {"-Wl,-rpath,$ORIGIN/lib", "-Wl,--disable-new-dtags"});
  EXPECT_THAT(folders(), ElementsAre("real/libb.so.1", "real/liba.so.1", "real/libbase.so.1"));
  // A 64-bit file of another machine in front is passed over.
  std::string foreign = read_file(shop_.path("real/libbase.so.1")).value();
  foreign[18] = '\xb7';
  foreign[19] = '\0';
  shop_.write("foreign/libbase.so.1", foreign);
  EXPECT_THAT(folders(shop_.path("foreign")), SizeIs(3));
}

TEST_F(RealLoader, OriginOfALibraryBehindALinkIsThePlaceOfTheLink) {
  library("real/libbase.so.1", {});
  library("there/libbase.so.1", {});
  library("real/liba.so.1", {"real/libbase.so.1"}, {"-Wl,-rpath,$ORIGIN"});
  std::filesystem::create_directory(shop_.path("links"));
  shop_.link("links/liba.so.1", "../real/liba.so.1");
  shop_.link("links/libbase.so.1", "../there/libbase.so.1");
  program({"real/liba.so.1"}, {"-Wl,-rpath,$ORIGIN/links"});
  EXPECT_THAT(folders(), ElementsAre("real/liba.so.1", "there/libbase.so.1"));
}

TEST_F(RealLoader, HwcapsFolders) {
  library("x/libh.so.1", {});
  for (int level = 2; level <= 4; ++level) {
    library(fmt::format("x/glibc-hwcaps/x86-64-v{}/libh.so.1", level), {});
  }
  program({"x/libh.so.1"}, {"-Wl,-rpath,$ORIGIN/x"});
  const int level = options_here().cpu_level;
  EXPECT_THAT(folders(),
              ElementsAre(level < 2 ? "x/libh.so.1"
                                    : fmt::format("x/glibc-hwcaps/x86-64-v{}/libh.so.1", level)));
}

TEST_F(RealLoader, NodeflibSonamesAndDuplicates) {
  program({}, {"-Wl,-z,nodefaultlib"});
  EXPECT_EQ(difference(shop_.path("app")), "");
  // The same soname under two names: the first one loaded serves both.
  library("one/libs.so.1", {});
  library("two/libs.so.1", {});
  library("one/libm1.so", {"one/libs.so.1"}, {"-Wl,-rpath," + shop_.path("one")});
  library("two/libm2.so", {"two/libs.so.1"}, {"-Wl,-rpath," + shop_.path("two")});
  program({"one/libm1.so", "two/libm2.so"},
          {"-Wl,--enable-new-dtags,-rpath,$ORIGIN/one:$ORIGIN/two"});
  EXPECT_THAT(folders(), ElementsAre("one/libm1.so", "two/libm2.so", "one/libs.so.1"));
}

TEST_F(RealLoader, AgreesOnEveryProgramOfThisSystem) {
  constexpr std::size_t kLimit = 400;
  std::vector<std::string> files;
  const std::vector<std::string> names = list_folder("/usr/bin").value();
  for (const std::string& name : names) {
    const std::filesystem::path path = std::filesystem::path("/usr/bin") / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(path, ignored))
        && is_dynamic_elf(path)) {
      files.push_back(path.string());
    }
  }
  ASSERT_GT(files.size(), 50U);
  const std::size_t stride = (files.size() + kLimit - 1) / kLimit;
  std::atomic<std::size_t> next = 0;
  std::atomic<int> compared = 0;
  std::mutex mutex;
  std::string differences;
  const auto work = [&] {
    for (std::size_t i = next++; i * stride < files.size(); i = next++) {
      const std::string text = difference(files[i * stride]);
      const std::lock_guard lock(mutex);
      differences += text;
      ++compared;
    }
  };
  static_cast<void>(options_here());
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(differences, "");
  EXPECT_GE(static_cast<std::size_t>(compared), files.size() / stride);
  RecordProperty("compared", compared);
}

TEST_F(RealLoader, AgreesOnEveryLibraryOfTheCudaToolkit) {
  const auto folder = cuda_toolkit_libraries();
  if (!folder) {
    GTEST_SKIP() << "no CUDA libraries beside nvcc";
  }
  int compared = 0;
  const std::vector<std::string> names = list_folder(*folder).value();
  for (const std::string& name : names) {
    if (name.find(".so") != std::string::npos && !std::filesystem::is_symlink(*folder / name)
        && is_dynamic_elf(*folder / name)) {
      EXPECT_EQ(difference((*folder / name).string()), "");
      ++compared;
    }
  }
  EXPECT_GT(compared, 5);
}

TEST_F(RealLoader, SymbolsBindToTheCopyThatIsFoundFirst) {
  shop_.write("v.map", "V_1 { global: *; };");
  const std::vector<std::string> versioned{"-shared",
                                           "-fPIC",
                                           "-nostdlib",
                                           "-Wl,-soname,libv.so.1",
                                           "-Wl,--version-script=" + shop_.path("v.map")};
  shop_.compile(
      "new/libv.so.1", "int common(void) { return 1; } int fresh(void) { return 2; }", versioned);
  shop_.compile("old/libv.so.1", "int common(void) { return 1; }", versioned);
  shop_.compile("app",
                "int common(void); int fresh(void); extern int maybe(void) __attribute__((weak)); "
                "int main(void) { return common() + fresh() + (maybe ? 1 : 0); }",
                {shop_.path("new/libv.so.1"), "-Wl,--enable-new-dtags,-rpath,$ORIGIN/new"});
  const DirectoryView view("/");
  const auto bind = [&](const std::string& ld_library_path) {
    const Closure closure =
        compute_closure(view, {{shop_.path("app")}}, options_here(ld_library_path));
    return std::pair(closure, symbol_bindings(view, closure));
  };
  const auto [good, bound] = bind("");
  EXPECT_THAT(bound.missing, IsEmpty());
  EXPECT_THAT(bound.missing_versions, IsEmpty());
  int found = 0;
  for (const BoundSymbol& symbol : bound.bound) {
    if (symbol.symbol == "fresh@V_1") {
      EXPECT_EQ(good.objects[symbol.provider].path, shop_.path("new/libv.so.1"));
      ++found;
    }
  }
  EXPECT_EQ(found, 1);

  const auto [bad, broken] = bind(shop_.path("old"));
  ASSERT_THAT(broken.missing, SizeIs(1));
  EXPECT_EQ(broken.missing[0].name, "fresh");
  EXPECT_EQ(broken.missing[0].version, "V_1");
  EXPECT_EQ(broken.missing[0].expected_library, "libv.so.1");
  EXPECT_EQ(bad.objects[broken.missing[0].expected_object.value()].path,
            shop_.path("old/libv.so.1"));
  // The program itself confirms: it runs with one copy and not with the other.
  EXPECT_TRUE(run_process({shop_.path("app")})->code == 3);
  const auto failed = run_process(
      {"env", "LD_BIND_NOW=1", "LD_LIBRARY_PATH=" + shop_.path("old"), shop_.path("app")});
  EXPECT_THAT(failed->err, HasSubstr("fresh"));
}

TEST_F(RealLoader, AMissingVersionIsSaid) {
  shop_.write("one.map", "V_1 { global: *; };");
  shop_.write("two.map", "V_1 { }; V_2 { global: *; } V_1;");
  const auto make = [&](const std::string& path, const std::string& map) {
    shop_.compile(path,
                  "int f(void) { return 1; }",
                  {"-shared",
                   "-fPIC",
                   "-nostdlib",
                   "-Wl,-soname,libv.so.1",
                   "-Wl,--version-script=" + shop_.path(map)});
  };
  make("new/libv.so.1", "two.map");
  make("old/libv.so.1", "one.map");
  shop_.compile(
      "app", "int f(void); int main(void) { return f(); }", {shop_.path("new/libv.so.1")});
  const DirectoryView view("/");
  const Closure closure =
      compute_closure(view, {{shop_.path("app")}}, options_here(shop_.path("old")));
  const SymbolBindings bindings = symbol_bindings(view, closure);
  ASSERT_THAT(bindings.missing_versions, SizeIs(1));
  EXPECT_EQ(bindings.missing_versions[0].version, "V_2");
  EXPECT_EQ(closure.objects[bindings.missing_versions[0].provider].path,
            shop_.path("old/libv.so.1"));
  const auto failed =
      run_process({"env", "LD_LIBRARY_PATH=" + shop_.path("old"), shop_.path("app")});
  EXPECT_THAT(failed->err, HasSubstr("version `V_2' not found"));
}

// Every installed program runs, so nothing that it needs may be reported as missing.
TEST_F(RealLoader, InstalledProgramsMissNoSymbol) {
  const DirectoryView view("/");
  int programs = 0;
  for (const char* path : {"/usr/bin/gcc",
                           "/usr/bin/git",
                           "/usr/bin/cmake",
                           "/usr/bin/python3",
                           "/usr/bin/perl",
                           "/usr/bin/ssh",
                           "/usr/bin/curl",
                           "/bin/bash"}) {
    if (!std::filesystem::exists(path) || !is_dynamic_elf(path)) {
      continue;
    }
    const Closure closure = compute_closure(view, {{path}}, options_here());
    const SymbolBindings bindings = symbol_bindings(view, closure);
    for (const MissingSymbol& missing : bindings.missing) {
      ADD_FAILURE() << path << ": " << closure.objects[missing.object].path << " misses "
                    << missing.name << "@" << missing.version;
    }
    EXPECT_THAT(bindings.missing_versions, IsEmpty()) << path;
    EXPECT_THAT(bindings.problems, IsEmpty()) << path;
    EXPECT_GT(bindings.bound.size(), 50U);
    ++programs;
  }
  EXPECT_GT(programs, 2);
}

}  // namespace
}  // namespace fitment
