# SPDX-License-Identifier: Apache-2.0
"""Wheels for tests: small ones with what a test is about, and one of gigabytes that takes no space."""
import base64
import hashlib
import json
import os
import re
import struct
import zipfile
import zlib

SCHEMA = "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json"


def variant_json(namespaces, variants):
    """The text of a variant.json or of NAME-VERSION-variants.json."""
    return json.dumps({"$schema": SCHEMA, "default-priorities": {"namespace": namespaces}, "variants": variants})


def nvidia_variant(label, lower_bound):
    """The variant.json of a wheel that wants a CUDA driver API version."""
    return variant_json(["nvidia"], {label: {"nvidia": {"cuda_version_lower_bound": [lower_bound]}}})


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def make_wheel(folder, name, version, tags="py3-none-linux_x86_64", label=None, requires=(), variant=None, text=""):
    """Writes a wheel whose module says which build it is. Returns its file name."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    build = f"{version}{'-' + label if label else ''}{text}"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {line}\n" for line in requires)
    extras = sorted(set(re.findall(r'extra == "([^"]+)"', " ".join(requires))))
    metadata += "".join(f"Provides-Extra: {extra}\n" for extra in extras)
    members = {
        f"{module}/__init__.py": f"build = {build!r}\n",
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tags}\n",
    }
    if variant:
        members[f"{info}/variant.json"] = variant
    file = f"{module}-{version}-{tags}{'-' + label if label else ''}.whl"
    path = os.path.join(folder, file)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        record = ""
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), content)
            record += record_line(member, content.encode())
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), record + f"{info}/RECORD,,\n")
    return file


def make_sparse_wheel(folder, name, version, size, tags="py3-none-any"):
    """A wheel with a stored member of `size` zero bytes, written as a hole."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    crc = 0
    zeros = bytes(1 << 20)
    digest = hashlib.sha256()
    for done in range(0, size, len(zeros)):
        block = zeros[: min(len(zeros), size - done)]
        crc = zlib.crc32(block, crc)
        digest.update(block)
    big_digest = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
    small = {
        f"{module}/__init__.py": b"build = 'big'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tags}\n".encode(),
    }
    big = f"{module}/weights.bin"
    record = "".join(record_line(member, data) for member, data in small.items())
    record += f"{big},sha256={big_digest},{size}\n{info}/RECORD,,\n"
    small[f"{info}/RECORD"] = record.encode()
    file = f"{module}-{version}-{tags}.whl"
    with open(os.path.join(folder, file), "wb") as out:
        central = b""
        for member, data, length, check in [(big, None, size, crc)] + [
            (member, data, len(data), zlib.crc32(data)) for member, data in small.items()
        ]:
            offset = out.tell()
            encoded = member.encode()
            fields = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, check, length, length, len(encoded), 0)
            out.write(b"PK\3\4" + fields + encoded)
            if data is None:
                out.seek(length, os.SEEK_CUR)
            else:
                out.write(data)
            central += b"PK\1\2" + struct.pack("<H", 0x031E) + fields + struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, offset) + encoded
        start = out.tell()
        count = len(small) + 1
        out.write(central)
        out.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(central), start, 0))
    return file
