# Zydis knows the instruction set; fitment asks it at build time and ships the answers as tables.
add_library(fitment_zydis_requirement STATIC EXCLUDE_FROM_ALL
  isa/features.cpp isa/tables/later_extensions.cpp isa/tables/zydis_requirement.cpp)
target_include_directories(fitment_zydis_requirement PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(fitment_zydis_requirement PUBLIC Zydis::Zydis PRIVATE fitment_settings)

add_executable(generate_x86_tables EXCLUDE_FROM_ALL isa/tables/generate_x86_tables.cpp)
target_link_libraries(generate_x86_tables PRIVATE fitment_zydis_requirement fmt::fmt fitment_settings)
# Every build waits for these answers: half a minute without optimisation, seconds with it.
target_compile_options(fitment_zydis_requirement PRIVATE -O2)
target_compile_options(generate_x86_tables PRIVATE -O2)
set(x86_tables "${CMAKE_CURRENT_BINARY_DIR}/isa/x86_tables.cpp")
add_custom_command(
  OUTPUT "${x86_tables}"
  COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/isa"
  COMMAND generate_x86_tables "${x86_tables}"
  DEPENDS generate_x86_tables
  COMMENT "Asking Zydis about every x86-64 opcode")

fitment_module(isa
  LAYER   1
  OWNS    "machine code to required instruction sets, per function, dispatched or not"
  USES    base
  SOURCES arm_decoder.cpp arm_verdict.cpp capabilities.cpp code_graph.cpp dispatch.cpp dominators.cpp features.cpp find_functions.cpp flowchart.cpp
          function_scan.cpp guards.cpp must_run.cpp reach.cpp twins.cpp variant_name.cpp x86_decoder.cpp ${x86_tables})
