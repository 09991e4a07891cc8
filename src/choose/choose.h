// SPDX-License-Identifier: Apache-2.0
// machine + catalogue + requests + policy -> choice with reasons (design 5.3). Pure: no disk, no
// network, no clock.
#pragma once

#include "catalog/catalog.h"
#include "choose/policy.h"
#include "choose/verdict.h"
#include "machine/machine.h"
#include "wheel/requirement.h"
#include "wheel/version.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// One asked-for package; the requirement's marker is already decided.
struct PackageRequest {
  Requirement requirement;
  std::string text;  ///< as the user wrote it
};

/// One version and backend of a package, judged.
struct Candidate {
  Version
      version;  ///< public version of the package itself (for torchvision: its own, not torch's)
  Backend backend;
  Verdict verdict = Verdict::does_not_fit;
  std::vector<Reason> reasons;
  std::vector<Warning> warnings;
  bool needs_jit = false;
  const Release* release = nullptr;  ///< in the catalogue that was given; absent: no such build
  const Build* build = nullptr;
};

/// The chosen build of one package and how to ask for it.
struct ChosenBuild {
  std::string name;  ///< package name to install: `torch`, `cupy-cuda12x`, `paddlepaddle`
  Version version;
  std::string backend;
  std::string requirement;  ///< ready for an installer: `torch==2.8.0+cu128`, `jax[cuda13]==0.11.0`
  std::vector<std::string> extras;
  std::string index;              ///< Simple API URL; empty: PyPI
  std::vector<std::string> tags;  ///< wheel tags, where they are known
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> total_bytes;
  std::string source;  ///< where the catalogue has it from
};

/// Something that would make a build fit.
struct WayOut {
  enum class Kind {
    version,  ///< another version of the package
    driver,
    fact,  ///< another fact of the machine: Python, glibc, CPU, or one that is unknown now
    gpu,
    policy,  ///< the user's word: --backend cpu, --allow-unsure
  };
  Kind kind = Kind::version;
  std::string version;  ///< what would then be chosen
  std::string backend;
  std::string text;  ///< one sentence
};

struct PackagePlan {
  std::string name;  ///< as requested, normalised
  std::string request;
  std::string group;  ///< framework that decided it: packages of one group share their reasons
  std::optional<ChosenBuild> choice;
  Verdict choice_verdict = Verdict::fits;  ///< `unsure` only with --allow-unsure
  std::vector<Candidate> candidates;       ///< best first
  std::vector<std::string> why;            ///< sentences for the choice
  std::vector<Warning> warnings;           ///< of the choice
  std::vector<WayOut> ways_out;            ///< most useful first; empty when something was chosen
};

/// The answer for one machine, or one answer for several.
struct Plan {
  std::vector<const Machine*> machines;
  std::vector<PackagePlan> packages;  ///< in order of the requests
  std::vector<std::string>
      outside;  ///< requested packages that the catalogue does not know: nothing to choose

  [[nodiscard]] bool fits() const;
};

/// Whether a build can be had where packages will come from: a folder of wheels, a mirror.
using BuildStock = std::function<bool(const ChosenBuild&)>;

struct ChooseInput {
  std::vector<const Machine*> machines;  ///< several: one build for all (--one-build)
  std::vector<PackageRequest> requests;
  const Catalog* catalog = nullptr;
  ChoosePolicy policy;
  BuildStock stock;  ///< empty: every build of the catalogue can be had
  bool outside_is_error =
      true;  ///< a package that the catalogue does not know: an error, or listed in `outside`
};

/// Errors: not_found (unknown package, with the nearest name; no version satisfies a request, with
/// the nearest version), invalid_argument (contradictory options), and whatever reading the
/// catalogue gives.
Result<Plan> choose(const ChooseInput& input);

}  // namespace fitment
