fitment_module(cli
  LAYER   8
  OWNS    "argument tables, wiring, exit codes"
  USES    base machine wheel elf isa catalog store gpucode variant probe choose stack doctor index record slim install image report
  LINKS   CLI11::CLI11 nlohmann_json::nlohmann_json
  SOURCES amounts.cpp audit_answer.cpp audit_command.cpp audit_options.cpp cache_command.cpp catalog_command.cpp command_list.cpp
          commands.cpp completion_bash.cpp completion_command.cpp completion_fish.cpp completion_zsh.cpp diff_command.cpp doctor_command.cpp
          environment.cpp environment_root.cpp exit_code.cpp explain_command.cpp export_command.cpp freeze_command.cpp help.cpp
          help_command.cpp image_audience.cpp image_audit_command.cpp image_bake_command.cpp image_base.cpp image_build_command.cpp
          image_command.cpp image_job.cpp image_options.cpp image_plan_command.cpp image_recipe_options.cpp image_render_command.cpp
          image_runs.cpp image_sbom_command.cpp image_slim_command.cpp index_files.cpp index_job.cpp indexed_plan.cpp install_command.cpp
          install_index.cpp install_job.cpp install_record.cpp invocation.cpp keep_target_options.cpp known_targets.cpp lock_command.cpp
          lock_files.cpp machine_options.cpp man_command.cpp man_page.cpp network.cpp new_record.cpp parse.cpp plan_command.cpp
          plan_inputs.cpp plan_job.cpp policy_options.cpp probe_command.cpp progress.cpp record_input.cpp rules.cpp run.cpp
          serve_command.cpp serve_options.cpp slim_apply.cpp slim_classes.cpp slim_command.cpp slim_jobs.cpp source_date.cpp streams.cpp
          target_environment.cpp tokenizer.cpp variant_check_command.cpp variant_command.cpp variant_document.cpp variant_inputs.cpp
          variant_make_command.cpp version.cpp wheelhouse_command.cpp)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/cli/version.cpp" PROPERTIES
  COMPILE_DEFINITIONS "FITMENT_VERSION=\"${PROJECT_VERSION}\"")

add_executable(fitment "${PROJECT_SOURCE_DIR}/src/cli/main.cpp")
target_link_libraries(fitment PRIVATE fitment_cli fitment_settings)
set_target_properties(fitment PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # The binary travels to machines with other C++ runtimes, and starts faster with fewer libraries.
  target_link_options(fitment PRIVATE -s -Wl,--gc-sections -static-libstdc++ -static-libgcc)
endif()

# Man pages come from the command tables: cmake --build build/release --target man
add_custom_target(man
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/man"
  COMMAND fitment man --output "${PROJECT_BINARY_DIR}/man"
  VERBATIM)
