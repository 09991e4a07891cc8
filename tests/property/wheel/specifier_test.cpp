// SPDX-License-Identifier: Apache-2.0
#include "wheel/specifier.h"

#include "property/wheel/generators.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fitment {
namespace {

namespace words = testing_words;

bool accepts(const std::string& specifiers, const Version& version) {
  return SpecifierSet::parse(specifiers).value().contains(version, Prereleases::yes);
}

Version any_version() {
  return Version::parse(*words::version()).value();
}

RC_GTEST_PROP(Specifier, PrintsWhatItRead, ()) {
  const auto set = SpecifierSet::parse(*words::specifier_set());
  RC_ASSERT(set.has_value());
  RC_ASSERT(SpecifierSet::parse(to_string(*set)).value() == *set);
}

RC_GTEST_PROP(Specifier, EqualContainsItsVersion, ()) {
  const Version version = any_version();
  RC_ASSERT(accepts("==" + to_string(version), version));
  RC_ASSERT(accepts("===" + to_string(version), version));
  RC_ASSERT(accepts("==" + version.public_text(), version));
  RC_ASSERT(accepts(">=" + version.public_text() + ",<=" + version.public_text(), version));
  RC_ASSERT(!accepts(">" + version.public_text(), version));
  RC_ASSERT(!accepts("<" + version.public_text(), version));
}

RC_GTEST_PROP(Specifier, NotEqualIsTheComplement, ()) {
  const Version version = any_version();
  const std::string exact = *words::version();
  const std::string prefix = *words::release() + ".*";
  RC_ASSERT(accepts("==" + exact, version) != accepts("!=" + exact, version));
  RC_ASSERT(accepts("==" + prefix, version) != accepts("!=" + prefix, version));
}

RC_GTEST_PROP(Specifier, CompatibleIsAtLeastWithPrefix, ()) {
  const Version version = any_version();
  const std::string prefix = *words::release();
  const std::string bound =
      prefix + "." + *words::number() + *words::maybe(words::word({"rc1", ".post1"}));
  RC_ASSERT(accepts("~=" + bound, version)
            == accepts(">=" + bound + ",==" + prefix + ".*", version));
}

RC_GTEST_PROP(Specifier, BoundsFollowTheOrder, ()) {
  const Version version = any_version();
  const Version bound = Version::parse(*words::public_version()).value();
  const std::string text = to_string(bound);
  RC_ASSERT(accepts(">=" + text, version) == (version >= bound));
  RC_ASSERT(accepts("<=" + text, version) == (version.without_local() <= bound));
  RC_ASSERT(accepts("<=" + text, version) != (version.without_local() > bound));
  if (accepts(">" + text, version)) {
    RC_ASSERT(version > bound);
  }
  if (accepts("<" + text, version)) {
    RC_ASSERT(version < bound);
  }
}

RC_GTEST_PROP(Specifier, SetIsTheConjunction, ()) {
  const Version version = any_version();
  const std::string a = *words::specifier();
  const std::string b = *words::specifier();
  RC_ASSERT(accepts(a + "," + b, version) == (accepts(a, version) && accepts(b, version)));
}

RC_GTEST_PROP(Specifier, PrereleasesOnlyNarrow, ()) {
  const Version version = any_version();
  const auto set = SpecifierSet::parse(*words::specifier_set()).value();
  const bool no = set.contains(version, Prereleases::no);
  const bool by_specifier = set.contains(version, Prereleases::by_specifier);
  const bool yes = set.contains(version, Prereleases::yes);
  RC_ASSERT(!no || by_specifier);
  RC_ASSERT(!by_specifier || yes);
  RC_ASSERT(version.is_prerelease() || no == yes);
}

}  // namespace
}  // namespace fitment
