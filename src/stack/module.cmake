fitment_module(stack
  LAYER   3
  OWNS    "what is in binaries and wheels: needs, floors, CPU level, GPU code, closures, and the gates of a publisher's CI"
  USES    base machine wheel elf isa gpucode
  SOURCES audit.cpp audit_file.cpp audit_gates.cpp code_image_reader.cpp file_closure.cpp find_binaries.cpp platform_claim.cpp unwind_ranges.cpp wheel_view.cpp)
