fitment_module(index
  LAYER   4
  OWNS    "package indexes: name routes, their pages, what one machine sees of them, and the server and files that show it"
  USES    base machine wheel catalog store variant choose
  SOURCES build_lookup.cpp http_upstream.cpp name_pattern.cpp project.cpp route.cpp route_file.cpp view.cpp view_builds.cpp
          view_clutter.cpp view_platform.cpp view_variants.cpp)
