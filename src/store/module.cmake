fitment_module(store
  LAYER   2
  OWNS    "fetching over HTTP, pages and files that were fetched: kept on disk, verified, collected"
  USES    base wheel
  LINKS   ${CMAKE_DL_LIBS}
  SOURCES address.cpp curl_library.cpp download.cpp file_lease.cpp http_client.cpp http_fault.cpp http_head.cpp page_cache.cpp page_file.cpp
          remote_file.cpp retry.cpp store.cpp store_care.cpp transfer.cpp)
