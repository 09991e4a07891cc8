#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every RUN instruction that recipes give is shell that shellcheck finds nothing in: image_shell_test.sh FITMENT
set -euo pipefail

fitment=$1
command -v shellcheck > /dev/null || { echo "skipped: no shellcheck"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/nvtop.tar"

# RUN instructions of a Containerfile, each as a script of its own.
scripts_of() {
  awk -v folder="$2" '
    /^RUN / { script = folder "/" ++count ".sh"; sub(/^RUN /, ""); inside = 1; print "#!/bin/sh" > script }
    inside {
      line = $0
      more = sub(/ \\$/, "", line)
      while (sub(/^ *--mount=[^ ]*/, "", line)) { }
      print line > script
      inside = more
    }' "$1"
}

count=0
check() {
  local folder=$work/$((++count))
  mkdir "$folder"
  "$fitment" image render "$@" > "$folder/Containerfile"
  scripts_of "$folder/Containerfile" "$folder"
  shellcheck --shell=sh "$folder"/*.sh
}
check --from debian:12 --profile torch,nlp --add 'torch==2.8.0' --for sm_80,sm_90+ptx --nvtop "$work/nvtop.tar"
check --from ubuntu:24.04 --profile torch --add 'torch==2.8.0' --for sm_90
check --from ubuntu:24.04 --profile torch --add 'torch==2.8.0' --for cpu --python 3.13
check --from ubuntu:24.04 --profile datascience --for cpu --python 3.11 --python-from conda
echo "$count recipes: shellcheck finds nothing"
