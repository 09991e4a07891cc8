#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fitment install and wheelhouse with the pip of this machine, against an index on loopback.
set -euo pipefail
fitment=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=/usr/bin/python3
"$python" -c 'import venv, ensurepip' 2>/dev/null || { echo "no python3 with venv"; exit 77; }
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT
trap 'echo "line $LINENO"; cat talk.txt out.txt 2> /dev/null' ERR
cd "$work"
mkdir home
export HOME=$work/home XDG_CACHE_HOME=$work/cache
for name in $(compgen -e); do [[ $name != PIP_* && $name != UV_* && ${name,,} != *_proxy ]] || unset "$name"; done

tags=cp3$("$python" -c 'import sys; print(sys.version_info[1])')
tags=$tags-$tags-manylinux_2_17_$(uname -m)
"$python" "$root/tests/support/make_wheels.py" files \
  "torch-2.8.0+cu128-$tags.whl" --requires 'helper>=1' --size 3000000 helper-1.0-py3-none-any.whl
for name in torch helper; do
  mkdir -p "simple/$name"
  for file in files/"$name"-*.whl; do
    echo "<a href=\"../../$file#sha256=$(sha256sum "$file" | cut -d' ' -f1)\">$(basename "$file")</a>"
  done > "simple/$name/index.html"
done
"$python" -u -m http.server 0 --bind 127.0.0.1 > log 2>&1 &
server=$!
until grep -q 'port [0-9]' log; do kill -0 "$server"; done
index=http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' log | head -n 1)/simple/
options=(--machine "$root/examples/machines/h100-driver-535.json" --index "$index")

expect() { grep -qF -- "$1" "$2" || { echo "no '$1' in $2:"; cat "$2"; exit 1; } >&2; }

"$python" -m venv env
"$fitment" install torch --python env "${options[@]}" --dry-run > dry.txt 2> talk.txt
expect 'would install  torch' dry.txt
[[ ! -e $(echo env/lib/python3*/site-packages)/torch ]]

# Settings of the user that lead elsewhere have no effect.
PIP_INDEX_URL=http://127.0.0.1:9/ PIP_NO_INDEX=1 "$fitment" install torch --python env "${options[@]}" > did.txt 2> talk.txt
expect 'installed  torch' did.txt
# The record tells what was installed, and a second installation leaves it alone.
expect 'wrote fitment.lock.json' talk.txt
expect '"name": "torch-' fitment.lock.json
grep -q '"sha256": "[0-9a-f]\{64\}"' fitment.lock.json
"$fitment" export --format requirements > exported.txt 2> talk2.txt
expect 'torch @ http' exported.txt
cp fitment.lock.json first.lock.json
expect 'without effect here: PIP_INDEX_URL, PIP_NO_INDEX' talk.txt
[[ $(env/bin/python -c 'import torch, helper; print(torch.__version__)') == 2.8.0+cu128 ]]
"$fitment" install torch --python env "${options[@]}" 2> talk.txt | grep -q 'nothing to install'
cmp first.lock.json fitment.lock.json

# What pip cannot find is its own to say.
code=0; "$fitment" install nothing-of-this-name --python env "${options[@]}" -q > out.txt 2> talk.txt || code=$?
[[ $code -eq 3 ]]
expect 'No matching distribution found for nothing-of-this-name' talk.txt

# A program called uv is called as uv is.
mkdir bin
cat > bin/uv <<'UV'
#!/bin/sh
[ "$1" != --version ] || { echo "uv 0.9.2"; exit; }
echo "$@" > "$UV_CACHE_DIR"
env > "$UV_CACHE_DIR.env"
UV
chmod +x bin/uv
UV_CACHE_DIR=$work/said UV_TORCH_BACKEND=cpu "$fitment" install torch --python env --installer bin/uv "${options[@]}" > out.txt 2> talk.txt
expect "pip install --python $work/env/bin/python --default-index $index torch==2.8.0+cu128" said
if grep -q UV_TORCH_BACKEND said.env; then exit 1; fi
expect 'UV_NO_CONFIG=1' said.env

# A wheelhouse installs without a network.
"$fitment" wheelhouse house torch --python env "${options[@]}" > out.txt 2> talk.txt
(cd house && sha256sum --quiet --check SHA256SUMS)
kill "$server"; wait "$server" 2> /dev/null || true; server=
"$python" -m venv other
other/bin/python -m pip install -q --disable-pip-version-check --no-index --find-links house --require-hashes --requirement house/requirements.txt
other/bin/python -c 'import torch, helper'

# Without --index: an index of our own over fitment.toml. Another GPU, another build, and nothing stale.
"$python" "$root/tests/support/make_wheels.py" many \
  "torch-2.8.0+cu128-$tags.whl" "torch-2.8.0+cu126-$tags.whl" "torch-2.8.0+cpu-$tags.whl"
printf '[[index]]\nname = "local"\nurl = "many"\nnames = ["*"]\n' > fitment.toml
swap() { # MACHINE BACKEND
  "$python" -m venv --clear swapped
  "$fitment" install torch==2.8.0 --python swapped --machine "$root/examples/machines/$1.json" > out.txt 2> talk.txt || [[ $? -eq 1 ]]
  expect "2.8.0+$2" out.txt
}
IFS=: read -ra pips <<< "none:${FITMENT_PIPS:-}"
for pip in "${pips[@]}"; do
  export PYTHONPATH=${pip#none}
  swap rtx5080-driver-570 cu128
  swap gtx1080ti-driver-580 cu126
done
unset PYTHONPATH
rm fitment.toml

echo "pip $(env/bin/python -m pip --version | cut -d' ' -f2): installs, checks, refuses, fills a wheelhouse"
