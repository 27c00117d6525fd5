"""R15: a running request of the low lane loses its slot to an urgent one, waits, and is run again.
Whatever comes first, the order to stop or the answer, its caller gets one answer, the right one."""
import concurrent.futures
import random
import threading
import time
import unittest

from support.client import Wire, infer_path, request
from support.metrics import scrape
from support.processes import PATIENCE_S, Stage, wait_until
from support.scripted_replica import ScriptedReplica, in_chunks, with_length

GATEWAY = """
models:
  - {{ name: urgent, weight: light, realtime: high, budget: 10s }}
  - {{ name: batch, weight: heavy, realtime: low, budget: 60s, {batch} }}
replicas:
  - {{ name: r0, url: "{url}", models: [urgent, batch], slots: {slots}, credits: {slots},
       cancel: stops }}
health: {{ interval: 50ms, healthy_after: 1 }}
breaker: {{ slow_in_a_row: 0 }}
# No slot is kept for the urgent: they have to take one.
control: {{ reserve: {{ most_share: 0% }}, preemption: {{ most: {most} }} }}
"""
SERVICE_S = 0.1
# Behind another it would be late, in its place it is not.
BUDGET_MS = 140
LESSONS = 6  # until predictions are trusted


class PreemptionCase(unittest.TestCase):
    def start(self, batch_answer, slots, most=1, batch=""):
        self.stage = Stage()
        self.addCleanup(self.stage.close)
        self.batch_answer = batch_answer
        self.replica = self.stage.enter_context(ScriptedReplica(self.answer))
        self.gateway = self.stage.gateway(
            GATEWAY.format(url=self.replica.url, slots=slots, most=most, batch=batch))
        self.wait_for(1, "sluice_node_ready")
        for _ in range(LESSONS):
            self.assertEqual(self.urgent(10_000).status, 200)

    def answer(self, received):
        if "/urgent/" not in received.target:
            return self.batch_answer(received)
        time.sleep(SERVICE_S)
        return with_length(received.body)

    def urgent(self, budget_ms):
        return request(self.gateway.port, "POST", infer_path("urgent"), b"now",
                       {"x-sluice-budget-ms": str(budget_ms)})

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def wait_for(self, value, metric, **labels):
        wait_until(lambda: self.metrics().sum(metric, **labels) == value,
                   f"{metric}{labels} = {value}")

    def bodies_of(self, target):
        return [r.body for r in self.replica.received if r.target == target]


class OneSlot(PreemptionCase):
    def start_batch(self, **options):
        """The first attempt at each request would last for ever."""
        self.over = threading.Event()
        self.addCleanup(self.over.set)
        seen = set()
        def answer(received):
            if received.target in seen:
                return with_length(received.body)
            seen.add(received.target)
            self.over.wait(PATIENCE_S)
            return None
        self.start(answer, slots=1, **options)
        self.wire = Wire(self.gateway.port)
        self.addCleanup(self.wire.close)
        self.target = infer_path("batch") + "?victim"
        self.body = random.Random(2).randbytes(300_000)
        self.wire.send_request("POST", self.target, self.body)
        wait_until(lambda: self.bodies_of(self.target), "it runs")

    def test_the_victim_is_run_again_and_answered_once(self):
        self.start_batch()
        self.assertEqual(self.urgent(BUDGET_MS).status, 200)
        answer = self.wire.read_answer()
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.body == self.body)
        first, second = self.bodies_of(self.target)
        self.assertTrue(first == self.body and second == self.body)
        metrics = self.metrics()
        self.assertEqual(metrics.sum("sluice_preemptions_total"), 1)
        self.assertEqual(metrics.sum("sluice_retries_total"), 0)
        self.assertEqual(metrics.sum("sluice_tasks_total"), LESSONS + 2)
        self.assertEqual(metrics.sum("sluice_tasks_total", outcome="completed"), LESSONS + 2)
        self.wait_for(0, "sluice_node_in_flight")
        # Its connection lives on, and nothing of the first attempt comes over it.
        self.wire.send_request("POST", self.target, b"next")
        self.assertEqual(self.wire.read_answer().body, b"next")

    def test_a_caller_that_leaves_after_it_has_lost_its_slot(self):
        self.start_batch()
        with concurrent.futures.ThreadPoolExecutor(1) as callers:
            urgent = callers.submit(self.urgent, BUDGET_MS)
            self.wait_for(1, "sluice_preemptions_total")
            self.wire.close()
            self.assertEqual(urgent.result().status, 200)
        wait_until(lambda: self.metrics().sum("sluice_tasks_total") == LESSONS + 2, "all ended")
        self.wait_for(0, "sluice_node_in_flight")
        self.wait_for(0, "sluice_lane_waiting")

    def test_what_may_not_run_twice_keeps_its_slot(self):
        self.start_batch(batch="idempotent: no")
        self.assertEqual(self.urgent(BUDGET_MS).status, 503)
        self.assertEqual(self.metrics().sum("sluice_preemptions_total"), 0)


class Races(PreemptionCase):
    """Victims that answer in the moment in which they are told to stop, whole or in pieces."""
    SECONDS = 6

    def test_everybody_gets_one_answer_his_own(self):
        draw = random.Random(4)
        def answer(received):
            time.sleep(draw.uniform(0, 2 * SERVICE_S))
            kind = len(received.body) % 3
            if kind == 0:
                return with_length(received.body)
            whole = in_chunks(received.body, 5_000)
            return whole if kind == 1 else [whole[:3_000], whole[3_000:]]
        self.start(answer, slots=2, most=100)
        ends = time.monotonic() + self.SECONDS
        with concurrent.futures.ThreadPoolExecutor(8) as callers:
            work = [callers.submit(self.batches, n, ends) for n in range(6)]
            work += [callers.submit(self.urgents, n, ends) for n in range(2)]
            sent = sum(each.result() for each in work) + LESSONS
        self.wait_for(0, "sluice_node_in_flight")
        metrics = self.metrics()
        self.assertEqual(metrics.sum("sluice_tasks_total"), sent)
        self.assertEqual(metrics.sum("sluice_tasks_total", outcome="cancelled"), 0)
        self.assertGreater(metrics.sum("sluice_preemptions_total"), 10)

    def batches(self, number, ends):
        draw, sent, ids = random.Random(number), 0, set()
        with Wire(self.gateway.port) as wire:
            while time.monotonic() < ends:
                body = draw.randbytes(draw.choice((10, 11, 12, 20_000, 20_001, 20_002, 150_000)))
                wire.send_request("POST", f"{infer_path('batch')}?{number}-{sent}", body)
                answer = wire.read_answer()
                self.assertEqual(answer.status, 200)
                self.assertTrue(answer.body == body, "another's answer")
                ids.add(answer.headers["x-sluice-task-id"])
                sent += 1
        self.assertEqual(len(ids), sent)
        return sent

    def urgents(self, number, ends):
        draw, sent = random.Random(-number), 0
        while time.monotonic() < ends:
            answer = self.urgent(draw.randrange(110, 200))
            self.assertIn(answer.status, (200, 503, 504))
            sent += 1
        return sent


if __name__ == "__main__":
    unittest.main()
