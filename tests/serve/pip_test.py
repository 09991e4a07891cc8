# SPDX-License-Identifier: Apache-2.0
"""Real pip installs from `fitment serve`."""
import json
import os
import re
import shutil
import subprocess
import unittest

from cases import ServeCase, read_bytes
from server import machine
from upstream import Answer
from wheels import make_sparse_wheel, make_wheel, nvidia_variant, variant_json


def read_all(folder):
    return {name: read_bytes(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


class TorchShaped(ServeCase):
    """One upstream a backend in the shape of PyTorch's index, NVIDIA's wheels and the rest from another."""

    def setUp(self):
        super().setUp()
        self.torch = self.upstream(missing=403)
        self.pypi = self.upstream()
        for backend in ["cpu", "cu126", "cu128"]:
            folder = os.path.join(self.folder, backend)
            os.mkdir(folder)
            needs = ["sympy>=1"] + ([f"nvidia-cublas-{backend[:4]}==1.0"] if backend != "cpu" else [])
            make_wheel(folder, "torch", f"2.8.0+{backend}", requires=needs)
            make_wheel(folder, "torchvision", f"0.23.0+{backend}", requires=["torch==2.8.0"])
            files = read_all(folder)
            for name in ["torch", "torchvision"]:
                mine = {file: data for file, data in files.items() if file.startswith(name + "-")}
                # Metadata beside the files of cu128 only.
                self.torch.page(f"/whl/{backend}/{name}/", mine, metadata=backend == "cu128")
                if backend == "cu128":
                    for file, data in mine.items():
                        self.add_metadata(self.torch, folder, file)
        folder = os.path.join(self.folder, "pypi")
        os.mkdir(folder)
        make_wheel(folder, "sympy", "1.13", "py3-none-any")
        make_wheel(folder, "nvidia-cublas-cu12", "1.0")
        # A package of torch's name in the wrong index, with a version that would win.
        make_wheel(folder, "torch", "99.0")
        files = read_all(folder)
        for name, start in [("sympy", "sympy-"), ("nvidia-cublas-cu12", "nvidia_cublas"), ("torch", "torch-")]:
            mine = {file: data for file, data in files.items() if file.startswith(start)}
            self.pypi.page(f"/simple/{name}/", mine, metadata=False)
        self.config = f"""
[[index]]
name = "pytorch"
url = "{self.torch.url}/whl/{{backend}}"
backends = ["cpu", "cu126", "cu128"]
names = ["torch", "torchvision"]
[[index]]
name = "pypi"
url = "{self.pypi.url}/simple"
names = ["*"]
"""

    @staticmethod
    def add_metadata(upstream, folder, file):
        import zipfile

        with zipfile.ZipFile(os.path.join(folder, file)) as archive:
            member = next(name for name in archive.namelist() if name.endswith("METADATA"))
            address = f"/files/{file.replace('+', '%2B')}.metadata"
            upstream.answers[address] = Answer(archive.read(member), kind="text/plain")

    def test_each_machine_gets_its_set(self):
        server = self.serve(self.config, [machine(), machine("p40", "sm_61"), machine("ci", None)])
        for pip in self.each_pip():
            for name, label in [("h100", "cu128"), ("p40", "cu126"), ("ci", "cpu")]:
                builds, _ = self.install(pip, f"{server.url}/m/{name}/simple/", "torch", "torchvision")
                self.assertEqual(builds["torch"], f"2.8.0+{label}")
                self.assertEqual(builds["torchvision"], f"0.23.0+{label}")
                self.assertEqual(builds["sympy"], "1.13")
                self.assertEqual("nvidia_cublas_cu12" in builds, label != "cpu")

    def test_a_name_in_the_wrong_index_is_not_taken(self):
        server = self.serve(self.config, [machine()])
        for pip in self.each_pip():
            said = self.pip(pip, "download", "--no-deps", "--index-url", server.url + "/simple/", "torch==99.0", expect=1)
            self.assertRegex(said, "(?i)no matching distribution|could not find")
        self.assertEqual(self.pypi.asked("/simple/torch/"), 0)

    def test_an_exact_label_passes_with_a_note(self):
        server = self.serve(self.config, [machine()])
        for pip in self.each_pip():
            builds, said = self.install(pip, server.url + "/simple/", "torch==2.8.0+cu126")
            self.assertEqual(builds["torch"], "2.8.0+cu126")
            self.assertIn("fitment: 2.8.0+cu128 suits h100 better than cu126", said)
            builds, said = self.install(pip, server.url + "/simple/", "torch==2.8.0")
            self.assertEqual(builds["torch"], "2.8.0+cu128")
            self.assertNotIn("fitment:", said)

    def test_another_machine_gets_another_build_and_no_stale_page(self):
        cache = os.path.join(self.folder, "cache")
        port = 0
        for pip in self.each_pip():
            for target, label in [("sm_90", "cu128"), ("sm_61", "cu126"), ("sm_90", "cu128")]:
                server = self.serve(self.config, [machine("box", target)], port=port)
                port = server.port
                # A trusted host is one whose pages pip caches.
                options = ["--trusted-host", "127.0.0.1", "torch"]
                builds, _ = self.install(pip, server.url + "/simple/", *options, cache=cache)
                self.assertEqual(builds["torch"], f"2.8.0+{label}")
                server.stop()

    def test_wheels_without_metadata_are_not_downloaded_for_it(self):
        server = self.serve(self.config, [machine("p40", "sm_61")])
        for pip in self.each_pip():
            version = re.search(r"pip (\d+)", self.pip(pip, "--version"))
            if int(version[1]) < 26:  # older ones fetch the wheel for a dry run too
                continue
            options = ["--dry-run", "--target", os.path.join(self.folder, "dry"), "--index-url", server.url + "/simple/"]
            self.pip(pip, "install", *options, "torch")
            whole = [
                path
                for method, path, headers in self.torch.seen
                if path.endswith(".whl") and method == "GET" and "Range" not in headers
            ]
            self.assertEqual(whole, [])

    def test_lock_files_hold_the_addresses_of_the_index(self):
        server = self.serve(self.config, [machine()])
        for pip in self.each_pip():
            version = re.search(r"pip (\d+)\.(\d+)", self.pip(pip, "--version"))
            if (int(version[1]), int(version[2])) < (25, 1):
                continue
            lock = os.path.join(self.folder, "pylock.toml")
            self.pip(pip, "lock", "--output", lock, "--index-url", server.url + "/simple/", "torch==2.8.0")
            self.assertIn(self.torch.url + "/files/torch-2.8.0%2Bcu128", read_bytes(lock).decode())


class Folder(ServeCase):
    def test_variants_and_derived_wheels(self):
        needs = ["plain-dep", 'gpu-dep; "nvidia" in variant_namespaces', 'cpu-dep; variant_label == "null"']
        for label, variant in [
            ("cu128", nvidia_variant("cu128", "12.8")),
            ("null", variant_json(["nvidia"], {"null": {}})),
        ]:
            make_wheel(self.wheels, "derived", "1.0", label=label, variant=variant, requires=needs)
            make_wheel(self.wheels, "same", "1.0", label=label, variant=variant, requires=["plain-dep"])
        for name in ["plain-dep", "gpu-dep", "cpu-dep"]:
            make_wheel(self.wheels, name, "1.0", "py3-none-any")
        server = self.serve_folder([machine(), machine("ci", None)])
        for pip in self.each_pip():
            for name, label, dependency in [("h100", "cu128", "gpu_dep"), ("ci", "null", "cpu_dep")]:
                index = f"{server.url}/m/{name}/simple/"
                builds, _ = self.install(pip, index, "derived", "same")
                self.assertEqual(builds["derived"], f"1.0-{label}")
                self.assertEqual(builds["same"], f"1.0-{label}")
                self.assertEqual(sorted(builds), sorted(["derived", "same", "plain_dep", dependency]))
        files = server.get("/m/h100/simple/derived/").json["files"]
        self.assertTrue(files[0]["_fitment"]["derived"])
        self.assertNotIn("derived", server.get("/m/h100/simple/same/").json["files"][0]["_fitment"])

    def test_yanked_files_stay_yanked(self):
        upstream = self.upstream()
        make_wheel(self.wheels, "lib", "1.0", "py3-none-any")
        make_wheel(self.wheels, "lib", "2.0", "py3-none-any")
        upstream.page("/simple/lib/", read_all(self.wheels), metadata=False)
        page = upstream.answers["/simple/lib/"]
        page.body = page.body.replace(b">lib-2.0", b' data-yanked="broken">lib-2.0')
        server = self.serve(f'[[index]]\nname = "a"\nurl = "{upstream.url}/simple"\nnames = ["*"]\n', [machine()])
        for pip in self.each_pip():
            builds, _ = self.install(pip, server.url + "/simple/", "lib")
            self.assertEqual(builds["lib"], "1.0")
            builds, said = self.install(pip, server.url + "/simple/", "lib==2.0")
            self.assertEqual(builds["lib"], "2.0")
            self.assertIn("broken", said)

    def test_credentials_of_an_index_stay_with_the_server(self):
        upstream = self.upstream(password="user:s3cret-s3cret")
        make_wheel(self.wheels, "lib", "1.0", "py3-none-any")
        upstream.page("/simple/lib/", read_all(self.wheels), metadata=False)
        url = f"http://user:s3cret-s3cret@{upstream.address}/simple"
        server = self.serve(f'[[index]]\nname = "a"\nurl = "{url}"\nnames = ["*"]\n', [machine()], "-v")
        for pip in self.each_pip():
            builds, said = self.install(
                pip, server.url + "/simple/", "lib"
            )
            self.assertEqual(builds["lib"], "1.0")
            self.assertNotIn("s3cret", said)
        upstream.answers.clear()
        upstream.password = "user:other"
        for path in ["/simple/lib/", "/simple/other/", "/"]:
            reply = server.get(path)
            self.assertNotIn("s3cret", reply.text + str(reply.headers))
        self.assertNotIn("s3cret", server.log())

    def test_a_wheel_of_two_gigabytes(self):
        make_sparse_wheel(self.wheels, "big", "1.0", 2 << 30)
        server = self.serve_folder([machine()])
        for pip in self.each_pip():
            target = os.path.join(self.folder, "download")
            self.pip(pip, "download", "--no-deps", "--index-url", server.url + "/simple/", "-d", target, "big")
            size = os.path.getsize(os.path.join(target, "big-1.0-py3-none-any.whl"))
            self.assertGreater(size, 2 << 30)
            shutil.rmtree(target)

    @unittest.skipUnless(shutil.which("uv"), "no uv on this machine")
    def test_uv(self):
        make_wheel(self.wheels, "torch", "2.8.0+cu128")
        make_wheel(self.wheels, "torch", "2.8.0+cpu")
        server = self.serve_folder([machine()])
        target = os.path.join(self.folder, "uv")
        command = ["uv", "pip", "install", "--no-config", "--default-index", server.url + "/simple/", "--target", target]
        subprocess.run(command + ["torch"], check=True, capture_output=True)
        self.assertIn("cu128", read_bytes(os.path.join(target, "torch", "__init__.py")).decode())


if __name__ == "__main__":
    unittest.main()
