fitment_module(doctor
  LAYER   4
  OWNS    "stack + machine -> findings, each with cause, evidence and fix"
  USES    base machine catalog wheel elf isa gpucode stack choose
  SOURCES check_copies.cpp check_cuda.cpp check_cudnn.cpp check_gpu_code.cpp check_libraries.cpp check_platform.cpp check_records.cpp
          check_requirements.cpp check_symbols.cpp diagnose.cpp examination.cpp finding.cpp import_process.cpp library_names.cpp process_builder.cpp rules.cpp)
