// SPDX-License-Identifier: Apache-2.0
// A variant that is taken apart again is the wheel that it was made of.
#include "variant/variant_wheel.h"

#include "support/wheel_builder.h"
#include "variant/compose.h"

#include <rapidcheck/gtest.h>

#include <set>

namespace fitment {
namespace {

std::string bytes_of(const ByteSource& source) {
  return source.read(0, source.size(), "all").value();
}

std::string any_wheel() {
  std::set<std::string> names;
  testing_support::WheelFiles files;
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    std::string name = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,\" x")));
    name = "a/" + name;
    if (names.insert(name).second) {
      files.emplace_back(name, *rc::gen::arbitrary<std::string>());
    }
  }
  return testing_support::pack_wheel(std::move(files));
}

RC_GTEST_PROP(VariantWheel, MakeThenUnmakeGivesTheSameBytes, ()) {
  const std::string bytes = any_wheel();
  const auto source = memory_source(bytes, "a-1-py3-none-any.whl");
  const auto wheel = read_wheel_archive(*source);
  RC_ASSERT(wheel.has_value());
  const auto metadata = compose_variant(
      {.properties = {{"x86_64", "level", *rc::gen::element<std::string>("v1", "v3")}}});
  const auto made = plan_variant_wheel(*source, *wheel, metadata.value());
  RC_ASSERT(made.has_value());
  const SplicedSource variant(*source, made->bytes, made->file);
  const auto again = read_wheel_archive(variant);
  RC_ASSERT(again.has_value());
  const auto plain = plan_plain_wheel(variant, *again);
  RC_ASSERT(plain.has_value());
  RC_ASSERT(plain->file == "a-1-py3-none-any.whl");
  RC_ASSERT(bytes_of(SplicedSource(variant, plain->bytes, plain->file)) == bytes);
  RC_ASSERT(is_reversible(*source, *made).value());
}

}  // namespace
}  // namespace fitment
