fitment_module(machine
  LAYER   1
  OWNS    "the `Machine` value and its file format, overrides, GPU targets and the keep rule, exports that are pure functions of a machine"
  USES    base
  LINKS   nlohmann_json::nlohmann_json
  SOURCES exports_conda.cpp exports_env.cpp exports_nfd.cpp exports_slurm.cpp gpu_target.cpp keep_rule.cpp
          machine_file.cpp machine_reader.cpp override_environment.cpp override_facts.cpp overrides.cpp redact.cpp)
