fitment_module(report
  LAYER   5
  OWNS    "the only place that turns values into text: tables, trees, errors, sizes, terminal manners"
  USES    base machine catalog wheel isa elf gpucode variant choose stack doctor
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit_json.cpp audit_text.cpp display_width.cpp doctor_json.cpp doctor_text.cpp error_text.cpp human.cpp install_commands.cpp machine_text.cpp plan_json.cpp catalog_text.cpp catalog_json.cpp plan_text.cpp styled_text.cpp table.cpp terminal.cpp tree.cpp variant_json.cpp variant_text.cpp)
