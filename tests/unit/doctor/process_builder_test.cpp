// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"
#include "doctor/import_process.h"
#include "doctor/library_names.h"
#include "support/stack_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kModule = ".cpython-312-x86_64-linux-gnu.so";

class ProcessTest : public testing::Test {
 protected:
  /// The model of what was built; the system's libraries do not count.
  ImportModel model() {
    stack_ = read_stack(builder_.view(), *read_python_environment(builder_.view(), "/v", {}));
    SearchOptions options;
    options.uses_system = false;
    return {builder_.view(), stack_, **catalog_.libraries(), options};
  }
  [[nodiscard]] std::vector<std::string> names(const ImportProcess& process) const {
    std::vector<std::string> list;
    for (const std::size_t distribution : process.distributions) {
      list.push_back(stack_.distributions[distribution].name);
    }
    return list;
  }

  Catalog catalog_;
  StackBuilder builder_;
  Stack stack_;
};

std::vector<std::string> loaded(const ImportProcess& process) {
  std::vector<std::string> list;
  for (const ClosureObject& object : process.closure.objects) {
    list.push_back(object.name());
  }
  return list;
}

TEST_F(ProcessTest, WhatIsRequiredIsImportedFirst) {
  builder_.add("app", "1", {{std::string("app/_a") + kModule, {}}}, {"base", "missing"})
      .add("base", "1", {{std::string("base/_b") + kModule, {}}}, {"app"})  // a circle
      .add("other", "1", {{std::string("other/_o") + kModule, {}}});
  ImportModel imports = model();
  EXPECT_THAT(names(imports.everything()), ElementsAre("base", "app", "other"));
  const auto alone = imports.each_alone();
  ASSERT_THAT(alone, SizeIs(2));
  EXPECT_THAT(names(alone[0]), ElementsAre("base", "app"));
  EXPECT_THAT(names(alone[1]), ElementsAre("other"));
}

TEST_F(ProcessTest, AnExtensionWithoutSearchPathComesAfterTheHomeOfItsLibraries) {
  builder_.add("ext", "1", {{std::string("ext/_e") + kModule, {.needed = {"libc10.so"}}}})
      .add(
          "torch",
          "2.8.0",
          {{"torch/lib/libc10.so", {.soname = "libc10.so"}},
           {std::string("torch/_C") + kModule, {.needed = {"libc10.so"}, .rpath = "$ORIGIN/lib"}}});
  const auto alone = model().each_alone();
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_THAT(names(alone[0]), ElementsAre("torch", "ext"));
  EXPECT_THAT(alone[0].closure.missing, IsEmpty());
}

TEST_F(ProcessTest, OneProcessDoesNotHideWhatAnotherMisses) {
  builder_
      .add("torch",
           "2.8.0",
           {{"torch/lib/libcudart.so.12", {.soname = "libcudart.so.12"}},
            {std::string("torch/_C") + kModule,
             {.needed = {"libcudart.so.12"}, .rpath = "$ORIGIN/lib"}}})
      .add("lonely",
           "1",
           {{std::string("_l") + kModule, {.needed = {"libcudart.so.12"}, .rpath = "$ORIGIN"}}});
  ImportModel imports = model();
  const auto alone = imports.each_alone();
  ASSERT_THAT(alone, SizeIs(2));
  EXPECT_THAT(alone[0].closure.missing, SizeIs(1)) << "lonely, imported by itself";
  EXPECT_THAT(alone[1].closure.missing, IsEmpty());
}

TEST_F(ProcessTest, NamesThatAreOpenedAtRunTimeAreLookedForFromWhoOpensThem) {
  builder_.add(
      "nvidia-cuda-nvrtc-cu12",
      "12.8.93",
      {{"nvidia/cuda_nvrtc/lib/libnvrtc.so.12", {.soname = "libnvrtc.so.12", .runpath = "$ORIGIN"}},
       {"nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4",
        {.soname = "libnvrtc-builtins.so.12.4"}}});
  const auto wrong = model().everything();
  // The wheel is of 12.8, so are the built-ins that it asks for; the library loads at last, since
  // nothing else opens it.
  ASSERT_THAT(wrong.unopened, IsEmpty()) << "nobody imports it, so nobody opens anything";
  builder_.add("cupy",
               "13",
               {{std::string("cupy/_c") + kModule,
                 {.needed = {"libnvrtc.so.12"}, .rpath = "$ORIGIN/../nvidia/cuda_nvrtc/lib"}}});
  const auto used = model().everything();
  ASSERT_THAT(used.unopened, SizeIs(1));
  EXPECT_THAT(used.unopened[0].names.names, ElementsAre("libnvrtc-builtins.so.12.8"));
  EXPECT_FALSE(used.unopened[0].in_site.has_value());
}

TEST_F(ProcessTest, TorchPreloadsFromSiteFoldersWhenItsOwnPathFails) {
  builder_
      .add("nvidia-cublas",
           "13.1",
           {{"nvidia/cu13/lib/libcublas.so.13", {.soname = "libcublas.so.13"}}})
      .add("torch",
           "2.12.0",
           {{"torch/lib/libtorch_global_deps.so",
             {.needed = {"libcublas.so.13"}, .soname = "libtorch_global_deps.so"}},
            {std::string("torch/_C") + kModule, {.needed = {"libcublas.so.13"}}}});
  const auto process = model().everything();
  EXPECT_THAT(process.closure.missing, IsEmpty());
  EXPECT_THAT(
      loaded(process),
      ElementsAre(
          "libcublas.so.13", "libtorch_global_deps.so", "_C.cpython-312-x86_64-linux-gnu.so"));
}

TEST_F(ProcessTest, WhatNothingLoadsComesLast) {
  builder_.add("x",
               "1",
               {{"x/plugin.so.1", {.needed = {"libabsent.so.1"}, .soname = "plugin.so.1"}},
                {std::string("x/_x") + kModule, {}}});
  const auto process = model().everything();
  ASSERT_THAT(process.closure.objects, SizeIs(2));
  EXPECT_EQ(process.role_of(0), EntryRole::module);
  EXPECT_EQ(process.role_of(1), EntryRole::unreferred);
  ASSERT_THAT(process.closure.missing, SizeIs(1));
}

TEST(LibraryNames, AreNotFoundInWhatIsNoElfFile) {
  EXPECT_THAT(find_library_names(*memory_source("libcudnn.so.9", "x")), IsEmpty());
  EXPECT_THAT(find_library_names(*memory_source(build_elf_image({}), "x")), IsEmpty());
}

}  // namespace
}  // namespace fitment
