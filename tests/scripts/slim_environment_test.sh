#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A torch-shaped environment beside a system CUDA, made from real libraries: slim_environment_test.sh PROGRAM
# It is made smaller in both directions, still works, and comes back byte for byte. Skips without the libraries.
set -euo pipefail
fitment=$1
here=$(cd "$(dirname "$0")" && pwd)
# All libraries take a while: FITMENT_SLIM_LIBRARIES=. for them.
libraries=${FITMENT_SLIM_LIBRARIES:-'cudart|curand|nvJitLink'}

# nvcc is asked for its place: what is on PATH may be a script that runs it.
toolkit=$(nvcc --dryrun -E -x cu /dev/null 2>&1 | sed -n 's/^#[$] TOP=//p') || exit 77
[[ -n $toolkit ]] || exit 77
toolkit=$(readlink -f "$toolkit")
[[ -d $toolkit/dist-info && -e $toolkit/lib/libcurand.so.10 && -x /usr/bin/python3 ]] || exit 77
/usr/bin/python3 -c 'import pip' 2>/dev/null || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/system
venv=$root/opt/venv
site=$venv/lib/python3.12/site-packages
/usr/bin/python3 "$here/../support/torch_environment.py" "$toolkit" "$venv" --copy --system "$root" --other-build \
  --libraries "$libraries"
mkdir "$work/pip"
ln -s "$(/usr/bin/python3 -c 'import os, pip; print(os.path.dirname(pip.__file__))')" "$work/pip/pip"

machine=$work/rtx3090.json
sed -e 's/sm_120/sm_86/; s/570[0-9.]*/580.65.06/; s/12\.8/13.0/; s/rtx5080-driver-570/rtx3090/; s/5080/3090/' \
  "$here/../../examples/machines/rtx5080-driver-570.json" >"$machine"

state() { # every file with its digest, every link with its target
  (cd "$root" && find . -type f -not -path './.fitment-slim/*' -print0 | sort -z | xargs -0 sha256sum && find . -type l -printf '%p -> %l\n' | sort)
}
bytes() { du -sB1 "$root" | cut -f1; }
pip() { PYTHONPATH="$site:$work/pip" /usr/bin/python3 -S -m pip --disable-pip-version-check "$@"; }
healthy() { "$fitment" doctor "$root" --machine "$machine" >"$work/doctor" || {
  cat "$work/doctor"
  exit 1
}; }

state >"$work/before"
before=$(bytes)
healthy
pip check
for direction in wheels system; do
  "$fitment" slim "$root" --for "$machine" --keep "$direction" --skip build-files --apply \
    --backup "$work/kept" >"$work/answer" || {
    cat "$work/answer"
    exit 1
  }
  grep proven "$work/answer"
  echo "$direction stay: $before -> $(bytes) bytes"
  (($(bytes) * 100 < before * 40))
  healthy
  pip check
  # What requires the wheels is satisfied, so nothing is brought back.
  pip install --no-index --break-system-packages --dry-run 'nvidia-curand==10.4.0.35' | grep 'already satisfied'
  # RECORD tells what is there.
  /usr/bin/python3 - "$site" <<'END'
import base64, csv, hashlib, os, sys
for info in os.listdir(sys.argv[1]):
    record = os.path.join(sys.argv[1], info, "RECORD")
    for path, digest, size in csv.reader(open(record)) if os.path.exists(record) else []:
        data = open(os.path.join(sys.argv[1], path), "rb").read() if digest else b""
        want = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert not digest or (digest, int(size)) == (want, len(data)), path
END
  "$fitment" slim "$root" --undo
  state >"$work/after"
  cmp "$work/before" "$work/after"
done
