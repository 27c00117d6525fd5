"""Callers who leave: they are counted, and the slot they held comes back when it is free indeed."""
import concurrent.futures
import unittest

from support.client import Wire, infer, infer_path
from support.held_replica import HeldReplica
from support.metrics import scrape
from support.processes import Stage, wait_until

# One slot; the slow model would outlast every test.
MODEL_SERVER = """
slots: 1
models:
  - { name: slow, timed: { mean: 10min, cv: 0 } }
  - { name: quick, timed: { mean: 1ms } }
"""

GATEWAY = """
models:
  - {{ name: slow, budget: 5min, expected: 1s }}
  - {{ name: quick, budget: 5min }}
  - {{ name: held, budget: 5min }}
replicas:
  - {{ name: stops, url: "{stops}", models: [slow, quick], slots: 1, credits: 1, cancel: stops }}
  - {{ name: ignores, url: "{ignores}", models: [held], slots: 1, credits: 1, cancel: ignored }}
health: {{ interval: 50ms, healthy_after: 1 }}
"""


class Cancel(unittest.TestCase):
    def setUp(self):
        stage = Stage()
        self.addCleanup(stage.close)
        self.held = stage.enter_context(HeldReplica())
        self.stops = stage.model_server(MODEL_SERVER)
        self.gateway = stage.gateway(GATEWAY.format(stops=self.stops.url, ignores=self.held.url))
        self.pool = stage.enter_context(concurrent.futures.ThreadPoolExecutor(4))
        self.wait_for(2, "sluice_node_ready")

    def wait_for(self, value, metric, **labels):
        wait_until(lambda: scrape(self.gateway.admin_port).sum(metric, **labels) == value,
                   f"{metric}{labels} = {value}")

    def wait_for_cancelled(self, tasks):
        self.wait_for(tasks, "sluice_tasks_total", outcome="cancelled", reason="caller_gone")

    def ask(self, model):
        """A request whose caller is free to leave."""
        wire = Wire(self.gateway.port)
        self.addCleanup(wire.close)
        wire.send_request("POST", infer_path(model), b"{}")
        return wire

    def test_leaving_the_queue(self):
        running = self.ask("held")
        self.held.wait_for(1)
        leaving = self.ask("held")
        self.wait_for(1, "sluice_lane_waiting")
        leaving.close()
        self.wait_for(0, "sluice_lane_waiting")
        self.wait_for_cancelled(1)
        self.held.let()
        self.assertEqual(running.read_answer().status, 200)
        self.wait_for(0, "sluice_node_in_flight")
        self.assertEqual(len(self.held.received), 1)  # nobody worked for the one who left

    def test_a_replica_that_works_on_keeps_its_credit_until_it_has_answered(self):
        leaving = self.ask("held")
        self.held.wait_for(1)
        leaving.close()
        self.wait_for_cancelled(1)
        self.wait_for(1, "sluice_attempts_abandoned")
        following = self.pool.submit(infer, self.gateway.port, "held")
        self.wait_for(1, "sluice_lane_waiting")
        self.wait_for(1, "sluice_node_in_flight", node="ignores")
        self.assertEqual(len(self.held.received), 1)
        self.held.let()  # the proof
        self.held.wait_for(2)
        self.wait_for(0, "sluice_attempts_abandoned")
        self.held.let()
        self.assertEqual(following.result().status, 200)
        self.wait_for(0, "sluice_node_in_flight")

    def test_a_replica_that_stops_gives_its_credit_back_at_once(self):
        leaving = self.ask("slow")
        self.wait_for(1, "sluice_node_in_flight", node="stops")
        following = self.pool.submit(infer, self.gateway.port, "quick")
        self.wait_for(1, "sluice_lane_waiting")
        leaving.close()
        # Its only slot is free, or this would take ten minutes.
        self.assertEqual(following.result().status, 200)
        self.wait_for_cancelled(1)
        self.wait_for(0, "sluice_node_in_flight")
        self.wait_for(0, "sluice_attempts_abandoned")

    def test_everybody_leaves(self):
        callers = [self.ask(model) for model in ["held", "slow"] * 10]
        self.held.wait_for(1)
        self.wait_for(18, "sluice_lane_waiting")
        for caller in callers:
            caller.close()
        self.wait_for_cancelled(20)
        self.wait_for(0, "sluice_lane_waiting")
        self.held.let()
        self.wait_for(0, "sluice_node_in_flight")
        self.assertEqual(infer(self.gateway.port, "quick").status, 200)


if __name__ == "__main__":
    unittest.main()
