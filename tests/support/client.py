"""HTTP as a caller of a test speaks it: whole answers, or bytes one wants to send oneself."""
import dataclasses
import http.client
import json
import socket

from support.processes import PATIENCE_S


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict  # names in lower case
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def reason(self):
        """Of a problem document."""
        return self.json.get("reason")


def infer_path(model):
    return f"/v2/models/{model}/infer"


def request(port, method, path, body=None, headers=None, chunked=False, timeout=PATIENCE_S):
    """One request on a connection of its own. With `chunked`, `body` is an iterable of pieces."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, headers or {}, encode_chunked=chunked)
        return read_answer(connection)
    finally:
        connection.close()


def read_answer(connection):
    response = connection.getresponse()
    body = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, body)


def get(port, path, timeout=PATIENCE_S):
    return request(port, "GET", path, timeout=timeout)


def infer(port, model, body=b"{}", **labels):
    """POST to a model; labels as in priority=0, budget_ms=100: x-sluice-priority, …"""
    headers = {f"x-sluice-{name.replace('_', '-')}": str(value) for name, value in labels.items()}
    return request(port, "POST", infer_path(model), body, headers)


class Wire:
    """A connection on which a test writes and reads bytes itself."""

    def __init__(self, port, timeout=PATIENCE_S):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.kept = b""

    def send(self, data):
        self.socket.sendall(data)

    def send_request(self, method, path, body=b"", *headers):
        head = [f"{method} {path} HTTP/1.1", "Host: sluice", f"Content-Length: {len(body)}"]
        self.send("\r\n".join([*head, *headers, "", ""]).encode() + body)

    def read_until(self, end):
        """The bytes up to and with `end`; what follows is kept. EOFError if the peer closes."""
        while end not in self.kept:
            self._receive()
        taken, found, self.kept = self.kept.partition(end)
        return taken + found

    def read_exactly(self, size):
        while len(self.kept) < size:
            self._receive()
        taken, self.kept = self.kept[:size], self.kept[size:]
        return taken

    def read_answer(self):
        """One answer, framed by Content-Length or in chunks; 1xx are answers of their own."""
        head = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers = dict(parse_header(line) for line in head[1:] if line)
        status = int(head[0].split()[1])
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, self._read_chunks())
        return Answer(status, headers, self.read_exactly(int(headers.get("content-length", 0))))

    def read_to_end(self):
        """All bytes until the peer closes."""
        try:
            while True:
                self._receive()
        except EOFError:
            taken, self.kept = self.kept, b""
            return taken

    def closed_by_peer(self):
        """Waits for the end of the stream: True if nothing came before it. A reset counts too."""
        try:
            return self.read_to_end() == b""
        except ConnectionResetError:
            return True

    def close(self):
        self.socket.close()

    def _receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError(f"closed after {self.kept[:200]!r}")
        self.kept += data

    def _read_chunks(self):
        body = b""
        while size := int(self.read_until(b"\r\n").split(b";")[0], 16):
            body += self.read_exactly(size)
            self.read_exactly(2)
        while self.read_until(b"\r\n") != b"\r\n":
            pass
        return body

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def parse_header(line):
    name, _, value = line.partition(":")
    return name.lower(), value.strip()
