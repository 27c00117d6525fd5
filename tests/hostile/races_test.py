"""Callers, replicas and signals that come at the worst moment: every task has one outcome, every
slot comes back, nobody gets another's answer."""
import concurrent.futures
import contextlib
import random
import socket
import struct
import threading
import time
import unittest

from hostile.case import PATH, HangUp, HostileCase, echo, echoed, post
from support.client import Wire
from support.metrics import scrape
from support.processes import PATIENCE_S, wait_until
from support.scripted_replica import with_length

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset


def outcomes(port):
    return scrape(port).by("outcome", "sluice_tasks_total")


def leave(wire, how):
    """Ends a caller's connection: in order, by a reset, or for sending only."""
    if how == "reset":
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    if how == "half":
        wire.socket.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError):
            wire.read_to_end()
    wire.close()


class Leaving(HostileCase):
    """Callers who leave at every moment of their requests."""
    hold = threading.Event()
    dice = random.Random(7)

    @classmethod
    def answer(cls, received):
        _, _, query = received.target.partition("?")
        if query.startswith("held"):
            cls.hold.wait(PATIENCE_S)
        if query.startswith("pieces"):
            return cls.in_pieces(received)
        return echo(received)

    @staticmethod
    def in_pieces(received):
        answer = with_length(received.body)
        for at in range(0, len(answer), 5000):
            yield answer[at:at + 5000]

    def setUp(self):
        self.hold.clear()
        self.addCleanup(self.hold.set)
        super().setUp()

    def busy(self):
        metrics = scrape(self.gateway.admin_port)
        return int(metrics.sum("sluice_node_in_flight")), int(metrics.sum("sluice_lane_waiting"))

    def send(self, query, body=b""):
        wire = self.wire()
        wire.send(post(f"Content-Length: {len(body)}", target=f"{PATH}?{query}", body=body))
        self.tasks += 1
        return wire

    def test_leaving_while_the_replica_works_is_noticed_whatever_the_body_was(self):
        bodies = {"none": b"", "small": b"x", "beside the head": b"x" * 7000,
                  "beyond the buffer": b"x" * 8192, "large": b"x" * 1_000_000}
        for name, body in bodies.items():
            for how in ("close", "reset"):
                with self.subTest(f"{name}, {how}"):
                    before = outcomes(self.gateway.admin_port).get("cancelled", 0)
                    wire = self.send("held", body)
                    wait_until(lambda: self.busy()[0] == 1, "the request at the replica")
                    leave(wire, how)
                    wait_until(lambda: outcomes(self.gateway.admin_port).get("cancelled", 0) ==
                               before + 1, "the caller missed", patience_s=5)
                    self.hold.set()
                    wait_until(lambda: self.busy()[0] == 0, "the slot free")
                    self.hold.clear()

    def test_leaving_during_a_chunked_request_that_waits_is_noticed(self):
        for size in (1, 7000, 8100, 100_000):
            with self.subTest(size):
                before = outcomes(self.gateway.admin_port).get("cancelled", 0)
                wire = self.wire()
                wire.send(post("Transfer-Encoding: chunked", target=PATH + "?held",
                               body=b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"x" * size)))
                self.tasks += 1
                wait_until(lambda: self.busy()[0] == 1, "the request at the replica")
                leave(wire, "reset")
                wait_until(lambda: outcomes(self.gateway.admin_port).get("cancelled", 0) ==
                           before + 1, "the caller missed", patience_s=5)
                self.hold.set()
                wait_until(lambda: self.busy()[0] == 0, "the slot free")
                self.hold.clear()

    def test_leaving_the_queue_lets_the_others_move_up(self):
        held = [self.send(f"held{i}") for i in range(8)]
        waiting = [self.send(f"waiting{i}") for i in range(20)]
        wait_until(lambda: self.busy() == (8, 20), "a queue")
        for wire in waiting[::2]:
            leave(wire, "reset")
        wait_until(lambda: self.busy() == (8, 10), "ten gone")
        self.hold.set()
        for i, wire in enumerate(held):
            self.assertEqual(wire.read_answer().body, echoed(f"{PATH}?held{i}", b""))
        for i, wire in list(enumerate(waiting))[1::2]:
            self.assertEqual(wire.read_answer().body, echoed(f"{PATH}?waiting{i}", b""))

    def test_leaving_just_when_the_answer_comes(self):
        stop = threading.Event()
        self.addCleanup(stop.set)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            strangers = [pool.submit(self.steady, stop) for _ in range(4)]
            for how in ("close", "reset", "half") * 100:
                wire = self.send("pieces" if self.dice.random() < 0.5 else "whole",
                                 b"x" * self.dice.choice((0, 100, 30_000, 300_000)))
                time.sleep(self.dice.random() * 0.002)  # the moment is what is tested
                leave(wire, how)
                # A reset takes along what the gateway has not read yet.
                self.lost_tasks += how == "reset"
            stop.set()
            self.tasks += sum(stranger.result() for stranger in strangers)

    def steady(self, stop):
        """Requests whose answers must be their own; how many there were."""
        count = 0
        with Wire(self.port) as wire:
            while not stop.is_set():
                target, body = f"{PATH}?steady{id(wire)}-{count}", b"s" * (count % 3000)
                wire.send_request("POST", target, body)
                answer = wire.read_answer()
                assert (answer.status, answer.body) == (200, echoed(target, body)), answer
                count += 1
        return count

    def test_a_thousand_connections_come_and_go(self):
        def one(i):
            with contextlib.suppress(ConnectionError), Wire(self.port) as wire:
                if i % 4 == 0:
                    return 0  # never says a word
                if i % 4 == 1:
                    wire.send(post("Content-Length: 9")[:30 + i % 40])
                    leave(wire, "reset")
                    return 0
                target = f"{PATH}?churn{i}"
                wire.send_request("POST", target, b"x" * i)
                answer = wire.read_answer()
                assert (answer.status, answer.body) == (200, echoed(target, b"x" * i)), answer
                return 1
            return 0
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            self.tasks += sum(pool.map(one, range(1000)))


class DyingReplica(HostileCase):
    """A replica whose connections break while answers are under way to callers who read slowly."""
    LARGE = b"D" * 6_000_000

    @classmethod
    def answer(cls, received):
        if "large" in received.target:
            return cls.half_of_much()
        return echo(received)

    @classmethod
    def half_of_much(cls):
        yield with_length(cls.LARGE)[:-1]
        raise HangUp

    def test_mid_answer_with_slow_callers(self):
        before = self.failed()
        slow = [self.wire() for _ in range(6)]
        for wire in slow:
            wire.send(post("Content-Length: 0", target=PATH + "?large"))
            self.tasks += 1
        for wire in slow:
            wire.read_until(b"\r\n\r\n")
            self.good_request()
        for wire in slow:
            self.assertEqual(wire.read_to_end(), self.LARGE[:-1])  # and then the cut, no more
        self.settle()
        self.assertEqual(self.failed() - before, len(slow))

    def failed(self):
        return scrape(self.gateway.admin_port).sum("sluice_tasks_total", reason="bad_answer")

    def test_all_connections_break_at_once_again_and_again(self):
        stop = threading.Event()
        def one():
            count = 0
            while not stop.is_set():
                with Wire(self.port) as wire:
                    target = f"{PATH}?{count}"
                    wire.send_request("POST", target, b"x" * 100)
                    answer = wire.read_answer()
                    count += 1
                    assert answer.status in (200, 502), answer
                    assert answer.status != 200 or answer.body == echoed(target, b"x" * 100)
            return count
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asking = [pool.submit(one) for _ in range(4)]
            for _ in range(50):
                self.replica.hang_up()
                time.sleep(0.01)  # as long as a few requests
            stop.set()
            self.tasks += sum(each.result() for each in asking)
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_node_ready") == 1,
                   "the replica ready")


class Stopping(HostileCase):
    """SIGTERM while everything happens at once."""
    LARGE = b"S" * 3_000_000
    limits = "head_timeout: 1s, body_timeout: 1s, write_timeout: 5s, drain_timeout: 20s"

    @classmethod
    def answer(cls, received):
        if "slow" in received.target:
            time.sleep(0.3)  # a replica at work
        if "large" in received.target:
            return with_length(cls.LARGE)
        return echo(received)

    def tearDown(self):
        pass  # there is no gateway any more

    def test_in_the_middle_of_everything(self):
        half_head, half_body, idle, gone = (self.wire() for _ in range(4))
        self.good_request(idle)
        running = [self.wire() for _ in range(20)]  # 8 at the replica, the others waiting
        for i, wire in enumerate(running):
            wire.send_request("POST", f"{PATH}?slow{i}", b"r" * i)
        large = self.wire()
        large.send_request("POST", f"{PATH}?large", b"")
        half_head.send(post()[:30])
        half_body.send(post("Content-Length: 10", body=b"12345"))
        gone.send_request("POST", f"{PATH}?slow", b"")
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_lane_waiting") > 0,
                   "a queue")
        self.gateway.terminate()
        leave(gone, "reset")
        self.gateway.wait_for_line("draining")
        half_body.send(b"67890")
        self.assertEqual(half_body.read_answer().body, echoed(PATH, b"1234567890"))
        for i, wire in enumerate(running):
            answer = wire.read_answer()
            self.assertEqual((answer.status, answer.body),
                             (200, echoed(f"{PATH}?slow{i}", b"r" * i)))
            self.assertTrue(wire.closed_by_peer())
        self.assertEqual(large.read_answer().body, self.LARGE)
        self.assert_refused(half_head, 408)
        self.assertTrue(idle.closed_by_peer())
        with self.assertRaises(ConnectionError):
            Wire(self.port)
        for wire in (self.bystander, large, half_body, half_head, idle):
            wire.close()
        self.assertEqual(self.gateway.exit_code(), 0)


if __name__ == "__main__":
    unittest.main()
