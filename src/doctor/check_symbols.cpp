// SPDX-License-Identifier: Apache-2.0
// Imported symbols that the copies which are loaded do not define.
#include "doctor/examination.h"
#include "elf/system_libraries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

constexpr std::size_t kShownSymbols = 4;

/// Symbols that one object misses in one other.
struct Gap {
  std::size_t object = 0;
  std::optional<std::size_t> provider;
  std::string library;
  std::vector<std::string> symbols;
};

/// The interpreter defines these; it is not always part of what was read.
bool is_of_python(std::string_view symbol) {
  return symbol.starts_with("Py") || symbol.starts_with("_Py");
}

class SymbolCheck {
 public:
  explicit SymbolCheck(Examination& examination)
      : x_(examination), closure_(examination.everything.closure) {}

  void check() {
    for (const MissingSymbol& missing : x_.bindings.missing) {
      if (counts(missing)) {
        add(missing.object,
            missing.expected_object,
            missing.expected_library,
            missing.version.empty() ? missing.name : missing.name + "@" + missing.version);
      }
    }
    for (const MissingVersion& missing : x_.bindings.missing_versions) {
      if (!is_runtime_library(missing.library)) {
        add(missing.object, missing.provider, missing.library, "version " + missing.version);
      }
    }
    for (auto& [key, gap] : gaps_) {
      report(gap);
    }
  }

 private:
  [[nodiscard]] bool counts(const MissingSymbol& missing) const {
    const EntryRole role = x_.everything.role_of(missing.object);
    const std::string& path = closure_.objects[missing.object].real_path;
    if (missing.library_missing || is_of_python(missing.name) || role == EntryRole::interpreter
        || is_runtime_library(missing.expected_library)) {
      return false;
    }
    // A library that nobody loads may expect symbols of a program that would load it.
    const bool is_plugin = role == EntryRole::unreferred && missing.version.empty();
    const bool is_ours = x_.stack.owner_of(path).has_value();
    return !is_plugin && (is_ours || missing.expected_object.has_value());
  }

  void add(std::size_t object,
           std::optional<std::size_t> provider,
           const std::string& library,
           std::string symbol) {
    Gap& gap = gaps_[{object, library}];
    gap.object = object;
    gap.provider = provider;
    gap.library = library;
    gap.symbols.push_back(std::move(symbol));
  }

  void report(const Gap& gap);

  Examination& x_;
  const Closure& closure_;
  std::map<std::pair<std::size_t, std::string>, Gap> gaps_;
};

void SymbolCheck::report(const Gap& gap) {
  const ClosureObject& user = closure_.objects[gap.object];
  Finding finding;
  finding.rule = "symbol-missing";
  finding.severity = x_.everything.role_of(gap.object) == EntryRole::unreferred ? Severity::warning
                                                                                : Severity::error;
  const std::vector<std::string> shown(
      gap.symbols.begin(),
      gap.symbols.begin()
          + static_cast<std::ptrdiff_t>(std::min(gap.symbols.size(), kShownSymbols)));
  const std::string more = gap.symbols.size() > shown.size()
                               ? fmt::format(" and {} more", gap.symbols.size() - shown.size())
                               : std::string();
  const std::string symbols = fmt::format("{}{}", fmt::join(shown, ", "), more);
  finding.evidence.push_back(fmt::format(
      "{} ({}) imports {}", x_.shown(user.real_path), x_.shown_owner(user.real_path), symbols));
  if (gap.provider) {
    const ClosureObject& provider = closure_.objects[*gap.provider];
    finding.subject = fmt::format("{} with {}", user.name(), provider.name());
    finding.cause = fmt::format(
        "the `{}` that is loaded does not define what `{}` imports", provider.name(), user.name());
    finding.evidence.push_back(fmt::format("loaded: {} ({}), {}",
                                           x_.shown(provider.real_path),
                                           x_.shown_owner(provider.real_path),
                                           provider.how));
    if (provider.found_by == FoundBy::library_path) {
      finding.fix = {
          fmt::format("take {} out of LD_LIBRARY_PATH, so that the package's own copy is found",
                      parent_folder(provider.path)),
          {"unset LD_LIBRARY_PATH"}};
    }
  } else {
    finding.subject = fmt::format("{} ({})", user.name(), x_.shown_owner(user.real_path));
    finding.cause = fmt::format("nothing that is loaded defines what `{}` imports", user.name());
  }
  if (finding.fix.text.empty()) {
    const auto owner = x_.stack.owner_of(user.real_path);
    const auto other =
        gap.provider ? x_.stack.owner_of(closure_.objects[*gap.provider].real_path) : std::nullopt;
    if (other) {
      finding.fix = {
          fmt::format("install versions of {} and {} that were built for each other",
                      owner ? x_.stack.distributions[*owner].name : user.name(),
                      x_.stack.distributions[*other].name),
          {x_.install_command(fmt::format("--upgrade {}", x_.stack.distributions[*other].name))}};
    } else if (owner) {
      finding.fix = {fmt::format("install a build of {} for the versions that are installed here",
                                 x_.stack.distributions[*owner].name),
                     {x_.install_command(fmt::format("--force-reinstall {}",
                                                     x_.stack.distributions[*owner].name))}};
    } else {
      finding.fix = {"install libraries of one toolkit version", {}};
    }
  }
  x_.findings.push_back(std::move(finding));
}

}  // namespace

void check_symbols(Examination& examination) {
  SymbolCheck(examination).check();
}

}  // namespace fitment
