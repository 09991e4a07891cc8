# SPDX-License-Identifier: Apache-2.0
"""An index on the network as tests want it: what it answers is a table of paths, and it can be slow, lie or be down."""
import base64
import hashlib
import http.server
import threading
import time


class Answer:
    """One answer. `delay` is waited for before it; `announce` lies about its length."""

    def __init__(self, body=b"", status=200, kind="text/html", delay=0.0, announce=None, headers=()):
        self.body = body.encode() if isinstance(body, str) else body
        self.status = status
        self.kind = kind
        self.delay = delay
        self.announce = announce
        self.headers = headers


class Upstream:
    """`answers` maps paths to Answer; other paths get `missing`. `seen` lists (method, path, headers)."""

    def __init__(self, answers=None, missing=404, password=None):
        self.answers = dict(answers or {})
        self.missing = missing
        self.password = password
        self.seen = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.seen.append((self.command, self.path, dict(self.headers)))
                if outer.password and not self.is_allowed():
                    self.reply(Answer("who are you", 401, headers=[("WWW-Authenticate", 'Basic realm="x"')]))
                    return
                answer = outer.answers.get(self.path) or Answer("nothing here", outer.missing)
                time.sleep(answer.delay)
                self.reply(answer)

            do_HEAD = do_GET

            def is_allowed(self):
                given = self.headers.get("Authorization", "")
                return given == "Basic " + base64.b64encode(outer.password.encode()).decode()

            def reply(self, answer):
                body, status, extra = answer.body, answer.status, list(answer.headers)
                wanted = self.headers.get("Range", "")
                if wanted.startswith("bytes=") and status == 200:
                    first, last = wanted[6:].split("-")
                    start = int(first) if first else max(0, len(body) - int(last))
                    end = min(int(last), len(body) - 1) if first and last else len(body) - 1
                    extra.append(("Content-Range", f"bytes {start}-{end}/{len(body)}"))
                    body, status = body[start : end + 1], 206
                self.send_response(status)
                self.send_header("Content-Type", answer.kind)
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(answer.announce if answer.announce is not None else len(body)))
                for name, value in extra:
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)
                    if answer.announce is not None:
                        self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self.server.server_port}"
        self.url = f"http://{self.address}"

    def page(self, path, files, metadata=True):
        """Adds the HTML page of a project: `files` maps names to bytes, which are served beside it."""
        links = ""
        for name, data in files.items():
            digest = hashlib.sha256(data).hexdigest()
            attribute = ' data-core-metadata="true"' if metadata else ""
            escaped = name.replace("+", "%2B")
            # From the root, as PyTorch's index has it.
            links += f'<a href="/files/{escaped}#sha256={digest}"{attribute}>{name}</a><br>\n'
            self.answers[f"/files/{escaped}"] = Answer(data, kind="application/octet-stream")
        self.answers[path] = Answer(f"<!DOCTYPE html><html><body>\n{links}</body></html>\n")

    def asked(self, path):
        return sum(1 for _, seen, _ in self.seen if seen == path)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
