"""A server that answers as App Store Connect and the App Store Server API do, and lies on demand.

It needs nothing but Python. Tokens are checked with the public key. What it answers:

- reports: the files of sample-reports by kind and day; else Apple's words that there are none.
- the notification history: pages of a made-up list for each day.
- rules, the first that matches and is not used up: {"match": TEXT OF THE ADDRESS, "times": N, "status": 404,
  "detail": APPLE'S WORDS, "code": CODE, "headers": {NAME: TEXT, A LIST OF TEXTS, OR NULL FOR NONE}, "body": "html" |
  "empty" | "cut" | "crc" | "length" | "stall" | "reset" | "big:BYTES" | "bytes" (those of "base64", or the report) |
  "chunked" and "chunked-cut" (the same in chunks) | "raw" (an answer with its status line, then the connection ends),
  "file": PATH}.

GET /log returns the requests so far, POST /rules replaces the rules, both without a token.
"""

import argparse
import base64
import glob
import gzip
import hashlib
import http.server
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
A = P - 3
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0:
            return None
        slope = (3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P) % P
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P) % P
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def multiply(k, p):
    sum = None
    while k:
        if k & 1:
            sum = add(sum, p)
        p = add(p, p)
        k >>= 1
    return sum


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


SIGNED = set()


def fault_of_token(token, key, now, needs_bid):
    """Returns the fault of a token, or None; a signature is computed once."""
    try:
        head, claims, signature = token.split(".")
        header, body, raw = json.loads(decode(head)), json.loads(decode(claims)), decode(signature)
    except Exception:
        return "no JWT"
    if header.get("alg") != "ES256" or header.get("typ") != "JWT" or not header.get("kid"):
        return "header"
    if len(raw) != 64:
        return "the signature is not r and s"
    if token not in SIGNED:
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        z = int.from_bytes(hashlib.sha256(f"{head}.{claims}".encode()).digest(), "big")
        w = pow(s, -1, N)
        point = add(multiply(z * w % N, G), multiply(r * w % N, key))
        if point is None or point[0] % N != r:
            return "the signature is wrong"
        SIGNED.add(token)
    if body.get("aud") != "appstoreconnect-v1" or not body.get("iss"):
        return "aud or iss"
    if needs_bid and not body.get("bid"):
        return "bid"
    if not body["iat"] <= now < body["exp"] or body["exp"] - body["iat"] > 1200:
        return "expired, or of a wrong clock"
    return None


FILES = {
    "SALES": ("sales", "S_D_{v}_{d}"),
    "SUBSCRIPTION": ("subscription", "Subscription_{v}_{d}_V1_4"),
    "SUBSCRIPTION_EVENT": ("subscription-event", "Subscription_Event_{v}_{d}_V1_4"),
    "SUBSCRIBER": ("subscriber", "Subscriber_{v}_{d}_V1_4"),
}


class World:
    def __init__(self, options):
        self.options = options
        self.rules = []
        self.log = []
        self.lock = threading.Lock()
        self.parallel = self.most_parallel = 0

    def now(self):
        return time.time() + self.options.offset

    def rule(self, address):
        with self.lock:
            for rule in self.rules:
                if rule["match"] in address and rule.get("times", 1) > 0:
                    rule["times"] = rule.get("times", 1) - 1
                    return rule
        return None

    def report(self, query):
        """Returns the bytes of a report and its name, or None."""
        kind, day = query.get("reportType"), query.get("reportDate", "").replace("-", "")
        if kind not in FILES:
            return None
        folder, name = FILES[kind]
        name = name.format(v="80012345", d=day) + ".txt.gz"
        path = os.path.join(self.options.reports, folder, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return file.read(), name.replace("80012345", query.get("vendorNumber", ""))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *words):
        pass

    def send(self, status, body, headers=None, length=None):
        self.send_response_only(status)
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(self.server.world.now()))
        size = str(len(body) if length is None else length)
        for name, value in {"Date": date, "Content-Length": size, **(headers or {})}.items():
            for one in value if isinstance(value, list) else [] if value is None else [value]:
                self.send_header(name, one)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def error(self, status, code, detail, headers=None):
        body = {"errors": [{"id": "1", "status": str(status), "code": code, "title": "t", "detail": detail}]}
        headers = {"X-Apple-Jingle-Correlation-Key": "KEY123", **(headers or {})}
        self.send(status, json.dumps(body).encode(), headers)

    def do_POST(self):
        self.handle_one("POST")

    def do_GET(self):
        self.handle_one("GET")

    def handle_one(self, method):
        world = self.server.world
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path = urllib.parse.unquote(self.path)
        if self.path == "/log":
            return self.send(200, json.dumps({"log": world.log, "parallel": world.most_parallel}).encode())
        if self.path == "/rules":
            with world.lock:
                world.rules, world.log, world.most_parallel = json.loads(body), [], 0
            return self.send(200, b"{}")
        with world.lock:
            world.log.append({"path": path, "body": body.decode(), "accept": self.headers.get("Accept")})
            world.parallel += 1
            world.most_parallel = max(world.most_parallel, world.parallel)
        try:
            if world.options.delay:
                time.sleep(world.options.delay / 1000)
            self.answer(world, path, body)
        finally:
            with world.lock:
                world.parallel -= 1

    def answer(self, world, path, body):
        if self.headers.get("Accept-Encoding"):
            return self.error(400, "TEST", "Accept-Encoding was sent")
        rule = world.rule(path + " " + body.decode())
        if rule and rule.get("before_token"):
            return self.lie(world, path, rule)
        is_server = path.startswith("/inApps")
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        fault = None if world.options.any_token else fault_of_token(token, world.options.key, world.now(), is_server)
        if fault:
            return self.send(401, b"") if is_server else self.error(401, "NOT_AUTHORIZED", fault)
        if rule:
            return self.lie(world, path, rule)
        if is_server:
            return self.notifications(world, path, json.loads(body or b"{}"))
        query = dict(re.findall(r"filter\[(\w+)\]=([^&]*)", path))
        found = world.report(query)
        if not found:
            return self.error(404, "NOT_FOUND", "There were no sales for the date specified.")
        data, name = found
        self.send(200, data, {"Content-Type": "application/a-gzip", "Content-Encoding": "agzip", "x-reports-filename": name})

    def lie(self, world, path, rule):
        kind = rule.get("body")
        headers = rule.get("headers", {})
        headers = {k: v.replace("NOW+2", str(int(world.now() + 2))).replace("NOWMS+2", str(int(1000 * world.now()) + 2000)) if isinstance(v, str) else v for k, v in headers.items()}
        if kind is None and "file" not in rule:
            return self.error(rule["status"], rule.get("code", "CODE"), rule.get("detail", ""), headers)
        if "file" in rule:
            with open(rule["file"], "rb") as file:
                return self.send(200, file.read(), headers)
        query = dict(re.findall(r"filter\[(\w+)\]=([^&]*)", path))
        found = world.report(query)
        data = found[0] if found else gzip.compress(b"x")
        status = rule.get("status", 200)
        if kind == "html":
            return self.send(status, b"<html><body>Maintenance</body></html>", headers)
        if kind == "empty":
            return self.send(status, b"", headers)
        if kind == "json":
            return self.send(status, json.dumps(rule["json"]).encode(), headers)
        if kind == "half":
            return self.send(200, data[: len(data) // 2], headers)
        if kind == "crc":
            return self.send(200, data[:-8] + bytes(4) + data[-4:], headers)
        if kind == "length":
            return self.send(200, data[:-4] + struct.pack("<I", 7), headers)
        if kind == "regzip":
            return self.send(200, gzip.compress(gzip.decompress(data), 1), headers)
        if kind == "restated":
            text = gzip.decompress(data)
            rows = text.rstrip(b"\n").split(b"\n")
            return self.send(200, gzip.compress(b"\n".join(rows + rows[-1:]) + b"\n"), headers)
        if kind == "other":
            other = world.report({**query, "reportType": "SUBSCRIBER"})
            return self.send(200, other[0], headers)
        if "base64" in rule:
            data = base64.b64decode(rule["base64"])
        if kind == "raw":
            self.close_connection = True
            return self.wfile.write(data)
        if kind == "bytes":
            return self.send(status, data, headers)
        if kind.startswith("chunked"):
            end = b"" if kind == "chunked-cut" else b"0\r\n\r\n"
            self.close_connection = not end
            return self.send(status, b"%x\r\n%b\r\n%b" % (len(data), data, end),
                             {"Transfer-Encoding": "chunked", "Content-Length": None, **headers})
        if kind.startswith("big:"):
            return self.big(data, int(kind[4:]))
        self.send(200, data[: len(data) // 2], headers, length=len(data))
        if kind == "stall":
            time.sleep(rule.get("seconds", 90))
        if kind == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def big(self, data, size):
        """Sends a report of many bytes that hardly compress."""
        lines = gzip.decompress(data).split(b"\n")
        member = gzip.compress(lines[0] + b"\n")
        block = gzip.compress(b"".join(lines[1] + os.urandom(30).hex().encode() + b"\n" for _ in range(20000)), 1)
        count = size // len(block)
        self.send_response_only(200)
        self.send_header("Content-Length", str(len(member) + count * len(block)))
        self.end_headers()
        self.wfile.write(member)
        for _ in range(count):
            self.wfile.write(block)

    def notifications(self, world, path, body):
        days = body["startDate"] // 86_400_000
        total = world.options.notifications
        start = int(re.search(r"paginationToken=p(\d+)", path).group(1)) if "paginationToken" in path else 0
        if body["endDate"] - body["startDate"] > 86_400_000 * 8:
            return self.send(400, json.dumps({"errorCode": 4000016, "errorMessage": "Range"}).encode())
        rows = [
            {"signedPayload": signed({"notificationType": "DID_RENEW", "notificationUUID": f"{days}-{i}", "data": {}}), "sendAttempts": []}
            for i in range(start, min(start + 20, total))
        ]
        more = start + 20 < total
        page = {"notificationHistory": rows, "hasMore": more, "paginationToken": f"p{start + 20}" if more else ""}
        self.send(200, json.dumps(page, indent=1).encode(), {"Content-Type": "application/json"})


def signed(payload):
    text = base64.urlsafe_b64encode(json.dumps(payload).encode()).rstrip(b"=").decode()
    return f"e30.{text}.c2ln"


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reports", default="sample-reports")
    parser.add_argument("--public", required=True, help="x and y of the public key, in hexadecimal digits")
    parser.add_argument("--any-token", action="store_true", help="check no token, for other programs beside this one")
    parser.add_argument("--offset", type=float, default=0, help="seconds by which Apple's clock is ahead")
    parser.add_argument("--delay", type=float, default=0, help="milliseconds before each answer")
    parser.add_argument("--notifications", type=int, default=45, help="of each day")
    parser.add_argument("--certificate")
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    options.key = (int(options.public[:64], 16), int(options.public[64:], 16))
    if ":" in options.host:
        Server.address_family = socket.AF_INET6
    server = Server((options.host, 0), Handler)
    server.world = World(options)
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
