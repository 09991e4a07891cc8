// SPDX-License-Identifier: Apache-2.0
#include "stack/python_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void add_package(MemoryView& view, const std::string& site) {
  view.add_file(site + "/x-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: x\nVersion: 1\n");
}

TEST(PythonEnvironment, VirtualEnvironmentSeesItsOwnFolderOnly) {
  MemoryView view;
  view.add_file("/v/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
  add_package(view, "/v/lib/python3.12/site-packages");
  view.add_link("/v/lib64", "lib");
  view.add_link("/v/bin/python3", "/usr/bin/python3.12");  // leads nowhere here
  add_package(view, "/home/u/.local/lib/python3.12/site-packages");
  const auto environment = read_python_environment(view, "/v", {{"HOME", "/home/u"}});
  ASSERT_TRUE(environment.has_value());
  EXPECT_EQ(environment->kind, PythonEnvironmentKind::virtual_environment);
  EXPECT_EQ(environment->python_version, "3.12");
  EXPECT_THAT(environment->sites, ElementsAre("/v/lib/python3.12/site-packages"))
      << "lib64 is a link: one folder seen twice is one";
  EXPECT_FALSE(environment->interpreter.has_value());
}

TEST(PythonEnvironment, WithSystemPackagesTheUserAndTheSystemFollow) {
  MemoryView view;
  view.add_file("/v/pyvenv.cfg",
                "home = /usr/bin\ninclude-system-site-packages = true\nversion_info = 3.11.2\n");
  for (const char* site : {"/v/lib/python3.11/site-packages",
                           "/home/u/.local/lib/python3.11/site-packages",
                           "/usr/lib/python3/dist-packages",
                           "/usr/local/lib/python3.11/dist-packages"}) {
    add_package(view, site);
  }
  const auto environment = read_python_environment(
      view, "/v", {{"HOME", "/home/u"}, {"PYTHONPATH", "relative:/nothing"}});
  ASSERT_TRUE(environment.has_value());
  EXPECT_THAT(environment->sites,
              ElementsAre("/home/u/.local/lib/python3.11/site-packages",
                          "/v/lib/python3.11/site-packages",
                          "/usr/local/lib/python3.11/dist-packages",
                          "/usr/lib/python3/dist-packages"));
}

TEST(PythonEnvironment, CondaSeesTheUsersSiteFirstUnlessToldNotTo) {
  MemoryView view;
  view.add_file("/c/conda-meta/history", "");
  add_package(view, "/c/lib/python3.12/site-packages");
  add_package(view, "/home/u/.local/lib/python3.12/site-packages");
  const auto with = read_python_environment(view, "/c", {{"HOME", "/home/u"}});
  ASSERT_TRUE(with.has_value());
  EXPECT_THAT(with->sites,
              ElementsAre("/home/u/.local/lib/python3.12/site-packages",
                          "/c/lib/python3.12/site-packages"));
  const auto without =
      read_python_environment(view, "/c", {{"HOME", "/home/u"}, {"PYTHONNOUSERSITE", "1"}});
  EXPECT_THAT(without->sites, ElementsAre("/c/lib/python3.12/site-packages"));
}

TEST(PythonEnvironment, FoldersOfPthFilesAreAddedAndCodeInThemIsNotRun) {
  MemoryView view;
  add_package(view, "/s");
  view.add_file("/s/a.pth", "# a comment\nimport os; os.system('x')\n../src\n/abs\n/missing\n");
  view.add_file("/src/module.py", "");
  view.add_file("/abs/module.py", "");
  const auto environment = read_python_environment(view, "/s", {});
  ASSERT_TRUE(environment.has_value());
  EXPECT_EQ(environment->kind, PythonEnvironmentKind::site_packages);
  EXPECT_THAT(environment->sites, ElementsAre("/s", "/src", "/abs"));
}

TEST(PythonEnvironment, OfAWholeRootAreFoundWhereverTheyAre) {
  MemoryView view;
  view.add_file("/etc/os-release", "ID=debian\n");
  view.add_file("/opt/app/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
  add_package(view, "/opt/app/venv/lib/python3.12/site-packages");
  view.add_file("/opt/conda/conda-meta/history", "");
  add_package(view, "/opt/conda/lib/python3.11/site-packages");
  add_package(view, "/opt/prefix/lib/python3.10/site-packages");  // a conda whose records are gone
  view.add_file("/usr/lib/python3.9/os.py", "");
  add_package(view, "/usr/lib/python3/dist-packages");
  view.add_file("/srv/empty/pyvenv.cfg", "home = /usr/bin\n");  // no packages
  std::vector<std::string> prefixes;
  for (const PythonEnvironment& environment : find_python_environments(view, {})) {
    prefixes.push_back(environment.prefix);
  }
  EXPECT_THAT(prefixes, ElementsAre("/opt/conda", "/opt/prefix", "/opt/app/venv", "/usr"));
  EXPECT_TRUE(looks_like_root(view, "/"));
  EXPECT_FALSE(looks_like_root(view, "/usr"));
}

TEST(PythonEnvironment, WrongFoldersSayWhatWasLookedFor) {
  MemoryView view;
  view.add_file("/f/file", "");
  const auto error = read_python_environment(view, "/f", {});
  ASSERT_FALSE(error.has_value());
  EXPECT_EQ(error.error().code(), ErrorCode::not_found);
  EXPECT_EQ(error.error().hints().size(), 2U);
  EXPECT_FALSE(read_python_environment(view, "/f/file", {}).has_value());
  EXPECT_FALSE(read_python_environment(view, "/nowhere", {}).has_value());
  EXPECT_THAT(find_python_environments(view, {}), IsEmpty());
}

TEST(PythonEnvironment, LinksInACircleEnd) {
  MemoryView view;
  view.add_file("/v/pyvenv.cfg", "version = 3.12.3\n");
  view.add_link("/v/lib", "lib64");
  view.add_link("/v/lib64", "lib");
  view.add_link("/loop", "/loop");
  const auto environment = read_python_environment(view, "/v", {});
  ASSERT_TRUE(environment.has_value());
  EXPECT_THAT(environment->sites, IsEmpty());
  EXPECT_THAT(find_python_environments(view, {}), IsEmpty());
}

}  // namespace
}  // namespace fitment
