// SPDX-License-Identifier: Apache-2.0
// What is said about a candidate: a verdict, the reasons against it and the warnings that come with
// it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Ordered from bad to good, so that the verdict over several machines is the least one.
enum class Verdict {
  does_not_fit,
  unsure,  ///< a fact that decides is unknown, or evidence conflicts
  fits,
};

std::string_view to_string(Verdict verdict);

/// Why a candidate does not fit or is unsure.
struct Reason {
  std::string rule;                         ///< stable id: `driver-floor`
  Verdict verdict = Verdict::does_not_fit;  ///< never `fits`
  std::string fact;   ///< path in the machine file, `drivers.nvidia.cuda_api`; or of the request,
                      ///< `request.backend`
  std::string found;  ///< what the fact says, or `unknown`
  std::string required;  ///< what would be needed
  std::string hint;      ///< the next step; may be empty

  friend bool operator==(const Reason&, const Reason&) = default;
};

/// Something to know about a build that was chosen all the same.
struct Warning {
  std::string id;  ///< stable: `minor-version`
  std::string text;

  friend bool operator==(const Warning&, const Warning&) = default;
};

/// Collects what the rules say about one build on one machine. Every failing rule speaks, not only
/// the first.
struct Judgement {
  std::vector<Reason> reasons;
  std::vector<Warning> warnings;
  bool needs_jit = false;  ///< a GPU that counts has PTX only

  void against(Reason reason) { reasons.push_back(std::move(reason)); }
  void warn(std::string id, std::string text) {
    warnings.push_back({std::move(id), std::move(text)});
  }

  [[nodiscard]] Verdict verdict() const {
    Verdict worst = Verdict::fits;
    for (const Reason& reason : reasons) {
      worst = std::min(worst, reason.verdict);
    }
    return worst;
  }
};

}  // namespace fitment
