fitment_module(report
  LAYER   7
  OWNS    "the only place that turns values into text: tables, trees, errors, sizes, terminal manners"
  USES    base machine wheel elf isa catalog store gpucode variant choose stack doctor index record slim install image
  LINKS   nlohmann_json::nlohmann_json
  SOURCES audit_csv.cpp audit_functions.cpp audit_json.cpp audit_needs_text.cpp audit_sarif.cpp audit_table_text.cpp audit_text.cpp
          bar.cpp bill_spdx.cpp catalog_json.cpp catalog_text.cpp closure_text.cpp display_width.cpp doctor_json.cpp doctor_text.cpp
          error_text.cpp human.cpp image_audit_json.cpp image_audit_text.cpp image_build_text.cpp image_plan_json.cpp image_plan_text.cpp
          image_slim_json.cpp image_slim_text.cpp index_pages.cpp install_commands.cpp install_json.cpp install_text.cpp machine_text.cpp
          plan_json.cpp plan_text.cpp progress_text.cpp record_json.cpp record_text.cpp slim_files_table.cpp slim_json.cpp slim_text.cpp store_json.cpp
          store_text.cpp styled_text.cpp table.cpp target_words.cpp terminal.cpp tree.cpp variant_json.cpp variant_text.cpp)
