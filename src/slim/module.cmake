fitment_module(slim
  LAYER   5
  OWNS    "plan and apply removal: GPU code for other GPUs, with proof"
  USES    base machine elf gpucode
  LINKS   nlohmann_json::nlohmann_json
  SOURCES apply_slice.cpp loader_trace.cpp pack.cpp plan_slice.cpp prove_slice.cpp slice_note.cpp slice_source.cpp targets.cpp)
