fitment_module(variant
  LAYER   2
  OWNS    "wheel variants (PEP 825, 850): metadata, merge, order, providers as data or native code, markers, selection"
  USES    base machine wheel
  LINKS   nlohmann_json::nlohmann_json fitment_toml
  SOURCES abi_dependency.cpp compose.cpp conformance.cpp conformance_answers.cpp derived_wheel.cpp index_file.cpp json_tree.cpp lint.cpp marker_values.cpp merge.cpp metadata_check.cpp metadata_providers.cpp metadata_reader.cpp
          metadata_rules.cpp nearest.cpp properties.cpp provider_amd.cpp provider_cpu.cpp provider_intel.cpp provider_nvidia.cpp
          provider_overrides.cpp providers.cpp rules.cpp schema_url.cpp select.cpp static_lists.cpp tag_index.cpp trust.cpp variant_metadata.cpp
          variant_order.cpp variant_wheel.cpp wheel_folder.cpp wheel_members.cpp)
