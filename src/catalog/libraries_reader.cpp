// SPDX-License-Identifier: Apache-2.0
#include "catalog/libraries_reader.h"

#include "catalog/source_ids.h"

namespace fitment {

namespace {

Result<std::uint32_t> parse_major(std::string_view text) {
  const auto number = parse_unsigned(text);
  if (!number || *number == 0 || *number > 99) {
    return fail(ErrorCode::parse_error, "a CUDA major is a number from 1 to 99");
  }
  return static_cast<std::uint32_t>(*number);
}

Result<PreloadRow> parse_preload(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) {
    return fail(ErrorCode::parse_error,
                "write a folder and the start of a name: `cudnn/libcudnn.so.`");
  }
  return PreloadRow{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

Status read_library(const TomlValue& table,
                    const SourceIds& ids,
                    const std::string& source,
                    NvidiaLibrary& library) {
  TableReader reader(table, source, "a library");
  for (const std::string_view key : {"name", "product", "cuda", "soname", "source"}) {
    reader.require(key);
  }
  reader.read("name", library.name);
  reader.read("product", library.product);
  reader.read_with("cuda", parse_major, library.cuda_major);
  reader.read("soname", library.soname);
  reader.read("parts", library.parts);
  reader.read("wheel", library.wheel);
  reader.read("folders", library.folders);
  reader.read("apt", library.apt);
  reader.read("conda", library.conda);
  reader.read("opens", library.opens);
  reader.read("may_open", library.may_open);
  reader.read("note", library.note);
  ids.read(reader, "source", library.source);
  return reader.finish();
}

}  // namespace

Result<LibraryTable> parse_library_table(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  TableReader top(document, source, "the file of libraries");
  SourceIds ids;
  ids.read_table(top);
  LibraryTable table;
  top.read_words_with("torch_preload", parse_preload, table.torch_preload);
  for (const TomlValue* row : top.tables("library")) {
    FITMENT_TRY(read_library(*row, ids, source, table.libraries.emplace_back()));
  }
  FITMENT_TRY(top.finish());
  return table;
}

}  // namespace fitment
