fitment_module(wheel
  LAYER   1
  OWNS    "Python packaging words: versions, specifiers, markers, requirements and their files, wheel names and tags, metadata, index pages, zip archives"
  USES    base
  LINKS   nlohmann_json::nlohmann_json fitment_toml ZLIB::ZLIB
  SOURCES html_links.cpp logical_lines.cpp marker.cpp metadata.cpp name.cpp project_file.cpp project_reader.cpp quote.cpp record_file.cpp
          requirement.cpp requirements_file.cpp simple_page.cpp specifier.cpp tags.cpp url.cpp version.cpp wheel_archive.cpp
          wheel_filename.cpp zip_deflate.cpp zip_directory.cpp zip_member.cpp zip_records.cpp zip_rewrite.cpp
          zip_writer.cpp)
