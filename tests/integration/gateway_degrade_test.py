"""R17: a request that its model cannot answer in time, or that a rule says so of, is run by a smaller
model. The replica is asked for that one by its own name, and the caller is told."""
import unittest

from support.client import infer, infer_path, request
from support.metrics import scrape
from support.processes import Stage, wait_until

# Neither has the other's model: a request under the wrong name would be a 404.
LARGE = "{ slots: 1, models: [ { name: large, timed: { mean: 100ms, cv: 0 } } ] }"
SMALL = "{ slots: 4, models: [ { name: small, timed: { mean: 2ms, cv: 0 } } ] }"
GATEWAY = """
models:
  - {{ name: large, budget: 30s, expected: 100ms, degrade_to: small }}
  - {{ name: small, budget: 30s, expected: 2ms }}
tenants: [ {{ name: free }} ]
rules:
  - {{ name: free-is-small, match: {{ tenant: free, model: large }}, effect: {{ degrade_to: small }} }}
replicas:
  - {{ name: far, url: "{large}", models: [large], slots: 1 }}
  - {{ name: near, url: "{small}", models: [small], slots: 4 }}
health: {{ interval: 50ms, healthy_after: 1, unhealthy_after: 1 }}
"""
TOO_SHORT_FOR_LARGE = {"x-sluice-budget-ms": "60"}
LESSONS = 6  # until predictions are trusted


class Degrade(unittest.TestCase):
    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.close)
        self.large = self.stage.model_server(LARGE)
        small = self.stage.model_server(SMALL)
        self.gateway = self.stage.gateway(GATEWAY.format(large=self.large.url, small=small.url))
        self.wait_for_ready_nodes(2)

    def wait_for_ready_nodes(self, count):
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_node_ready") == count,
                   f"{count} nodes are ready")

    def post(self, path, headers=None):
        return request(self.gateway.port, "POST", path, b'{"id": "7"}', headers or {})

    def assert_answered_by(self, model, replica, answer):
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual((answer.json["model_name"], answer.json["id"]), (model, "7"))
        self.assertEqual(answer.headers["x-sluice-replica"], replica)

    def test_one_that_would_be_late_is_answered_by_the_smaller_model(self):
        for _ in range(LESSONS):
            self.assert_answered_by("large", "far", self.post(infer_path("large")))
        for path in (infer_path("large"), "/v2/models/large/versions/1/infer",
                     infer_path("large") + "?trace=/versions/9"):
            with self.subTest(path=path):
                answer = self.post(path, TOO_SHORT_FOR_LARGE)
                self.assert_answered_by("small", "near", answer)
                self.assertEqual(answer.headers["x-sluice-model"], "small")

    def test_one_that_is_in_time_is_answered_by_what_it_asked_for(self):
        answer = self.post(infer_path("large"))
        self.assert_answered_by("large", "far", answer)
        self.assertNotIn("x-sluice-model", answer.headers)

    def test_one_that_asks_for_the_smaller_model_goes_on_as_it_is(self):
        for path in (infer_path("small"), "/v2/models/small/versions/1/infer"):
            with self.subTest(path=path):
                answer = self.post(path, TOO_SHORT_FOR_LARGE)
                self.assert_answered_by("small", "near", answer)
                self.assertNotIn("x-sluice-model", answer.headers)
        # Its version is not cut out: the replica has no other than 1.
        self.assertEqual(self.post("/v2/models/small/versions/9/infer").status, 404)

    def test_a_rule_may_say_so_too(self):
        answer = infer(self.gateway.port, "large", b'{"id": "7"}', tenant="free")
        self.assert_answered_by("small", "near", answer)
        self.assertEqual(answer.headers["x-sluice-model"], "small")

    def test_without_its_replica_the_smaller_model_answers(self):
        self.large.kill()
        self.wait_for_ready_nodes(1)
        answer = self.post(infer_path("large"))
        self.assert_answered_by("small", "near", answer)
        self.assertEqual(answer.headers["x-sluice-model"], "small")


if __name__ == "__main__":
    unittest.main()
