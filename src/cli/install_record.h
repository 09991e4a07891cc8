// SPDX-License-Identifier: Apache-2.0
// What `fitment install` leaves behind: the record of what was chosen, as it was installed.
#pragma once

#include "cli/install_job.h"
#include "cli/streams.h"

namespace fitment {

/// --record.
const OptionSpec& record_option();

/// Writes the record and says where. One that is there already stays, unless --record names it.
/// Errors: io_error, those of reading the environment.
Status write_install_record(const InstallJob& job,
                            const InstallOutcome& outcome,
                            const Invocation& invocation,
                            const Streams& streams);

}  // namespace fitment
