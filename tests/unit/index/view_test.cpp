// SPDX-License-Identifier: Apache-2.0
#include "index/view.h"

#include "index/route_file.h"
#include "support/machines.h"
#include "variant/metadata_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing_support::gpu;
using testing_support::nvidia_machine;
using testing_support::plain_machine;

std::shared_ptr<const Catalog> catalog() {
  static const auto kCatalog = std::make_shared<const Catalog>();
  return kCatalog;
}

const std::vector<Placeholder>& placeholders() {
  static const Routes kRoutes = built_in_routes(*catalog()).value();
  return kRoutes.placeholders;
}

/// File names, each with the backend of its address behind a `@` where it has one.
Project project(std::string name, const std::vector<std::string>& files) {
  Project made;
  made.name = std::move(name);
  made.index = "test";
  for (const std::string& text : files) {
    const std::size_t mark = text.find('@');
    SimpleFile file;
    file.filename = text.substr(0, mark);
    file.url = "https://host/" + file.filename;
    made.files.push_back(classify_file(
        std::move(file), mark == std::string::npos ? "" : text.substr(mark + 1), made.name));
  }
  return made;
}

ViewContext context(Machine machine, ViewPolicy policy = {}) {
  return ViewContext::create(std::move(machine), std::move(policy), catalog()).value();
}

ProjectView view_of(const Project& project,
                    const ViewContext& context,
                    const FrameworkChoices* framework = nullptr) {
  return plan_view({&project, &context, &placeholders(), framework}).value();
}

/// Names of files that need no pin.
std::vector<std::string> shown(const ProjectView& view) {
  std::vector<std::string> names;
  for (const ShownFile& file : view.shown) {
    if (!file.is_pin_only) {
      names.push_back(file.filename);
    }
  }
  return names;
}

/// Rules that speak against a file, whether it is hidden or can be had by a pin.
std::vector<std::string> rules(const Project& project,
                               const ProjectView& view,
                               const std::string& filename) {
  std::vector<std::string> ids;
  const auto add = [&](std::size_t file, const std::vector<std::size_t>& reasons) {
    if (project.files[file].file.filename == filename) {
      for (const std::size_t reason : reasons) {
        ids.push_back(view.reasons[reason].rule);
      }
    }
  };
  for (const HiddenFile& file : view.hidden) {
    add(file.file, file.reasons);
  }
  for (const ShownFile& file : view.shown) {
    add(file.file, file.reasons);
  }
  return ids;
}

std::string torch(const std::string& version) {
  return "torch-" + version + "-cp312-cp312-manylinux_2_28_x86_64.whl";
}

Project torch_280() {
  return project("torch",
                 {torch("2.8.0+cpu"),
                  torch("2.8.0+cu126"),
                  torch("2.8.0+cu128"),
                  torch("2.8.0+cu129"),
                  torch("2.8.0+rocm6.4"),
                  torch("2.8.0+xpu"),
                  "torch-2.8.0+cu126-cp312-cp312-win_amd64.whl",
                  "torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_aarch64.whl"});
}

TEST(View, one_backend_of_a_version_stays) {
  const Project files = torch_280();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  EXPECT_THAT(shown(view), ElementsAre(torch("2.8.0+cu128")));
  EXPECT_THAT(rules(files, view, torch("2.8.0+cpu")), ElementsAre("policy-cpu"));
  EXPECT_THAT(rules(files, view, torch("2.8.0+rocm6.4")), ElementsAre("gpu-vendor"));
  EXPECT_THAT(rules(files, view, torch("2.8.0+cu126")), ElementsAre("other-build"));
  EXPECT_THAT(rules(files, view, "torch-2.8.0+cu126-cp312-cp312-win_amd64.whl"),
              ElementsAre("platform-tag"));
  EXPECT_THAT(rules(files, view, "torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_aarch64.whl"),
              ElementsAre("platform-tag"));
  ASSERT_EQ(view.choices.size(), 1U);
  EXPECT_EQ(view.choices[0].chosen, "cu128");
}

TEST(View, kernels_count_and_not_only_the_driver) {
  const Project files = torch_280();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_61"}, "13.0")));
  EXPECT_THAT(shown(view), ElementsAre(torch("2.8.0+cu126")));
  EXPECT_THAT(rules(files, view, torch("2.8.0+cu128")), ElementsAre("gpu-kernels"));
}

TEST(View, a_machine_without_gpu_gets_the_cpu_build) {
  const Project files = torch_280();
  EXPECT_THAT(shown(view_of(files, context(plain_machine()))), ElementsAre(torch("2.8.0+cpu")));
}

TEST(View, other_builds_can_be_had_by_a_pin) {
  const Project files = torch_280();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  const ShownFile* other = view.find(torch("2.8.0+cu126"));
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(other->is_pin_only);
  EXPECT_EQ(*other->yanked, "fitment: 2.8.0+cu128 suits test better than cu126");
  const ShownFile* cpu = view.find(torch("2.8.0+cpu"));
  ASSERT_NE(cpu, nullptr);
  EXPECT_NE(cpu->yanked->find("cpu does not fit"), std::string::npos) << *cpu->yanked;
}

TEST(View, without_a_fitting_build_nothing_is_passed) {
  const Project files = project("torch", {torch("2.8.0+cpu"), torch("2.8.0+cu128")});
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_35"}, "11.4")));
  EXPECT_THAT(view.shown, IsEmpty());
  EXPECT_EQ(view.choices[0].chosen, "");
}

TEST(View, pins_can_be_switched_off) {
  const Project files = torch_280();
  ViewPolicy policy;
  policy.pass_pins = false;
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8"), policy));
  EXPECT_EQ(view.shown.size(), 1U);
}

TEST(View, a_pinned_backend_is_obeyed) {
  const Project files = torch_280();
  ViewPolicy policy;
  policy.choose.backend = "cu129";
  EXPECT_THAT(shown(view_of(files, context(plain_machine(), policy))),
              ElementsAre(torch("2.8.0+cu129")));
}

TEST(View, a_version_that_the_catalogue_does_not_know_is_judged_as_the_nearest_older) {
  const Project files = project("torch", {torch("9.0.0+cu130"), torch("9.0.0+cpu")});
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "13.0")));
  EXPECT_THAT(shown(view), ElementsAre(torch("9.0.0+cu130")));
  EXPECT_NE(view.choices[0].note.find("judged as"), std::string::npos);
}

TEST(View, companions_agree_with_their_framework) {
  const auto vision = [](const std::string& label) {
    return "torchvision-0.23.0+" + label + "-cp312-cp312-manylinux_2_28_x86_64.whl";
  };
  const Project files = project("torchvision", {vision("cu126"), vision("cu128"), vision("cpu")});
  const ViewContext machine = context(nvidia_machine({"sm_90"}, "12.8"));
  const FrameworkChoices choices{{"2.8.0", "cu126"}};
  const ProjectView view = view_of(files, machine, &choices);
  EXPECT_THAT(shown(view), ElementsAre(vision("cu126")));
  EXPECT_THAT(rules(files, view, vision("cu128")), ElementsAre("pair-mismatch"));
  EXPECT_EQ(framework_to_agree_with(*catalog(), "torchvision").value(), "torch");
  EXPECT_EQ(framework_to_agree_with(*catalog(), "torch").value(), "");
  EXPECT_EQ(framework_to_agree_with(*catalog(), "triton").value(), "");
  EXPECT_EQ(framework_to_agree_with(*catalog(), "numpy").value(), "");
}

TEST(View, labels_of_packages_outside_the_catalogue_are_judged_by_vendor_and_driver) {
  const auto wheel = [](const std::string& label) {
    return "someops-1.0+" + label + "-cp312-cp312-linux_x86_64.whl";
  };
  const Project files =
      project("someops", {wheel("cu118"), wheel("cu130"), wheel("cpu"), wheel("abi7")});
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  EXPECT_THAT(shown(view), UnorderedElementsAre(wheel("cu118"), wheel("abi7")));
  EXPECT_THAT(rules(files, view, wheel("cu130")), ElementsAre("driver-floor"));
}

TEST(View, paddle_is_told_apart_by_its_address) {
  const std::string wheel = "paddlepaddle_gpu-3.0.0-cp312-cp312-linux_x86_64.whl";
  const Project files = project("paddlepaddle-gpu", {wheel + "@cu118", wheel + "@cu126"});
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  ASSERT_EQ(view.shown.size(), 1U);
  EXPECT_EQ(files.files[view.shown[0].file].backend, "cu126");
}

TEST(View, cupy_is_refused_by_its_name_where_the_driver_is_too_old) {
  const std::string wheel = "cupy_cuda13x-14.2.0-cp312-cp312-manylinux2014_x86_64.whl";
  const Project files = project("cupy-cuda13x", {wheel});
  const ProjectView old = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  EXPECT_THAT(rules(files, old, wheel), ElementsAre("driver-floor"));
  EXPECT_THAT(shown(view_of(files, context(nvidia_machine({"sm_90"}, "13.0")))),
              ElementsAre(wheel));
  EXPECT_THAT(shown(view_of(files, context(plain_machine()))), ElementsAre(wheel));
}

TEST(View, plain_packages_are_filtered_by_platform_alone) {
  const Project files = project("numpy",
                                {"numpy-2.0.0-cp310-cp310-manylinux_2_17_x86_64.whl",
                                 "numpy-2.0.0-cp312-cp312-manylinux_2_39_x86_64.whl",
                                 "numpy-2.0.0-cp312-cp312-musllinux_1_1_x86_64.whl",
                                 "numpy-2.0.0-cp312-cp312-macosx_14_0_arm64.whl",
                                 "numpy-2.0.0-py3-none-any.whl",
                                 "numpy-2.0.0.tar.gz",
                                 "numpy-2.0.0-py3.9.egg",
                                 "evil-2.0.0-py3-none-any.whl"});
  const ProjectView view = view_of(files, context(plain_machine()));
  EXPECT_THAT(shown(view),
              ElementsAre("numpy-2.0.0-cp310-cp310-manylinux_2_17_x86_64.whl",
                          "numpy-2.0.0-py3-none-any.whl",
                          "numpy-2.0.0.tar.gz"));
  EXPECT_THAT(rules(files, view, "numpy-2.0.0-cp312-cp312-manylinux_2_39_x86_64.whl"),
              ElementsAre("glibc-floor"));
  EXPECT_THAT(rules(files, view, "evil-2.0.0-py3-none-any.whl"), ElementsAre("file-kind"));
}

TEST(View, placeholders_are_hidden) {
  const auto hidden = [](const std::string& name, const std::vector<std::string>& files) {
    const Project made = project(name, files);
    return shown(view_of(made, context(plain_machine())));
  };
  EXPECT_THAT(hidden("nvidia-pyindex", {"nvidia-pyindex-1.0.9.tar.gz"}), IsEmpty());
  EXPECT_THAT(hidden("nvidia-cublas-cu13", {"nvidia-cublas-cu13-0.0.1.tar.gz"}), IsEmpty());
  EXPECT_THAT(hidden("tensorrt", {"tensorrt-10.0.1.tar.gz"}), IsEmpty());
  EXPECT_THAT(hidden("nvidia-ml-py",
                     {"nvidia_ml_py-12.0.0-py3-none-any.whl", "nvidia-ml-py-12.0.0.tar.gz"}),
              testing::SizeIs(2));
}

Project variant_project() {
  const auto wheel = [](const std::string& tags, const std::string& label) {
    return "acme-1.0-" + tags + (label.empty() ? "" : "-" + label) + ".whl";
  };
  Project made = project("acme",
                         {wheel("cp312-cp312-linux_x86_64", "cu128"),
                          wheel("cp311-cp311-linux_x86_64", "cu128"),
                          wheel("cp312-cp312-linux_x86_64", "cu130"),
                          wheel("cp312-cp312-linux_x86_64", "null"),
                          wheel("py3-none-any", ""),
                          "acme-1.0-variants.json"});
  made.variants["1.0"].metadata = parse_variant_metadata(R"({
    "$schema": "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json",
    "default-priorities": {"namespace": ["nvidia"]},
    "variants": {"cu128": {"nvidia": {"cuda_version_lower_bound": ["12.8"]}},
                 "cu130": {"nvidia": {"cuda_version_lower_bound": ["13.0"]}}, "null": {}}})",
                                                         "test")
                                      .value();
  return made;
}

TEST(View, the_best_variant_stands_under_its_plain_name) {
  const Project files = variant_project();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  // 3.10 has neither, so the plain wheel stays for it: 3.12 prefers the tags of the variant.
  EXPECT_THAT(shown(view),
              UnorderedElementsAre("acme-1.0-cp312-cp312-linux_x86_64.whl",
                                   "acme-1.0-cp311-cp311-linux_x86_64.whl",
                                   "acme-1.0-py3-none-any.whl"));
  const ShownFile* chosen = view.find("acme-1.0-cp312-cp312-linux_x86_64.whl");
  EXPECT_EQ(files.files[chosen->file].file.filename, "acme-1.0-cp312-cp312-linux_x86_64-cu128.whl");
  EXPECT_THAT(rules(files, view, "acme-1.0-cp312-cp312-linux_x86_64-cu130.whl"),
              ElementsAre("variant-value-unsupported"));
  EXPECT_THAT(rules(files, view, "acme-1.0-cp312-cp312-linux_x86_64-null.whl"),
              ElementsAre("other-variant"));
  EXPECT_THAT(rules(files, view, "acme-1.0-variants.json"), ElementsAre("variant-file"));
}

TEST(View, a_newer_driver_gets_the_other_variant) {
  const Project files = variant_project();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "13.0")));
  const ShownFile* chosen = view.find("acme-1.0-cp312-cp312-linux_x86_64.whl");
  ASSERT_NE(chosen, nullptr);
  EXPECT_EQ(files.files[chosen->file].file.filename, "acme-1.0-cp312-cp312-linux_x86_64-cu130.whl");
}

TEST(View, without_metadata_variants_are_not_offered) {
  Project files = variant_project();
  files.variants.clear();
  const ProjectView view = view_of(files, context(nvidia_machine({"sm_90"}, "12.8")));
  EXPECT_THAT(shown(view), ElementsAre("acme-1.0-py3-none-any.whl"));
  EXPECT_THAT(rules(files, view, "acme-1.0-cp312-cp312-linux_x86_64-cu128.whl"),
              ElementsAre("variant-metadata-missing"));
}

TEST(View, upstream_yanked_files_stay_yanked) {
  Project files = project("numpy", {"numpy-2.0.0-py3-none-any.whl"});
  files.files[0].file.yanked = "broken";
  const ProjectView view = view_of(files, context(plain_machine()));
  EXPECT_EQ(view.shown.at(0).yanked, "broken");
}

}  // namespace
}  // namespace fitment
