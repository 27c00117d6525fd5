"""A second attempt beside a slow first one: whichever answers first, the caller gets one answer,
the right one, and nothing of the other."""
import concurrent.futures
import random
import threading
import time
import unittest

from support.client import Wire, infer_path
from support.metrics import scrape
from support.processes import PATIENCE_S, Stage, wait_until
from support.scripted_replica import ScriptedReplica, in_chunks, with_length

PATH = infer_path("echo")
GATEWAY = """
models: [ {{ name: echo, budget: 30s, hedge: yes }} ]
replicas:
  - {{ name: r0, url: "{urls[0]}", models: [echo], slots: 8, credits: 8, cancel: {cancel} }}
  - {{ name: r1, url: "{urls[1]}", models: [echo], slots: 8, credits: 8, cancel: {cancel} }}
health: {{ interval: 50ms, healthy_after: 1, unhealthy_after: 1000 }}
breaker: {{ slow_in_a_row: 0 }}
retry: {{ share: 100%, floor: 1000/s, burst: 1000 }}
"""
SERVICE_S = 0.03
LESSONS = 20  # until predictions of both replicas are trusted


class HedgeCase(unittest.TestCase):
    def start(self, replica, cancel="ignored"):
        """Two of `replica`, which are taught with requests for PATH?lesson."""
        self.stage = Stage()
        self.addCleanup(self.stage.close)
        self.replicas = [self.stage.enter_context(replica()) for _ in range(2)]
        self.gateway = self.stage.gateway(
            GATEWAY.format(urls=[r.url for r in self.replicas], cancel=cancel))
        self.wait_for(2, "sluice_node_ready")
        with concurrent.futures.ThreadPoolExecutor(2) as callers:
            list(callers.map(self.lesson, range(2)))

    def lesson(self, _):
        with Wire(self.gateway.port) as wire:
            for _ in range(LESSONS):
                wire.send_request("POST", PATH + "?lesson", b"")
                self.assertEqual(wire.read_answer().status, 200)

    def wait_for(self, value, metric, **labels):
        wait_until(lambda: self.metrics().sum(metric, **labels) == value,
                   f"{metric}{labels} = {value}")

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def received(self, target):
        return [r for each in self.replicas for r in each.received if r.target == target]


class OneIsStuck(HedgeCase):
    def test_the_other_answers_and_the_first_is_not_heard(self):
        for cancel in ("ignored", "stops"):
            with self.subTest(cancel=cancel):
                over = threading.Event()
                self.addCleanup(over.set)
                stuck = []
                def answer(received, over=over, stuck=stuck):
                    if received.target.endswith("?slow") and not stuck:
                        stuck.append(received)
                        over.wait(PATIENCE_S)
                        return with_length(b"late")
                    time.sleep(SERVICE_S)
                    return with_length(received.body)
                self.start(lambda answer=answer: ScriptedReplica(answer), cancel)
                body = random.Random(1).randbytes(200_000)
                with Wire(self.gateway.port) as wire:
                    wire.send_request("POST", PATH + "?slow", body)
                    first = wire.read_answer()
                    self.assertEqual(first.status, 200)
                    self.assertTrue(first.body == body)
                    self.assertEqual([len(r.body) for r in self.received(PATH + "?slow")],
                                     [len(body)] * 2)
                    over.set()
                    wire.send_request("POST", PATH, b"next")
                    self.assertEqual(wire.read_answer().body, b"next")
                self.wait_for(0, "sluice_node_in_flight")
                self.wait_for(0, "sluice_attempts_abandoned")
                self.assertGreaterEqual(self.metrics().sum("sluice_hedges_total"), 1)

    def test_one_that_does_not_even_read_the_body(self):
        # The other one's answer frees the body of which the first has not got the end.
        deaf = []
        over = threading.Event()
        self.addCleanup(over.set)
        class Deaf(ScriptedReplica):
            def _serve(self, connection):
                head = b""
                while not deaf and b"\r\n\r\n" not in head and (more := connection.recv(1, 2)):
                    head = connection.recv(4096, 2)  # MSG_PEEK
                if b"?large" in head and not deaf:
                    deaf.append(connection)
                    over.wait(PATIENCE_S)
                super()._serve(connection)
        def answer(received):
            time.sleep(SERVICE_S)
            # No connection is used again: each begins with a look at its head.
            return with_length(received.body, "Connection: close")
        self.start(lambda: Deaf(answer))
        body = random.Random(1).randbytes(30 << 20)
        with Wire(self.gateway.port) as wire:
            for _ in range(2):
                wire.send_request("POST", PATH + "?large", body)
                answer = wire.read_answer()
                self.assertEqual(answer.status, 200)
                self.assertTrue(answer.body == body)
        self.assertEqual(len(deaf), 1)
        self.wait_for(0, "sluice_node_in_flight")


class Races(HedgeCase):
    """Both attempts answer about the same time, whole, in pieces, or with a failure."""
    SECONDS = 5

    def test_everybody_gets_one_answer_his_own(self):
        for cancel in ("ignored", "stops"):
            with self.subTest(cancel=cancel):
                self.start(lambda: ScriptedReplica(self.answer), cancel)
                ends = time.monotonic() + self.SECONDS
                with concurrent.futures.ThreadPoolExecutor(6) as callers:
                    sent = sum(callers.map(lambda n: self.call(n, ends), range(6)))
                self.wait_for(0, "sluice_node_in_flight")
                metrics = self.metrics()
                self.assertEqual(metrics.sum("sluice_tasks_total"), sent + 2 * LESSONS)
                self.assertEqual(metrics.sum("sluice_tasks_total", outcome="cancelled"), 0)
                self.assertGreater(metrics.sum("sluice_hedges_total"), 5)

    draw = random.Random(8)

    def answer(self, received):
        # Of two attempts the second begins about when the first ends.
        slow = "?lesson" not in received.target and self.draw.random() < 0.5
        time.sleep(SERVICE_S * (2 if slow else 1))
        if self.draw.random() < 0.05 and slow:
            return with_length(b"failed", status="500 Failed")
        if len(received.body) % 2 == 0:
            return with_length(received.body)
        whole = in_chunks(received.body, 5_000)
        return [whole[:3_000], whole[3_000:]]

    def call(self, number, ends):
        draw, sent, ids = random.Random(number), 0, set()
        with Wire(self.gateway.port) as wire:
            while time.monotonic() < ends:
                body = draw.randbytes(draw.choice((10, 11, 20_000, 20_001, 150_001)))
                wire.send_request("POST", f"{PATH}?{number}-{sent}", body)
                answer = wire.read_answer()
                if answer.status == 200:
                    self.assertTrue(answer.body == body, "another's answer")
                else:
                    self.assertEqual((answer.status, answer.body), (500, b"failed"))
                ids.add(answer.headers["x-sluice-task-id"])
                sent += 1
        self.assertEqual(len(ids), sent)
        return sent


if __name__ == "__main__":
    unittest.main()
