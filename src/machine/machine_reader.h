// SPDX-License-Identifier: Apache-2.0
// Private to machine_file.cpp: turns a JSON document into a Machine, with the position of the first
// wrong value.
#pragma once

#include "machine/machine.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The part of nlohmann's message after its error id and position.
std::string describe_json_error(std::string_view what);

class MachineReader {
 public:
  using Json = nlohmann::ordered_json;

  MachineReader(std::string_view text, std::string source)
      : text_(text), source_(std::move(source)) {}

  Result<Machine> read(const Json& document);

 private:
  using Path = std::vector<std::string>;

  [[nodiscard]] Error wrong(const Path& path, const std::string& message) const;
  [[nodiscard]] Error wrong_type(const Path& path,
                                 std::string_view expected,
                                 const Json& got) const;
  [[nodiscard]] std::string evidence_for(const Path& path) const;

  Result<const Json*> object_at(const Json& parent, const Path& path);
  void keep_unknown_keys(const Json& object, const Path& path, const std::set<std::string>& known);

  Status read_text(const Json& object, Path path, const char* key, Known<std::string>& fact) const;
  Status read_bool(const Json& object, Path path, const char* key, Known<bool>& fact) const;
  Status read_version(const Json& object,
                      Path path,
                      const char* key,
                      Known<DottedVersion>& fact,
                      bool may_have_suffix = false) const;

  Status read_system(const Json& parent, System& system);
  Status read_cpu(const Json& parent, Cpu& cpu);
  Status read_gpus(const Json& parent, Known<std::vector<Gpu>>& gpus);
  Result<Gpu> read_gpu(const Json& object, const Path& path);
  Status read_drivers(const Json& parent, Drivers& drivers);
  template <typename T, typename Read>
  Status read_driver(const Json& parent, const char* key, DriverState<T>& state, Read read);
  Status read_toolkits(const Json& parent, Known<std::vector<Toolkit>>& toolkits);
  Status read_python(const Json& parent, Python& python);
  Status read_notes(const Json& parent, Machine& machine);

  std::string_view text_;
  std::string source_;
  const Json* evidence_ = nullptr;
  std::vector<ExtraKey> extras_;
};

}  // namespace fitment
