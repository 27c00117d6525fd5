"""R29: an attempt that fails is made again on another replica; the caller sees one answer."""
import concurrent.futures
import itertools
import random
import threading
import time
import unittest

from support.client import Wire, infer_path, request
from support.processes import PATIENCE_S, wait_until
from support.replica_pool import MODEL, NO_BREAKERS, ReplicaPool
from support.scripted_replica import with_length

PATH = infer_path(MODEL)
MIB = 1 << 20
ERROR = with_length(b"out of memory", "X-Own: a", status="500 Own Words")
BUSY = with_length(b"busy", "Retry-After: 7", status="503 Service Unavailable")
NO_BUDGET = "retry: { share: 0, floor: 0/s, burst: 10000 }\n"  # and no bound either

_number = itertools.count()


def new_target():
    return f"{PATH}?{next(_number)}"


def fails_first(answer, attempts=1):
    return lambda target, attempt: answer if attempt < attempts else NotImplemented


class RetryCase(unittest.TestCase):
    def pool(self, fails, **options):
        pool = ReplicaPool(fails, **options)
        self.addCleanup(pool.close)
        return pool

    def ask(self, pool, body=b"{}", target=None, **options):
        return request(pool.port, "POST", target or new_target(), body, **options)


class AnotherReplica(RetryCase):
    def test_every_failure_is_made_good_by_another_replica(self):
        failures = {
            "replica_error": ERROR,
            "replica_busy": BUSY,
            "bad_answer": None,  # hangs up
        }
        for reason, failure in failures.items():
            with self.subTest(reason):
                pool = self.pool(fails_first(failure))
                target = new_target()
                answer = self.ask(pool, b"body", target)
                self.assertEqual((answer.status, answer.body), (200, b"body"))
                first, second = pool.attempts(target)
                self.assertNotEqual(first.replica, second.replica)
                self.assertEqual(answer.headers["x-sluice-replica"], second.replica)
                self.assertNotIn("x-own", answer.headers)
                metrics = pool.metrics()
                self.assertEqual(metrics.sum("sluice_retries_total", reason=reason), 1)
                self.assertEqual(metrics.sum("sluice_retries_total"), 1)
                self.assertEqual(metrics.sum("sluice_tasks_total", outcome="completed"), 1)
                self.assertEqual(metrics.sum("sluice_tasks_total"), 1)

    def test_a_replica_that_is_not_there(self):
        pool = self.pool(fails_first(ERROR, 0))
        pool.replicas[0].close()
        for _ in range(20):
            self.assertEqual(self.ask(pool).status, 200)

    def test_429_too(self):
        pool = self.pool(fails_first(with_length(b"", status="429 Too Many Requests")))
        self.assertEqual(self.ask(pool).status, 200)

    def test_what_is_the_callers_fault_is_not_tried_again(self):
        pool = self.pool(fails_first(with_length(b"{}", status="400 Bad Request")))
        target = new_target()
        self.assertEqual(self.ask(pool, target=target).status, 400)
        self.assertEqual(len(pool.attempts(target)), 1)

    def test_requests_that_follow_on_the_connection_are_their_own(self):
        # The soak's finding: the second attempt sent the bytes of the caller's next request.
        pool = self.pool(fails_first(ERROR), more=NO_BREAKERS + NO_BUDGET)
        targets = [new_target() for _ in range(50)]
        with Wire(pool.port) as wire:
            for target in targets:  # pipelined: each is there before the one before is answered
                wire.send_request("POST", target, target.encode())
            ids = set()
            for target in targets:
                answer = wire.read_answer()
                self.assertEqual((answer.status, answer.body), (200, target.encode()))
                ids.add(answer.headers["x-sluice-task-id"])
        self.assertEqual(len(ids), len(targets))
        for target in targets:
            self.assertEqual([a.body for a in pool.attempts(target)], [target.encode()] * 2)

    def test_head_and_metadata_too(self):
        pool = self.pool(fails_first(ERROR), model_keys="idempotent: no")
        self.assertEqual(request(pool.port, "GET", f"/v2/models/{MODEL}").status, 200)


class OwnWords(RetryCase):
    """Where no replica does better, the caller gets what the last one said."""

    def test_when_all_fail_the_answer_of_the_last_passes_untouched(self):
        pool = self.pool(fails_first(ERROR, 9), replicas=3)
        target = new_target()
        answer = self.ask(pool, target=target)
        self.assertEqual((answer.status, answer.body), (500, b"out of memory"))
        self.assertEqual(answer.headers["x-own"], "a")
        self.assertEqual(answer.headers["x-sluice-replica"], pool.attempts(target)[2].replica)
        self.assertEqual({a.replica for a in pool.attempts(target)}, {"r0", "r1", "r2"})
        self.assertEqual(pool.metrics().sum("sluice_tasks_total", reason="replica_error"), 1)

    def test_a_long_failure_too(self):
        body = random.Random(1).randbytes(3 * MIB)
        pool = self.pool(fails_first(with_length(body, status="500 Long"), 9))
        for _ in range(3):
            answer = self.ask(pool)
            self.assertEqual(answer.status, 500)
            self.assertTrue(answer.body == body)

    def test_a_failure_in_pieces_too(self):
        head = b"HTTP/1.1 503 Slow\r\nTransfer-Encoding: chunked\r\n\r\n"
        pieces = [head, b"5\r\n01234\r\n", b"5\r\n56789\r\n", b"0\r\n\r\n"]
        def slowly(_, __):
            for piece in pieces:
                yield piece
                time.sleep(0.02)
        pool = self.pool(slowly)
        with Wire(pool.port) as wire:
            for _ in range(3):
                wire.send_request("POST", new_target(), b"{}")
                answer = wire.read_answer()
                self.assertEqual((answer.status, answer.body), (503, b"0123456789"))
        wait_until(lambda: pool.metrics().sum("sluice_node_in_flight") == 0, "all slots are free")

    def test_a_failure_that_breaks_off_is_not_taken_for_a_whole_one(self):
        half = [b"HTTP/1.1 500 Half\r\nConnection: close\r\nContent-Length: 10\r\n\r\n01234"]
        pool = self.pool(fails_first(half, 9))
        with Wire(pool.port) as wire:
            wire.send_request("POST", new_target(), b"{}")
            with self.assertRaises((EOFError, ConnectionError)):
                wire.read_answer()

    def test_the_only_replica_is_not_asked_twice(self):
        pool = self.pool(fails_first(BUSY, 9), replicas=1)
        target = new_target()
        answer = self.ask(pool, target=target)
        self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "7"))
        self.assertEqual(len(pool.attempts(target)), 1)


class NotTwice(RetryCase):
    def test_a_model_that_is_not_idempotent(self):
        pool = self.pool(fails_first(ERROR), model_keys="idempotent: no")
        target = new_target()
        answer = self.ask(pool, target=target)
        self.assertEqual((answer.status, answer.body), (500, b"out of memory"))
        self.assertEqual(len(pool.attempts(target)), 1)
        self.assertEqual(pool.metrics().sum("sluice_retries_total"), 0)

    def test_nor_over_a_connection_that_turns_out_closed(self):
        seen = threading.local()  # one thread a connection
        def second_of_a_connection(_, __):
            seen.requests = getattr(seen, "requests", 0) + 1
            return NotImplemented if seen.requests == 1 else None
        pool = self.pool(second_of_a_connection, replicas=1, model_keys="idempotent: no")
        self.assertEqual(self.ask(pool).status, 200)
        target = new_target()
        self.assertEqual(self.ask(pool, target=target).status, 502)
        self.assertEqual(len(pool.attempts(target)), 1)

    def test_an_answer_that_has_begun(self):
        half = [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n01234"]
        pool = self.pool(fails_first(half))
        target = new_target()
        with Wire(pool.port) as wire:
            wire.send_request("POST", target, b"{}")
            with self.assertRaises((EOFError, ConnectionError)):
                wire.read_answer()
        self.assertEqual(len(pool.attempts(target)), 1)

    def test_retries_that_are_turned_off(self):
        pool = self.pool(fails_first(ERROR), more=NO_BREAKERS + "retry: { attempts: 1 }\n")
        self.assertEqual(self.ask(pool).status, 500)

    def test_no_storm_when_everything_fails(self):
        pool = self.pool(fails_first(ERROR, 9), replicas=3,
                         more=NO_BREAKERS + "retry: { share: 10%, floor: 0/s, burst: 5 }\n")
        requests = 500
        with concurrent.futures.ThreadPoolExecutor(8) as callers:
            answers = list(callers.map(lambda _: self.ask(pool), range(requests)))
        self.assertEqual({answer.status for answer in answers}, {500})
        most = 1.1 * requests + 5
        self.assertLessEqual(pool.attempt_count(), most)
        self.assertGreater(pool.attempt_count(), most - 10)  # and it was used


class BetweenAttempts(RetryCase):
    """The first attempt has failed, and the other replica is busy."""

    def setUp(self):
        self.over = threading.Event()
        self.addCleanup(self.over.set)
        self.blocker = new_target()
        def fails(target, attempt):
            if target == self.blocker:
                self.over.wait(PATIENCE_S)
                return NotImplemented
            return ERROR if attempt == 0 else NotImplemented
        self.replicas = self.pool(fails, slots=1)
        self.blocking = Wire(self.replicas.port)
        self.addCleanup(self.blocking.close)
        self.blocking.send_request("POST", self.blocker, b"{}")
        wait_until(lambda: self.replicas.attempts(self.blocker), "one replica is busy")
        self.target = new_target()
        self.wire = Wire(self.replicas.port)
        self.addCleanup(self.wire.close)

    def fail_once(self, *headers):
        self.wire.send_request("POST", self.target, b"again", *headers)
        self.replicas.wait_for(1, "sluice_retries_total")
        self.replicas.wait_for(1, "sluice_lane_waiting")

    def test_it_waits_for_the_other_one(self):
        self.fail_once()
        self.over.set()
        answer = self.wire.read_answer()
        self.assertEqual((answer.status, answer.body), (200, b"again"))
        self.assertEqual(self.blocking.read_answer().status, 200)

    def test_a_caller_that_leaves(self):
        self.fail_once()
        self.wire.close()
        self.replicas.wait_for(1, "sluice_tasks_total", outcome="cancelled")
        self.replicas.wait_for(0, "sluice_lane_waiting")
        self.over.set()
        self.assertEqual(self.blocking.read_answer().status, 200)
        self.replicas.wait_for(0, "sluice_node_in_flight")
        self.assertEqual(len(self.replicas.attempts(self.target)), 1)

    def test_a_deadline_that_passes(self):
        self.fail_once("x-sluice-budget-ms: 300")
        answer = self.wire.read_answer()
        self.assertEqual((answer.status, answer.reason), (504, "deadline_passed"))
        # Its connection lives on.
        self.over.set()
        self.wire.send_request("POST", PATH + "?" + "other", b"x")
        self.assertEqual(self.wire.read_answer().status, 200)


if __name__ == "__main__":
    unittest.main()
