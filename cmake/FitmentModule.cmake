# SPDX-License-Identifier: Apache-2.0
# A module is one static library under src/<name>/. It declares its layer and the modules that it uses;
# a use of the same or a higher layer, or an #include of a module that is not declared, fails the configure step.
#
#   fitment_module(choose
#     LAYER   4
#     OWNS    "machine + catalog + policy -> choice with reasons"   # no semicolons: CMake splits at them
#     USES    base machine catalog wheel
#     SOURCES candidate.cpp choose.cpp)

set_property(GLOBAL PROPERTY FITMENT_MODULES "")

function(fitment_module name)
  cmake_parse_arguments(M "" "LAYER;OWNS" "USES;LINKS;SOURCES" ${ARGN})
  if(M_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fitment_module(${name}): unknown argument ${M_UNPARSED_ARGUMENTS}")
  endif()
  set(root "${PROJECT_SOURCE_DIR}/src/${name}")

  foreach(used IN LISTS M_USES)
    get_property(layer GLOBAL PROPERTY "FITMENT_LAYER_${used}")
    if(layer STREQUAL "")
      message(FATAL_ERROR "module ${name} uses ${used}, which is not declared before it")
    endif()
    if(NOT layer LESS M_LAYER)
      message(FATAL_ERROR "module ${name} (layer ${M_LAYER}) may not use ${used} (layer ${layer}): only lower layers")
    endif()
  endforeach()
  _fitment_check_includes(${name} "${root}" "${M_USES}")
  _fitment_check_sources(${name} "${root}" "${M_SOURCES}")

  set_property(GLOBAL APPEND PROPERTY FITMENT_MODULES ${name})
  set_property(GLOBAL PROPERTY "FITMENT_LAYER_${name}" ${M_LAYER})
  set_property(GLOBAL PROPERTY "FITMENT_USES_${name}" "${M_USES}")
  set_property(GLOBAL PROPERTY "FITMENT_OWNS_${name}" "${M_OWNS}")

  list(TRANSFORM M_SOURCES PREPEND "${root}/" REGEX "^[^/]")
  add_library(fitment_${name} STATIC ${M_SOURCES})
  target_include_directories(fitment_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM M_USES PREPEND "fitment_" OUTPUT_VARIABLE used_targets)
  target_link_libraries(fitment_${name} PUBLIC ${used_targets} PRIVATE fitment_settings ${M_LINKS})
endfunction()

# Every #include "<module>/..." must name this module or a declared one.
function(_fitment_check_includes name root uses)
  file(GLOB files "${root}/*.h" "${root}/*.cpp")
  foreach(file IN LISTS files)
    file(STRINGS "${file}" lines REGEX "^#include \"[a-z_]+/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([a-z_]+)/.*" "\\1" module "${line}")
      if(NOT module STREQUAL name AND NOT module IN_LIST uses)
        message(FATAL_ERROR "${file}\n  ${line}\n  module ${name} does not declare USES ${module}")
      endif()
    endforeach()
  endforeach()
endfunction()

# A source file that no library compiles is a left-over.
function(_fitment_check_sources name root sources)
  file(GLOB files RELATIVE "${root}" "${root}/*.cpp")
  foreach(file IN LISTS files)
    if(NOT file IN_LIST sources AND NOT file STREQUAL "main.cpp")
      message(FATAL_ERROR "src/${name}/${file} is not listed in SOURCES of module ${name}")
    endif()
  endforeach()
endfunction()

# Writes the module graph as the Markdown that ARCHITECTURE.md holds between its markers.
function(fitment_write_graph path)
  get_property(modules GLOBAL PROPERTY FITMENT_MODULES)
  set(top 0)
  foreach(module IN LISTS modules)
    get_property(layer GLOBAL PROPERTY "FITMENT_LAYER_${module}")
    if(layer GREATER top)
      set(top ${layer})
    endif()
  endforeach()
  set(text "| layer | module | owns, and nothing else | uses |\n|---|---|---|---|\n")
  foreach(layer RANGE ${top} 0 -1)
    foreach(module IN LISTS modules)
      get_property(own_layer GLOBAL PROPERTY "FITMENT_LAYER_${module}")
      if(own_layer EQUAL layer)
        get_property(owns GLOBAL PROPERTY "FITMENT_OWNS_${module}")
        get_property(uses GLOBAL PROPERTY "FITMENT_USES_${module}")
        list(JOIN uses ", " uses_text)
        string(APPEND text "| ${layer} | `${module}` | ${owns} | ${uses_text} |\n")
      endif()
    endforeach()
  endforeach()
  file(WRITE "${path}" "${text}")
endfunction()
