fitment_module(report
  LAYER   6
  OWNS    "the only place that turns values into text: tables, trees, errors, sizes, terminal manners"
  USES    base machine wheel elf isa catalog gpucode variant choose stack doctor slim
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit_csv.cpp audit_functions.cpp audit_json.cpp audit_needs_text.cpp audit_sarif.cpp audit_table_text.cpp audit_text.cpp
          bar.cpp catalog_json.cpp catalog_text.cpp closure_text.cpp display_width.cpp doctor_json.cpp doctor_text.cpp error_text.cpp human.cpp
          install_commands.cpp machine_text.cpp plan_json.cpp plan_text.cpp progress_text.cpp slim_json.cpp slim_text.cpp styled_text.cpp
          table.cpp target_words.cpp terminal.cpp tree.cpp
          variant_json.cpp variant_text.cpp)
