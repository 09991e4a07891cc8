#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes small wheels for tests: the same bytes each time.

    make_wheels.py DIR FILENAME [--requires REQUIREMENT]... [--size BYTES] [FILENAME ...]

Each FILENAME is the name of a wheel; options after it belong to it. --size adds a file of zeros that is stored, not deflated.
"""
import base64, hashlib, os, sys, zipfile


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def make(folder, filename, requires, size):
    name, version, *tags = filename[:-len(".whl")].split("-")[:5]
    tag = "-".join(tags[:3])
    info = "%s-%s.dist-info" % (name, version)
    files = {
        "%s/__init__.py" % name: ("__version__ = %r\n" % version).encode(),
        info + "/METADATA": ("Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
                             + "".join("Requires-Dist: %s\n" % r for r in requires)).encode(),
        info + "/WHEEL": ("Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode(),
    }
    if size:
        files["%s/data.bin" % name] = bytes(size)
    record = "".join("%s,sha256=%s,%d\n" % (path, digest(data), len(data)) for path, data in files.items())
    files[info + "/RECORD"] = (record + info + "/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(folder, filename), "w") as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_STORED
            wheel.writestr(entry, data)


def main(words):
    folder, words = words[0], words[1:]
    os.makedirs(folder, exist_ok=True)
    while words:
        filename, requires, size = words.pop(0), [], 0
        while words and words[0].startswith("--"):
            option, value = words.pop(0), words.pop(0)
            if option == "--requires":
                requires.append(value)
            else:
                size = int(value)
        make(folder, filename, requires, size)


main(sys.argv[1:])
