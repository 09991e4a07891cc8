fitment_module(index
  LAYER   4
  OWNS    "package indexes: name routes, their pages, what one machine sees of them, and the server and files that show it"
  USES    base machine wheel catalog store variant choose
  LINKS   OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB zstd::libzstd_static
  SOURCES basic_auth.cpp build_lookup.cpp derived.cpp export.cpp file_origin.cpp http_server.cpp http_upstream.cpp index_folder.cpp index_site.cpp listing.cpp machine_site.cpp
          metadata_source.cpp name_pattern.cpp negotiate.cpp page_body.cpp project.cpp project_source.cpp project_variants.cpp
          route.cpp route_file.cpp rules.cpp served_message.cpp server.cpp simple_writer.cpp site_file.cpp view.cpp view_builds.cpp
          view_clutter.cpp view_platform.cpp view_variants.cpp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  # clang 14 has coroutines, yet does not say so, and cannot assemble them with UBSan's check of function types.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/index/http_server.cpp" PROPERTIES COMPILE_OPTIONS
    "-Wno-builtin-macro-redefined;-D__cpp_impl_coroutine=201902L;-DBOOST_ASIO_HAS_CO_AWAIT;-DBOOST_ASIO_HAS_STD_COROUTINE;-fno-sanitize=function")
endif()
