fitment_module(image
  LAYER   6
  OWNS    "images: OCI layouts and archives read, audited and rewritten in streams"
  USES    base machine wheel elf catalog gpucode probe choose stack slim
  LINKS   ZLIB::ZLIB zstd::libzstd_static fitment_xxhash nlohmann_json::nlohmann_json
  SOURCES archive_kind.cpp audit_image.cpp bake_file.cpp bake_json.cpp base_image.cpp base_layout.cpp bill.cpp blob_file.cpp byte_stream.cpp containerfile.cpp
          content_hash.cpp image.cpp image_builder.cpp image_context.cpp image_host.cpp image_labels.cpp image_machine.cpp image_plan.cpp image_program.cpp
          image_reference.cpp image_size.cpp image_stages.cpp image_store.cpp image_view.cpp image_wish.cpp layer_deflater.cpp layer_entry.cpp
          layer_inflater.cpp layer_path.cpp layer_stream.cpp layer_tree.cpp layout_writer.cpp nvidia_require.cpp oci_document.cpp place_file.cpp
          prove_tree.cpp recipes.cpp run_bake.cpp sliced_bytes.cpp slim_apply.cpp slim_plan.cpp splice_stream.cpp stocked_wheel.cpp survey.cpp tar_header.cpp tar_pax.cpp
          tar_reader.cpp tar_sparse.cpp waste_limit.cpp)
