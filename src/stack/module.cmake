fitment_module(stack
  LAYER   3
  OWNS    "what is installed in a root: Python environments, distributions, files and their owners, and what is in a binary"
  USES    base machine wheel elf isa gpucode
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit_file.cpp code_image_reader.cpp find_binaries.cpp installed_distribution.cpp python_environment.cpp stack.cpp
          system_owners.cpp unwind_ranges.cpp)
