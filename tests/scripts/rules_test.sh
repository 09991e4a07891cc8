#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/rules.md is what `fitment explain --markdown` prints.
set -euo pipefail
fitment=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
diff -u "$root/docs/rules.md" <("$fitment" explain --markdown) || { echo "hint: fitment explain --markdown > docs/rules.md" >&2; exit 1; }
echo "docs/rules.md: as the program says it"
