// SPDX-License-Identifier: Apache-2.0
// Which of several copies of a library stays, and when all do.
#include "slim/duplicates.h"

#include "support/elf_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kSite = "/opt/venv/lib/python3.12/site-packages/";
constexpr const char* kCuda = "/usr/local/cuda/lib64/";

/// The root of a system with an environment in it.
class Duplicates : public testing::Test {
 protected:
  Duplicates() {
    view_->add_file("/etc/os-release", "ID=debian\n");
    view_->add_file("/etc/ld.so.conf", "/usr/local/cuda/lib64\n");
    view_->add_file("/opt/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
    view_->add_file("/usr/bin/env", "");
    install("torch",
            "2.12.0",
            {{"torch/_C.cpython-312-x86_64-linux-gnu.so",
              {.needed = {"libcublas.so.13"}, .rpath = "$ORIGIN/../nvidia/cu13/lib"}}});
    file("/usr/bin/app", {.needed = {"libcublas.so.13"}, .interpreter = "/lib64/ld.so"});
  }

  void file(const std::string& path, const ElfImage& image) {
    view_->add_file(path, build_elf_image(image));
    paths_.push_back(path);
  }

  void install(const std::string& name,
               const std::string& version,
               const std::vector<std::pair<std::string, ElfImage>>& files) {
    const std::string info = kSite + name + "-" + version + ".dist-info/";
    std::string record;
    for (const auto& [path, image] : files) {
      file(kSite + path, image);
      record += path + ",,\n";
    }
    view_->add_file(info + "METADATA",
                    "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
    view_->add_file(info + "RECORD", record);
  }

  void package(const std::string& name,
               const std::string& version,
               const std::vector<std::pair<std::string, ElfImage>>& files) {
    status_ += "Package: " + name + "\nStatus: install ok installed\nVersion: " + version + "\n\n";
    std::string list;
    for (const auto& [path, image] : files) {
      file(kCuda + path, image);
      list += kCuda + path + "\n";
    }
    view_->add_file("/var/lib/dpkg/status", status_);
    view_->add_file("/var/lib/dpkg/info/" + name + ".list", list);
  }

  /// cuBLAS, which is cuBLASLt as well. `build` goes into the bytes.
  static std::vector<std::pair<std::string, ElfImage>> cublas(const std::string& folder,
                                                              const std::string& suffix,
                                                              const std::string& build) {
    std::vector<std::pair<std::string, ElfImage>> files;
    files.emplace_back(folder + "libcublas.so.13" + suffix,
                       ElfImage{.needed = {"libcublasLt.so.13"},
                                .soname = "libcublas.so.13",
                                .runpath = "$ORIGIN",
                                .extra = build});
    files.emplace_back(folder + "libcublasLt.so.13" + suffix,
                       ElfImage{.soname = "libcublasLt.so.13", .extra = build});
    return files;
  }
  void wheel(const std::string& version, const std::string& build) {
    install("nvidia_cublas", version, cublas("nvidia/cu13/lib/", "", build));
  }
  void system(const std::string& version, const std::string& build) {
    package("libcublas-13-0", version + "-1", cublas("", version.substr(2), build));
    view_->add_link(std::string(kCuda) + "libcublas.so.13", "libcublas.so." + version);
    view_->add_link(std::string(kCuda) + "libcublasLt.so.13", "libcublasLt.so." + version);
  }

  std::vector<SlimFile> plan(KeepCopies keep = KeepCopies::fewest_bytes) {
    const SlimTree tree{view_, "", true, find_python_environments(*view_, {})};
    const LibraryTable* table = catalog_.libraries().value();
    std::sort(paths_.begin(), paths_.end());
    const TreeLibraries libraries = find_library_copies(tree, paths_, *table);
    Machine machine;
    const auto judge = TreeJudge::create(tree,
                                         {.machines = {{machine, false}},
                                          .catalog = &catalog_,
                                          .programs = programs_with_copies(libraries)});
    return plan_duplicates(tree, libraries, *table, keep, *judge).value();
  }
  /// `path -> other`, `path = other` for hard links, `path: why` for what stays.
  static std::vector<std::string> words(const std::vector<SlimFile>& files) {
    std::vector<std::string> list;
    for (const SlimFile& file : files) {
      const auto name = [](const std::string& path) {
        return (path.starts_with("opt") ? "wheel/" : "system/") + path.substr(path.rfind('/') + 1);
      };
      list.push_back(name(file.plan.path)
                     + (file.action != SlimAction::link ? ": " + file.plan.why
                        : file.is_hard_link             ? " = " + name(file.link_to)
                                                        : " -> " + name(file.link_to)));
    }
    return list;
  }

  std::shared_ptr<MemoryView> view_ = std::make_shared<MemoryView>();
  std::vector<std::string> paths_;
  std::string status_;
  Catalog catalog_;
};

TEST_F(Duplicates, the_same_bytes_become_one_file_in_either_direction) {
  wheel("13.1.0.3", "x");
  system("13.1.0.3", "x");
  EXPECT_THAT(words(plan()),
              ElementsAre("system/libcublas.so.13.1.0.3 = wheel/libcublas.so.13",
                          "system/libcublasLt.so.13.1.0.3 = wheel/libcublasLt.so.13"));
  EXPECT_THAT(words(plan(KeepCopies::system)),
              ElementsAre("wheel/libcublas.so.13 = system/libcublas.so.13.1.0.3",
                          "wheel/libcublasLt.so.13 = system/libcublasLt.so.13.1.0.3"));
}

TEST_F(Duplicates, another_build_of_the_release_gets_a_symbolic_link_to_the_sonames_place) {
  wheel("13.1.0.3", "x");
  system("13.1.0.3", "y");
  EXPECT_THAT(words(plan(KeepCopies::system)),
              ElementsAre("wheel/libcublas.so.13 -> system/libcublas.so.13",
                          "wheel/libcublasLt.so.13 -> system/libcublasLt.so.13"));
}

TEST_F(Duplicates, an_older_copy_never_stands_for_a_newer_one) {
  wheel("13.1.0.3", "x");
  system("13.0.2.14", "y");
  EXPECT_THAT(
      words(plan(KeepCopies::system)),
      ElementsAre(HasSubstr("wheel/libcublas.so.13: two copies stay"), HasSubstr("is older")));
  EXPECT_THAT(words(plan(KeepCopies::wheels)),
              ElementsAre("system/libcublas.so.13.0.2.14 -> wheel/libcublas.so.13",
                          "system/libcublasLt.so.13.0.2.14 -> wheel/libcublasLt.so.13"));
}

TEST_F(Duplicates, of_two_directions_the_one_that_leaves_fewer_bytes) {
  wheel("13.1.0.3", std::string(5000, 'x'));
  system("13.1.0.3", "y");
  EXPECT_THAT(words(plan()),
              ElementsAre("wheel/libcublas.so.13 -> system/libcublas.so.13",
                          "wheel/libcublasLt.so.13 -> system/libcublasLt.so.13"));
}

TEST_F(Duplicates, a_release_goes_as_a_whole_or_not_at_all) {
  wheel("13.1.0.3", "x");
  package(
      "libcublas-13-0", "13.1.0.3-1", {{"libcublas.so.13", cublas("", "", "y").front().second}});
  EXPECT_THAT(words(plan(KeepCopies::system)),
              ElementsAre(testing::AllOf(HasSubstr("wheel/libcublas.so.13: two copies stay"),
                                         HasSubstr("libcublasLt.so.13` belongs to it"))));
}

TEST_F(Duplicates, what_is_not_known_stays_twice) {
  wheel("13.1.0.3", "x");
  file("/usr/local/lib/libcublas.so.13", cublas("", "", "y").front().second);
  EXPECT_THAT(words(plan(KeepCopies::wheels)), ElementsAre(HasSubstr("cannot be compared")));
  // Of libraries that the catalogue does not know, other bytes are another library.
  const std::string much(100'000, 'z');
  install("one", "1", {{"one/libz.so.1", {.soname = "libz.so.1", .extra = much}}});
  install("two", "1", {{"two/libz.so.1", {.soname = "libz.so.1", .extra = much + "z"}}});
  install("three", "1", {{"three/libz.so.1", {.soname = "libz.so.1", .extra = much}}});
  EXPECT_THAT(words(plan()),
              ElementsAre("wheel/libz.so.1 = wheel/libz.so.1", HasSubstr("cannot be compared")));
}

TEST_F(Duplicates, a_loss_that_the_judge_finds_keeps_the_set) {
  // The program finds the system's cuBLAS by its RPATH. What would stand for it looks for cuBLASLt
  // by an RPATH of its own, and takes one that has nothing to do with either.
  file("/odd/libcublasLt.so.13", {.soname = "libcublasLt.so.13", .extra = "odd"});
  auto files = cublas("nvidia/cu13/lib/", "", "x");
  files.front().second.runpath = "/odd";
  install("nvidia_cublas", "13.1.0.3", files);
  system("13.1.0.3", "y");
  for (const std::string& line : words(plan(KeepCopies::wheels))) {
    if (line.starts_with("system/libcublas.so.13")) {
      EXPECT_THAT(line, HasSubstr("two copies stay"));
    }
  }
}

TEST_F(Duplicates, two_environments_share_one_file) {
  wheel("13.1.0.3", "x");
  view_->add_file("/srv/app/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
  const std::string other = "/srv/app/lib/python3.12/site-packages/";
  std::string record;
  for (const auto& [path, image] : cublas("nvidia/cu13/lib/", "", "x")) {
    file(other + path, image);
    record += path + ",,\n";
  }
  view_->add_file(other + "nvidia_cublas-13.1.0.3.dist-info/METADATA",
                  "Metadata-Version: 2.1\nName: nvidia-cublas\nVersion: 13.1.0.3\n");
  view_->add_file(other + "nvidia_cublas-13.1.0.3.dist-info/RECORD", record);
  EXPECT_THAT(plan(), testing::SizeIs(2));
}

}  // namespace
}  // namespace fitment
