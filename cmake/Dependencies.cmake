# SPDX-License-Identifier: Apache-2.0
# Third-party libraries, each with its reason. All come from Debian (apt.txt); all but fmt are used by few .cpp files
# and never by a public header.
#
#   library          used by            reason
#   fmt              everywhere         text formatting; g++ 12 has no <format>
#   tl-expected      base               Result<T>; C++20 has no std::expected
#   nlohmann_json    machine, report,   JSON with positions of errors and kept key order
#                    wheel
#   toml++           catalog, wheel,    TOML with source positions
#                    cli
#   CLI11            cli                argument parsing
#   OpenSSL          base, index        SHA-256; TLS of the index server
#   Boost.Beast      index              an HTTP server with limits, timeouts and TLS (headers only; one .cpp includes it)
#   libcurl          store              HTTP; only its header at build time, the library is loaded when an address is fetched
#   zlib, zstd       gpucode, wheel,    the table at the start of compressed offload bundles, recompressing GPU code; zlib: members of wheels;
#                    image              layers of images
#   xxhash           image              a fast hash that tells equal files of an image
#   Zydis            isa                asked at build time about every opcode for the decoder's tables, and by a test;
#                                       not linked into fitment
#   GTest, rapidcheck, valijson         tests: units, properties, JSON Schema validation
#   benchmark                           bench/
find_package(fmt 9 REQUIRED CONFIG)
# The released binary carries fmt, so that it runs where no libfmt is installed and where libstdc++ is older.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(FITMENT_FMT fmt::fmt-header-only)
else()
  set(FITMENT_FMT fmt::fmt)
endif()
find_package(tl-expected 1.0 REQUIRED CONFIG)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(CLI11 2.1 REQUIRED CONFIG)

# toml++ is used header-only without exceptions: a parse error is a value with a source position.
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(fitment_toml INTERFACE)
target_include_directories(fitment_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})
target_compile_definitions(fitment_toml INTERFACE TOML_EXCEPTIONS=0 TOML_HEADER_ONLY=1)

# Linked statically: a shared library costs start-up time.
set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto SSL)
find_path(BOOST_BEAST_INCLUDE boost/beast/version.hpp REQUIRED)

find_path(CURL_INCLUDE curl/curl.h REQUIRED)
# Linked statically, for the same reason.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB 1.2 REQUIRED)
find_package(zstd 1.5 REQUIRED CONFIG)
# xxhash is used from its header alone.
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
add_library(fitment_xxhash INTERFACE)
target_include_directories(fitment_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
target_compile_definitions(fitment_xxhash INTERFACE XXH_INLINE_ALL)
find_package(zydis 4 REQUIRED CONFIG)
