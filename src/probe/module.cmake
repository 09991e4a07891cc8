fitment_module(probe
  LAYER   3
  OWNS    "observing a host through a `HostView`, live or a recorded tree: one detector a file"
  USES    base machine catalog
  LINKS   ${CMAKE_DL_LIBS}
  SOURCES arm_features.cpp cpuinfo.cpp detect_arm_cpu.cpp detect_container.cpp detect_libc.cpp detect_microarchitecture.cpp
          detect_pci_gpus.cpp detect_python.cpp detect_system.cpp detect_wsl.cpp detect_x86_cpu.cpp elf_head.cpp
          findings.cpp host_text.cpp live_host.cpp live_witnesses.cpp probe.cpp read_part.cpp recorded_host.cpp
          witnesses.cpp x86_features.cpp)
