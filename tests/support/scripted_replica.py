"""A replica that does what a test tells it to: for answers that the model server never gives."""
import dataclasses
import socket
import threading

READY = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


@dataclasses.dataclass
class Received:
    method: str
    target: str
    headers: dict  # names in lower case
    body: bytes


def with_length(body, *headers, status="200 OK"):
    """The bytes of an answer framed by Content-Length."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


def in_chunks(body, chunk_bytes):
    """The same in chunks of a size, the last one smaller."""
    pieces = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]
    for at in range(0, len(body), chunk_bytes):
        chunk = body[at:at + chunk_bytes]
        pieces.append(b"%x\r\n%s\r\n" % (len(chunk), chunk))
    return b"".join([*pieces, b"0\r\n\r\n"])


class ScriptedReplica:
    """Ready for ever. `answer(received)` gives the bytes to send, or pieces of them to send one
    after another; the connection is closed after an answer that says so, and after None."""

    def __init__(self, answer, port=0):
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", port))
        self._open = set()
        self.received = []  # inference requests, in order of arrival
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self):
        return self._listener.getsockname()[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection, connection.makefile("rb") as stream:
                while (received := read_request(stream)) and self._reply(connection, received):
                    pass
        except OSError:
            pass  # the gateway has left, or close() came between
        finally:
            self._open.discard(connection)

    def _reply(self, connection, received):
        if received.target.endswith("/health/ready"):
            connection.sendall(READY)
            return True
        self.received.append(received)
        answer = self._answer(received)
        if answer is None:
            return False
        start = b""
        for piece in [answer] if isinstance(answer, bytes) else answer:
            start = start or piece
            connection.sendall(piece)
        return b"connection: close" not in start.lower()

    def hang_up(self):
        """Closes every connection; new ones are taken."""
        for connection in list(self._open):
            shut_down(connection)

    def close(self):
        shut_down(self._listener)
        self._listener.close()
        self.hang_up()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def shut_down(each):
    """close() alone leaves accept() and recv() of other threads waiting."""
    try:
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it has no other side any more


def read_request(stream):
    """One request with its body, by length or in chunks; None at the end of the stream."""
    first = stream.readline().decode("latin-1").split()
    if len(first) != 3:
        return None
    headers = {}
    while (line := stream.readline().decode("latin-1").strip()):
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return Received(first[0], first[1], headers, read_chunks(stream))
    body = stream.read(int(headers.get("content-length", 0)))
    return Received(first[0], first[1], headers, body)


def read_chunks(stream):
    body = b""
    while size := int(stream.readline().split(b";")[0], 16):
        body += stream.read(size)
        stream.readline()
    while stream.readline().strip():
        pass
    return body
