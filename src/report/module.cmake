fitment_module(report
  LAYER   5
  OWNS    "the only place that turns values into text: tables, trees, errors, sizes, terminal manners"
  USES    base machine
  LINKS   nlohmann_json::nlohmann_json
  SOURCES display_width.cpp error_text.cpp human.cpp styled_text.cpp table.cpp terminal.cpp tree.cpp)
