# SPDX-License-Identifier: Apache-2.0
"""`fitment install` and `wheelhouse` by real pips: what they leave behind, and what it is good for."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
import venv

from cases import PROGRAM, ServeCase, read_bytes
from server import machine, read_text
from wheels import make_sparse_wheel, make_wheel, nvidia_variant, variant_json


class InstallCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.home = os.path.join(self.folder, "home")
        os.mkdir(self.home)
        self.write("h100.json", json.dumps(machine()))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as out:
            out.write(text)

    def read(self, name):
        return read_text(os.path.join(self.folder, name))

    def environment(self, pip, name="env"):
        """A new virtual environment; one without a pip of its own where an unpacked one is used."""
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        venv.create(path, with_pip=pip is None, symlinks=True)
        return path

    def variables(self, pip, **more):
        drop = ("PIP_", "UV_", "VIRTUAL_ENV", "PYTHON")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(drop) and not k.lower().endswith("_proxy")}
        kept.update(HOME=self.home, XDG_CACHE_HOME=os.path.join(self.folder, "cache"), PYTHONPATH=pip or "", **more)
        return kept

    def fitment(self, *arguments, pip=None, expect=0, **variables):
        run = subprocess.run(
            [PROGRAM, *arguments],
            env=self.variables(pip, **variables),
            cwd=self.folder,
            text=True,
            capture_output=True,
            timeout=500,
        )
        self.assertIn(run.returncode, [expect] if isinstance(expect, int) else expect, run.stdout + run.stderr)
        return run.stdout, run.stderr

    def installs(self, *requirements, pip=None, env="env", **keywords):
        options = ["--python", env, "--machine", "h100.json"]
        return self.fitment("install", *requirements, *options, pip=pip, **keywords)

    def builds(self, env="env"):
        """Module name -> its build, of our own wheels."""
        found = {}
        site = os.path.join(self.folder, env, "lib", "python3.%d" % sys.version_info[1], "site-packages")
        for module in os.listdir(site):
            source = os.path.join(site, module, "__init__.py")
            if os.path.exists(source) and b"build = " in read_bytes(source):
                scope = {}
                exec(read_bytes(source), scope)
                found[module] = scope["build"]
        return found

    def pip_version(self, pip):
        said = self.pip(pip, "--version")
        return tuple(int(part) for part in re.search(r"pip (\d+)\.(\d+)", said).groups())

    def run_pip(self, pip, env, *arguments):
        """The environment's pip with nothing but what the arguments say."""
        python = os.path.join(self.folder, env, "bin", "python")
        command = [python, "-m", "pip", "--isolated", "--disable-pip-version-check", *arguments]
        run = subprocess.run(command, env=self.variables(pip), cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout + run.stderr


class TorchIndex(InstallCase):
    """torch on one index, what it needs on another."""

    def setUp(self):
        super().setUp()
        self.torch = self.upstream()
        self.pypi = self.upstream()
        for version in ["2.7.1", "2.8.0"]:
            for backend in ["cpu", "cu126", "cu128"]:
                needs = ["sympy>=1", 'nothing; sys_platform == "win32"', 'extra-dep; extra == "opt"']
                make_wheel(self.wheels, "torch", f"{version}+{backend}", requires=needs)
        make_wheel(self.wheels, "sympy", "1.13", "py3-none-any", requires=["mpmath"])
        make_wheel(self.wheels, "mpmath", "1.3", "py3-none-any")
        make_wheel(self.wheels, "extra-dep", "1.0", "py3-none-any")
        self.publish()
        self.write(
            "fitment.toml",
            f"""
[[index]]
name = "pytorch"
url = "{self.torch.url}/whl/{{backend}}"
backends = ["cpu", "cu126", "cu128"]
names = ["torch"]
[[index]]
name = "pypi"
url = "{self.pypi.url}/simple"
names = ["*"]
""",
        )

    def files(self, start):
        names = sorted(name for name in os.listdir(self.wheels) if name.startswith(start))
        return {name: read_bytes(os.path.join(self.wheels, name)) for name in names}

    def publish(self):
        for backend in ["cpu", "cu126", "cu128"]:
            mine = {name: data for name, data in self.files("torch-").items() if "+" + backend in name}
            self.torch.page(f"/whl/{backend}/torch/", mine, metadata=False)
        for project in ["sympy", "mpmath", "extra-dep"]:
            self.pypi.page(f"/simple/{project}/", self.files(project.replace("-", "_") + "-"), metadata=False)

    def record(self, name="fitment.lock.json"):
        return json.loads(self.read(name))["targets"][0]

    def test_the_record_is_whole_and_installs_elsewhere(self):
        for pip in self.each_pip():
            for name in ["fitment.lock.json", "old.lock.json"]:
                if os.path.exists(os.path.join(self.folder, name)):
                    os.remove(os.path.join(self.folder, name))
            self.environment(pip)
            out, err = self.installs("torch[opt]", pip=pip)
            self.assertIn("2.8.0+cu128", out)
            target = self.record()
            torch = target["packages"][0]
            self.assertEqual(torch["requirement"], "torch[opt]==2.8.0+cu128")
            self.assertEqual(torch["index"], self.torch.url + "/whl/cu128")
            self.assertEqual([one["name"] for one in target["dependencies"]], ["extra-dep", "mpmath", "sympy"])
            for one in target["dependencies"]:
                file = one["file"]
                self.assertEqual(one["index"], self.pypi.url + "/simple")
                self.assertEqual(file["url"], f"{self.pypi.url}/files/{file['name']}")
                self.assertRegex(file["sha256"], "^[0-9a-f]{64}$")
            self.check_that_it_holds()
            self.check_exports(pip)
            self.check_a_second_record(pip)

    def check_that_it_holds(self):
        options = ["--check", "--machine", "h100.json"]
        out, _ = self.fitment("lock", *options)
        self.assertIn("the record holds", out)
        out, _ = self.fitment("diff", "fitment.lock.json", "env")
        self.assertEqual(out, "no difference\n")
        indexes = ["--index", self.torch.url + "/whl/cu128", "--index", self.pypi.url + "/simple"]
        out, _ = self.fitment("lock", *options, *indexes)
        self.assertIn("the record holds", out)
        page = self.pypi.answers["/simple/mpmath/"].body
        self.pypi.answers["/simple/mpmath/"].body = re.sub(b"sha256=[0-9a-f]{64}", b"sha256=" + b"0" * 64, page)
        out, _ = self.fitment("lock", *options, *indexes, expect=1)
        self.assertIn("file-differs", out)
        self.pypi.answers["/simple/mpmath/"].body = page
        out, _ = self.fitment("lock", *options, "--index", self.torch.url + "/whl/cu128")
        self.assertIn("file-unchecked", out)

    def check_exports(self, pip):
        everything = ["extra_dep", "mpmath", "sympy", "torch"]
        out, _ = self.fitment("export", "--format", "requirements")
        self.write("requirements.txt", out)
        self.environment(pip, "second")
        self.run_pip(pip, "second", "install", "--no-index", "--no-deps", "--require-hashes", "-r", "requirements.txt")
        self.assertEqual(sorted(self.builds("second")), everything)
        out, _ = self.fitment("export", "--format", "dockerfile")
        self.assertTrue(out.startswith("RUN "))
        self.environment(pip, "third")
        # The instruction as a shell has it, with the pip of the environment.
        script = out[len("RUN ") :].replace("| pip ", f"| {self.folder}/third/bin/python -m pip --isolated ")
        subprocess.run(["sh", "-c", script], env=self.variables(pip), check=True, capture_output=True)
        self.assertEqual(self.builds("third"), self.builds("env"))
        out, _ = self.fitment("export", "--format", "uv")
        self.assertIn('constraint-dependencies = [\n  "extra-dep==1.0",\n  "mpmath==1.3",\n  "sympy==1.13",\n]', out)

    def check_a_second_record(self, pip):
        """Of what was there already the older record knows the files."""
        before = self.record()
        _, err = self.installs("torch[opt]", pip=pip)
        self.assertIn("is there and stays", err)
        self.installs("torch[opt]", "--record", "fitment.lock.json", pip=pip)
        self.assertEqual(self.record(), before)
        # Without it they are unknown, and said to be.
        self.installs("torch[opt]", "--record", "new.lock.json", pip=pip)
        self.assertEqual([one["file"] for one in self.record("new.lock.json")["dependencies"]], [None] * 3)
        _, err = self.fitment("export", "new.lock.json", expect=2)
        self.assertIn("does not know the file of", err)

    def test_pylock_is_installed_by_pip_itself(self):
        newest = [pip for pip in self.each_pip() if self.pip_version(pip) >= (26, 1)]
        if not newest:
            self.skipTest("no pip that reads pylock.toml (FITMENT_PIPS)")
        for pip in newest:
            self.environment(pip)
            self.installs("torch", pip=pip)
            out, _ = self.fitment("export", "--format", "pylock")
            self.write("pylock.toml", out)
            self.environment(pip, "second")
            self.run_pip(pip, "second", "install", "--no-index", "-r", "pylock.toml")
            self.assertEqual(self.builds("second"), self.builds("env"))
            # Other bytes than the record knows are refused.
            digest = re.search(r'name = "mpmath".*?sha256 = "([0-9a-f]{64})"', out, re.S)[1]
            self.write("pylock.toml", out.replace(digest, "0" * 64))
            self.environment(pip, "third")
            with self.assertRaisesRegex(AssertionError, "(?i)hash"):
                self.run_pip(pip, "third", "install", "--no-index", "-r", "pylock.toml")
            os.remove(os.path.join(self.folder, "fitment.lock.json"))

    def test_what_is_planned_is_what_the_index_has(self):
        pip = self.each_pip()[-1]
        self.environment(pip)
        out, _ = self.installs("torch<2.8", "--dry-run", pip=pip)
        self.assertIn("torch==2.7.1+cu128", out)
        # The catalogue knows newer versions than the index has, and the index one that nobody knows.
        make_wheel(self.wheels, "torch", "99.0+cu128")
        self.publish()
        self.installs("torch", pip=pip)
        self.assertEqual(self.builds()["torch"], "2.8.0+cu128")
        # Versions of the catalogue that the index lacks do not fit, and it says which rule has it so.
        out, _ = self.installs("torch==2.7.0", pip=pip, expect=1)
        self.assertIn("no-build", out)
        self.assertEqual(self.builds()["torch"], "2.8.0+cu128")

    def test_versions_that_nobody_knows_are_the_choice_of_the_index(self):
        pip = self.each_pip()[-1]
        for name in self.files("torch-"):
            os.remove(os.path.join(self.wheels, name))
        for backend in ["cpu", "cu128"]:
            make_wheel(self.wheels, "torch", f"99.0+{backend}", requires=["mpmath"])
        self.publish()
        self.environment(pip)
        _, err = self.installs("torch", pip=pip)
        self.assertIn("the index decides", err)
        self.assertEqual(self.builds(), {"torch": "99.0+cu128", "mpmath": "1.3"})
        self.assertEqual(self.record()["packages"][0]["version"], "99.0")

    def test_offline_from_what_was_fetched(self):
        pip = self.each_pip()[-1]
        self.environment(pip)
        options = ["torch", "--python", "env", "--machine", "h100.json"]
        self.fitment("wheelhouse", "house", *options, pip=pip)
        shutil.rmtree(os.path.join(self.folder, "house"))
        self.torch.close()
        self.pypi.close()
        self.fitment("wheelhouse", "house", *options, "--offline", pip=pip)
        house = sorted(name for name in os.listdir(os.path.join(self.folder, "house")) if name.endswith(".whl"))
        self.assertEqual([name.split("-")[0] for name in house], ["mpmath", "sympy", "torch"])
        self.installs("torch", "--offline", pip=pip)
        self.assertEqual(sorted(self.builds()), ["mpmath", "sympy", "torch"])
        # The record knows where the files are when there is a network.
        self.assertEqual(
            self.record()["packages"][0]["file"]["url"],
            self.torch.url + "/files/torch-2.8.0%2Bcu128-py3-none-linux_x86_64.whl",
        )
        # 2.7.1 was never fetched.
        out, _ = self.installs("torch==2.7.1", "--offline", pip=pip, expect=1)
        self.assertIn("no-build", out)
        began = time.time()
        _, err = self.installs("extra-dep", "torch", "--offline", pip=pip, expect=3)
        self.assertIn("extra-dep", err)
        self.assertLess(time.time() - began, 60)


class Folders(InstallCase):
    def setUp(self):
        super().setUp()
        self.write("fitment.toml", '[[index]]\nname = "local"\nurl = "wheels"\nnames = ["*"]\n')

    def test_offline_from_a_folder(self):
        pip = self.each_pip()[-1]
        make_wheel(self.wheels, "torch", "2.8.0+cu128", requires=["lib"])
        make_wheel(self.wheels, "lib", "1.0", "py3-none-any")
        for command in [["install"], ["wheelhouse", "house"]]:
            self.environment(pip)
            # Whoever asks the network is told so at once.
            options = ["torch", "--python", "env", "--machine", "h100.json", "--offline"]
            self.fitment(*command, *options, pip=pip, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
        self.environment(pip)
        self.installs("torch", "--offline", "--record", "x.json", pip=pip)
        self.assertEqual(self.builds(), {"torch": "2.8.0+cu128", "lib": "1.0"})
        target = json.loads(self.read("x.json"))["targets"][0]
        for one in target["packages"] + target["dependencies"]:
            self.assertTrue(one["file"]["url"].startswith("file://" + self.wheels), one)
            self.assertIsNotNone(one["file"]["sha256"])

    def test_variants_and_where_they_come_from(self):
        pip = self.each_pip()[-1]
        needs = ["plain-dep", 'gpu-dep; "nvidia" in variant_namespaces']
        make_wheel(self.wheels, "derived", "1.0", label="cu128", variant=nvidia_variant("cu128", "12.8"), requires=needs)
        make_wheel(self.wheels, "derived", "1.0", label="null", variant=variant_json(["nvidia"], {"null": {}}))
        make_wheel(self.wheels, "torch", "2.8.0+cu128", requires=["derived"])
        for name in ["plain-dep", "gpu-dep"]:
            make_wheel(self.wheels, name, "1.0", "py3-none-any")
        self.environment(pip)
        self.installs("torch", pip=pip)
        self.assertEqual(sorted(self.builds()), ["derived", "gpu_dep", "plain_dep", "torch"])
        dependencies = {one["name"]: one for one in json.loads(self.read("fitment.lock.json"))["targets"][0]["dependencies"]}
        derived = dependencies["derived"]["file"]
        self.assertEqual(derived["url"], "")
        self.assertNotEqual(derived["derived_from"], derived["sha256"])
        self.fitment("wheelhouse", "house", "torch", "--python", "env", "--machine", "h100.json", "--offline", pip=pip)
        self.environment(pip, "second")
        self.run_pip(
            pip, "second", "install", "--no-index", "--find-links", "house", "--require-hashes", "-r", "house/requirements.txt"
        )
        self.assertEqual(self.builds("second"), self.builds())

    def test_two_at_once(self):
        pip = self.each_pip()[-1]
        make_wheel(self.wheels, "torch", "2.8.0+cu128", requires=["lib"])
        make_wheel(self.wheels, "lib", "1.0", "py3-none-any")
        self.environment(pip)
        self.environment(pip, "other")
        # Nothing happens while somebody else holds the environment.
        holder = subprocess.Popen(["flock", os.path.join(self.folder, "env"), "sleep", "6"])
        self.addCleanup(holder.wait)
        command = [PROGRAM, "install", "torch", "--machine", "h100.json", "--python"]
        runs = []
        for env, record in [("env", "1.json"), ("env", "2.json"), ("other", "3.json")]:
            runs.append(
                subprocess.Popen(
                    [*command, env, "--record", record],
                    env=self.variables(pip),
                    cwd=self.folder,
                    text=True,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            )
        said = [run.communicate(timeout=300) for run in runs]
        self.assertEqual([run.returncode for run in runs], [0, 0, 0], said)
        for out, err in said[:2]:
            self.assertIn("waiting for another installation into", err)
        self.assertNotIn("waiting", said[2][1])
        self.assertEqual(sorted("nothing to install" in out for out, _ in said[:2]), [False, True])
        for env in ["env", "other"]:
            self.assertEqual(self.builds(env), {"torch": "2.8.0+cu128", "lib": "1.0"})

    @unittest.skipUnless(os.environ.get("FITMENT_SLOW"), "writes 2 GB: FITMENT_SLOW=1")
    def test_a_wheel_of_two_gigabytes(self):
        pip = self.each_pip()[-1]
        make_sparse_wheel(self.wheels, "big", "1.0", 2 << 30)
        make_wheel(self.wheels, "torch", "2.8.0+cu128", requires=["big"])
        self.environment(pip)
        out, _ = self.installs("torch", pip=pip)
        self.assertIn("big", out)
        self.assertEqual(self.builds()["big"], "big")


if __name__ == "__main__":
    unittest.main()
