fitment_module(gpucode
  LAYER   2
  OWNS    "GPU code in ELF, archives, containers, bundles: what is there, for which targets, how large"
  USES    base machine elf
  LINKS   ZLIB::ZLIB zstd::libzstd_static
  SOURCES bare_code.cpp container.cpp entry.cpp inflate_start.cpp magic_search.cpp offload_bundle.cpp scan.cpp totals.cpp)
