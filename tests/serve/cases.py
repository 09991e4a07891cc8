# SPDX-License-Identifier: Apache-2.0
"""What all tests of the server share: a folder, servers that end with the test, installers that are there."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from server import Server
from upstream import Upstream

PROGRAM = os.environ.get("FITMENT", "fitment")


def pips():
    """Every pip that can be run: this Python's, and unpacked ones in FITMENT_PIPS (a path like PYTHONPATH)."""
    found = [None] if shutil.which("pip3", path="/usr/bin") else []
    return found + [path for path in os.environ.get("FITMENT_PIPS", "").split(os.pathsep) if path]


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


class ServeCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="serve-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.wheels = os.path.join(self.folder, "wheels")
        os.mkdir(self.wheels)

    def serve(self, config, machines, *options, **keywords):
        server = Server(PROGRAM, self.folder, config, machines, *options, **keywords)
        self.addCleanup(server.stop)
        return server

    def serve_folder(self, machines, *options, **keywords):
        config = '[[index]]\nname = "local"\nurl = "wheels"\nnames = ["*"]\n'
        return self.serve(config, machines, *options, **keywords)

    def upstream(self, *arguments, **keywords):
        upstream = Upstream(*arguments, **keywords)
        self.addCleanup(upstream.close)
        return upstream

    def pip(self, pip, *arguments, expect=0, cache=None):
        """Runs pip with clean settings. Returns what it said."""
        # Certificates of the environment would beat --cert.
        certificates = ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k not in certificates}
        environment["PYTHONPATH"] = pip or ""
        environment["HOME"] = self.folder
        caching = ["--cache-dir", cache] if cache else ["--no-cache-dir"]
        command = [sys.executable, "-m", "pip", *arguments[:1], "--isolated", "--disable-pip-version-check", *caching]
        run = subprocess.run(
            command + list(arguments[1:]), env=environment, text=True, capture_output=True, cwd=self.folder, timeout=300
        )
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def install(self, pip, index, *requirements, **keywords):
        """Installs into a fresh folder. Returns module name -> its build, and what pip said."""
        target = tempfile.mkdtemp(dir=self.folder)
        said = self.pip(pip, "install", "--index-url", index, "--target", target, *requirements, **keywords)
        builds = {}
        for module in os.listdir(target):
            source = os.path.join(target, module, "__init__.py")
            if os.path.exists(source):
                scope = {}
                exec(read_bytes(source), scope)  # our own wheels
                builds[module] = scope.get("build")
        return builds, said

    def each_pip(self):
        return pips()
