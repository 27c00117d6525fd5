"""R29, amendment 15: a body is kept until an answer is passed on, so the second replica gets the
same bytes as the first, however the first one died."""
import concurrent.futures
import random
import socket
import unittest

from support.client import infer, infer_path, request
from support.metrics import scrape
from support.processes import Stage, wait_until
from support.replica_pool import MODEL, ReplicaPool
from support.scripted_replica import READY, ScriptedReplica, with_length

PATH = infer_path(MODEL)
MIB = 1 << 20
ERROR = with_length(b"", status="500 Broken")
HALF = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"  # and hangs up
# Around the sizes of buffers, and beyond what a socket takes at once.
SIZES = (0, 1, 7_000, 8_191, 8_192, 8_193, 100_000, 9 * MIB + 1)


def pieces_of(body):
    return [body[at:at + 50_001] for at in range(0, len(body), 50_001)]


class Bodies(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(5)

    def assert_intact(self, pool, body, name, chunked):
        target = f"{PATH}?{name}"
        answer = request(pool.port, "POST", target, pieces_of(body) if chunked else body,
                         chunked=chunked)
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.body == body, "the echo is another")
        attempts = pool.attempts(target)
        self.assertEqual(len({a.replica for a in attempts}), 2)
        for attempt in attempts:
            self.assertTrue(attempt.body == body, f"{attempt.replica} got another body")
            self.assertEqual(attempt.headers["content-length"], str(len(body)))

    def test_the_second_attempt_gets_what_the_first_got(self):
        for how, failure in (("error", ERROR), ("half a head", HALF)):
            pool = ReplicaPool(lambda _, attempt, f=failure: f if attempt == 0 else NotImplemented)
            self.addCleanup(pool.close)
            for size in SIZES:
                for chunked in (False, True):
                    with self.subTest(how=how, size=size, chunked=chunked):
                        self.assert_intact(pool, self.random.randbytes(size),
                                           f"{size}-{chunked}", chunked)

    def test_each_of_many_callers_gets_the_echo_of_its_own(self):
        pool = ReplicaPool(lambda _, attempt: ERROR if attempt == 0 else NotImplemented,
                           more="breaker: { consecutive_failures: 0, failure_share: none }\n"
                                "retry: { share: 100% }\n")
        self.addCleanup(pool.close)
        bodies = [self.random.randbytes(self.random.randrange(200_000)) for _ in range(200)]
        with concurrent.futures.ThreadPoolExecutor(16) as callers:
            answers = list(callers.map(
                lambda n: request(pool.port, "POST", f"{PATH}?{n}", bodies[n]), range(200)))
        for answer, body in zip(answers, bodies):
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.body == body)


class Rude(ScriptedReplica):
    """Answers as soon as it has the head, and closes with the body unread."""

    def __init__(self, answer):
        self.heads = 0
        super().__init__(answer)

    def _serve(self, connection):
        with connection:
            head = b""
            while b"\r\n\r\n" not in head and (more := connection.recv(1)):
                head += more
            if b"/health/ready" in head:
                connection.sendall(READY)
            elif head:
                self.heads += 1
                connection.sendall(self._answer(None))
                connection.shutdown(socket.SHUT_WR)


GATEWAY = """
models: [ {{ name: echo, budget: 30s }} ]
replicas:
  - {{ name: one, url: "{one}", models: [echo], slots: {slots}, credits: {slots} }}
  - {{ name: two, url: "{two}", models: [echo], slots: {slots}, credits: {slots} }}
health: {{ interval: 50ms, healthy_after: 1 }}
"""


class DyingReplicas(unittest.TestCase):
    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.close)

    def gateway_before(self, one, two, slots):
        gateway = self.stage.gateway(GATEWAY.format(one=one.url, two=two.url, slots=slots))
        wait_until(lambda: scrape(gateway.admin_port).sum("sluice_node_ready") == 2, "both ready")
        return gateway

    def test_one_that_refuses_before_it_has_the_body(self):
        rude = self.stage.enter_context(
            Rude(lambda _: with_length(b"no", "Connection: close", status="503 Busy")))
        kind = self.stage.enter_context(ScriptedReplica(lambda r: with_length(r.body)))
        gateway = self.gateway_before(rude, kind, slots=1)
        bodies = [random.Random(n).randbytes(20 * MIB) for n in range(2)]
        with concurrent.futures.ThreadPoolExecutor(2) as callers:  # one a replica
            answers = list(callers.map(lambda b: request(gateway.port, "POST", PATH, b), bodies))
        self.assertGreaterEqual(rude.heads, 1)
        for answer, body in zip(answers, bodies):
            self.assertEqual((answer.status, answer.headers["x-sluice-replica"]), (200, "two"))
            self.assertTrue(answer.body == body)

    def test_one_that_is_killed_while_it_works(self):
        configuration = "slots: 4\nmodels: [ { name: echo, timed: { mean: 500ms, cv: 0 } } ]\n"
        one, two = (self.stage.model_server(configuration) for _ in range(2))
        gateway = self.gateway_before(one, two, slots=4)
        metrics = lambda: scrape(gateway.admin_port)
        with concurrent.futures.ThreadPoolExecutor(8) as callers:
            asked = [callers.submit(infer, gateway.port, "echo") for _ in range(8)]
            wait_until(lambda: metrics().sum("sluice_node_in_flight", node="one") == 4, "it works")
            one.kill()
            answers = [call.result() for call in asked]
        self.assertEqual({answer.status for answer in answers}, {200})
        self.assertEqual({answer.headers["x-sluice-replica"] for answer in answers}, {"two"})
        self.assertEqual(len({answer.headers["x-sluice-task-id"] for answer in answers}), 8)
        self.assertEqual(metrics().sum("sluice_retries_total"), 4)
        self.assertEqual(metrics().sum("sluice_tasks_total", outcome="completed"), 8)


if __name__ == "__main__":
    unittest.main()
