# SPDX-License-Identifier: Apache-2.0
# One INTERFACE target that every fitment target links privately: language, warnings, sanitizers.
add_library(fitment_settings INTERFACE)
target_compile_features(fitment_settings INTERFACE cxx_std_20)
target_compile_options(fitment_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align -Wdouble-promotion -Wformat=2
  -Wimplicit-fallthrough -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wextra-semi -Wunused -Wno-missing-field-initializers  # designated initializers name what they set
  -fno-common -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(fitment_settings INTERFACE -Wlogical-op -Wduplicated-cond)
endif()
if(FITMENT_WERROR)
  target_compile_options(fitment_settings INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(fitment_settings INTERFACE _GLIBCXX_ASSERTIONS)
endif()

if(FITMENT_SANITIZE)
  set(flags -fsanitize=${FITMENT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(fitment_settings INTERFACE ${flags})
  target_link_options(fitment_settings INTERFACE ${flags})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers g++ 12 takes std::regex and std::function for uninitialised.
    target_compile_options(fitment_settings INTERFACE -Wno-maybe-uninitialized)
  endif()
  if(FITMENT_SANITIZE MATCHES "thread")
    # ThreadSanitizer knows no fences; what Asio's are for, its locks do too.
    target_compile_definitions(fitment_settings INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()
