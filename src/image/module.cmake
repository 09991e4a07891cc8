fitment_module(image
  LAYER   6
  OWNS    "recipes for images: plans, Containerfiles, bake documents, builders"
  USES    base machine catalog wheel elf gpucode choose stack slim
  LINKS   nlohmann_json::nlohmann_json
  SOURCES bake_file.cpp bake_json.cpp base_image.cpp bill.cpp containerfile.cpp image_builder.cpp image_context.cpp image_labels.cpp
          image_machine.cpp image_plan.cpp image_stages.cpp image_wish.cpp nvidia_require.cpp recipes.cpp run_bake.cpp
          wheel_stock.cpp)
