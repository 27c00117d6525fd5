"""Callers that send too much, too slowly, or never read: cut off in time, at little cost."""
import contextlib
import pathlib
import re
import time
import unittest

from hostile.case import PATH, HostileCase, echoed, post
from support.client import Wire
from support.metrics import scrape
from support.processes import wait_until
from support.scripted_replica import with_length

MIB = 1 << 20
HEAD_TIMEOUT_S, BODY_TIMEOUT_S, IDLE_TIMEOUT_S, WRITE_TIMEOUT_S = 0.3, 0.5, 20, 0.6
SLACK_S = 5  # of a busy machine, on top of a limit


def resident_bytes(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) * 1024


def slowly(wire, pieces):
    """Sends piece after piece, with pauses, until the other side has had enough."""
    with contextlib.suppress(ConnectionError):
        for piece in pieces:
            wire.send(piece)
            time.sleep(0.02)  # the slowness is what is tested


class Sizes(HostileCase):
    limits = "head: 4KiB, body: 64KiB, bodies_in_memory: 128KiB, head_timeout: 20s"

    def test_heads_that_are_too_large(self):
        heads = {
            "a long target": post(target=PATH + "?" + "a" * 5000),
            "a long value": post("x-a: " + "a" * 5000),
            "a long name": post("x-" + "a" * 5000 + ": b"),
            "a long method": b"P" * 5000 + post(),
            "no line end at all": b"a" * 10_000,
            "many small headers": post(*["a: b"] * 2000),
            "a flood": post(*["a: b"] * 100_000),
        }
        for name, head in heads.items():
            with self.subTest(name), self.nothing_reaches_the_replica():
                wire = self.wire()
                with contextlib.suppress(ConnectionError):
                    wire.send(head)
                self.assert_refused(wire, 431)

    def test_too_many_headers_in_a_small_head(self):
        wire = self.wire()
        wire.send(post(*["a: b"] * 101))
        self.assert_refused(wire, 431)

    def test_the_largest_head_is_taken(self):
        padding = 4096 - len(post("Content-Length: 2", "x: "))
        data = post("Content-Length: 2", "x: " + "p" * padding, body=b"ok")
        self.assertEqual(self.ask(data).status, 200)
        wire = self.wire()
        wire.send(data.replace(b"pp", b"ppp", 1))
        self.assert_refused(wire, 431)
        self.tasks += 1

    def test_bodies_that_are_too_large(self):
        chunk = b"1000\r\n" + b"c" * 4096 + b"\r\n"
        bodies = {
            "announced": post("Content-Length: 65537"),
            "announced and sent": post("Content-Length: 65537", body=b"b" * 65537),
            "announced beyond all memory": post("Content-Length: 999999999999999999"),
            "in chunks": post("Transfer-Encoding: chunked", body=chunk * 17),
            "in one chunk": post("Transfer-Encoding: chunked",
                                 body=b"fffffffffffffff\r\n" + b"c" * 70_000),
        }
        for name, data in bodies.items():
            with self.subTest(name), self.nothing_reaches_the_replica():
                wire = self.wire()
                with contextlib.suppress(ConnectionError):
                    wire.send(data)
                self.assert_refused(wire, 413, "body_too_large")

    def test_the_largest_body_is_taken(self):
        body = b"b" * 65536
        for data in (post("Content-Length: 65536", body=body),
                     post("Transfer-Encoding: chunked",
                          body=b"10000\r\n" + body + b"\r\n0\r\n\r\n")):
            self.assertEqual(self.ask(data).body, echoed(PATH, body))
            self.tasks += 1

    def test_when_all_memory_for_bodies_is_taken_others_are_told_to_come_again(self):
        with contextlib.ExitStack() as holders:
            for _ in range(2):
                holder = holders.enter_context(Wire(self.port))
                holder.send(post("Content-Length: 65000", "Expect: 100-continue"))
                self.assertEqual(holder.read_answer().status, 100)  # it has its room
            for data in (post("Content-Length: 2000"), post("Transfer-Encoding: chunked",
                                                            body=b"7d0\r\n" + b"c" * 2000)):
                answer = self.ask(data)
                self.assertEqual((answer.status, answer.reason), (503, "bodies_in_memory"))
                self.assertGreater(int(answer.headers["retry-after"]), 0)
            self.assertEqual(self.ask(post("Content-Length: 2", body=b"ok")).status, 200)
            self.tasks += 1
        # They have left: their room is free.
        body = b"b" * 65536
        def taken():
            answer = self.ask(post("Content-Length: 65536", body=body))
            self.tasks += answer.status == 200
            return answer.status == 200
        wait_until(taken, "room for a body")


class Memory(HostileCase):
    limits = "body: 1GiB, bodies_in_memory: 16GiB"

    def setUp(self):
        super().setUp()
        if "libasan" in pathlib.Path(f"/proc/{self.gateway.pid}/maps").read_text():
            self.skipTest("a sanitizer's memory grows with what is announced and what is freed")

    def test_announced_bodies_that_never_come_cost_no_memory(self):
        before = resident_bytes(self.gateway.pid)
        with contextlib.ExitStack() as stack:
            for _ in range(15):
                wire = stack.enter_context(Wire(self.port))
                wire.send(post(f"Content-Length: {1 << 30}", "Expect: 100-continue"))
                self.assertEqual(wire.read_answer().status, 100)
                wire.send(b"x" * 1000)
            self.good_request()
            self.assertLess(resident_bytes(self.gateway.pid) - before, 8 * MIB)

    def test_chunks_that_announce_much_cost_no_memory(self):
        before = resident_bytes(self.gateway.pid)
        with contextlib.ExitStack() as stack:
            for _ in range(100):
                wire = stack.enter_context(Wire(self.port))
                wire.send(post("Transfer-Encoding: chunked", body=b"3fffffff\r\n" + b"x" * 1000))
            self.good_request()
            self.assertLess(resident_bytes(self.gateway.pid) - before, 8 * MIB)


    def test_idle_connections_keep_nothing_of_their_bodies(self):
        before = resident_bytes(self.gateway.pid)
        body = b"i" * (8 * MIB)
        for framing, data in ((f"Content-Length: {len(body)}", body),
                              ("Transfer-Encoding: chunked",
                               b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))):
            for _ in range(4):
                wire = self.wire()
                wire.send(post(framing, body=data))
                self.assertEqual(wire.read_answer().body, echoed(PATH, body))
                self.tasks += 1
        self.assertLess(resident_bytes(self.gateway.pid) - before, 24 * MIB)


class Times(HostileCase):
    limits = (f"head_timeout: {int(HEAD_TIMEOUT_S * 1000)}ms, "
              f"body_timeout: {int(BODY_TIMEOUT_S * 1000)}ms, body: 4MiB")

    @contextlib.contextmanager
    def ends_after(self, limit_s):
        began = time.monotonic()
        yield
        took = time.monotonic() - began
        self.assertGreater(took, limit_s * 0.9)
        self.assertLess(took, limit_s + SLACK_S)

    def assert_timed_out(self, wire):
        self.assert_refused(wire, 408, "request_timeout")

    def test_a_head_that_never_ends(self):
        wire = self.wire()
        with self.nothing_reaches_the_replica(), self.ends_after(HEAD_TIMEOUT_S):
            wire.send(post()[:-2])
            self.assert_timed_out(wire)

    def test_a_head_that_trickles(self):
        wire = self.wire()
        head = post("x-a: " + "a" * 3000)
        with self.nothing_reaches_the_replica(), self.ends_after(HEAD_TIMEOUT_S):
            slowly(wire, (head[i:i + 1] for i in range(60)))
            self.assert_timed_out(wire)

    def test_a_body_that_never_ends(self):
        for framing, body in (("Content-Length: 10", b"123456789"),
                              ("Content-Length: 100000", b"x" * 99_999),
                              ("Transfer-Encoding: chunked", b"a\r\n123456789"),
                              ("Transfer-Encoding: chunked", b"a\r\n1234567890\r\n0\r\n")):
            with self.subTest(framing):
                wire = self.wire()
                with self.nothing_reaches_the_replica(), self.ends_after(BODY_TIMEOUT_S):
                    wire.send(post(framing, body=body))
                    self.assert_timed_out(wire)

    def test_a_body_that_trickles(self):
        for framing, piece in (("Content-Length: 100000", b"x"),
                               ("Transfer-Encoding: chunked", b"1\r\nx\r\n")):
            with self.subTest(framing):
                wire = self.wire()
                with self.nothing_reaches_the_replica(), self.ends_after(BODY_TIMEOUT_S):
                    wire.send(post(framing))
                    slowly(wire, [piece] * 60)
                    self.assert_timed_out(wire)

    def test_many_slow_callers_hold_up_nobody(self):
        with contextlib.ExitStack() as stack:
            for i in range(200):
                wire = stack.enter_context(Wire(self.port))
                wire.send(post("Content-Length: 10")[:20 + i])
            for _ in range(50):
                self.good_request()


class Idle(HostileCase):
    limits = "idle_timeout: 1s"

    def good_request(self, wire=None):
        super().good_request(wire or self.wire())  # the bystander may be idle for too long

    def test_idle_connections_are_closed_without_a_word(self):
        for begin in (lambda wire: None, self.good_request):
            wire = self.wire()
            begin(wire)
            self.assertTrue(wire.closed_by_peer())


class Connections(HostileCase):
    limits = "connections: 10, idle_timeout: 20s"

    def test_callers_beyond_the_limit_wait_until_one_leaves(self):
        held = [self.wire() for _ in range(9)]
        for wire in held:
            self.good_request(wire)
        late = self.wire()  # the system accepts, the gateway does not yet
        late.send(post("Content-Length: 2", body=b"ok"))
        self.good_request()
        late.socket.settimeout(0.3)
        with self.assertRaises(TimeoutError):
            late.read_answer()
        held[0].close()
        late.socket.settimeout(20)
        self.assertEqual(late.read_answer().status, 200)
        self.tasks += 1


LARGE = b"L" * (16 * MIB)


class NeverReading(HostileCase):
    limits = f"write_timeout: {int(WRITE_TIMEOUT_S * 1000)}ms"

    @staticmethod
    def answer(received):
        if "large" in received.target:
            return with_length(LARGE)
        return with_length(received.target.encode() + b" " + received.body)

    def test_a_caller_that_takes_nothing_of_its_answer_is_cut_off(self):
        deaf = [self.wire() for _ in range(6)]
        for wire in deaf:
            wire.send(post("Content-Length: 0", target=PATH + "?large"))
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_node_in_flight") == 6,
                   "six answers under way")
        self.good_request()
        self.tasks += len(deaf)
        self.settle()
        for wire in deaf:
            with contextlib.suppress(ConnectionError):
                self.assertLess(len(wire.read_to_end()), len(LARGE))

    def test_a_caller_that_pipelines_and_never_reads_is_cut_off(self):
        wire = self.wire()
        wire.socket.settimeout(0.2)
        request = post("Content-Length: 30000", target="/v2", body=b"?" * 30_000)  # 405, and close
        many = b"GET /v2 HTTP/1.1\r\nHost: a\r\n\r\n" * 1000
        with contextlib.suppress(ConnectionError, TimeoutError):
            for _ in range(1000):
                wire.send(many)
        with contextlib.suppress(ConnectionError, TimeoutError):
            wire.send(request)
        self.good_request()
        wire.socket.settimeout(20)

        def cut_off():
            try:
                wire.send(b"x")
            except TimeoutError:
                return False
            except ConnectionError:
                return True
            return False
        wire.socket.settimeout(0.1)
        wait_until(cut_off, "the connection to be cut")

class ReadingSlowly(HostileCase):
    answer = staticmethod(NeverReading.answer)

    def test_a_caller_that_reads_slowly_gets_all(self):
        wire = self.wire()
        wire.send(post("Content-Length: 0", target=PATH + "?large"))
        wire.read_until(b"\r\n\r\n")
        for _ in range(16):
            self.assertEqual(wire.read_exactly(MIB), LARGE[:MIB])
            self.good_request()
        self.good_request(wire)
        self.tasks += 1


if __name__ == "__main__":
    unittest.main()
