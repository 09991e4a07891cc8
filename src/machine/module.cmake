fitment_module(machine
  LAYER   1
  OWNS    "the `Machine` value and its file format, GPU targets and the keep rule, exports that are pure functions of a machine"
  USES    base
  LINKS   nlohmann_json::nlohmann_json
  SOURCES gpu_target.cpp keep_rule.cpp machine_file.cpp machine_reader.cpp)
