"""R5: who is refused by a rule is told which, and why in the words of whoever wrote it."""
import unittest

from support.client import infer
from support.metrics import scrape
from support.processes import Stage, wait_until
from support.scripted_replica import ScriptedReplica, with_length

GATEWAY = """
models: [ {{ name: echo, budget: 30s }} ]
tenants: [ {{ name: guest }}, {{ name: lodger }}, {{ name: eager }} ]
rules:
  - name: no-guests
    reason: "Guests are asked to register: https://example.org/\u00e4"
    match: {{ tenant: guest }}
    effect: {{ refuse: yes }}
  - {{ name: no-lodgers, match: {{ tenant: lodger }}, effect: {{ refuse: yes }} }}
  - {{ name: one-a-while, match: {{ tenant: eager }}, effect: {{ rate: 36/h, burst: 1 }} }}
replicas: [ {{ name: r0, url: "{url}", models: [echo] }} ]
health: {{ interval: 50ms, healthy_after: 1 }}
"""


class RefusalsByRule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stage = Stage()
        cls.addClassCleanup(cls.stage.close)
        replica = cls.stage.enter_context(ScriptedReplica(lambda r: with_length(r.body)))
        cls.gateway = cls.stage.gateway(GATEWAY.format(url=replica.url))
        wait_until(lambda: scrape(cls.gateway.admin_port).sum("sluice_node_ready") == 1, "ready")

    def ask(self, tenant):
        return infer(self.gateway.port, "echo", tenant=tenant)

    def test_name_and_reason_are_told(self):
        answer = self.ask("guest")
        self.assertEqual((answer.status, answer.reason), (403, "rule_refused"))
        self.assertEqual(answer.json["rule"], "no-guests")
        self.assertEqual(answer.json["detail"],
                         "Guests are asked to register: https://example.org/\u00e4")

    def test_a_rule_without_a_reason_is_still_named(self):
        answer = self.ask("lodger")
        self.assertEqual((answer.status, answer.json["rule"]), (403, "no-lodgers"))
        self.assertIn("rule", answer.json["detail"])

    def test_a_rate_that_is_used_up_names_its_rule(self):
        self.assertEqual(self.ask("eager").status, 200)
        answer = self.ask("eager")
        self.assertEqual((answer.status, answer.reason), (429, "rule_rate_limited"))
        self.assertEqual(answer.json["rule"], "one-a-while")
        self.assertGreater(int(answer.headers["retry-after"]), 50)

    def test_a_refusal_for_another_cause_names_none(self):
        answer = infer(self.gateway.port, "echo", budget_ms=0)
        self.assertEqual((answer.status, answer.reason), (504, "deadline_passed"))
        self.assertNotIn("rule", answer.json)


if __name__ == "__main__":
    unittest.main()
