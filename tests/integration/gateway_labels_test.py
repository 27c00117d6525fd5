"""What a request says of itself, what becomes of it, and what its answer says."""
import concurrent.futures
import datetime
import time
import unittest

from support.client import get, infer, infer_path, request
from support.held_replica import HeldReplica
from support.metrics import scrape
from support.processes import Stage, wait_until

MODEL_SERVER = """
slots: 4
models:
  - { name: embed, timed: { mean: 20ms, cv: 0 } }
  - { name: slow, timed: { mean: 50ms, cv: 0 } }
"""

GATEWAY = """
models:
  - {{ name: embed, weight: light, realtime: high, budget: 10s }}
  - {{ name: slow, weight: heavy, realtime: low, budget: 10s, task_type: batch }}
  - {{ name: held, budget: 30s }}
replicas:
  - {{ name: timed, url: "{timed}", models: [embed, slow], slots: 4 }}
  - {{ name: one-by-one, url: "{held}", models: [held], slots: 1, credits: 1 }}
tenants:
  - {{ name: acme, tier: vip }}
  - {{ name: modest, tier: basic, best_priority: 5 }}
lanes:
  low: {{ capacity: 1 }}
health: {{ interval: 50ms, healthy_after: 1 }}
overload_status: {overload_status}
"""


class GatewayCase(unittest.TestCase):
    overload_status = 503

    @classmethod
    def setUpClass(cls):
        stage = Stage()
        cls.addClassCleanup(stage.close)
        cls.held = stage.enter_context(HeldReplica())
        cls.timed = stage.model_server(MODEL_SERVER)
        cls.gateway = stage.gateway(GATEWAY.format(timed=cls.timed.url, held=cls.held.url,
                                                   overload_status=cls.overload_status))
        cls.pool = stage.enter_context(concurrent.futures.ThreadPoolExecutor(16))
        for model in ("embed", "held"):
            wait_until(lambda m=model: get(cls.gateway.port, f"/v2/models/{m}/ready").status == 200,
                       f"{model} is ready")

    def infer(self, model, **labels):
        return infer(self.gateway.port, model, **labels)

    def fill_the_slot(self):
        """A request that occupies the only slot of `held` until end_of() is called with it."""
        arrived = len(self.held.received)
        running = self.pool.submit(self.infer, "held")
        self.addCleanup(lambda: running.done() or self.held.let())
        self.held.wait_for(arrived + 1)
        return running

    def end_of(self, running):
        self.held.let()
        self.assertEqual(running.result().status, 200)

    def waiting(self, **labels):
        return scrape(self.gateway.admin_port).sum("sluice_lane_waiting", **labels)

    def assert_problem(self, answer, status, reason):
        self.assertEqual((answer.status, answer.reason), (status, reason))
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        self.assertEqual(answer.json["status"], status)
        self.assertTrue(answer.json["title"] and answer.json["detail"])

    def assert_refused_for_load(self, answer, reason):
        self.assert_problem(answer, self.overload_status, reason)
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        self.assertEqual(answer.headers["x-sluice-task-id"], answer.json["task_id"])


class Answers(GatewayCase):
    def test_an_answer_tells_task_lane_replica_and_times(self):
        answers = [self.infer("embed") for _ in range(2)]
        for answer in answers:
            self.assertRegex(answer.headers["x-sluice-task-id"], r"^[0-9a-f]{16}$")
            self.assertEqual(answer.headers["x-sluice-lane"], "high")
            self.assertEqual(answer.headers["x-sluice-replica"], "timed")
            timing = answer.headers["server-timing"]
            self.assertRegex(timing, r"^queue;dur=\d+\.\d{3}, service;dur=\d+\.\d{3}$")
            self.assertGreaterEqual(float(timing.rpartition("=")[2]), 20)
        self.assertNotEqual(*(a.headers["x-sluice-task-id"] for a in answers))

    def test_every_priority_goes_to_its_lane(self):
        lanes = [self.infer("embed", priority=p).headers["x-sluice-lane"] for p in range(10)]
        self.assertEqual(lanes, ["high"] * 3 + ["latency"] * 4 + ["low"] * 3)

    def seen_by_replica(self, **labels):
        arrived = len(self.held.received)
        self.held.let()
        self.assertEqual(self.infer("held", **labels).status, 200)
        return self.held.received[arrived].headers

    def test_realtime_weight_and_tenant_give_the_priority(self):
        for labels, priority in (
                ({"realtime": "high", "weight": "light", "tenant": "acme"}, 0),
                ({"realtime": "high", "weight": "light"}, 2),
                ({"realtime": "medium", "weight": "heavy"}, 5),
                ({"realtime": "low", "weight": "heavy", "tenant": "acme"}, 7),
                ({"realtime": "low", "weight": "heavy", "tenant": "nobody-knows"}, 9),
                ({"tenant": "modest", "priority": 1}, 5),   # no more than its tenant may ask for
                ({"realtime": "low", "priority": 1}, 1)):
            with self.subTest(labels=labels):
                self.assertEqual(self.seen_by_replica(**labels)["x-sluice-priority"], str(priority))

    def test_the_replica_is_told_what_is_left_of_the_budget(self):
        seen = self.seen_by_replica(budget_ms=5000)
        self.assertLess(4000, int(seen["x-sluice-budget-ms"]))
        self.assertLessEqual(int(seen["x-sluice-budget-ms"]), 5000)
        deadline = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=20)
        seen = self.seen_by_replica(deadline=deadline.isoformat())
        self.assertLess(15_000, int(seen["x-sluice-budget-ms"]))
        self.assertLess(int(seen["x-sluice-budget-ms"]), 20_000)

    def test_malformed_labels_name_themselves_and_what_is_allowed(self):
        for labels, allowed in (({"priority": 10}, "0 (most urgent) to 9"),
                                ({"priority": "urgent"}, "0 (most urgent) to 9"),
                                ({"budget_ms": "-1"}, "milliseconds"),
                                ({"budget_ms": "soon"}, "milliseconds"),
                                ({"deadline": "tomorrow"}, "RFC 3339"),
                                ({"realtime": "very"}, "high, medium or low"),
                                ({"weight": "12 t"}, "light, medium or heavy"),
                                ({"queue": "maybe"}, "yes or no"),
                                ({"task_type": "unheard-of"}, "batch")):
            with self.subTest(labels=labels):
                answer = self.infer("embed", **labels)
                self.assert_problem(answer, 400, "malformed_label")
                name = next(iter(labels)).replace("_", "-")
                self.assertIn(f"x-sluice-{name}: ", answer.json["detail"])
                self.assertIn(allowed, answer.json["detail"])

    def test_what_is_not_there(self):
        self.assert_problem(self.infer("nothing"), 404, "unknown_model")
        self.assert_problem(get(self.gateway.port, "/nothing"), 404, "unknown_path")
        wrong = get(self.gateway.port, infer_path("embed"))
        self.assert_problem(wrong, 405, "method_not_allowed")
        self.assertEqual(wrong.headers["allow"], "POST")

    def test_health_of_server_and_models(self):
        for path in ("/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/held/ready"):
            self.assertEqual(get(self.gateway.port, path).status, 200, path)
        self.assertEqual(get(self.gateway.port, "/v2/models/nothing/ready").status, 404)
        for path in ("/healthz", "/readyz"):
            self.assertEqual(get(self.gateway.admin_port, path).status, 200, path)
        self.assertEqual(request(self.gateway.port, "HEAD", "/v2/health/live").body, b"")


class Refusals(GatewayCase):
    def test_predicted_late(self):
        def refused():
            answer = self.infer("slow", budget_ms=10)
            return answer if answer.reason == "would_miss_deadline" else None
        for _ in range(6):
            self.assertEqual(self.infer("slow").status, 200)  # how long it takes is learnt
        answer = wait_until(refused, "a refusal by prediction")
        self.assert_refused_for_load(answer, "would_miss_deadline")
        self.assertEqual(self.infer("slow", budget_ms=10_000).status, 200)

    def test_expired_while_it_waited(self):
        running = self.fill_the_slot()
        began = time.monotonic()
        answer = self.infer("held", budget_ms=150)
        self.assertLess(0.15, time.monotonic() - began)
        self.assert_problem(answer, 504, "deadline_passed")
        self.assertNotIn("retry-after", answer.headers)
        self.end_of(running)

    def test_no_budget_is_left_on_arrival(self):
        self.assert_problem(self.infer("held", budget_ms=0), 504, "deadline_passed")
        self.assert_problem(self.infer("held", deadline="2001-01-01T00:00:00Z"), 504,
                            "deadline_passed")

    def test_not_to_be_queued(self):
        running = self.fill_the_slot()
        self.assert_refused_for_load(self.infer("held", queue="no"), "would_queue")
        self.end_of(running)
        self.held.let()
        wait_until(lambda: self.infer("held", queue="no").status == 200, "a free slot takes it")

    def test_full_lane(self):
        running = self.fill_the_slot()
        queued = self.pool.submit(self.infer, "held", priority=9)
        wait_until(lambda: self.waiting(lane="low") == 1, "one waits")
        self.assert_refused_for_load(self.infer("held", priority=9), "queue_full")
        another = self.pool.submit(self.infer, "held", priority=0)  # other lanes have room
        wait_until(lambda: self.waiting(lane="high") == 1, "one waits in the high lane")
        self.held.let(2)
        self.end_of(running)
        self.assertEqual((queued.result().status, another.result().status), (200, 200))


class RefusalsWithAnotherStatus(Refusals):
    overload_status = 529


class Order(GatewayCase):
    def test_the_urgent_passes_the_heavy(self):
        running = self.fill_the_slot()
        first = len(self.held.received)
        heavy = [self.pool.submit(self.infer, "held", realtime="medium", weight="heavy")
                 for _ in range(5)]
        wait_until(lambda: self.waiting(lane="latency") == 5, "all heavy ones wait")
        urgent = self.pool.submit(self.infer, "held", realtime="high", weight="light")
        wait_until(lambda: self.waiting(lane="high") == 1, "the urgent one waits")
        self.end_of(running)
        served = self.held.wait_for(first + 1)
        self.assertEqual(served[first].headers["x-sluice-realtime"], "high")
        self.held.let(6)
        self.assertEqual({r.result().status for r in [urgent, *heavy]}, {200})


if __name__ == "__main__":
    unittest.main()
