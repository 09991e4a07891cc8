#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds images for real with buildah, from a root filesystem of mmdebstrap and a folder of wheels of the shape of torch:
#   image_build_test.sh FITMENT
# Skips where there is no buildah, no root, or no Debian mirror. The root is kept beside the program between runs.
set -euo pipefail

fitment=$(realpath "$1")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
skip() { printf 'skipped: %s\n' "$1"; exit 77; }
fail() { printf 'failed: %s\n' "$1" >&2; exit 1; }
expect() { grep -q -- "$1" "$2" || { cat "$2" >&2; fail "no \`$1\` in $2"; }; }

[[ $(id -u) -eq 0 ]] || skip "not root"
for program in buildah mmdebstrap gcc /usr/bin/python3 dpkg-query; do
  command -v "$program" > /dev/null || skip "no $program"
done
ldd "$fitment" > /dev/null || skip "the program is static or foreign"
if ldd "$fitment" | grep -q libasan; then skip "the instrumented program does not run in a small root"; fi

# The packages that bring the program's libraries, beside what the recipe needs.
libraries=$(ldd "$fitment" | awk '/=> \// { print $3 }' | xargs -n1 realpath)
mapfile -t owners < <(for library in $libraries; do dpkg-query -S "$library" 2> /dev/null | cut -d: -f1; done | sort -u)
packages=$(IFS=,; echo "python3,python3-venv,ca-certificates,tzdata,${owners[*]}")
grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || skip "the test's root and wheels are for Debian 12"
root=$(dirname "$fitment")/image-root-$(printf '%s' "$packages" | cksum | cut -d' ' -f1).tar
if [[ ! -e $root ]]; then
  mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "${root%.tar}.part.tar" > /dev/null 2>&1 \
    || skip "no root could be made"
  mv "${root%.tar}.part.tar" "$root"
fi

work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$work" "$work" > "$work/storage.conf"
clean_up() {
  buildah umount --all > /dev/null 2>&1 || true
  buildah rm --all > /dev/null 2>&1 || true
  umount "$work/graph/overlay" 2> /dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
if ! { buildah from --name probe scratch && buildah mount probe; } > /dev/null 2>&1; then skip "buildah cannot mount overlays here"; fi
cd "$work"
/usr/bin/python3 "$tests/support/torch_wheels.py" wheels

# A matrix of twelve, of which two are built, stages that they share once.
what=(--from "$root" --wheels wheels --profile torch --monitor none)
for targets in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 sm_80,sm_86 sm_80,sm_90 sm_86,sm_89 sm_90,sm_100 sm_90,sm_120; do
  matrix+=(--for "$targets")
done
"$fitment" image bake "${what[@]}" "${matrix[@]}" --output images > bake.hcl
[[ $(grep -c '^target ' bake.hcl) -eq 15 ]] || fail "twelve images are not fifteen targets"
"$fitment" image bake images/docker-bake.json --builder buildah --jobs 2 -q \
  --target torch-py311-cu130-sm_90 --target torch-py311-cu130-sm_80-sm_90 > built || { cat built; fail "bake"; }
[[ $(grep -c '^built' built) -eq 5 ]] || { cat built; fail "two images are not five targets"; }
log=images/logs/torch-py311-cu130-sm_90.log
expect '^works' "$log"

# The same again, from nothing: the same images.
"$fitment" image bake images/docker-bake.json --builder buildah --rebuild -q --target torch-py311-cu130-sm_90 > again
grep '  sha256' again > ids
while read -r id; do grep -q "$id" built || { cat built again; fail "$id is another image than before"; }; done < ids
[[ $(wc -l < ids) -eq 4 ]] || fail "four stages"

# What is in it.
image=$(awk '/^built *torch-py311-cu130-sm_90 / { print $3 }' built)
container=$(buildah from --pull-never "$image")
mounted=$(buildah mount "$container")
buildah inspect --type image "$image" > inspected
expect 'NVIDIA_REQUIRE_CUDA=cuda\\u003e=13.0,driver\\u003e=580' inspected
expect 'NVIDIA_REQUIRE_ARCH=arch\\u003e=9.0,arch\\u003c10.0' inspected
expect '"fitment.driver-floor": "580"' inspected
expect 'fitment.image-plan/1' "$mounted/usr/share/fitment/image.json"
expect '"referenceLocator": "pkg:pypi/torch@2.12.0%2Bcu130"' "$mounted/usr/share/fitment/sbom.spdx.json"
expect '"name": "libcublas.so.13"' "$mounted/usr/share/fitment/sbom.spdx.json"
expect '"referenceLocator": "pkg:deb/debian/libc6@' "$mounted/usr/share/fitment/sbom.spdx.json"
[[ ! -e $mounted/run/fitment/fitment ]] || fail "the tool is in the image"
! find "$mounted/opt/env" \( -name '*.a' -o -name '__pycache__' -o -name '*.h' \) | grep . || fail "dead weight is in the image"
buildah run "$container" -- /opt/env/bin/python -c '
import ctypes, glob
for library in glob.glob("/opt/env/lib/python3*/site-packages/**/*.so*", recursive=True):
    ctypes.CDLL(library)
    print("loaded", library)
' > loaded
expect libtorch_cuda.so loaded

# A base that lies on the disk, known by its files, and a user that is not root; twice the same. (The store has this base under
# another name already, which the history of cached steps tells.)
atom=$(awk '/^built *atom-debian-12 / { print $3 }' built)
buildah push -q "$atom" oci:layout:v1
mkdir user && cd user
printf '[image]\nuser = "app"\n' > fitment.toml
"$fitment" image build --from oci:../layout:v1 --builder buildah --rebuild -q > built || { cat built; fail "a base in a layout"; }
"$fitment" image build --from oci:../layout:v1 --builder buildah --rebuild -q > again || { cat again; fail "and again"; }
cmp built again || fail "a base in a layout gives another image than before"
image=$(awk '/^built *base-debian-12-py311 / { print $3 }' built)
buildah inspect --type image "$image" > inspected
expect '"User": "10001:10001"' inspected
expect '"org.opencontainers.image.base.digest": "sha256:' inspected
user=$(buildah from --pull-never "$image")
expect '^app:x:10001:10001:' "$(buildah mount "$user")/etc/passwd"
cd ..

# A step that fails, fails the build, and says so.
code=0
"$fitment" image build "${what[@]}" --for sm_90 --add no-such-package --output broken -q > broken.out || code=$?
[[ $code -eq 3 ]] || fail "a failed build ends with $code"
expect '^failed *torch-py311-cu130-sm_90' broken.out
expect 'No matching distribution found for no-such-package' broken.out
expect '^kept *base-debian-12-py311' broken.out
echo "all images as they should be"
