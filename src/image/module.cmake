fitment_module(image
  LAYER   6
  OWNS    "images: OCI layouts and archives read, audited and rewritten in streams"
  USES    base machine elf gpucode stack slim
  LINKS   ZLIB::ZLIB zstd::libzstd_static fitment_xxhash nlohmann_json::nlohmann_json
  SOURCES audit_image.cpp blob_file.cpp byte_stream.cpp content_hash.cpp image.cpp image_reference.cpp image_store.cpp image_view.cpp
          layer_deflater.cpp layer_entry.cpp layer_inflater.cpp layer_path.cpp layer_stream.cpp layer_tree.cpp layout_writer.cpp
          oci_document.cpp prove_tree.cpp sliced_bytes.cpp slim_apply.cpp slim_plan.cpp survey.cpp tar_header.cpp tar_pax.cpp tar_reader.cpp
          tar_sparse.cpp waste_limit.cpp)
