#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an environment of the size and layout of torch from the CUDA 13 toolkit that is installed.

    torch_environment.py TOOLKIT DIR [--copy] [--system DIR [--other-build]] [--libraries REGEX]

DIR becomes a virtual environment with NVIDIA's wheels in their own layout (nvidia/cu13/lib, nvidia/cudnn/lib, nvidia/nccl/lib), a small
`torch` whose libraries need them by the RPATH that torch has, and METADATA and RECORD for all. --system makes DIR the root of a system
with the same libraries as Debian packages would bring them (usr/local/cuda-13.0, ld.so.conf, dpkg's lists) and a program that needs them;
--other-build changes a byte of each there. --libraries takes those alone whose names match. Libraries are hard links unless --copy is given. NVIDIA's files are used where they are and never
distributed. Needs gcc.
"""
import argparse, base64, hashlib, os, re, shutil, subprocess

FOLDERS = {"cudnn": "nvidia/cudnn/lib", "nccl": "nvidia/nccl/lib"}
RPATH = ":".join("$ORIGIN/../../nvidia/%s/lib" % x for x in ("cudnn", "nvshmem", "nccl", "cusparselt", "cu13")) + ":$ORIGIN"
TORCH_NEEDS = ["libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9", "libcufft.so.12", "libcurand.so.10", "libcusparse.so.12",
               "libcusolver.so.12", "libnccl.so.2", "libnvrtc.so.13", "libcupti.so.13"]

SYSTEM_LIBRARIES = ["ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
                    "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"]


def place(source, target, copy):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if copy:
        shutil.copyfile(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def digest(path):
    sha = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            sha.update(block)
    return base64.urlsafe_b64encode(sha.digest()).rstrip(b"=").decode()


def install(site, name, version, requires, files, tag="py3-none-manylinux_2_28_x86_64", hashes=True):
    info = "%s-%s.dist-info" % (name.replace("-", "_"), version)
    os.makedirs(os.path.join(site, info), exist_ok=True)
    with open(os.path.join(site, info, "METADATA"), "w") as f:
        f.write("Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version) + "".join("Requires-Dist: %s\n" % r for r in requires))
    with open(os.path.join(site, info, "WHEEL"), "w") as f:
        f.write("Wheel-Version: 1.0\nGenerator: torch_environment\nRoot-Is-Purelib: false\nTag: %s\n" % tag)
    with open(os.path.join(site, info, "INSTALLER"), "w") as f:
        f.write("pip\n")
    lines = []
    for path in sorted(files) + [info + "/METADATA", info + "/WHEEL", info + "/INSTALLER"]:
        full = os.path.join(site, path)
        lines.append("%s,%s,%d" % (path, "sha256=" + digest(full) if hashes else "", os.path.getsize(full)))
    with open(os.path.join(site, info, "RECORD"), "w") as f:
        f.write("\n".join(lines + [info + "/RECORD,,"]) + "\n")


def wheels_of(toolkit):
    """(name, version, requires, names of libraries) of each dist-info that the toolkit keeps."""
    for info in sorted(os.listdir(os.path.join(toolkit, "dist-info"))):
        folder = os.path.join(toolkit, "dist-info", info)
        meta = open(os.path.join(folder, "METADATA")).read().split("\n\n")[0]
        name = re.search(r"^Name: (.*)$", meta, re.M).group(1)
        version = re.search(r"^Version: (.*)$", meta, re.M).group(1)
        requires = re.findall(r"^Requires-Dist: (.*)$", meta, re.M)
        libraries = [os.path.basename(line.split(",")[0]) for line in open(os.path.join(folder, "RECORD"))
                     if re.search(r"/lib/[^/]*\.so", line.split(",")[0])]
        yield name, version, requires, libraries


def compile_library(path, soname, needs, rpath, work):
    """A library with one function and the names that it needs; stand-ins for those are made in `work`, which must exist."""
    os.makedirs(os.path.dirname(path), exist_ok=True)

    def link(target, source, *more):
        subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-o", target, "-x", "c", "-", "-x", "none", "-Wl,--no-as-needed", *more],
                       input=source.encode(), check=True)

    stubs = [os.path.join(work, need) for need in needs]
    for need, stub in zip(needs, stubs):
        if not os.path.exists(stub):
            link(stub, "", "-Wl,-soname," + need)
    link(path, "int %s(void) { return 0; }\n" % re.sub(r"\W", "_", os.path.basename(path)), *stubs, "-Wl,--disable-new-dtags",
         "-Wl,--unresolved-symbols=ignore-all", "-Wl,-rpath," + rpath, *(["-Wl,-soname," + soname] if soname else []))


def make_torch(site, work, requires, torch_needs):
    files = []

    def build(path, soname, needs, where):
        compile_library(os.path.join(site, path), soname, needs, where, work)
        files.append(path)

    os.makedirs(work, exist_ok=True)
    build("torch/lib/libtorch_global_deps.so", "libtorch_global_deps.so", torch_needs, RPATH)
    build("torch/lib/libc10.so", "libc10.so", [], "$ORIGIN")
    build("torch/lib/libtorch_cpu.so", "libtorch_cpu.so", ["libc10.so"], RPATH)
    build("torch/lib/libtorch_cuda.so", "libtorch_cuda.so", ["libc10.so", "libtorch_cpu.so"] + torch_needs, RPATH)
    build("torch/_C.cpython-312-x86_64-linux-gnu.so", None, ["libtorch_cpu.so", "libtorch_cuda.so"], "$ORIGIN/lib")
    for i in range(10000):  # a torch wheel has as many
        path = "torch/include/part%02d/header%05d.h" % (i % 50, i)
        os.makedirs(os.path.dirname(os.path.join(site, path)), exist_ok=True)
        with open(os.path.join(site, path), "w") as f:
            f.write("#pragma once\n")
        files.append(path)
    install(site, "torch", "2.12.0+cu130", requires, files, "cp312-cp312-manylinux_2_28_x86_64")
    shutil.rmtree(work)


def change_build(path):
    """Another build of the same release: one byte differs, of a section's name that nothing asks for."""
    with open(path, "r+b") as f:
        at = f.read().rfind(b".shstrtab\0")
        f.seek(at)
        f.write(b".shstrTAB")


def make_system(root, toolkit, wheels, copy, other_build):
    """The root of a system: `wheels` are (package, version, names of libraries)."""
    folder = "usr/local/cuda-13.0/lib64"
    where = os.path.join(root, folder)
    for path, text in (("etc/os-release", "ID=debian\nVERSION_ID=12\n"), ("etc/ld.so.conf", "/usr/local/cuda-13.0/lib64\n"),
                       ("usr/bin/empty", "")):
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w") as f:
            f.write(text)
    system = os.path.join(root, "usr/lib/x86_64-linux-gnu")
    for folder_of_loader, link in (("usr/lib/x86_64-linux-gnu", "lib"), ("usr/lib64", "lib64")):
        os.makedirs(os.path.join(root, folder_of_loader))
        os.symlink("usr/" + link, os.path.join(root, link))
    for n in SYSTEM_LIBRARIES:
        found = subprocess.run(["gcc", "-print-file-name=" + n], capture_output=True, text=True, check=True).stdout.strip()
        shutil.copyfile(found, os.path.join(system, n))
    os.symlink("/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", os.path.join(root, "usr/lib64/ld-linux-x86-64.so.2"))
    info = os.path.join(root, "var/lib/dpkg/info")
    os.makedirs(info, exist_ok=True)
    status = ""
    needs = []
    for name, version, names in wheels:
        package = re.sub("^nvidia-", "lib", re.sub("-cu13$", "", name)) + "-13-0"
        status += "Package: %s\nStatus: install ok installed\nVersion: %s-1\n\n" % (package, version)
        listed = []
        for n in names:
            stem, number = n.split(".so", 1)
            real = n if not number or version.split(".")[0] != number[1:] else "%s.so.%s" % (stem, version)
            place(os.path.join(toolkit, "lib", n), os.path.join(where, real), copy or other_build)
            if other_build:
                change_build(os.path.join(where, real))
            listed.append("/%s/%s" % (folder, real))
            for link in {n, stem + ".so"} - {real}:
                os.symlink(real, os.path.join(where, link))
            needs.append(n)
        with open(os.path.join(info, package + ".list"), "w") as f:
            f.write("\n".join(listed) + "\n")
    with open(os.path.join(root, "var/lib/dpkg/status"), "w") as f:
        f.write(status)
    program = os.path.join(root, "usr/bin/uses-cuda")
    subprocess.run(["gcc", "-o", program, "-x", "c", "-", "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined", "-L" + where]
                   + ["-l:" + n for n in needs if re.match(r"lib(cudart|cublas|cublasLt|curand|cusparse|nvrtc)\.so", n)],
                   input=b"int main(void) { return 0; }", check=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("toolkit")
    a.add_argument("dir")
    a.add_argument("--copy", action="store_true")
    a.add_argument("--system")
    a.add_argument("--other-build", action="store_true")
    a.add_argument("--libraries", default="")
    o = a.parse_args()
    libraries = os.path.join(o.toolkit, "lib")
    site = os.path.join(o.dir, "lib/python3.12/site-packages")
    os.makedirs(site, exist_ok=True)
    with open(os.path.join(o.dir, "pyvenv.cfg"), "w") as f:
        f.write("home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.3\n")
    requires = []
    wheels = []
    for name, version, needs, names in wheels_of(o.toolkit):
        present = [n for n in names if re.search(o.libraries, n) and os.path.isfile(os.path.join(libraries, n)) and not os.path.islink(os.path.join(libraries, n))]
        if not present:
            continue
        folder = next((f for key, f in FOLDERS.items() if key in name), "nvidia/cu13/lib")
        for n in present:
            place(os.path.join(libraries, n), os.path.join(site, folder, n), o.copy)
        wheels.append((name, version, present))
        install(site, name, version, [x for x in needs if not o.libraries], [os.path.join(folder, n) for n in present])
        requires.append("%s==%s" % (name, version))
    make_torch(site, os.path.join(o.dir, "work"), requires, [n for n in TORCH_NEEDS if re.search(o.libraries, n)])
    if o.system:
        make_system(o.system, o.toolkit, wheels, o.copy, o.other_build)


if __name__ == "__main__":
    main()
