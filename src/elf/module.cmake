fitment_module(elf
  LAYER   1
  OWNS    "read and check ELF, its symbols and notes, ar archives"
  USES    base
  SOURCES archive.cpp block_reader.cpp dynamic.cpp elf_file.cpp notes.cpp sub_source.cpp symbols.cpp version_needs.cpp)
