"""Requests whose end or whose headers two parties could read differently: refused, and whatever
follows on that connection is never taken for a request."""
import unittest

from hostile.case import PATH, HostileCase, post
from hostile.framing_matrix import MALFORMED, UNUSUAL

SMUGGLED = f"POST {PATH}?smuggled HTTP/1.1\r\nHost: sluice\r\nContent-Length: 0\r\n\r\n".encode()


class RequestFraming(HostileCase):
    def test_malformed_requests_are_refused_and_nothing_behind_them_is_read(self):
        for name, (data, status) in MALFORMED.items():
            with self.subTest(name), self.nothing_reaches_the_replica():
                wire = self.wire()
                wire.send(data + SMUGGLED)
                self.assert_refused(wire, status, "malformed_request")

    def test_the_same_byte_by_byte(self):
        for name in ("length and chunked", "a chunk longer than it says", "a folded header",
                     "a bare CR in a value"):
            data, status = MALFORMED[name]
            with self.subTest(name), self.nothing_reaches_the_replica():
                wire = self.wire()
                for at in range(len(data)):
                    wire.send(data[at:at + 1])
                self.assert_refused(wire, status, "malformed_request")

    def test_requests_cut_off_anywhere_harm_nobody(self):
        whole = post("Content-Length: 5", body=b"12345")
        in_chunks = post("Transfer-Encoding: chunked", body=b"5\r\n12345\r\n0\r\nx: y\r\n\r\n")
        with self.nothing_reaches_the_replica():
            for data in (whole, in_chunks):
                for size in range(len(data)):
                    wire = self.wire()
                    wire.send(data[:size])
                    wire.close()

    def test_what_is_only_unusual_is_taken(self):
        self.assertEqual(self.ask(b"\r\n" + post("Content-Length: 2", body=b"ok")).status, 200)
        for name, data in UNUSUAL.items():
            with self.subTest(name):
                answer = self.ask(data)
                self.assertEqual((answer.status, answer.body), (200, PATH.encode() + b" ok"))
        self.tasks += 1 + len(UNUSUAL)

    def test_no_header_of_one_connection_alone_reaches_the_replica(self):
        answer = self.ask(post("Connection: x-secret, keep-alive", "x-secret: 1", "TE: trailers",
                               "Upgrade: h2c", "Proxy-Connection: keep-alive", "x-kept: 1",
                               "Transfer-Encoding: chunked", body=b"2\r\nok\r\n0\r\n\r\n"))
        self.assertEqual(answer.status, 200)
        self.tasks += 1
        headers = self.replica.received[-1].headers
        self.assertEqual((headers["x-kept"], headers["content-length"]), ("1", "2"))
        for name in ("x-secret", "te", "upgrade", "proxy-connection", "transfer-encoding"):
            self.assertNotIn(name, headers)


if __name__ == "__main__":
    unittest.main()
