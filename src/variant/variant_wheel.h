// SPDX-License-Identifier: Apache-2.0
// A variant wheel out of a plain one, and back. A variant differs by its name, by `variant.json`
// and by the line of that file in RECORD; every other member keeps all its bytes.
#pragma once

#include "base/splice.h"
#include "variant/variant_metadata.h"
#include "wheel/wheel_archive.h"

#include <string>

namespace fitment {

/// A wheel described as a change of another one.
struct RewrittenWheel {
  std::string file;  ///< its name
  Splice bytes;      ///< over the other one
};

/// Error: invalid_argument for a wheel that is a variant already.
Status check_is_plain(const ByteSource& source, const WheelArchive& wheel);

/// `metadata` describe one variant. Errors: those of check_is_plain, invalid_argument (a name that
/// gets too long), unsupported (signed, without RECORD), those of reading RECORD.
Result<RewrittenWheel> plan_variant_wheel(const ByteSource& source,
                                          const WheelArchive& wheel,
                                          const VariantMetadata& metadata);

/// Takes a variant's label, `variant.json` and its line away. Errors: invalid_argument (no
/// variant), unsupported, those of reading RECORD.
Result<RewrittenWheel> plan_plain_wheel(const ByteSource& source, const WheelArchive& wheel);

/// Whether taking the variant apart again gives the bytes of the wheel that it was made of. True
/// for the archives that Python's zipfile writes; others may order or compress in ways that are not
/// told apart afterwards.
Result<bool> is_reversible(const ByteSource& source, const RewrittenWheel& variant);

}  // namespace fitment
