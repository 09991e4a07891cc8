fitment_module(probe
  LAYER   3
  OWNS    "observing a host through a `HostView`, live or a recorded tree: one detector a file"
  USES    base machine catalog elf
  LINKS   nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS}
  SOURCES arm_features.cpp child_answer.cpp cpuinfo.cpp detect_amd.cpp detect_arm_cpu.cpp detect_container.cpp
          detect_forward_compat.cpp detect_intel.cpp detect_jetson.cpp detect_libc.cpp detect_microarchitecture.cpp detect_mig.cpp
          detect_nvidia_driver.cpp detect_pci_gpus.cpp detect_python.cpp detect_system.cpp detect_toolkits.cpp detect_wsl.cpp
          detect_x86_cpu.cpp elf_head.cpp findings.cpp gpu_merge.cpp host_text.cpp level_zero.cpp libcuda.cpp library_search.cpp
          live_host.cpp live_witnesses.cpp nvidia_files.cpp nvidia_findings.cpp nvidia_smi.cpp nvml.cpp probe.cpp read_part.cpp
          recorded_host.cpp toolkit_versions.cpp visible_devices.cpp witnesses.cpp x86_features.cpp)
