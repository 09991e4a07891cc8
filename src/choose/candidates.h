// SPDX-License-Identifier: Apache-2.0
// Every version and backend of a framework that the requests allow, judged on every machine.
#pragma once

#include "choose/group.h"
#include "choose/situation.h"

#include <optional>
#include <vector>

namespace fitment {

/// A candidate of the whole group: one release and one backend.
struct GroupCandidate {
  Version version;  ///< of the framework
  const Release* release = nullptr;
  const Build* build =
      nullptr;  ///< the row for the first machine's architecture; absent: no such build
  Backend backend;
  Judgement judgement;  ///< over all machines
  std::size_t age = 0;  ///< position among the releases, 0 is the oldest
};

/// The row of this backend for an architecture, else any row of the backend (its platform tag will
/// speak); nullptr: the release has no such build.
const Build* find_build(const Release& release,
                        const std::string& backend,
                        const Known<std::string>& arch);

struct CandidateQuery {
  const Group* group = nullptr;
  const std::vector<Situation>* situations = nullptr;
  bool ignore_versions =
      false;  ///< every release, whatever the requests say: for finding the nearest
};

/// Unsorted. Releases that the framework's own request does not accept are left out; a release that
/// a companion's request does not accept stays in, with pair-mismatch.
std::vector<GroupCandidate> collect_candidates(const CandidateQuery& query);

}  // namespace fitment
