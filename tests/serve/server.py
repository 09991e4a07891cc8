# SPDX-License-Identifier: Apache-2.0
"""Runs `fitment serve` for a test, and asks it."""
import http.client
import json
import os
import signal
import subprocess
import time
import urllib.parse

JSON = "application/vnd.pypi.simple.v1+json"


def machine(name="h100", target="sm_90", cuda="12.8", glibc="2.36"):
    """A machine file; without a target it has no GPU."""
    gpus = [{"vendor": "nvidia", "target": target, "integrated": False}] if target else []
    return {
        "schema": "fitment.machine/1",
        "name": name,
        "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": glibc}},
        "gpus": gpus,
        "drivers": {"nvidia": {"version": "570.1", "cuda_api": cuda} if target else "none"},
        "python": {"implementation": "cpython", "version": "3.11.2"},
    }


def read_text(path):
    with open(path) as file:
        return file.read()


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)

    def names(self):
        """Names of files that need no pin."""
        return sorted(f["filename"] for f in self.json["files"] if not f.get("yanked"))


class Server:
    """A running server; the machines are given as files."""

    def __init__(self, program, folder, config, machines, *options, refresh=0, port=0):
        self.errors = os.path.join(folder, "stderr")
        ready = os.path.join(folder, "ready")
        if os.path.exists(ready):
            os.remove(ready)
        with open(os.path.join(folder, "fitment.toml"), "w") as out:
            out.write(config)
        command = [program, "serve", "--config", os.path.join(folder, "fitment.toml"), "--port", str(port)]
        command += ["--ready-file", ready, "--refresh", str(refresh), *options]
        for one in machines:
            path = os.path.join(folder, one["name"] + ".json")
            with open(path, "w") as out:
                json.dump(one, out)
            command += ["--machine", path]
        environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=errors, cwd=folder, env=environment
            )
        deadline = time.time() + 60
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.time() > deadline:
                raise AssertionError("the server did not start: " + self.log())
            time.sleep(0.02)
        self.url = read_text(ready)
        self.port = int(self.url.rsplit(":", 1)[1])
        self.host = urllib.parse.urlsplit(self.url).netloc

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def get(self, path, accept=JSON, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=60)
        sent = {"Accept": accept} if accept else {}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.request(method, path, body=body, headers=sent)
        response = connection.getresponse()
        reply = Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        connection.close()
        return reply

    def log(self):
        return read_text(self.errors)

    def stop(self):
        """SIGTERM ends it cleanly and soon."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        assert code == 0, (code, self.log())
