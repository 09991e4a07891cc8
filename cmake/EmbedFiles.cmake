# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=catalog -D OUT=embedded_catalog.cpp -P EmbedFiles.cmake
# Writes a source file that holds the bytes of every .toml file under ROOT as raw string literals.
file(GLOB_RECURSE names RELATIVE "${ROOT}" "${ROOT}/*.toml")
list(SORT names COMPARE STRING)
list(LENGTH names count)

set(text "// Generated from catalog/ by cmake/EmbedFiles.cmake.\n")
string(APPEND text "#include \"catalog/embedded_file.h\"\n\n#include <array>\n\n")
string(APPEND text "#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Woverlength-strings\"\n#endif\n\n")
string(APPEND text "namespace fitment {\nnamespace {\n\n")
string(APPEND text "using std::operator\"\"sv;\n" )
string(APPEND text "constexpr std::array<EmbeddedFile, ${count}> kFiles{{\n")
foreach(name IN LISTS names)
  file(READ "${ROOT}/${name}" bytes)
  string(FIND "${bytes}" ")fitment_file\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${ROOT}/${name} holds the end mark of a raw string literal")
  endif()
  string(APPEND text "{\"${name}\"sv, R\"fitment_file(${bytes})fitment_file\"sv},\n")
endforeach()
string(APPEND text "}};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const EmbeddedFile> embedded_catalog() {\n  return kFiles;\n}\n\n}  // namespace fitment\n")
file(WRITE "${OUT}" "${text}")
