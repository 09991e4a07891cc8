fitment_module(install
  LAYER   5
  OWNS    "the user's own pip or uv: how it is found, called and kept to one index, what it did, whether that is what was meant, wheelhouses"
  USES    base machine wheel elf store stack
  LINKS   nlohmann_json::nlohmann_json
  SOURCES apply_install.cpp cross_arguments.cpp install_call.cpp installed_changes.cpp installed_check.cpp installer.cpp installer_environment.cpp pip_report.cpp wheelhouse.cpp)
