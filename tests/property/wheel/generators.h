// SPDX-License-Identifier: Apache-2.0
// Packaging words for property tests: small numbers and few words, so that equal and nearly equal
// values are common.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace fitment::testing_words {

inline rc::Gen<std::string> number() {
  return rc::gen::map(rc::gen::element(0, 0, 1, 2, 10), [](int n) { return std::to_string(n); });
}

inline rc::Gen<std::string> maybe(const rc::Gen<std::string>& gen) {
  return rc::gen::oneOf(rc::gen::just(std::string()), rc::gen::just(std::string()), gen);
}

template <typename... Gens>
rc::Gen<std::string> concat(Gens... gens) {
  return rc::gen::map(rc::gen::tuple(gens...), [](const auto& pieces) {
    return std::apply([](const auto&... piece) { return (std::string() + ... + piece); }, pieces);
  });
}

inline rc::Gen<std::string> word(std::vector<std::string> words) {
  return rc::gen::elementOf(std::move(words));
}

inline rc::Gen<std::string> release() {
  return concat(
      number(), maybe(concat(word({"."}), number())), maybe(concat(word({"."}), number())));
}

/// In the normal form but for trailing zeros: printing must give the same text.
inline rc::Gen<std::string> public_version() {
  return concat(maybe(word({"1!", "2!"})),
                release(),
                maybe(concat(word({"a", "b", "rc"}), number())),
                maybe(concat(word({".post"}), number())),
                maybe(concat(word({".dev"}), number())));
}

inline rc::Gen<std::string> local_label() {
  return word({"+cpu", "+cu126", "+cu128", "+rocm6.4", "+1", "+10", "+1.a", "+a.1"});
}

inline rc::Gen<std::string> version() {
  return concat(public_version(), maybe(local_label()));
}

inline rc::Gen<std::string> specifier() {
  return rc::gen::oneOf(concat(word({"==", "!="}), version()),
                        concat(word({"==", "!="}), release(), word({".*"})),
                        concat(word({"<", "<=", ">", ">="}), public_version()),
                        concat(word({"~=", "~=1!"}),
                               number(),
                               word({"."}),
                               release(),
                               maybe(word({"rc1", ".post1", ".dev2"}))),
                        concat(word({"==="}), version()));
}

inline rc::Gen<std::string> specifier_set() {
  return concat(maybe(concat(specifier(), word({","}))), specifier());
}

inline rc::Gen<std::string> comparison() {
  return concat(word({"python_version", "os_name", "extra", "platform_release", "\"x\""}),
                word({" == ", " != ", " < ", " >= ", " ~= ", " in ", " not in ", " === "}),
                word({"\"3.12\"", "\"3.8\"", "\"posix\"", "'q\"q'", "sys_platform", "\"\""}));
}

inline rc::Gen<std::string> marker(int depth = 2) {
  if (depth == 0) {
    return comparison();
  }
  const auto smaller = rc::gen::lazy([depth] { return marker(depth - 1); });
  return rc::gen::oneOf(comparison(),
                        concat(smaller, word({" and ", " or "}), smaller),
                        concat(word({"("}), smaller, word({")"})),
                        concat(word({"("}), smaller, word({") and ("}), smaller, word({")"})));
}

inline rc::Gen<std::string> requirement() {
  return concat(word({"torch", "a", "Foo.Bar_x", "0"}),
                maybe(word({"[a]", "[a,b-c]", "[ a , b ]"})),
                rc::gen::oneOf(maybe(concat(word({" ", ""}), specifier_set())),
                               word({" @ https://h/f.whl ", "@git+ssh://h/p@v1 "})),
                maybe(concat(word({";", " ; "}), marker())));
}

}  // namespace fitment::testing_words
