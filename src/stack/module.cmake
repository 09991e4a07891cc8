fitment_module(stack
  LAYER   3
  OWNS    "what is in binaries: needs, floors, CPU level and GPU code of a file"
  USES    base machine elf isa gpucode
  SOURCES audit_file.cpp code_image_reader.cpp find_binaries.cpp unwind_ranges.cpp)
