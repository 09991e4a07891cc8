# The files under catalog/ are compiled in. A new or changed file rebuilds the generated source.
file(GLOB_RECURSE catalog_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/catalog/*.toml")
set(embedded_catalog "${PROJECT_BINARY_DIR}/generated/embedded_catalog.cpp")
add_custom_command(
  OUTPUT "${embedded_catalog}"
  COMMAND ${CMAKE_COMMAND} -D "ROOT=${PROJECT_SOURCE_DIR}/catalog" -D "OUT=${embedded_catalog}"
          -P "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake"
  DEPENDS ${catalog_files} "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake"
  COMMENT "Embedding catalog/"
  VERBATIM)
fitment_module(catalog
  LAYER   2
  OWNS    "what is known about the world: toolkits and drivers, GPU and CPU models, framework builds, as reviewed TOML"
  USES    base machine wheel
  LINKS   fitment_toml
  SOURCES backend.cpp catalog.cpp check.cpp check_framework.cpp cpu_reader.cpp cuda.cpp cuda_reader.cpp derive.cpp diff.cpp
          framework_fields.cpp framework_reader.cpp framework_writer.cpp gpu_reader.cpp libraries.cpp libraries_reader.cpp
          source_ids.cpp table_reader.cpp toml_document.cpp "${embedded_catalog}")
