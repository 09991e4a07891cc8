fitment_module(base
  LAYER   0
  OWNS    "errors and results, text and dotted versions, files, child processes, embedded data"
  LINKS   OpenSSL::Crypto
  SOURCES byte_source.cpp closest.cpp digest.cpp dotted_version.cpp error.cpp files.cpp html.cpp json_position.cpp md5.cpp missing_path.cpp
          new_file.cpp parallel.cpp path_walk.cpp posix_io.cpp process.cpp random_seed.cpp scratch_bytes.cpp shell.cpp splice.cpp
          sub_source.cpp text.cpp)
target_link_libraries(fitment_base PUBLIC tl::expected ${FITMENT_FMT})
