#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of wheels of the shape of torch: torch, torchvision and NVIDIA's libraries, as an index would serve them.

    torch_wheels.py DIR [--toolkit TOOLKIT] [--libraries NAME,...] [--python 3.11]

With --toolkit (a CUDA 13 toolkit that keeps its dist-info) the libraries are NVIDIA's own, all of them or the named ones; they are
used where they are and never distributed. Without, and for what no toolkit brings, small stand-ins with the right sonames are
compiled. Needs gcc.
"""
import argparse, os, re, shutil, sys, tempfile, zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch_environment as shape

# Stand-ins: wheel, version, libraries with their sonames.
STAND_INS = [("nvidia-cuda-runtime", "13.0.96", {"libcudart.so.13": "nvidia/cu13/lib"}),
             ("nvidia-cublas", "13.1.0.3", {"libcublas.so.13": "nvidia/cu13/lib", "libcublasLt.so.13": "nvidia/cu13/lib"})]
# What torch needs besides, and no CUDA toolkit brings: stand-ins in either case.
OUTSIDE_TOOLKITS = [("nvidia-nvshmem-cu13", "3.4.5", {"libnvshmem_host.so.3": "nvidia/nvshmem/lib"}),
                    ("nvidia-cusparselt-cu13", "0.8.0", {"libcusparseLt.so.0": "nvidia/cusparselt/lib"})]


def real_wheels(toolkit, wanted):
    """(name, version, requires, {library: folder}) of the toolkit's wheels that hold wanted libraries."""
    lib = os.path.join(toolkit, "lib")
    chosen = []
    for name, version, requires, names in shape.wheels_of(toolkit):
        folder = next((f for key, f in shape.FOLDERS.items() if key in name), "nvidia/cu13/lib")
        present = {n: folder for n in names if os.path.isfile(os.path.join(lib, n)) and not os.path.islink(os.path.join(lib, n))}
        if wanted:
            present = {n: f for n, f in present.items() if any(n.startswith("lib" + w + ".so") for w in wanted)}
        if present:
            chosen.append((name, version, requires, present))
    names = {name for name, _, _, _ in chosen}
    for name, version, requires, present in chosen:
        yield name, version, [r for r in requires if re.split(r"[^\w.-]", r)[0] in names], present


def pack(site, info, out, tag):
    """A wheel of what one RECORD names; times are fixed, so the same files give the same bytes."""
    lines = open(os.path.join(site, info, "RECORD")).read().splitlines()
    paths = sorted({line.split(",")[0] for line in lines} - {info + "/INSTALLER"})
    record = "\n".join(line for line in lines if not line.startswith(info + "/INSTALLER"))
    name = os.path.join(out, "%s-%s.whl" % (info[: -len(".dist-info")], tag))
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for path in paths:
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            if path == info + "/RECORD":
                wheel.writestr(entry, record + "\n")
                continue
            with open(os.path.join(site, path), "rb") as source, wheel.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target, 1 << 20)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("dir")
    a.add_argument("--toolkit")
    a.add_argument("--libraries")
    a.add_argument("--python", default="3.11")
    o = a.parse_args()
    cp = "cp" + o.python.replace(".", "")
    os.makedirs(o.dir, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=o.dir) as site:
        work = os.path.join(site, "work")
        os.makedirs(work)
        requires, needs = [], []
        wheels = [(n, v, [], l) for n, v, l in OUTSIDE_TOOLKITS + ([] if o.toolkit else STAND_INS)]
        made = {library for _, _, _, libraries in wheels for library in libraries}
        if o.toolkit:
            wheels += real_wheels(o.toolkit, o.libraries.split(",") if o.libraries else None)
        for name, version, more, libraries in wheels:
            files = []
            for library, folder in sorted(libraries.items()):
                path = os.path.join(folder, library)
                if library not in made:
                    shape.place(os.path.join(o.toolkit, "lib", library), os.path.join(site, path), False)
                else:
                    shape.compile_library(os.path.join(site, path), library, [], "$ORIGIN", work)
                files.append(path)
            shape.install(site, name, version, more, files)
            pack(site, "%s-%s.dist-info" % (name.replace("-", "_"), version), o.dir, "py3-none-manylinux_2_28_x86_64")
            requires.append("%s==%s" % (name, version))
            needs += [n for n in libraries if n in made or n in shape.TORCH_NEEDS]
        extension = "torch/_C.cpython-%s-x86_64-linux-gnu.so" % o.python.replace(".", "")
        torch = {"torch/lib/libc10.so": [], "torch/lib/libtorch_cpu.so": ["libc10.so"],
                 "torch/lib/libtorch_cuda.so": ["libc10.so", "libtorch_cpu.so"] + needs, extension: ["libtorch_cpu.so", "libtorch_cuda.so"]}
        for path, wanted in torch.items():
            rpath = "$ORIGIN/lib" if path == extension else shape.RPATH
            shape.compile_library(os.path.join(site, path), os.path.basename(path), wanted, rpath, work)
        files = list(torch) + ["torch/__init__.py", "torch/include/torch.h", "torch/lib/libkineto.a"]
        os.makedirs(os.path.join(site, "torch/include"), exist_ok=True)
        with open(os.path.join(site, "torch/__init__.py"), "w") as f:
            f.write("__version__ = '2.12.0+cu130'\n")
        for path in files[-2:]:
            with open(os.path.join(site, path), "w") as f:
                f.write("/* only builds of extensions read this */\n" * 1000)
        shape.install(site, "torch", "2.12.0+cu130", requires, files, "%s-%s-manylinux_2_28_x86_64" % (cp, cp))
        pack(site, "torch-2.12.0+cu130.dist-info", o.dir, "%s-%s-manylinux_2_28_x86_64" % (cp, cp))
        os.makedirs(os.path.join(site, "torchvision"))
        with open(os.path.join(site, "torchvision/__init__.py"), "w") as f:
            f.write("__version__ = '0.27.0+cu130'\n")
        shape.install(site, "torchvision", "0.27.0+cu130", ["torch==2.12.0"], ["torchvision/__init__.py"], "%s-%s-manylinux_2_28_x86_64" % (cp, cp))
        pack(site, "torchvision-0.27.0+cu130.dist-info", o.dir, "%s-%s-manylinux_2_28_x86_64" % (cp, cp))


if __name__ == "__main__":
    main()
