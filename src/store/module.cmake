fitment_module(store
  LAYER   2
  OWNS    "fetching over HTTP"
  USES    base
  LINKS   ${CMAKE_DL_LIBS}
  SOURCES curl_library.cpp fetch.cpp)
