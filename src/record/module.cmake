fitment_module(record
  LAYER   4
  OWNS    "the wish `fitment.toml` and the record `fitment.lock.json`: what was chosen, for which facts, by which rules and data, with comparing, exports, and what an environment holds"
  USES    base machine wheel elf catalog variant choose stack
  LINKS   nlohmann_json::nlohmann_json
  SOURCES chosen_file.cpp compare.cpp freeze.cpp hold.cpp pinned_package.cpp pylock.cpp record.cpp record_installed.cpp record_reader.cpp record_writer.cpp
          requirements_export.cpp wish_file.cpp)
