#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `fitment serve` asked over HTTP, and by real installers: tests/serve/*_test.py. PATTERN chooses some.
set -euo pipefail
program=$1
pattern=${2:-}
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../serve" && pwd)
unset PIP_FIND_LINKS PIP_CERT PIP_INDEX_URL PIP_EXTRA_INDEX_URL
FITMENT=$(realpath "$program") exec /usr/bin/python3 -m unittest discover -s "$tests" -p '*_test.py' ${pattern:+-k "$pattern"}
