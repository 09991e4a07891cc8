fitment_module(gpucode
  LAYER   2
  OWNS    "GPU code in ELF, archives, containers, bundles: what is there, for which targets, how large, what to keep, rewriting"
  USES    base machine elf
  LINKS   ZLIB::ZLIB zstd::libzstd_static nlohmann_json::nlohmann_json
  SOURCES bare_code.cpp compressed_bundle.cpp container.cpp entry.cpp inflate_start.cpp keep.cpp magic_search.cpp offload_bundle.cpp recompress.cpp rewrite.cpp
          rewrite_bundle.cpp scan.cpp slice_note.cpp totals.cpp)
