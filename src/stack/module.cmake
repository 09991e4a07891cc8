fitment_module(stack
  LAYER   3
  OWNS    "what is installed in a root: Python environments, distributions, files and their owners, what is in binaries and wheels, closures, and the gates of a publisher's CI"
  USES    base machine wheel elf isa gpucode
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit.cpp audit_file.cpp audit_gates.cpp code_image_reader.cpp debian_status.cpp file_closure.cpp find_files.cpp installed_distribution.cpp
          platform_claim.cpp python_environment.cpp stack.cpp system_owners.cpp unwind_ranges.cpp wheel_view.cpp)
