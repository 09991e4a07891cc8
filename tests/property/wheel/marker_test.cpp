// SPDX-License-Identifier: Apache-2.0
// Settling the markers of variants first and asking the rest later gives the same answer.
#include "wheel/marker.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fitment {
namespace {

std::string any_comparison() {
  return *rc::gen::element<std::string>(R"("nvidia" in variant_namespaces)",
                                        R"("amd" not in variant_namespaces)",
                                        R"("nvidia :: sm_arch" in variant_features)",
                                        R"(variant_label == "cu128")",
                                        R"("x" != variant_label)",
                                        R"(os_name == "posix")",
                                        R"(python_version < "3.9")",
                                        R"(extra == "gpu")");
}

std::string any_marker(int depth) {
  if (depth == 0 || *rc::gen::inRange(0, 3) == 0) {
    return any_comparison();
  }
  return "(" + any_marker(depth - 1) + *rc::gen::element<std::string>(" and ", " or ")
         + any_marker(depth - 1) + ")";
}

RC_GTEST_PROP(Marker, SettlingVariantsLeavesTheAnswer, ()) {
  const std::string text = any_marker(4);
  const Marker marker = Marker::parse(text).value();
  MarkerEnvironment environment;
  environment.os_name = *rc::gen::element<std::string>("posix", "nt");
  environment.python_version = *rc::gen::element<std::string>("3.8", "3.12");
  environment.extra = *rc::gen::element<std::string>("", "gpu");
  environment.variant_label = *rc::gen::element<std::string>("", "cu128");
  using Words = std::vector<std::string>;
  environment.variant_namespaces =
      *rc::gen::elementOf(std::vector<Words>{{}, {"nvidia"}, {"amd", "nvidia"}});
  environment.variant_features = *rc::gen::elementOf(std::vector<Words>{{}, {"nvidia :: sm_arch"}});
  const std::variant<bool, Marker> rest = marker.settle_variant(environment);
  const Marker* left = std::get_if<Marker>(&rest);
  const bool answer = left == nullptr ? std::get<bool>(rest) : left->evaluate(environment);
  RC_ASSERT(answer == marker.evaluate(environment));
  if (left != nullptr) {
    RC_ASSERT(!left->mentions_variant());
    RC_ASSERT(Marker::parse(to_string(*left)).value() == *left);
  }
}

}  // namespace
}  // namespace fitment
