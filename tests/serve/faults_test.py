# SPDX-License-Identifier: Apache-2.0
"""Indexes that are down, slow, lie or go round in circles, and clients that are slow or many."""
import concurrent.futures
import http.client
import json
import os
import socket
import ssl
import subprocess
import time
import unittest

from cases import PROGRAM, ServeCase
from server import JSON, machine
from upstream import Answer
from wheels import make_wheel


class Upstreams(ServeCase):
    def setUp(self):
        super().setUp()
        self.index = self.upstream()
        self.config = f'[[index]]\nname = "a"\nurl = "{self.index.url}/simple"\nnames = ["*"]\n'

    def ask(self, server, name):
        began = time.time()
        reply = server.get(f"/simple/{name}/")
        return reply, time.time() - began

    def test_absent_names_are_404_also_where_the_index_says_403(self):
        server = self.serve(self.config, [machine()])
        self.assertEqual(server.get("/simple/absent/").status, 404)
        self.index.missing = 403
        self.assertEqual(server.get("/simple/forbidden/").status, 404)

    def test_a_folder_that_is_not_there_is_told_at_the_start(self):
        config = '[[index]]\nname = "late"\nurl = "later"\nnames = ["*"]\n'
        server = self.serve(config, [machine()])
        self.assertIn("warning: the index `late` has no folder", server.log())
        self.assertEqual(server.get("/simple/lib/").status, 502)
        os.mkdir(os.path.join(self.folder, "later"))
        self.assertEqual(server.get("/simple/other/").status, 404)

    def test_an_index_that_is_down(self):
        self.index.close()
        server = self.serve(self.config, [machine()])
        reply, seconds = self.ask(server, "lib")
        self.assertEqual((reply.status, reply.headers["content-type"]), (502, "text/plain; charset=utf-8"))
        self.assertIn("asking the index `a`", reply.text)
        self.assertLess(seconds, 30)
        self.assertIn("asking the index `a`", server.log())
        _, again = self.ask(server, "lib")
        self.assertLess(again, 1)

    def test_an_index_that_answers_nonsense(self):
        server = self.serve(self.config, [machine()])
        for number, answer in enumerate(
            [
                Answer("{", kind=JSON),
                Answer('{"files": 3}', kind=JSON),
                Answer('{"meta": {"api-version": "2.0"}, "files": []}', kind=JSON),
                Answer("<html>", announce=100),
                Answer("", 301, headers=[("Location", "/simple/loop/")]),
                Answer("", 400),
            ]
        ):
            path = "/simple/loop/" if answer.status == 301 else f"/simple/lib{number}/"
            self.index.answers[path] = answer
            reply = server.get(path)
            self.assertEqual(reply.status, 502, (path, reply.text))
            self.assertTrue(reply.text.strip(), path)

    def test_a_page_of_fifty_megabytes(self):
        line = '<a href="/files/lib-1.{}-py3-none-any.whl">lib</a>\n'
        self.index.answers["/simple/lib/"] = Answer("".join(line.format(i) for i in range(1000)) + " " * (40 << 20))
        self.index.answers["/simple/huge/"] = Answer(" " * (70 << 20))
        server = self.serve(self.config, [machine()])
        self.assertEqual(len(server.get("/simple/lib/").json["files"]), 1000)
        reply = server.get("/simple/huge/")
        self.assertEqual(reply.status, 502)

    def test_a_slow_index_does_not_hold_up_others(self):
        make_wheel(self.wheels, "fast", "1.0")
        self.index.answers["/simple/slow/"] = Answer("<html></html>", delay=4)
        config = self.config.replace('["*"]', '["slow"]')
        config += '[[index]]\nname = "local"\nurl = "wheels"\nnames = ["*"]\n'
        server = self.serve(config, [machine()])
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            slow = [pool.submit(self.ask, server, "slow") for _ in range(6)]
            time.sleep(0.3)
            reply, seconds = self.ask(server, "fast")
            self.assertEqual((reply.status, len(reply.names())), (200, 1))
            self.assertLess(seconds, 2)
            for waiting in slow:
                reply, seconds = waiting.result()
                self.assertEqual(reply.status, 200)
                self.assertLess(seconds, 12)

    def test_a_truncated_wheel(self):
        file = make_wheel(self.wheels, "lib", "1.0")
        path = os.path.join(self.wheels, file)
        os.truncate(path, os.path.getsize(path) // 2)
        server = self.serve_folder([machine()])
        page = server.get("/simple/lib/")
        self.assertEqual(page.status, 200)
        self.assertNotIn("core-metadata", page.json["files"][0])
        address = page.json["files"][0]["url"].replace("../../", "/")
        self.assertEqual(server.get(address + ".metadata").status, 502)


class Clients(ServeCase):
    def test_five_hundred_at_once(self):
        make_wheel(self.wheels, "lib", "1.0")
        server = self.serve_folder([machine()])
        connections = []
        for _ in range(500):
            connection = http.client.HTTPConnection(server.host, timeout=60)
            connection.connect()
            connections.append(connection)
        for _ in range(2):
            for connection in connections:
                connection.request("GET", "/simple/lib/", headers={"Accept": JSON})
            for connection in connections:
                response = connection.getresponse()
                self.assertEqual(response.status, 200)
                response.read()
        for connection in connections:
            connection.close()

    def test_a_client_that_says_nothing_is_let_go(self):
        server = self.serve_folder([machine()])
        with socket.create_connection(server.host.split(":"), timeout=40) as connection:
            connection.sendall(b"GET /simple/ HTTP/1.1\r\nHost: x\r\n")
            began = time.time()
            connection.settimeout(40)
            self.assertEqual(connection.recv(1000), b"")
            self.assertLess(time.time() - began, 30)

    def test_it_ends_while_clients_are_connected(self):
        make_wheel(self.wheels, "lib", "1.0")
        server = self.serve_folder([machine()])
        idle = http.client.HTTPConnection(server.host)
        idle.request("GET", "/simple/lib/")
        idle.getresponse().read()
        began = time.time()
        server.stop()
        self.assertLess(time.time() - began, 15)  # an idle client would be kept for 30 s

    def test_a_token_is_wanted(self):
        make_wheel(self.wheels, "lib", "1.0")
        token = "0123456789abcdef0123"
        with open(os.path.join(self.folder, "token"), "w") as out:
            out.write(token + "\n")
        server = self.serve_folder([machine()], "--token-file", "token")
        refused = server.get("/simple/lib/")
        self.assertEqual((refused.status, refused.headers["www-authenticate"]), (401, 'Basic realm="fitment"'))
        self.assertEqual(server.get("/simple/lib/", Authorization="Bearer " + token).status, 200)
        self.assertEqual(server.get("/simple/lib/", Authorization="Bearer " + token + "x").status, 401)
        for pip in self.each_pip():
            index = server.url.replace("http://", f"http://{token}@") + "/simple/"
            builds, _ = self.install(pip, index, "lib")
            self.assertEqual(builds["lib"], "1.0")

    def test_tls(self):
        make_wheel(self.wheels, "lib", "1.0")
        certificate, key = os.path.join(self.folder, "cert.pem"), os.path.join(self.folder, "key.pem")
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
        subprocess.run(command, check=True, capture_output=True)
        server = self.serve_folder([machine()], "--tls-certificate", certificate, "--tls-key", key)
        self.assertTrue(server.url.startswith("https://"))
        context = ssl.create_default_context(cafile=certificate)
        connection = http.client.HTTPSConnection(server.host, context=context)
        for _ in range(2):
            connection.request("GET", "/simple/lib/", headers={"Accept": JSON})
            page = json.loads(connection.getresponse().read())
            self.assertEqual(len(page["files"]), 1)
        connection.close()
        for pip in self.each_pip():
            builds, _ = self.install(pip, server.url + "/simple/", "--cert", certificate, "lib")
            self.assertEqual(builds["lib"], "1.0")
            said = self.pip(pip, "download", "--retries", "0", "-i", server.url + "/simple/", "lib", expect=1)
            self.assertRegex(said, "(?i)certificate")

    def test_an_open_address_must_be_meant(self):
        for options in [["--host", "0.0.0.0"], ["--host", "0.0.0.0", "--public"]]:
            run = subprocess.run([PROGRAM, "serve", *options], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(run.returncode, 2)


if __name__ == "__main__":
    unittest.main()
