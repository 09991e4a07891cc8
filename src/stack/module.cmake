fitment_module(stack
  LAYER   3
  OWNS    "what is installed in a root: Python environments, distributions, files and their owners, what is in binaries and wheels, closures, the gates of a publisher's CI, and what platform tags and variants claim against their binaries"
  USES    base machine wheel elf isa gpucode variant
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit.cpp audit_file.cpp audit_gates.cpp claim_cpu.cpp claim_gpu.cpp code_image_reader.cpp debian_status.cpp file_closure.cpp
          find_files.cpp installed_distribution.cpp needed_distributions.cpp platform_claim.cpp python_environment.cpp stack.cpp system_owners.cpp
          unwind_ranges.cpp variant_claim.cpp wheel_view.cpp)
