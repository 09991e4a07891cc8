fitment_module(slim
  LAYER   5
  OWNS    "plan and apply removal: GPU code for other GPUs and dead weight, with proof, journal and undo"
  USES    base machine wheel elf gpucode stack
  LINKS   nlohmann_json::nlohmann_json
  SOURCES apply_slice.cpp dead_weight.cpp in_place.cpp journal.cpp loader_trace.cpp original_copy.cpp pack.cpp plan_slice.cpp
          prove_slice.cpp record_update.cpp slice_source.cpp targets.cpp)
