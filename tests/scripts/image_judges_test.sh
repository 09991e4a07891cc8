#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Images that fitment wrote before other programs: skopeo copies them (and checks every digest), umoci unpacks them to the tree
# of the original, buildah takes them, runc runs them. Skips where buildah and skopeo are not installed or not allowed.
set -euo pipefail
fitment=$1
for program in buildah skopeo gcc; do
  command -v "$program" >/dev/null || { echo "$program is not installed"; exit 77; }
done
work=$(mktemp -d)
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
trap 'buildah "${store[@]}" rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAILED: $*"; exit 1; }

# A program, files that a second layer deletes, replaces and changes the mode of, and a hard link to what is deleted.
printf '#include <stdio.h>\nint main(void) { puts("hello from inside"); return 0; }\n' >hello.c
gcc -static -O1 -o hello hello.c 2>/dev/null || { echo "nothing static can be linked"; exit 77; }
container=$(buildah "${store[@]}" from scratch 2>/dev/null) || { echo "buildah cannot work here"; exit 77; }
root=$(buildah "${store[@]}" mount "$container") || { echo "buildah cannot mount here"; exit 77; }
mkdir -p "$root/bin" "$root/data/old/deep" "$root/tmp"
cp hello "$root/bin/hello"
head -c 3000000 /dev/urandom >"$root/data/big"
head -c 50000 /dev/urandom >"$root/data/shared"
ln "$root/data/shared" "$root/data/link"
ln -s big "$root/data/symbolic"
echo one >"$root/data/text"
echo two >"$root/data/old/deep/file"
chmod 4755 "$root/bin/hello"
truncate -s 4M "$root/data/hole"
buildah "${store[@]}" config --cmd /bin/hello "$container"
buildah "${store[@]}" commit -q "$container" first >/dev/null
buildah "${store[@]}" rm "$container" >/dev/null
container=$(buildah "${store[@]}" from first)
root=$(buildah "${store[@]}" mount "$container")
rm -r "$root/data/big" "$root/data/old" "$root/data/shared"
mkdir "$root/data/old"
echo three >"$root/data/old/new"
echo other >"$root/data/text"
chmod 0700 "$root/data/hole"
buildah "${store[@]}" commit -q "$container" second >/dev/null
buildah "${store[@]}" push -q second oci:gzip:v1
buildah "${store[@]}" push -q second docker-archive:docker.tar:second:v1
skopeo copy -q --dest-compress-format zstd oci:gzip:v1 oci:zstd:v1

# Paths with type, mode, owner, size, time and content.
listing() {
  (cd "$1" && find . -printf '%P %y %m %U %G %s %t %l\n' | sort && find . -type f -exec sha256sum {} + | sort -k 2)
}
unpack() { umoci unpack --image "$1" "$2" >/dev/null; }
runs() {
  /usr/bin/python3 - "$1/config.json" <<'PY'
import json, sys
path = sys.argv[1]
config = json.load(open(path))
config["process"]["terminal"] = False
config["process"].pop("rlimits", None)
config["linux"]["namespaces"] = [n for n in config["linux"]["namespaces"] if n["type"] != "network"]
json.dump(config, open(path, "w"))
PY
  runc --root "$work/runc" run -b "$1" "fitment-$$" 2>/dev/null
}

judged="skopeo buildah"
has_umoci=false
if command -v umoci >/dev/null && unpack gzip:v1 original 2>/dev/null; then
  has_umoci=true
  judged+=" umoci"
  listing original/rootfs >original.txt
fi
has_runc=false
if $has_umoci && command -v runc >/dev/null && [ "$(runs original)" = "hello from inside" ]; then
  has_runc=true
  judged+=" runc"
fi

for image in oci:gzip:v1 oci:zstd:v1 docker-archive:docker.tar; do
  for compression in gzip zstd none; do
    rm -rf small unpacked copy copy.tar
    "$fitment" image slim "$image" --only hidden --compression "$compression" --output small >slim.txt || fail "slim of $image: $(cat slim.txt)"
    grep -q 'the tree is the old one' slim.txt || fail "no proof for $image"
    skopeo inspect oci:small:v1 >inspected.json || fail "skopeo inspect of $image as $compression"
    grep -q '"fitment.slim.generator"' inspected.json || fail "no label in $image"
    skopeo copy -q oci:small:v1 dir:copy || fail "skopeo copy of $image as $compression"
    # Archives of Docker hold no zstd, and umoci reads none.
    if [ "$compression" != zstd ]; then
      skopeo copy -q oci:small:v1 docker-archive:copy.tar || fail "skopeo copy of $image to an archive"
      "$fitment" image audit copy.tar >/dev/null || fail "audit of what skopeo made"
    fi
    if $has_umoci && [ "$compression" != zstd ]; then
      unpack small:v1 unpacked || fail "umoci unpack of $image as $compression"
      listing unpacked/rootfs | diff original.txt - || fail "the tree of $image as $compression differs"
      if $has_runc; then
        [ "$(runs unpacked)" = "hello from inside" ] || fail "runc of $image as $compression"
      fi
    fi
  done
  buildah "${store[@]}" pull -q oci:small:v1 >/dev/null || fail "buildah pull of $image"
done
echo "judged by: $judged"
