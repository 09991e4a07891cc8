// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include "report/tree.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

Table builds() {
  Table table;
  table.column("build")
      .column("size", Table::Align::right)
      .column("why", Table::Align::left, Table::Wrap::words);
  table.row({StyledText("2.8.0+cu128", Role::good),
             "914.2 MB",
             "native kernels for sm_90 and a driver that is new enough for its toolkit"});
  table.row({"2.8.0+cpu", "12 B", StyledText("policy-cpu", Role::bad)});
  return table;
}

TEST(Table, WrapsProseToTheTerminal) {
  EXPECT_EQ(builds().render({.width = 60}),
            "build            size  why\n"
            "2.8.0+cu128  914.2 MB  native kernels for sm_90 and a driver\n"
            "                       that is new enough for its toolkit\n"
            "2.8.0+cpu        12 B  policy-cpu\n");
  EXPECT_EQ(builds().render({.width = 80}),
            "build            size  why\n"
            "2.8.0+cu128  914.2 MB  native kernels for sm_90 and a driver that is new enough\n"
            "                       for its toolkit\n"
            "2.8.0+cpu        12 B  policy-cpu\n");
  EXPECT_EQ(builds().render({.width = 120}),
            "build            size  why\n"
            "2.8.0+cu128  914.2 MB  native kernels for sm_90 and a driver that is new enough for "
            "its toolkit\n"
            "2.8.0+cpu        12 B  policy-cpu\n");
}

TEST(Table, ColoursWithoutMovingColumns) {
  EXPECT_EQ(builds().render({.colour = true, .width = 120}),
            "\x1b[1mbuild\x1b[0m            \x1b[1msize\x1b[0m  \x1b[1mwhy\x1b[0m\n"
            "\x1b[32m2.8.0+cu128\x1b[0m  914.2 MB  native kernels for sm_90 and a driver that is "
            "new enough for its toolkit\n"
            "2.8.0+cpu        12 B  \x1b[31mpolicy-cpu\x1b[0m\n");
}

TEST(Table, AlignsWideCharactersAndLeavesNoBlanksAtTheEnd) {
  Table table;
  table.column("").column("").indent(2);
  table.row({"語", "x"}).row({"abc", ""}).row({"", "y"});
  EXPECT_EQ(table.render({}), "  語   x\n  abc\n       y\n");
}

TEST(Table, WithoutRowsIsNothing) {
  Table table;
  table.column("a");
  EXPECT_EQ(table.render({}), "");
  EXPECT_EQ(Table().render({}), "");
}

TEST(Table, NeverCutsWordsInANarrowTerminal) {
  Table table;
  table.column("", Table::Align::left, Table::Wrap::words);
  table.row({"https://example.org/a/very/long/path and more"});
  EXPECT_EQ(table.render({.width = 10}), "https://example.org/a/very/long/path\nand more\n");
}

TreeNode libraries() {
  return {"torch",
          {{"libtorch_cuda.so",
            {{"libcublas.so.12 found by runpath of libtorch_cuda.so", {}}, {"libc.so.6", {}}}},
           {StyledText("libcudnn.so.9").add(" not found", Role::bad), {}}}};
}

TEST(Tree, DrawsBranches) {
  EXPECT_EQ(render_tree(libraries(), {}),
            "torch\n"
            "├── libtorch_cuda.so\n"
            "│   ├── libcublas.so.12 found by runpath of libtorch_cuda.so\n"
            "│   └── libc.so.6\n"
            "└── libcudnn.so.9 not found\n");
}

TEST(Tree, FallsBackToAsciiAndWrapsUnderTheLabel) {
  EXPECT_EQ(render_tree(libraries(), {.unicode = false, .width = 40}),
            "torch\n"
            "|-- libtorch_cuda.so\n"
            "|   |-- libcublas.so.12 found by runpath\n"
            "|   |   of libtorch_cuda.so\n"
            "|   `-- libc.so.6\n"
            "`-- libcudnn.so.9 not found\n");
}

}  // namespace
}  // namespace fitment
