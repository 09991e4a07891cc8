#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The completion scripts parse in their shells, and complete what a user would press TAB for.
set -euo pipefail
fitment=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for shell in bash zsh fish; do
  "$fitment" completion "$shell" > "$work/$shell"
  if command -v "$shell" > /dev/null; then
    "$shell" -n "$work/$shell"
    echo "$shell: parses"
  else
    echo "$shell: not installed, not checked"
  fi
done

# shellcheck source=/dev/null
source "$work/bash"
cd "$work"
mkdir folder

# expect WORDS... -- CANDIDATES...: the last word is the one under the cursor.
expect() {
  COMP_WORDS=()
  while [[ $1 != -- ]]; do
    COMP_WORDS+=("$1")
    shift
  done
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _fitment
  if [[ "${COMPREPLY[*]}" != "$*" ]]; then
    echo "after '${COMP_WORDS[*]}' bash offers '${COMPREPLY[*]}' instead of '$*'" >&2
    exit 1
  fi
}
expect fitment expl -- explain
expect fitment explain driver-f -- driver-floor
expect fitment explain --js -- --json
expect fitment --color a -- auto always
expect fitment explain --color = n -- never
expect fitment --no-progress explain kern -- kernels-stated
expect fitment completion '' -- bash zsh fish
expect fitment man --output fold --
echo "bash: completes"

if command -v fish > /dev/null; then
  offered=$(fish -c "source $work/fish; complete -C 'fitment explain driver-f'" | cut -f1)
  [[ $offered == driver-floor ]] || { echo "fish offers '$offered'" >&2; exit 1; }
  echo "fish: completes"
fi
