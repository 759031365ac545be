"""A small WebHDFS server for tests: one folder of this machine, over HTTP, without users and rights.

It has the operations that Hadoop's client needs to list, read, write and rename files
(https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/WebHDFS.html). Name node and data node are the same
server. `fail_opens` makes the next reads of a file break off in the middle; names of files in `refused` cannot be read.
"""

import http.server
import json
import os
import shutil
import socketserver
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    # MARK: Answers

    def answer(self, status, content=None, headers=()):
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, exception, message):
        packages = {"FileNotFoundException": "java.io.", "FileAlreadyExistsException": "org.apache.hadoop.fs.",
                    "AccessControlException": "org.apache.hadoop.security.",
                    "UnsupportedOperationException": "java.lang."}
        self.answer(status, {"RemoteException": {
            "exception": exception, "javaClassName": packages[exception] + exception, "message": message}})

    def redirect(self):
        """Sends the client to the data node, which is this server too."""
        host, port = self.server.server_address[:2]
        separator = "&" if "?" in self.path else "?"
        self.answer(307, headers=[("Location", f"http://{host}:{port}{self.path}{separator}datanode=true")])

    # MARK: Requests

    def asked(self):
        parts = urllib.parse.urlsplit(self.path)
        values = {name.lower(): value for name, value in urllib.parse.parse_qsl(parts.query)}
        name = urllib.parse.unquote(parts.path)[len("/webhdfs/v1"):]
        return values.get("op", "").upper(), name, self.local(name), values

    def local(self, name):
        path = os.path.normpath(self.server.root + "/" + name.lstrip("/"))
        if path != self.server.root and not path.startswith(self.server.root + "/"):
            raise ValueError(f"{name} is outside the folder")
        return path

    @staticmethod
    def status(path, suffix):
        found = os.stat(path)
        is_folder = os.path.isdir(path)
        return {"accessTime": 0, "blockSize": 0 if is_folder else 128 << 20, "childrenNum": 0, "fileId": found.st_ino,
                "group": "test", "length": 0 if is_folder else found.st_size, "modificationTime": int(found.st_mtime * 1000),
                "owner": "test", "pathSuffix": suffix, "permission": "755" if is_folder else "644",
                "replication": 0 if is_folder else 1, "storagePolicy": 0, "type": "DIRECTORY" if is_folder else "FILE"}

    def statuses(self, path):
        if not os.path.isdir(path):
            return [self.status(path, "")]
        return [self.status(path + "/" + name, name) for name in sorted(os.listdir(path))]

    def do_GET(self):
        operation, name, path, values = self.asked()
        self.server.count(operation)
        if operation == "GETHOMEDIRECTORY":
            return self.answer(200, {"Path": "/"})
        if not os.path.exists(path):
            return self.refuse(404, "FileNotFoundException", f"File does not exist: {name}")
        if operation == "GETFILESTATUS":
            return self.answer(200, {"FileStatus": self.status(path, "")})
        if operation == "LISTSTATUS":
            return self.answer(200, {"FileStatuses": {"FileStatus": self.statuses(path)}})
        if operation == "LISTSTATUS_BATCH":
            listing = {"partialListing": {"FileStatuses": {"FileStatus": self.statuses(path)}}, "remainingEntries": 0}
            return self.answer(200, {"DirectoryListing": listing})
        if operation in ("GETFILEBLOCKLOCATIONS", "GET_BLOCK_LOCATIONS"):
            return self.locations(operation, path)
        if operation == "OPEN":
            if os.path.basename(path) in self.server.refused:
                return self.refuse(403, "AccessControlException", f"Permission denied: {name}")
            if "datanode" not in values:
                return self.redirect()
            return self.open(path, values)
        return self.refuse(400, "UnsupportedOperationException", f"{operation} is not supported")

    def locations(self, operation, path):
        host = self.server.server_address[0]
        if operation == "GETFILEBLOCKLOCATIONS":
            block = {"cachedHosts": [], "corrupt": False, "hosts": [host], "length": os.path.getsize(path), "names": [host],
                     "offset": 0, "storageTypes": ["DISK"], "topologyPaths": ["/default-rack"]}
            return self.answer(200, {"BlockLocations": {"BlockLocation": [block]}})
        return self.refuse(400, "UnsupportedOperationException", f"{operation} is not supported")

    def open(self, path, values):
        start, size = int(values.get("offset", 0)), os.path.getsize(path)
        length = min(int(values.get("length", size)), size - start)
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.server.takes_failure():
            length //= 2
            self.close_connection = True
        with open(path, "rb") as file:
            file.seek(start)
            self.wfile.write(file.read(length))

    def do_PUT(self):
        operation, name, path, values = self.asked()
        self.server.count(operation)
        if operation == "MKDIRS":
            os.makedirs(path, exist_ok=True)
            return self.answer(200, {"boolean": True})
        if operation == "RENAME":
            target = self.local(values["destination"])
            if not os.path.exists(path) or os.path.exists(target):
                return self.answer(200, {"boolean": False})
            os.rename(path, target)
            return self.answer(200, {"boolean": True})
        if operation == "CREATE":
            if "datanode" not in values:
                self.body()
                return self.redirect()
            if os.path.exists(path) and values.get("overwrite") != "true":
                self.body()
                return self.refuse(403, "FileAlreadyExistsException", f"{name} already exists")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            content = self.body()
            with open(path, "wb") as file:
                file.write(content)
            return self.answer(201)
        if operation in ("SETPERMISSION", "SETTIMES", "SETOWNER"):
            return self.answer(200)
        return self.refuse(400, "UnsupportedOperationException", f"{operation} is not supported")

    def do_DELETE(self):
        operation, _, path, _ = self.asked()
        self.server.count(operation)
        was_there = os.path.exists(path)
        if was_there:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        self.answer(200, {"boolean": was_there})

    def body(self):
        """Reads the body of a request, chunked or not."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        content = bytearray()
        while True:
            length = int(self.rfile.readline().split(b";")[0], 16)
            content += self.rfile.read(length)
            self.rfile.readline()
            if length == 0:
                return bytes(content)


class WebHDFS(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """The server of one folder; `with WebHDFS(folder) as server` runs it, and `server.uri` is the folder's address."""

    daemon_threads = True

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.operations = {}
        self.fail_opens = 0
        self.refused = set()
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def uri(self):
        return f"webhdfs://127.0.0.1:{self.server_address[1]}"

    def count(self, operation):
        with self.lock:
            self.operations[operation] = self.operations.get(operation, 0) + 1

    def takes_failure(self):
        with self.lock:
            if self.fail_opens > 0:
                self.fail_opens -= 1
                return True
            return False

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
