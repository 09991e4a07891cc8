#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the README shows as output of commands over examples/ is what they print.
set -euo pipefail
fitment=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each command that names a file of examples/, with the lines below it up to the next command or the end of the block.
# A line of `...` says that more follows.
awk -v work="$work" '
  /^```/ || /^\$ / { if (file != "") close(file); file = "" }
  /^\$ fitment .*examples\// && !/[|>]/ { file = work "/" ++count; print substr($0, 3) > (file ".cmd"); close(file ".cmd"); printf "" > file; next }
  file != "" { print > file }' README.md

checked=0
for command in "$work"/*.cmd; do
  shown=${command%.cmd}
  [[ -s $shown ]] || continue
  read -ra words < "$command"
  env -i HOME="$work" PATH="$PATH" LANG=C.UTF-8 "$fitment" "${words[@]:1}" > "$work/said" || [[ $? -eq 1 ]]
  if [[ $(tail -n 1 "$shown") == ... ]]; then
    sed -i '$d' "$shown"
    head -n "$(wc -l < "$shown")" "$work/said" > "$work/start"
    mv "$work/start" "$work/said"
  fi
  diff -u "$shown" "$work/said" || { echo "README.md shows something else for: ${words[*]}" >&2; exit 1; }
  checked=$((checked + 1))
done
[[ $checked -ge 2 ]] || { echo "only $checked commands of README.md were checked" >&2; exit 1; }
echo "README.md: $checked commands print what is shown"
