fitment_module(slim
  LAYER   5
  OWNS    "plan and apply removal: duplicates, GPU code for other GPUs and dead weight, with proof, journal and undo"
  USES    base machine catalog wheel elf gpucode variant stack doctor
  LINKS   nlohmann_json::nlohmann_json
  SOURCES apply_slice.cpp dead_weight.cpp duplicates.cpp file_content.cpp in_place.cpp journal.cpp library_copies.cpp link_notice.cpp load_test.cpp
          loader_trace.cpp moved_view.cpp new_link.cpp new_tree.cpp original_copy.cpp pack.cpp plan_slice.cpp planned_view.cpp prove_slice.cpp record_update.cpp
          slice_source.cpp slim_file.cpp slim_tree.cpp targets.cpp tree_copy.cpp tree_judge.cpp undo.cpp
          wheel_promise.cpp wheel_slice.cpp)
