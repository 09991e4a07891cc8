#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small image of the golden cases (tests/images/app): image_fixture.py DIR

DIR becomes an OCI layout with three layers: a package with GPU code in a container for three GPUs and what nothing reads at run time, files that
the next layers delete, replace and change the mode of, and a file that is there twice.
"""
import base64, hashlib, io, json, os, struct, sys, tarfile, zlib

SITE = "opt/venv/lib/python3.12/site-packages/"


def entry(kind, arch, payload):
    return struct.pack("<HHIQIIHHIQQQQ", kind, 0x0101, 64, payload, 0, 0, 8, 1, arch, 0, 0x11, 0, 0) + bytes([arch]) * payload


def fatbin(entries):
    body = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def layer(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data, mode in files:
            info = tarfile.TarInfo(name)
            info.mode, info.mtime = mode, 1767225600
            if name.endswith("/"):
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
            else:
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def gzip(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def main(root):
    blobs = os.path.join(root, "blobs", "sha256")
    os.makedirs(blobs, exist_ok=True)

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        with open(os.path.join(blobs, digest), "wb") as file:
            file.write(data)
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + digest, "size": len(data)}

    code = fatbin([entry(2, 86, 2048), entry(2, 90, 4096), entry(2, 100, 8192)])
    files = {"kernels/__init__.py": b"import os\n", "kernels/kernels.fatbin": code, "kernels/lib/libkernels_static.a": b"!<arch>\n",
             "kernels-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: kernels\nVersion: 1\n"}
    record = "".join("%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), len(data))
                     for name, data in sorted(files.items())) + "kernels-1.dist-info/RECORD,,\n"
    files["kernels-1.dist-info/RECORD"] = record.encode()
    layers = [
        ("COPY venv /opt/venv", layer([("opt/", b"", 0o755), ("opt/venv/pyvenv.cfg", b"home = /usr/bin\nversion = 3.12.3\n", 0o644)]
                                      + [(SITE + name, data, 0o644) for name, data in sorted(files.items())])),
        ("/bin/sh -c #(nop) COPY data /data", layer([("data/", b"", 0o755), ("data/cache", b"c" * 20000, 0o644), ("data/once", b"o" * 6000, 0o644),
                                                     ("data/twice", b"o" * 6000, 0o644), ("data/tool", b"t" * 3000, 0o644),
                                                     ("data/notes", b"old\n", 0o644)])),
        ("/bin/sh -c rm /data/cache && chmod +x /data/tool && echo new >/data/notes", layer([("data/", b"", 0o755), ("data/.wh.cache", b"", 0o644),
                                                                                            ("data/tool", b"t" * 3000, 0o755),
                                                                                            ("data/notes", b"new\n", 0o644)])),
    ]
    config = {"created": "2026-01-01T00:00:00Z", "architecture": "amd64", "os": "linux", "config": {"Cmd": ["/bin/sh"]},
              "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(data).hexdigest() for _, data in layers]},
              "history": [{"created": "2026-01-01T00:00:00Z", "created_by": step} for step, _ in layers]}
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": blob(json.dumps(config).encode(), "config.v1+json"),
                "layers": [blob(gzip(data), "layer.v1.tar+gzip") for _, data in layers]}
    top = blob(json.dumps(manifest).encode(), "manifest.v1+json")
    top["annotations"] = {"org.opencontainers.image.ref.name": "v1"}
    with open(os.path.join(root, "oci-layout"), "w") as file:
        json.dump({"imageLayoutVersion": "1.0.0"}, file)
    with open(os.path.join(root, "index.json"), "w") as file:
        json.dump({"schemaVersion": 2, "manifests": [top]}, file)


main(sys.argv[1])
