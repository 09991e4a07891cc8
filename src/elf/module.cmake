fitment_module(elf
  LAYER   1
  OWNS    "read, check and edit ELF, its symbols and notes, ar archives, the loader's search rules and closures over a view of files"
  USES    base
  SOURCES architecture.cpp archive.cpp archive_edit.cpp block_reader.cpp closure.cpp dynamic.cpp edit.cpp edit_holes.cpp edit_layout.cpp edit_object.cpp
          edit_sections.cpp elf_file.cpp file_view.cpp ld_so_cache.cpp library_search.cpp notes.cpp search_path.cpp
          symbol_bindings.cpp symbols.cpp system_libraries.cpp version_needs.cpp)
