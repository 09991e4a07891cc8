// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirement.h"

#include "property/wheel/generators.h"
#include "wheel/wheel_filename.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fitment {
namespace {

namespace words = testing_words;

RC_GTEST_PROP(Requirement, PrintsWhatItRead, ()) {
  const std::string text = *words::requirement();
  const auto requirement = parse_requirement(text);
  RC_ASSERT(requirement.has_value());
  const auto again = parse_requirement(to_string(*requirement));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == *requirement);
}

RC_GTEST_PROP(Requirement, ErrorsPointIntoTheText, ()) {
  std::string text = *words::requirement();
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text.insert(at, 1, *rc::gen::elementOf(std::string("()[];=<>@,'\" a1#")));
  const auto requirement = parse_requirement(text);
  if (!requirement) {
    const auto column = requirement.error().origin().value().column.value();
    RC_ASSERT(column >= 1U);
    RC_ASSERT(column <= text.size() + 1);
  }
}

RC_GTEST_PROP(Marker, PrintsWhatItRead, ()) {
  const auto marker = Marker::parse(*words::marker(3));
  RC_ASSERT(marker.has_value());
  RC_ASSERT(Marker::parse(to_string(*marker)).value() == *marker);
}

RC_GTEST_PROP(Marker, LogicIsThatOfItsParts, ()) {
  const MarkerEnvironment environment{.python_version = "3.12", .os_name = "posix", .extra = "x"};
  const std::string a = *words::marker();
  const std::string b = *words::marker();
  const auto holds = [&environment](const std::string& text) {
    return Marker::parse(text).value().evaluate(environment);
  };
  RC_ASSERT(holds("(" + a + ") and (" + b + ")") == (holds(a) && holds(b)));
  RC_ASSERT(holds("(" + a + ") or (" + b + ")") == (holds(a) || holds(b)));
}

RC_GTEST_PROP(WheelFilename, PrintsWhatItRead, ()) {
  const std::string text = *words::concat(words::word({"torch", "a_b"}),
                                          words::word({"-"}),
                                          words::version(),
                                          words::maybe(words::word({"-1", "-2build"})),
                                          words::word({"-py3-none-any", "-cp39.cp310-abi3-any"}),
                                          words::maybe(words::word({"-cu128", "-null"})),
                                          words::word({".whl"}));
  const auto name = parse_wheel_filename(text);
  RC_ASSERT(name.has_value());
  RC_ASSERT(to_string(*name) == text);
}

}  // namespace
}  // namespace fitment
