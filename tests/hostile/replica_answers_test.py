"""Replicas that answer garbage, half an answer, too much, or never: the caller gets one right
status, the slot comes back, and the next request works."""
import itertools
import threading
import time
import unittest

from hostile.case import PATH, HangUp, HostileCase, echo, echoed, post
from support.processes import PATIENCE_S, wait_until
from support.client import Wire
from support.scripted_replica import with_length

BODY = b"0123456789"


def head(*lines):
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def ok(*headers, body=b""):
    return head("HTTP/1.1 200 OK", *headers) + body


# What the replica answers, and hangs up behind → the status for the caller; None: the answer
# breaks off, so that nobody can take it for a whole one.
GARBAGE = {
    "noise": (bytes(range(256)), 502),
    "a page without a head": (b"<html>hello</html>\r\n", 502),
    "a request": (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 502),
    "another protocol": (b"SSH-2.0-OpenSSH_9.2\r\n", 502),
    "HTTP/2": (head("HTTP/2.0 200 OK"), 502),
    "no status": (head("HTTP/1.1"), 502),
    "a status of two digits": (head("HTTP/1.1 20 OK"), 502),
    "a status of four digits": (head("HTTP/1.1 2000 OK"), 502),
    "status 099": (head("HTTP/1.1 099 Low"), 502),
    "status 600": (head("HTTP/1.1 600 High"), 502),
    "a switch of protocols": (head("HTTP/1.1 101 Switching", "Upgrade: x"), 502),
    "nothing": (b"", 502),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-", 502),
    "a head without its end": (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", 502),
    "two lengths": (ok("Content-Length: 5", "Content-Length: 6", body=b"12345"), 502),
    "a list of lengths": (ok("Content-Length: 5, 5", body=b"12345"), 502),
    "a negative length": (ok("Content-Length: -5", body=b"12345"), 502),
    "a huge length": (ok("Content-Length: 99999999999999999999"), 502),
    "length and chunks": (ok("Content-Length: 5", "Transfer-Encoding: chunked",
                             body=b"5\r\n12345\r\n0\r\n\r\n"), 502),
    "an unknown coding": (ok("Transfer-Encoding: gzip", body=b"12345"), 502),
    "a folded header": (ok("X-A: b", " Content-Length: 5", body=b"12345"), 502),
    "NUL in a header": (ok("X-A: \0", "Content-Length: 0"), 502),
    "bare LF": (b"HTTP/1.1 200 OK\nContent-Length: 0\n\n", 502),
    "a space before the colon": (ok("Content-Length : 5", body=b"12345"), 502),
    "too many headers": (ok(*["X: y"] * 200, "Content-Length: 0"), 502),
    "a head beyond all bounds": (ok("X: " + "y" * 100_000), 502),
    "half a body": (ok("Content-Length: 10", body=BODY[:5]), None),
    "half a chunk": (ok("Transfer-Encoding: chunked", body=b"a\r\n01234"), None),
    "chunks without an end": (ok("Transfer-Encoding: chunked", body=b"a\r\n0123456789\r\n"), None),
    # Together with the head: known before a byte has gone to the caller.
    "a chunk size that is none": (ok("Transfer-Encoding: chunked", body=b"x\r\n12345\r\n"), 502),
    "a chunk longer than it says": (ok("Transfer-Encoding: chunked",
                                       body=b"5\r\n0123456789\r\n0\r\n\r\n"), 502),
}


# Unusual and right → status and body for the caller.
PROPER = {
    "chunks": (ok("Transfer-Encoding: chunked", body=b"5\r\n01234\r\n5;x=y\r\n56789\r\n0\r\n\r\n"),
               200, BODY),
    "trailers": (ok("Transfer-Encoding: chunked", body=b"a\r\n0123456789\r\n0\r\nX: y\r\n\r\n"),
                 200, BODY),
    "until the end": (ok(body=BODY), 200, BODY),
    "until the end, empty": (ok(), 200, b""),
    "HTTP/1.0 until the end": (head("HTTP/1.0 200 OK") + BODY, 200, BODY),
    "HTTP/1.0 with a length": (head("HTTP/1.0 200 OK", "Content-Length: 10") + BODY, 200, BODY),
    "a close announced": (ok("Connection: close", "Content-Length: 10", body=BODY), 200, BODY),
    "surplus bytes": (ok("Content-Length: 10", body=BODY + b"surplus"), 200, BODY),
    "a surplus answer": (ok("Content-Length: 10", body=BODY + with_length(b"forged")), 200, BODY),
    "surplus behind chunks": (ok("Transfer-Encoding: chunked",
                                 body=b"a\r\n0123456789\r\n0\r\n\r\n" + with_length(b"forged")),
                              200, BODY),
    "no reason phrase": (head("HTTP/1.1 200", "Content-Length: 10") + BODY, 200, BODY),
    "interim answers": (head("HTTP/1.1 100 Continue") + head("HTTP/1.1 103 Hints", "Link: x") +
                        ok("Content-Length: 10", body=BODY), 200, BODY),
    "204": (head("HTTP/1.1 204 No Content"), 204, b""),
    "204 with a length": (head("HTTP/1.1 204 No Content", "Content-Length: 10"), 204, b""),
    "304 with a length": (head("HTTP/1.1 304 Not Modified", "Content-Length: 10"), 304, b""),
    "400": (with_length(b"{}", status="400 Bad Request"), 400, b"{}"),
    "404": (with_length(b"{}", status="404 Not Found"), 404, b"{}"),
    "429": (with_length(b"busy", status="429 Too Many Requests"), 429, b"busy"),
    "500": (with_length(b"{}", status="500 Internal Server Error"), 500, b"{}"),
    "503": (with_length(b"busy", "Retry-After: 7", status="503 Service Unavailable"), 503, b"busy"),
    "599": (with_length(b"", status="599 Odd"), 599, b""),
}


class ReplicaCase(HostileCase):
    """The query of a target says what the replica does."""
    said = b""

    @classmethod
    def answer(cls, received):
        _, _, query = received.target.partition("?")
        return getattr(cls, "do_" + query, echo)(received)

    @classmethod
    def do_say(cls, _):
        """What the test has put into `said`, and hangs up."""
        yield cls.said
        raise HangUp

    def send(self, query, wire=None):
        wire = wire or self.wire()
        wire.send(post("Content-Length: 2", target=f"{PATH}?{query}", body=b"ok"))
        self.tasks += 1
        return wire

    def assert_broken_off(self, wire):
        with self.assertRaises((EOFError, ConnectionError)):
            wire.read_answer()

    def assert_failed(self, wire, status, reason):
        answer = wire.read_answer()
        self.assertEqual((answer.status, answer.reason), (status, reason))
        self.assertIn("x-sluice-task-id", answer.headers)


class Answers(ReplicaCase):
    @staticmethod
    def do_endless_head(_):
        yield b"HTTP/1.1 200 OK\r\n"
        yield from itertools.repeat(b"X: y\r\n" * 100)

    @staticmethod
    def do_bad_chunk_later(_):
        # More than the gateway reads at once: the head has gone on when the error comes.
        yield ok("Transfer-Encoding: chunked", body=b"a\r\n0123456789\r\n" * 10_000 + b"oops\r\n")
        raise HangUp

    @staticmethod
    def do_byte_by_byte(_):
        for byte in ok("Transfer-Encoding: chunked", body=b"a\r\n0123456789\r\n0\r\n\r\n"):
            yield bytes([byte])

    def test_garbage_becomes_502_and_the_callers_connection_lives_on(self):
        for name, (said, status) in GARBAGE.items():
            with self.subTest(name):
                type(self).said = said
                wire = self.send("say")
                if status:
                    self.assert_failed(wire, status, "bad_answer")
                    self.good_request(wire)
                else:
                    self.assert_broken_off(wire)

    def test_whatever_is_right_passes_and_the_callers_connection_lives_on(self):
        for name, (said, status, body) in PROPER.items():
            with self.subTest(name):
                type(self).said = said
                wire = self.send("say")
                if status == 304:
                    self.assertIn(b" 304 ", wire.read_until(b"\r\n\r\n"))
                else:
                    answer = wire.read_answer()
                    self.assertEqual((answer.status, answer.body), (status, body))
                    self.assertEqual(answer.headers["x-sluice-replica"], "replica")
                self.good_request(wire)

    def test_204_says_no_length_to_the_caller(self):
        type(self).said = head("HTTP/1.1 204 No Content", "Content-Length: 10")
        self.assertNotIn("content-length", self.send("say").read_answer().headers)

    def test_retry_after_of_a_busy_replica_passes(self):
        type(self).said = PROPER["503"][0]
        self.assertEqual(self.send("say").read_answer().headers["retry-after"], "7")

    def test_old_callers_get_no_chunks(self):
        for name in ("chunks", "trailers", "until the end", "204"):
            with self.subTest(name):
                said, status, body = PROPER[name]
                type(self).said = said
                wire = self.wire()
                wire.send(post("Content-Length: 0", target=PATH + "?say", version="HTTP/1.0"))
                answer = wire.read_to_end()
                self.assertIn(b" %d " % status, answer)
                self.assertNotIn(b"transfer-encoding", answer.lower())
                self.assertEqual(answer.partition(b"\r\n\r\n")[2], body)
                self.tasks += 1

    def test_head_has_a_length_and_no_body(self):
        wire = self.wire()
        type(self).said = ok("Content-Length: 10")
        wire.send(b"HEAD /v2/models/echo?say HTTP/1.1\r\nHost: a\r\n\r\n")
        self.assertIn(b"content-length: 10", wire.read_until(b"\r\n\r\n").lower())
        self.tasks += 1
        self.good_request(wire)

    def test_a_head_that_never_ends(self):
        wire = self.send("endless_head")
        self.assert_failed(wire, 502, "bad_answer")
        self.good_request(wire)

    def test_a_chunk_that_is_wrong_later_breaks_the_answer_off(self):
        wire = self.send("bad_chunk_later")
        self.assert_broken_off(wire)

    def test_an_answer_byte_by_byte(self):
        wire = self.send("byte_by_byte")
        self.assertEqual(wire.read_answer().body, BODY)
        self.good_request(wire)


class Timeouts(ReplicaCase):
    limits = "attempt_timeout: 1500ms"
    over = threading.Event()  # the tests are: who keeps silent may go

    @classmethod
    def tearDownClass(cls):
        cls.over.set()

    @classmethod
    def do_silence(cls, _):
        cls.over.wait(PATIENCE_S)
        yield b""
        raise HangUp

    @classmethod
    def do_stop_in_the_body(cls, _):
        yield ok("Content-Length: 10", body=BODY[:5])
        cls.over.wait(PATIENCE_S)
        raise HangUp

    @staticmethod
    def do_endless_interim(_):
        while True:
            yield head("HTTP/1.1 102 Processing") * 100
            time.sleep(0.001)  # its own processor time is not what is tested

    @staticmethod
    def do_endless_body(_):
        yield ok("Transfer-Encoding: chunked")
        yield from itertools.repeat(b"a\r\n0123456789\r\n")

    def test_a_silent_replica_is_504_when_its_time_is_over(self):
        wire = self.send("silence")
        self.assert_failed(wire, 504, "replica_timeout")
        self.good_request(wire)

    def test_interim_answers_that_never_end(self):
        wire = self.send("endless_interim")
        self.good_request()
        self.assert_failed(wire, 504, "replica_timeout")
        self.good_request(wire)

    def test_bodies_that_stop_or_never_end_are_broken_off(self):
        for query in ("stop_in_the_body", "endless_body"):
            with self.subTest(query):
                wire = self.send(query)
                self.good_request()
                with self.assertRaises((EOFError, ConnectionError)):
                    while True:
                        wire.read_exactly(1 << 16)

    def test_callers_who_leave_silent_replicas_hold_their_slots_until_the_time_is_over(self):
        for wire in [self.send("silence") for _ in range(8)]:
            wire.close()
        # All slots are taken by attempts that nobody waits for; then they are free again.
        self.good_request()


class PooledConnections(HostileCase):
    """A replica that closes a connection which the gateway has kept for the next request."""
    seen = threading.local()  # one thread a connection

    @classmethod
    def answer(cls, received):
        cls.seen.requests = getattr(cls.seen, "requests", 0) + 1
        _, _, query = received.target.partition("?")
        if cls.seen.requests > 1 and query.startswith("second"):
            return cls.second(query)
        return [echo(received)]

    @staticmethod
    def second(query):
        if query == "second_after_interim":
            yield head("HTTP/1.1 102 Processing")
        raise HangUp

    def test_closed_before_an_answer_it_is_tried_once_more_unseen(self):
        for _ in range(20):
            before = len(self.replica.received)
            wire = self.wire()
            target = PATH + "?second"
            body = b"x" * 100_000
            wire.send(post(f"Content-Length: {len(body)}", target=target, body=body))
            self.assertEqual(wire.read_answer().body, echoed(target, body))
            self.assertEqual(len(self.replica.received) - before, 2)
            self.tasks += 1

    def test_begun_is_not_tried_again(self):
        before = len(self.replica.received)
        wire = self.wire()
        wire.send(post("Content-Length: 0", target=PATH + "?second_after_interim"))
        answer = wire.read_answer()
        self.assertEqual((answer.status, answer.reason), (502, "bad_answer"))
        self.assertEqual(len(self.replica.received) - before, 1)
        self.tasks += 1


class Gone(HostileCase):
    """A replica that closes all its connections, between requests."""

    def test_connections_closed_while_idle_are_forgotten(self):
        for _ in range(20):
            self.replica.hang_up()
            self.good_request()

    def test_a_port_where_nobody_listens_is_502_or_503(self):
        self.replica.close()
        with Wire(self.port) as wire:
            def out():
                wire.send(post("Content-Length: 0"))
                answer = wire.read_answer()
                self.tasks += 1
                self.assertIn((answer.status, answer.reason),
                              [(502, "replica_unreachable"), (502, "bad_answer"),
                               (503, "no_replica")])
                return answer.status == 503
            wait_until(out, "the replica to be taken out")
        again = type(self.replica)(self.answer, self.replica_port)
        type(self).replica = self.stage.enter_context(again)
        def back():
            wire = Wire(self.port)
            with wire:
                wire.send(post("Content-Length: 0"))
                self.tasks += 1
                return wire.read_answer().status == 200
        wait_until(back, "the replica to be taken back", pause_s=0.1)

    def setUp(self):
        super().setUp()
        self.replica_port = self.replica.port


if __name__ == "__main__":
    unittest.main()
