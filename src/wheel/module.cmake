fitment_module(wheel
  LAYER   1
  OWNS    "Python packaging words: versions, specifiers, markers, requirements, file names, tags"
  USES    base
  LINKS   nlohmann_json::nlohmann_json fitment_toml
  SOURCES marker.cpp name.cpp quote.cpp requirement.cpp specifier.cpp tags.cpp version.cpp wheel_filename.cpp)
