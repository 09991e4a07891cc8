# SPDX-License-Identifier: Apache-2.0
"""The Simple API as clients ask for it, without an installer."""
import gzip
import hashlib
import json
import os
import re
import socket
import time
import unittest
import urllib.parse

from cases import ServeCase, read_bytes
from server import JSON, machine
from wheels import make_wheel, nvidia_variant, variant_json

PIP_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01"
UV_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"
BROWSER_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class Pages(ServeCase):
    def setUp(self):
        super().setUp()
        for label in ["cpu", "cu126", "cu128"]:
            make_wheel(self.wheels, "torch", f"2.8.0+{label}")
        self.server = self.serve_folder([machine(), machine("v100", "sm_70"), machine("ci", None)])

    def test_formats_are_negotiated(self):
        for accept, kind in [
            (PIP_ACCEPT, JSON),
            (UV_ACCEPT, JSON),
            ("application/vnd.pypi.simple.latest+json", JSON),
            ("application/vnd.pypi.simple.v1+html", "application/vnd.pypi.simple.v1+html"),
            ("text/html", "text/html; charset=utf-8"),
            ("*/*", "text/html; charset=utf-8"),
            (None, "text/html; charset=utf-8"),
            (f"{JSON};q=0.1, text/html;q=0.5", "text/html; charset=utf-8"),
        ]:
            reply = self.server.get("/simple/torch/", accept)
            self.assertEqual((reply.status, reply.headers["content-type"]), (200, kind), accept)
            self.assertIn("Accept", reply.headers["vary"])
        self.assertEqual(self.server.get("/simple/torch/", "image/png").status, 406)
        self.assertEqual(self.server.get("/simple/torch/?format=" + JSON, "text/html").headers["content-type"], JSON)

    def test_json_has_what_the_standards_want(self):
        page = self.server.get("/simple/torch/").json
        self.assertEqual(page["meta"], {"api-version": "1.1"})
        self.assertEqual(page["name"], "torch")
        for file in page["files"]:
            path = os.path.join(self.wheels, file["filename"])
            data = read_bytes(path)
            self.assertEqual(file["hashes"]["sha256"], hashlib.sha256(data).hexdigest())
            self.assertEqual(file["size"], len(data))
            self.assertTrue(file["core-metadata"])
            self.assertNotIn("dist-info-metadata", file)

    def test_html_has_what_the_standards_want(self):
        text = self.server.get("/simple/torch/", "text/html").text
        self.assertIn('<meta name="pypi:repository-version" content="1.', text)
        anchor = re.search(r'<a href="([^"#]+)#sha256=[0-9a-f]{64}"([^>]*)>torch-2\.8\.0\+cu128', text)
        self.assertIn('data-core-metadata="true"', anchor[2])
        self.assertIn('data-dist-info-metadata="true"', anchor[2])
        self.assertNotIn("data-yanked", anchor[2])
        self.assertIn('data-yanked="fitment: ', text)

    def test_people_see_what_the_machine_gets_and_why(self):
        make_wheel(self.wheels, "torch", "2.8.0+cu126", "py3-none-win_amd64")
        make_wheel(self.wheels, "torch", "2.8.0+cpu", "py3-none-win_amd64")
        server = self.serve_folder([machine(), machine("v100", "sm_70"), machine("ci", None)])
        text = server.get("/simple/torch/", BROWSER_ACCEPT).text
        self.assertIn('<b>torch 2.8.0</b> <span class="badge yes">cu128</span> is the newest version that fits', text)
        self.assertIn("1 file offered, 2 more by their exact label, 2 left out", text)
        # One row for what is left out for one reason.
        self.assertEqual(text.count("<b>win_amd64</b>"), 1)
        self.assertIn("<td>cpu cu126</td>", text)
        home = server.get("/m/v100/", BROWSER_ACCEPT).text
        self.assertIn('<b class="here">v100</b>', home)
        self.assertIn('<a href="../../m/ci/">ci</a>', home)

    def test_each_machine_sees_its_own(self):
        self.assertEqual(self.server.get("/simple/torch/").names(), ["torch-2.8.0+cu128-py3-none-linux_x86_64.whl"])
        self.assertIn("cu128", self.server.get("/m/h100/simple/torch/").names()[0])
        self.assertIn("cu128", self.server.get("/m/v100/simple/torch/").names()[0])
        self.assertIn("cpu", self.server.get("/m/ci/simple/torch/").names()[0])
        self.assertIn("cu126", self.server.get("/b/cu126/simple/torch/").names()[0])
        for absent in ["/m/other/simple/torch/", "/b/cuda/simple/torch/", "/m/../simple/torch/"]:
            self.assertEqual(self.server.get(absent).status, 404, absent)

    def test_names_are_redirected_to_their_normal_form(self):
        for path, place in [
            ("/simple", "simple/"),
            ("/simple/torch", "torch/"),
            ("/simple/Torch", "torch/"),
            ("/simple/To_RCH.x/", "../to-rch-x/"),
            ("/m/ci/simple/torch", "torch/"),
        ]:
            reply = self.server.get(path)
            self.assertEqual((reply.status, reply.headers["location"]), (301, place), path)

    def test_unknown_names_are_404(self):
        for path in ["/simple/nothing/", "/simple/-/", "/simple/a/b/", "/x", "/files/local/-/torch/x/y", "/simple/%2e%2e/"]:
            self.assertEqual(self.server.get(path).status, 404, path)

    def test_pages_are_asked_for_again_and_not_sent_again(self):
        for encoding in [None, "gzip", "zstd"]:
            headers = {"Accept_Encoding": encoding} if encoding else {}
            first = self.server.get("/simple/torch/", **headers)
            self.assertEqual(first.headers["cache-control"], "no-cache")
            again = self.server.get("/simple/torch/", If_None_Match=first.headers["etag"], **headers)
            self.assertEqual((again.status, again.body), (304, b""))
            self.assertEqual(again.headers["etag"], first.headers["etag"])
        other = self.server.get("/m/ci/simple/torch/", If_None_Match=first.headers["etag"])
        self.assertEqual(other.status, 200)

    def test_pages_are_compressed(self):
        plain = self.server.get("/simple/torch/")
        packed = self.server.get("/simple/torch/", Accept_Encoding="gzip, deflate")
        self.assertEqual(packed.headers["content-encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        self.assertNotEqual(packed.headers["etag"], plain.headers["etag"])
        zstd = self.server.get("/simple/torch/", Accept_Encoding="gzip, deflate, zstd")
        self.assertEqual(zstd.headers["content-encoding"], "zstd")
        self.assertEqual(zstd.body[:4], b"\x28\xb5\x2f\xfd")

    def test_head_is_get_without_the_body(self):
        get = self.server.get("/simple/torch/")
        head = self.server.get("/simple/torch/", method="HEAD")
        self.assertEqual(head.body, b"")
        for name in ["content-length", "etag", "content-type"]:
            self.assertEqual(head.headers[name], get.headers[name])

    def file_address(self, name):
        page = self.server.get("/simple/torch/").json
        file = next(f for f in page["files"] if name in f["filename"])
        return urllib.parse.urljoin("/simple/torch/", file["url"]), file["filename"]

    def test_files_have_ranges(self):
        address, name = self.file_address("cu128")
        data = read_bytes(os.path.join(self.wheels, name))
        whole = self.server.get(address)
        self.assertEqual((whole.status, whole.body), (200, data))
        self.assertEqual(whole.headers["accept-ranges"], "bytes")
        for wanted, part in [("bytes=0-9", data[:10]), ("bytes=-7", data[-7:]), ("bytes=20-", data[20:])]:
            reply = self.server.get(address, Range=wanted)
            self.assertEqual((reply.status, reply.body), (206, part), wanted)
        self.assertEqual(self.server.get(address, Range="bytes=0-9").headers["content-range"], f"bytes 0-9/{len(data)}")
        self.assertEqual(self.server.get(address, Range=f"bytes={len(data)}-").status, 416)
        self.assertEqual(self.server.get(address, Range="bytes=9-0").body, data)
        self.assertEqual(self.server.get(address, Range="bytes=0-1", If_Range='"other"').body, data)
        head = self.server.get(address, method="HEAD")
        self.assertEqual((head.headers["content-length"], head.body), (str(len(data)), b""))

    def test_metadata_is_served_beside_files(self):
        address, _ = self.file_address("cu128")
        self.assertIn("Name: torch", self.server.get(address + ".metadata").text)

    def test_no_path_leaves_the_folder(self):
        outside = os.path.join(self.folder, "secret-1.0-py3-none-any.whl")
        make_wheel(self.folder, "secret", "1.0", "py3-none-any")
        os.symlink(outside, os.path.join(self.wheels, "secret-1.0-py3-none-any.whl"))
        self.assertEqual(self.server.get("/simple/secret/").status, 404)
        for path in [
            "/files/local/-/torch/..%2Fsecret-1.0-py3-none-any.whl/secret-1.0-py3-none-any.whl",
            "/files/local/-/..%2F..%2Fetc/passwd/passwd",
            "/files/../../etc/passwd",
        ]:
            self.assertEqual(self.server.get(path).status, 404, path)

    def test_hidden_files_keep_their_reasons(self):
        make_wheel(self.wheels, "torch", "2.8.0+cu129", "cp312-cp312-win_amd64")
        why = self.server.get("/simple/torch/").json["_fitment"]
        self.assertEqual(why["schema"], "fitment.project-view/1")
        self.assertEqual(why["machine"], "h100")
        self.assertEqual(why["choices"][0]["chosen"], "cu128")
        hidden = {h["filename"]: [why["reasons"][r]["rule"] for r in h["reasons"]] for h in why["hidden"]}
        self.assertEqual(hidden, {"torch-2.8.0+cu129-cp312-cp312-win_amd64.whl": ["platform-tag"]})

    def test_machines_are_posted(self):
        posted = json.dumps(machine("new", None))
        reply = self.server.get("/m/", method="POST", body=posted, Content_Type="application/json")
        self.assertEqual((reply.status, reply.json["index"]), (201, "m/new/simple/"))
        self.assertIn("cpu", self.server.get("/m/new/simple/torch/").names()[0])
        again = json.dumps(machine("new"))
        self.server.get("/m/", method="POST", body=again, Content_Type="application/json")
        self.assertIn("cu128", self.server.get("/m/new/simple/torch/").names()[0])
        for body, kind, status in [
            (posted, "text/plain", 415),
            ("{", "application/json", 400),
            (json.dumps(machine("h100")), "application/json", 409),
            (json.dumps(machine("a/b")), "application/json", 400),
            (" " * (2 << 20), "application/json", 413),
        ]:
            reply = self.server.get("/m/", method="POST", body=body, Content_Type=kind)
            self.assertEqual(reply.status, status, reply.text)
        self.assertEqual(self.server.get("/simple/torch/", method="POST", body="x").status, 405)

    def test_requests_that_are_none_are_refused(self):
        for sent, status in [
            (b"NONSENSE\r\n\r\n", b"400"),
            (b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n", b"431"),
        ]:
            with socket.create_connection(self.server.host.split(":"), timeout=10) as connection:
                connection.sendall(sent)
                self.assertIn(status, connection.recv(100), sent[:20])

    def test_a_new_file_is_seen(self):
        time.sleep(1.1)
        make_wheel(self.wheels, "torch", "2.9.0+cu128")
        self.server.get("/simple/torch/")
        self.assertEqual(len(self.server.get("/simple/torch/").names()), 2)

    def test_uv_asks_as_it_does(self):
        headers = {"Accept_Encoding": "gzip, deflate, zstd", "User_Agent": "uv/0.12.5"}
        page = self.server.get("/simple/torch/", UV_ACCEPT, **headers)
        self.assertEqual(page.headers["content-encoding"], "zstd")
        address, name = self.file_address("cu128")
        self.assertEqual(self.server.get(address + ".metadata", "*/*").status, 200)
        size = os.path.getsize(os.path.join(self.wheels, name))
        head = self.server.get(address, "*/*", method="HEAD", Accept_Encoding="identity")
        self.assertEqual(head.headers["accept-ranges"], "bytes")
        tail = self.server.get(address, "*/*", Accept_Encoding="identity", Range=f"bytes={size - 100}-{size - 1}")
        self.assertEqual((tail.status, len(tail.body)), (206, 100))


class Variants(ServeCase):
    def test_the_best_variant_stands_under_its_plain_name(self):
        for label, bound in [("cu128", "12.8"), ("cu130", "13.0")]:
            make_wheel(self.wheels, "acme", "1.0", label=label, variant=nvidia_variant(label, bound))
        make_wheel(self.wheels, "acme", "1.0", label="null", variant=variant_json(["nvidia"], {"null": {}}))
        server = self.serve_folder([machine(), machine("new", cuda="13.0"), machine("ci", None)])
        for name, label in [("h100", "cu128"), ("new", "cu130"), ("ci", "null")]:
            page = server.get(f"/m/{name}/simple/acme/")
            self.assertEqual(page.names(), ["acme-1.0-py3-none-linux_x86_64.whl"])
            file = page.json["files"][0]
            data = read_bytes(os.path.join(self.wheels, f"acme-1.0-py3-none-linux_x86_64-{label}.whl"))
            self.assertEqual(file["hashes"]["sha256"], hashlib.sha256(data).hexdigest())
            address = urllib.parse.urljoin(f"/m/{name}/simple/acme/", file["url"])
            self.assertEqual(server.get(address).body, data)
            self.assertIn("Name: acme", server.get(address + ".metadata").text)

    def test_metadata_files_of_an_index_are_read_and_hidden(self):
        make_wheel(self.wheels, "acme", "1.0", label="new", variant=nvidia_variant("new", "13.0"))
        make_wheel(self.wheels, "acme", "1.0", "py3-none-any")
        with open(os.path.join(self.wheels, "acme-1.0-variants.json"), "w") as out:
            out.write(nvidia_variant("new", "13.0"))
        server = self.serve_folder([machine()])
        self.assertEqual(server.get("/simple/acme/").names(), ["acme-1.0-py3-none-any.whl"])
        self.assertNotIn("variants.json", server.get("/simple/acme/", "text/html").text)


if __name__ == "__main__":
    unittest.main()
