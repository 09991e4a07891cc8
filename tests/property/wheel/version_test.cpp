// SPDX-License-Identifier: Apache-2.0
#include "wheel/version.h"

#include "property/wheel/generators.h"
#include "wheel/name.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fitment {
namespace {

namespace words = testing_words;

Version parsed(const std::string& text) {
  return Version::parse(text).value();
}

RC_GTEST_PROP(Version, PrintsWhatItRead, ()) {
  const std::string text = *words::version();
  RC_ASSERT(to_string(parsed(text)) == text);
  RC_ASSERT(parsed(to_string(parsed(text))) == parsed(text));
}

RC_GTEST_PROP(Version, PartsMakeTheWhole, ()) {
  const Version version = parsed(*words::version());
  const std::string local = version.local();
  RC_ASSERT(to_string(version) == version.public_text() + (local.empty() ? "" : "+" + local));
  RC_ASSERT(version.without_local() <= version);
}

RC_GTEST_PROP(Version, OrderIsTotal, ()) {
  const Version a = parsed(*words::version());
  const Version b = parsed(*words::version());
  const Version c = parsed(*words::version());
  RC_ASSERT(a == a);
  RC_ASSERT((a < b) == (b > a));
  RC_ASSERT((a < b) + (a == b) + (a > b) == 1);
  if (a <= b && b <= c) {
    RC_ASSERT(a <= c);
    RC_ASSERT((a < c) == (a < b || b < c));
  }
}

RC_GTEST_PROP(Version, TrailingZerosDoNotCount, ()) {
  const std::string release = *words::release();
  const std::string tail = *words::maybe(words::word({"a1", ".post2", ".dev3", "+cpu"}));
  RC_ASSERT(parsed(release + ".0" + tail) == parsed(release + tail));
}

RC_GTEST_PROP(Version, NeverCrashes, (const std::string& bytes)) {
  const auto version = Version::parse(bytes);
  if (version) {
    RC_ASSERT(parsed(to_string(*version)) == *version);
  }
}

RC_GTEST_PROP(Name, NormalFormIsStable, ()) {
  const std::string name =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("aZ0-_.")));
  const std::string normal = normalize_name(name);
  RC_ASSERT(normalize_name(normal) == normal);
  RC_ASSERT(is_valid_name(name) == is_valid_name(normal));
}

}  // namespace
}  // namespace fitment
