#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# groff reads every manual page without a warning. Skips where groff is not installed.
set -euo pipefail
fitment=$1
command -v groff > /dev/null || { echo "groff is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fitment" man --output "$work"
pages=0
for page in "$work"/*.1; do
  warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
  [[ -z $warnings ]] || { echo "$warnings" >&2; exit 1; }
  pages=$((pages + 1))
done
[[ $pages -ge 4 ]] || { echo "only $pages pages" >&2; exit 1; }
echo "$pages pages without warnings"
