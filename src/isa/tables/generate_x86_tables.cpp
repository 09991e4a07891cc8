// SPDX-License-Identifier: Apache-2.0
// Writes the decoder's tables as C++: asks Zydis about every escape, mandatory prefix, W, vector
// length, opcode and ModRM byte (memory forms once for each ModRM.reg), and keeps what its answers
// have in common. Runs once a build, some seconds.
#include "isa/tables/later_extensions.h"
#include "isa/tables/zydis_requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace fitment {
namespace {

using x86::Entry;
using x86::Row;

/// What an entry packs, unpacked.
struct Form {
  std::uint8_t requirement = x86::kUnknownRequirement;
  std::uint8_t immediate = 0;
  bool has_modrm = false;
  Entry flags = 0;
  std::uint16_t name = 0;  ///< index of the mnemonic; 0: none

  /// Alike to the decoder: the name does not matter.
  friend bool operator==(const Form& a, const Form& b) {
    return a.requirement == b.requirement && a.immediate == b.immediate
           && a.has_modrm == b.has_modrm && a.flags == b.flags;
  }
};

/// The forms of one opcode by ModRM byte.
using Forms = std::array<std::optional<Form>, 256>;

Entry pack(const Form& form) {
  return static_cast<Entry>(form.requirement) | static_cast<Entry>(form.immediate) << 8U
         | (form.has_modrm ? 0xff0000U : 0U) | form.flags;
}

/// What stands before an opcode, as the encodings name it.
struct Fields {
  LaterExtension::Encoding encoding = LaterExtension::Encoding::legacy;
  int map = 0;
  int pp = 0;
  int w = 0;
  int length = 0;
};

std::uint8_t modrm_length(int modrm) {
  const int mod = modrm >> 6;
  const int rm = modrm & 7;
  const bool has_sib = mod != 3 && rm == 4;
  const int displacement = mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
  return static_cast<std::uint8_t>((1 + (has_sib ? 1 : 0) + displacement)
                                   | (has_sib && mod == 0 ? 0x80 : 0));
}

class Generator {
 public:
  Generator() {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    requirements_ = {
        {{}, X86Role::unknown}, {{}, X86Role::plain}, {{X86Feature::apx}, X86Role::plain}};
    for (std::size_t i = 0; i < requirements_.size(); ++i) {
      requirement_ids_[{requirements_[i].features, requirements_[i].role}] =
          static_cast<std::uint8_t>(i);
    }
    add(rows_, Row{});  // row 0: nothing is defined
    add(name_rows_, x86::NameRow{});
    names_.emplace_back();
  }

  void run() {
    legacy();
    vectors();
    hot();
  }

  [[nodiscard]] std::string text() const;

 private:
  std::uint8_t requirement_id(const X86Requirement& requirement) {
    const auto [found, added] = requirement_ids_.try_emplace(
        {requirement.features, requirement.role}, static_cast<std::uint8_t>(requirements_.size()));
    if (added) {
      requirements_.push_back(requirement);
      if (requirements_.size() > 256) {
        fmt::print(stderr,
                   "generate_x86_tables: more than 256 requirements do not fit in an entry\n");
        std::exit(1);
      }
    }
    return found->second;
  }

  std::uint16_t name_id(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      names_.emplace_back(name);
      return static_cast<std::uint16_t>(names_.size() - 1);
    }
    return static_cast<std::uint16_t>(found - names_.begin());
  }

  /// The index of an equal row, which is added if there is none.
  template <typename R>
  static std::uint16_t add(std::vector<R>& rows, const R& row) {
    const auto found = std::find(rows.begin(), rows.end(), row);
    if (found != rows.end()) {
      return static_cast<std::uint16_t>(found - rows.begin());
    }
    rows.push_back(row);
    return static_cast<std::uint16_t>(rows.size() - 1);
  }

  std::optional<Form> ask(std::vector<std::uint8_t> bytes, std::size_t opcode_at);
  std::optional<Form> ask_later(const Fields& fields, int opcode, int modrm);
  /// Asks about every opcode and ModRM byte of a cell.
  void build(std::uint32_t cell,
             const std::function<std::optional<Form>(int opcode, int modrm)>& form_of);
  std::uint16_t merge_names(const Forms& forms);
  /// One entry for all ModRM bytes of an opcode.
  Entry merge(const Forms& forms);
  void legacy();
  std::optional<Form> ask_legacy(const std::vector<std::uint8_t>& before,
                                 const Fields& fields,
                                 int opcode,
                                 int modrm);
  std::optional<Form> ask_vex(int escape, const Fields& fields, int opcode, int modrm);
  std::optional<Form> ask_evex(const Fields& fields, int opcode, int modrm);
  void vectors();
  void hot();

  ZydisDecoder decoder_{};
  std::vector<X86Requirement> requirements_;
  std::map<std::pair<X86Features, X86Role>, std::uint8_t> requirement_ids_;
  std::vector<Row> rows_;
  std::vector<Row> dependent_;
  std::vector<x86::NameRow> name_rows_;
  std::vector<x86::NameRow> dependent_names_;
  std::vector<std::string> names_;
  std::vector<LaterExtension> later_ = later_extensions();
  x86::Tables tables_{};
};

bool is_prefix_byte(int byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return (byte & 0xf0) == 0x40;
  }
}

bool is_vector_prefix(int byte) {
  return byte == 0xc4 || byte == 0xc5 || byte == 0x62;
}

/// `bytes` end with opcode and ModRM (and SIB); zeros follow.
std::optional<Form> Generator::ask(std::vector<std::uint8_t> bytes, std::size_t opcode_at) {
  const std::uint8_t modrm = bytes[opcode_at + 1];
  bytes.resize(24);
  ZydisDecodedInstruction instruction;
  ZydisDecoderContext context;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
          &decoder_, &context, bytes.data(), bytes.size(), &instruction))) {
    return std::nullopt;
  }
  const auto requirement = requirement_from_zydis(instruction);
  if (!requirement) {
    fmt::print(
        stderr,
        "generate_x86_tables: instruction set `{}` of `{}` has no row in zydis_requirement.cpp\n",
        ZydisISASetGetString(instruction.meta.isa_set),
        ZydisMnemonicGetString(instruction.mnemonic));
    std::exit(1);
  }
  if (requirement->role == X86Role::unknown) {
    return std::nullopt;
  }
  Form form;
  form.requirement = requirement_id(*requirement);
  form.has_modrm = (instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0;
  std::size_t rest = instruction.length - opcode_at - 1;
  if (form.has_modrm) {
    // With SIB base 5 and mod 0 four bytes of displacement follow; the SIB bytes that are asked
    // with have base 0 or 2.
    rest -= std::min<std::size_t>(rest, modrm_length(modrm) & 0x7fU);
  } else if (instruction.raw.disp.size != 0) {
    form.flags = x86::kAddress;
  }
  form.immediate = static_cast<std::uint8_t>(rest);
  if (!requirement->features.empty()) {
    form.name = name_id(ZydisMnemonicGetString(instruction.mnemonic));
  }
  return form;
}

std::optional<Form> Generator::ask_later(const Fields& fields, int opcode, int modrm) {
  using O = LaterExtension::Operand;
  for (const LaterExtension& row : later_) {
    const bool operand_fits = row.operand == O::any || (row.operand == O::memory && modrm < 0xc0)
                              || (row.operand == O::reg && modrm >= 0xc0)
                              || (row.operand == O::exact && modrm == row.modrm)
                              || (row.operand == O::group_of && (modrm >> 3 & 7) == row.modrm);
    if (row.encoding == fields.encoding && row.map == fields.map && row.prefix == fields.pp
        && (row.w < 0 || row.w == fields.w) && (row.length < 0 || row.length == fields.length)
        && opcode >= row.first_opcode && opcode <= row.last_opcode && operand_fits) {
      return Form{requirement_id(row.requirement),
                  static_cast<std::uint8_t>(row.immediate),
                  true,
                  0,
                  name_id(row.name)};
    }
  }
  return std::nullopt;
}

Entry Generator::merge(const Forms& forms) {
  std::optional<Form> first;
  bool same = true;
  for (const auto& form : forms) {
    if (form && !first) {
      first = form;
    }
    same = same && form == first;
  }
  if (!first) {
    return pack(Form{});
  }
  if (same) {
    return pack(*first);
  }
  const auto registers = forms.begin() + x86::kFirstRegisterModrm;
  const auto is_first = [&](const auto& form) { return form == first; };
  if (std::all_of(forms.begin(), registers, is_first)
      && std::none_of(registers, forms.end(), [](const auto& form) { return form.has_value(); })) {
    return pack(*first) | x86::kMemoryOnly;
  }
  Row row{};
  for (std::size_t modrm = 0; modrm < 256; ++modrm) {
    row[modrm] =
        forms[modrm] ? pack(*forms[modrm]) : pack(Form{x86::kUnknownRequirement, 0, true, 0});
  }
  return static_cast<Entry>(add(dependent_, row)) | 0xff0000U | x86::kDepends;
}

std::uint16_t Generator::merge_names(const Forms& forms) {
  x86::NameRow row{};
  std::vector<std::uint16_t> found;
  for (std::size_t modrm = 0; modrm < 256; ++modrm) {
    row[modrm] = forms[modrm] ? forms[modrm]->name : std::uint16_t{0};
    if (forms[modrm]) {
      found.push_back(row[modrm]);
    }
  }
  if (found.empty()
      || std::all_of(found.begin(), found.end(), [&](auto name) { return name == found[0]; })) {
    return found.empty() ? std::uint16_t{0} : found[0];
  }
  return static_cast<std::uint16_t>(add(dependent_names_, row) | x86::kNameDepends);
}

void Generator::build(std::uint32_t cell,
                      const std::function<std::optional<Form>(int opcode, int modrm)>& form_of) {
  Row row{};
  x86::NameRow names{};
  for (int opcode = 0; opcode < 256; ++opcode) {
    // Memory forms differ by ModRM.reg alone, but gathers and tile loads are defined with a SIB
    // byte (rm 4) only.
    std::array<std::optional<Form>, 8> memory;
    for (int reg = 0; reg < 8; ++reg) {
      auto form = form_of(opcode, reg << 3);
      memory[static_cast<std::size_t>(reg)] = form ? form : form_of(opcode, reg << 3 | 4);
    }
    Forms forms;
    for (int modrm = 0; modrm < 256; ++modrm) {
      forms[static_cast<std::size_t>(modrm)] =
          modrm < 0xc0 ? memory[static_cast<std::size_t>(modrm >> 3 & 7)] : form_of(opcode, modrm);
    }
    row[static_cast<std::size_t>(opcode)] = merge(forms);
    names[static_cast<std::size_t>(opcode)] = merge_names(forms);
  }
  tables_.row_of[cell] = add(rows_, row);
  tables_.name_row_of[cell] = add(name_rows_, names);
}

/// True for bytes of a legacy map that are no opcodes.
bool is_no_opcode(int map, int byte, int modrm) {
  if (map == 0) {
    return is_prefix_byte(byte) || is_vector_prefix(byte) || byte == 0x0f || byte == 0xd5
           || (byte == 0x8f && (modrm & 0x1f) >= 8);
  }
  return map == 1 && (byte == 0x38 || byte == 0x3a);
}

std::optional<Form> Generator::ask_legacy(const std::vector<std::uint8_t>& before,
                                          const Fields& fields,
                                          int opcode,
                                          int modrm) {
  if (is_no_opcode(fields.map, opcode, modrm)) {
    return std::nullopt;
  }
  if (fields.map == 1 && opcode == 0x0f) {
    return Form{
        requirement_id({{X86Feature::amd_3dnow}, X86Role::plain}), 1, true, x86::kSuffix, 0};
  }
  std::vector<std::uint8_t> bytes = before;
  bytes.push_back(static_cast<std::uint8_t>(opcode));
  bytes.push_back(static_cast<std::uint8_t>(modrm));
  auto form = ask(std::move(bytes), before.size());
  if (form && fields.map == 1 && opcode >= 0x20 && opcode <= 0x23) {
    // MOV of control and debug registers reads ModRM as two registers whatever its mod says.
    form->has_modrm = false;
    form->immediate = static_cast<std::uint8_t>(form->immediate + 1);
  }
  return form ? form : ask_later(fields, opcode, modrm);
}

void Generator::legacy() {
  const std::vector<std::vector<std::uint8_t>> mandatory{
      {}, {0x66}, {0xf3}, {0xf2}, {0x66, 0xf3}, {0x66, 0xf2}};
  const std::vector<std::vector<std::uint8_t>> escapes{{}, {0x0f}, {0x0f, 0x38}, {0x0f, 0x3a}};
  constexpr std::array<int, 6> kLater{0, 1, 2, 3, 2, 3};
  for (std::uint32_t map = 0; map < x86::kLegacyMaps; ++map) {
    for (std::uint32_t pp = 0; pp < x86::kLegacyPrefixes; ++pp) {
      for (std::uint32_t w = 0; w < 2; ++w) {
        const Fields fields{{}, static_cast<int>(map), kLater[pp], static_cast<int>(w), 0};
        std::vector<std::uint8_t> before = mandatory[pp];
        if (w != 0) {
          before.push_back(0x48);
        }
        before.insert(before.end(), escapes[map].begin(), escapes[map].end());
        const auto form_of = [&](int opcode, int modrm) {
          return ask_legacy(before, fields, opcode, modrm);
        };
        build(x86::legacy_cell(map, pp, w), form_of);
      }
    }
  }
  for (std::size_t suffix = 0; suffix < 256; ++suffix) {
    if (ask({0x0f, 0x0f, 0xc1, static_cast<std::uint8_t>(suffix)}, 1)) {
      const unsigned bit = 1U << suffix % 8;
      tables_.amd_3dnow_suffixes[suffix / 8] =
          static_cast<std::uint8_t>(tables_.amd_3dnow_suffixes[suffix / 8] | bit);
    }
  }
}

std::uint8_t byte(int value) {
  return static_cast<std::uint8_t>(value);
}

/// The fields that only some instructions leave free are tried in turn: vvvv (none or a register;
/// tile products refuse one that is also another operand), SIB (gathers refuse an index that is
/// also the destination).
constexpr std::array<int, 2> kVvvv{15, 13};
constexpr std::array<int, 4> kVexVvvv{15, 13, 14, 12};
constexpr std::array<int, 2> kSib{0x3a, 0x08};

std::optional<Form> Generator::ask_vex(int escape, const Fields& fields, int opcode, int modrm) {
  for (const int vvvv : kVexVvvv) {
    for (const int sib : kSib) {
      const int last = fields.w << 7 | vvvv << 3 | fields.length << 2 | fields.pp;
      const auto form = ask(
          {byte(escape), byte(0xe0 | fields.map), byte(last), byte(opcode), byte(modrm), byte(sib)},
          3);
      if (form) {
        return form;
      }
    }
  }
  return std::nullopt;
}

std::optional<Form> Generator::ask_evex(const Fields& fields, int opcode, int modrm) {
  if (fields.map == 4) {
    const int immediate = apx_map4_immediate(opcode, modrm >> 3 & 7, fields.pp == 1);
    return Form{x86::kApxRequirement, byte(immediate), true, 0, 0};
  }
  const bool is_register = modrm >= 0xc0;
  const bool rounds = fields.length == static_cast<int>(x86::kRoundedLength);
  if (rounds && !is_register) {
    return std::nullopt;
  }
  // Mask register, and broadcast (memory) or rounding (registers).
  std::vector<std::pair<int, int>> variants{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  if (is_register) {
    variants = rounds ? std::vector<std::pair<int, int>>{{0, 1}, {1, 1}}
                      : std::vector<std::pair<int, int>>{{0, 0}, {1, 0}};
  }
  for (const int vvvv : kVvvv) {
    for (const auto& [mask, bit_b] : variants) {
      for (const int sib : kSib) {
        const int second = fields.w << 7 | vvvv << 3 | 4 | fields.pp;
        const int third = (rounds ? 0 : fields.length << 5) | bit_b << 4 | 8 | mask;
        const auto form = ask({0x62,
                               byte(0xf0 | fields.map),
                               byte(second),
                               byte(third),
                               byte(opcode),
                               byte(modrm),
                               byte(sib)},
                              4);
        if (form) {
          return form;
        }
      }
    }
  }
  return std::nullopt;
}

void Generator::vectors() {
  for (std::uint32_t combination = 0; combination < 4 * 2 * 4; ++combination) {
    const std::uint32_t pp = combination & 3U;
    const std::uint32_t w = combination >> 2U & 1U;
    const std::uint32_t length = combination >> 3U;
    const auto fields_of = [&](std::uint32_t map) {
      return Fields{LaterExtension::Encoding::vex,
                    static_cast<int>(map),
                    static_cast<int>(pp),
                    static_cast<int>(w),
                    static_cast<int>(length)};
    };
    for (const std::uint32_t map : {1U, 2U, 3U, 4U, 5U, 6U}) {
      build(x86::evex_cell(map, pp, w, length),
            [&](int opcode, int modrm) { return ask_evex(fields_of(map), opcode, modrm); });
    }
    if (length > 1) {
      continue;
    }
    for (const std::uint32_t map : {1U, 2U, 3U, 7U}) {
      build(x86::vex_cell(map, pp, w, length), [&](int opcode, int modrm) {
        const auto form = ask_vex(0xc4, fields_of(map), opcode, modrm);
        return form ? form : ask_later(fields_of(map), opcode, modrm);
      });
    }
    for (const std::uint32_t map : {8U, 9U, 10U}) {
      build(x86::xop_cell(map - 8U, pp, w, length),
            [&](int opcode, int modrm) { return ask_vex(0x8f, fields_of(map), opcode, modrm); });
    }
  }
}

/// Rows that most instructions use, copied out of the legacy rows with the bytes marked that are no
/// opcodes.
void Generator::hot() {
  for (std::uint32_t w = 0; w < 2; ++w) {
    for (std::uint32_t escaped = 0; escaped < 2; ++escaped) {
      Row row = rows_[tables_.row_of[x86::legacy_cell(escaped, 0, w)]];
      for (int byte = 0; byte < 256; ++byte) {
        // Groups that modrm decides are looked up; full addresses are left to the general decoder.
        const bool escape = is_no_opcode(static_cast<int>(escaped), byte, 8)
                            || (escaped == 1 && byte == 0x0f)
                            || (row[static_cast<std::size_t>(byte)] & x86::kAddress) != 0;
        if (escape) {
          row[static_cast<std::size_t>(byte)] = x86::kEscape;
        }
      }
      tables_.hot[w][escaped] = row;
    }
  }
  for (int modrm = 0; modrm < 256; ++modrm) {
    tables_.modrm_length[static_cast<std::size_t>(modrm)] = modrm_length(modrm);
  }
}

template <typename T>
std::string list_of(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return fmt::format("{},", value);
  } else {
    std::string text = "{{";
    for (const auto& part : value) {
      text += list_of(part);
    }
    return text + "}},\n";
  }
}

template <typename R>
std::string rows_text(std::string_view declaration, const std::vector<R>& rows) {
  std::string text = fmt::format("const {}[] = {{\n", declaration);
  for (const R& row : rows) {
    text += list_of(row);
  }
  return text + "};\n";
}

std::string Generator::text() const {
  std::string text =
      "// Written by generate_x86_tables.\n#include \"isa/x86_tables.h\"\n\nnamespace fitment::x86 "
      "{\nnamespace {\n";
  text += rows_text("Row kRows", rows_) + rows_text("Row kDependentRows", dependent_);
  text += rows_text("NameRow kNameRows", name_rows_)
          + rows_text("NameRow kDependentNames", dependent_names_);
  text += "const char* const kNames[] = {\n";
  for (const std::string& name : names_) {
    text += fmt::format("\"{}\",\n", name);
  }
  text += "};\n";
  text += "const X86Requirement kRequirements[] = {\n";
  for (const X86Requirement& requirement : requirements_) {
    text += fmt::format("{{X86Features::from_words({}ULL, {}ULL), static_cast<X86Role>({})}},\n",
                        requirement.features.words()[0],
                        requirement.features.words()[1],
                        static_cast<int>(requirement.role));
  }
  text += "};\n}  // namespace\n\nconst Tables kTables = {\n";
  text += list_of(tables_.hot) + list_of(tables_.row_of) + list_of(tables_.name_row_of)
          + list_of(tables_.modrm_length) + list_of(tables_.amd_3dnow_suffixes);
  text += fmt::format(
      "kRows, kDependentRows, kNameRows, kDependentNames, kNames, kRequirements, {},\n}};\n}}  // "
      "namespace "
      "fitment::x86\n",
      requirements_.size());
  fmt::print(
      stderr,
      "x86 tables: {} rows, {} by ModRM, {} requirements, {} names in {} rows and {} by ModRM\n",
      rows_.size(),
      dependent_.size(),
      requirements_.size(),
      names_.size(),
      name_rows_.size(),
      dependent_names_.size());
  return text;
}

}  // namespace
}  // namespace fitment

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: generate_x86_tables OUTPUT.cpp\n");
    return 2;
  }
  fitment::Generator generator;
  generator.run();
  const std::string text = generator.text();
  std::FILE* file = std::fopen(argv[1], "wb");
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size()
      || std::fclose(file) != 0) {
    fmt::print(stderr, "generate_x86_tables: cannot write {}\n", argv[1]);
    return 1;
  }
  return 0;
}
