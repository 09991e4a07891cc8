// SPDX-License-Identifier: Apache-2.0
// A distribution whose libraries became links says so: `fitment-links.json` in its dist-info folder
// names each link, where it leads and what was there. The distribution stays installed, so what
// requires it is satisfied and no installer brings the files back.
#pragma once

#include "slim/tree_run.h"

namespace fitment {

/// Brings the notices of the tree in line with its links. Hard links need none: the
/// distribution's file is still its own. Errors: those of TreeRun::rewrite and of reading
/// RECORDs.
Status write_link_notices(TreeRun& run);

}  // namespace fitment
