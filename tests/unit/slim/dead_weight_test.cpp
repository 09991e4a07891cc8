// SPDX-License-Identifier: Apache-2.0
// What of an environment nothing reads at run time, and what stays in doubt.
#include "slim/dead_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace fitment {
namespace {

using testing::HasSubstr;

constexpr const char* kPackages = "/v/lib/python3.12/site-packages";

class DeadWeight : public testing::Test {
 protected:
  DeadWeight() { view_->add_file("/v/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n"); }

  void install(const std::string& name, const std::map<std::string, std::string>& files) {
    const std::string info = std::string(kPackages) + "/" + name + "-1.dist-info/";
    std::string record;
    for (const auto& [path, bytes] : files) {
      view_->add_file(std::string(kPackages) + "/" + path, bytes);
      record += path + ",,\n";
    }
    view_->add_file(info + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1\n");
    view_->add_file(info + "RECORD", record);
  }

  std::map<std::string, std::string> removed() const { return judged(SlimAction::remove); }
  std::map<std::string, std::string> kept() const { return judged(SlimAction::keep); }

  /// Reasons by path below the site folder.
  std::map<std::string, std::string> judged(SlimAction action) const {
    const std::set<SlimClass> all(kSlimClasses.begin(), kSlimClasses.end());
    const SlimTree tree{view_, "/v", false, {*read_python_environment(*view_, "/v", {})}};
    std::map<std::string, std::string> found;
    for (const SlimFile& file : plan_dead_weight(tree, all)) {
      if (file.action == action) {
        found[("/v/" + file.plan.path).substr(std::string(kPackages).size() + 1)] = file.plan.why;
      }
    }
    return found;
  }

  std::shared_ptr<MemoryView> view_ = std::make_shared<MemoryView>();
};

TEST_F(DeadWeight, archives_headers_and_build_files_go) {
  install("p",
          {{"p/__init__.py", "import os\n"},
           {"p/lib/libp_static.a", "!<arch>\n"},
           {"p/include/p.h", "int p;"},
           {"p/share/p.cmake", ""},
           {"p/src/p.h", "not in an include folder"}});
  const auto gone = removed();
  EXPECT_EQ(gone.size(), 3U);
  EXPECT_EQ(gone.count("p/src/p.h"), 0U);
}

TEST_F(DeadWeight, what_a_package_names_stays) {
  install("p",
          {{"p/__init__.py", "X = \"include\"\nY = 'libp_static.a'\n"},
           {"p/lib/libp_static.a", "!<arch>\n"},
           {"p/lib/libcudadevrt.a", "!<arch>\n"},
           {"p/include/p.h", "int p;"}});
  EXPECT_TRUE(removed().empty());
  const auto stays = kept();
  EXPECT_THAT(stays.at("p/include/p.h"), HasSubstr("names an include folder"));
  EXPECT_THAT(stays.at("p/lib/libp_static.a"), HasSubstr("names it"));
  EXPECT_THAT(stays.at("p/lib/libcudadevrt.a"), HasSubstr("link it"));
}

TEST_F(DeadWeight, nvidia_headers_stay_where_another_package_names_their_folders) {
  install("cudart", {{"nvidia/cu13/include/cuda.h", ""}});
  EXPECT_EQ(removed().size(), 1U);
  install("cupy", {{"cupy/env.py", "path = ['nvidia', 'cu13', 'include']\n"}});
  EXPECT_TRUE(removed().empty());
}

TEST_F(DeadWeight, a_compiler_keeps_headers_and_archives) {
  install("nvcc",
          {{"nvidia/cu13/bin/nvcc", ""},
           {"nvidia/cu13/include/cuda.h", ""},
           {"nvidia/cu13/lib/libcudart_static.a", ""}});
  EXPECT_TRUE(removed().empty());
}

TEST_F(DeadWeight, byte_code_goes_where_its_source_is) {
  install("p",
          {{"p/a.py", ""},
           {"p/__pycache__/a.cpython-312.pyc", ""},
           {"p/__pycache__/a.cpython-312.opt-1.pyc", ""},
           {"p/__pycache__/b.cpython-312.pyc", ""},
           {"p/c.pyc", ""}});
  EXPECT_EQ(removed().size(), 2U);
}

TEST_F(DeadWeight, tests_go_unless_something_imports_them) {
  install("p", {{"p/a.py", "import unittest\n"}, {"p/tests/test_a.py", ""}, {"p/tests/d.txt", ""}});
  install("h5", {{"h5/__init__.py", "from .tests import run_tests\n"}, {"h5/tests/test_a.py", ""}});
  install("lib", {{"lib/a.py", ""}, {"lib/tests/test_a.py", ""}});
  install("user", {{"user/a.py", "from lib.tests.test_a import Base\n"}});
  install("odd", {{"odd/a.py", ""}, {"odd/test/data.txt", ""}, {"tests/test_top.py", ""}});
  const auto gone = removed();
  EXPECT_EQ(gone.size(), 2U);
  EXPECT_EQ(gone.count("p/tests/d.txt"), 1U);
  EXPECT_THAT(kept().at("odd/test/data.txt"), HasSubstr("no file that is named as a test"));
}

}  // namespace
}  // namespace fitment
