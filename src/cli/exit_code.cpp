// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"

namespace fitment {

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::not_found:
    case ErrorCode::parse_error:
    case ErrorCode::unsupported:
      return kExitUsage;
    case ErrorCode::io_error:
    case ErrorCode::network_error:
    case ErrorCode::external_tool:
      return kExitWorld;
    case ErrorCode::internal:
      return kExitBug;
  }
  return kExitBug;
}

}  // namespace fitment
