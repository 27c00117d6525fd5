"""Replicas that die and come back, and a gateway that is told to end."""
import concurrent.futures
import unittest

from support.client import Wire, get, infer, infer_path
from support.held_replica import HeldReplica
from support.metrics import scrape
from support.processes import Stage, wait_until

MODEL_SERVER = """
slots: 2
models:
  - { name: embed, timed: { mean: 5ms } }
"""

REPLICAS = """
models:
  - {{ name: embed, budget: 20s }}
replicas:
  - {{ name: one, url: "{one}", models: [embed], slots: 2 }}
  - {{ name: two, url: "{two}", models: [embed], slots: 2 }}
health: {{ interval: 50ms, timeout: 1s, healthy_after: 2, unhealthy_after: 2 }}
"""

HELD = """
models:
  - {{ name: held, budget: 30s }}
replicas:
  - {{ name: one, url: "{url}", models: [held], slots: 1, credits: 1 }}
health: {{ interval: 50ms, healthy_after: 1 }}
limits: {{ drain_timeout: {drain_timeout} }}
"""


class GatewayCase(unittest.TestCase):
    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.close)
        self.pool = self.stage.enter_context(concurrent.futures.ThreadPoolExecutor(16))

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def wait_until_ready(self, ready, nodes):
        wait_until(lambda: all(self.metrics().sum("sluice_node_ready", node=n) == ready
                               for n in nodes), f"ready = {ready}: {nodes}")


class Replicas(GatewayCase):
    def setUp(self):
        super().setUp()
        self.one, self.two = (self.stage.model_server(MODEL_SERVER) for _ in range(2))
        self.gateway = self.stage.gateway(REPLICAS.format(one=self.one.url, two=self.two.url))
        self.wait_until_ready(1, ["one", "two"])

    def infer(self, **labels):
        return infer(self.gateway.port, "embed", **labels)

    def test_a_replica_that_is_killed_is_left_out_until_it_is_back(self):
        self.one.kill()
        self.wait_until_ready(0, ["one"])
        self.assertEqual({self.infer().headers["x-sluice-replica"] for _ in range(10)}, {"two"})
        self.assertEqual(get(self.gateway.admin_port, "/readyz").status, 200)
        self.stage.enter_context(self.one.again())
        self.wait_until_ready(1, ["one"])
        # One after another they might all go to the faster one; four at once fill both.
        four = lambda: {a.headers["x-sluice-replica"]
                        for a in self.pool.map(lambda _: self.infer(), range(4))}
        wait_until(lambda: "one" in four(), "it serves again")

    def test_no_request_is_lost_when_a_replica_restarts_under_load(self):
        answers = []
        stop = False

        def ask():
            while not stop:
                answers.append(self.infer())
        callers = [self.pool.submit(ask) for _ in range(8)]
        one = self.one
        for _ in range(3):
            served = self.answered_by(answers, "one")
            one.kill()
            self.wait_until_ready(0, ["one"])
            one = self.stage.enter_context(one.again())
            wait_until(lambda s=served: self.answered_by(answers, "one") > s, "it serves again")
        stop = True
        for caller in callers:
            caller.result()  # every request had an answer: none was cut, none timed out
        failures = [a for a in answers if a.status != 200]
        # What ran when the replica died, and what was sent to it before a health check knew.
        self.assertLessEqual({(a.status, a.reason) for a in failures},
                             {(502, "replica_unreachable"), (502, "bad_answer")})
        metrics = self.metrics()
        self.assertEqual(metrics.sum("sluice_tasks_total"), len(answers))
        self.assertEqual(metrics.sum("sluice_tasks_total", outcome="completed"),
                         len(answers) - len(failures))
        self.assertEqual(metrics.sum("sluice_node_in_flight"), 0)

    @staticmethod
    def answered_by(answers, replica):
        return sum(a.status == 200 and a.headers["x-sluice-replica"] == replica for a in answers)

    def test_all_replicas_are_down(self):
        self.one.kill()
        self.two.kill()
        self.wait_until_ready(0, ["one", "two"])
        answer = self.infer()
        self.assertEqual((answer.status, answer.reason), (503, "no_replica"))
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        self.assertEqual(get(self.gateway.port, "/v2/health/ready").status, 503)
        self.assertEqual(get(self.gateway.port, "/v2/models/embed/ready").status, 503)
        self.assertEqual(get(self.gateway.port, "/v2/health/live").status, 200)
        ready = get(self.gateway.admin_port, "/readyz")
        self.assertEqual((ready.status, ready.body), (503, b"no replica is ready\n"))
        self.stage.enter_context(self.two.again())
        self.wait_until_ready(1, ["two"])
        self.assertEqual(self.infer().status, 200)

    def test_a_replica_that_hangs_is_left_out(self):
        self.one.freeze()
        self.addCleanup(self.one.thaw)
        self.wait_until_ready(0, ["one"])
        self.assertEqual(self.infer().headers["x-sluice-replica"], "two")
        self.one.thaw()
        self.wait_until_ready(1, ["one"])


class Drain(GatewayCase):
    def start(self, drain_timeout):
        self.held = self.stage.enter_context(HeldReplica())
        self.gateway = self.stage.gateway(
            HELD.format(url=self.held.url, drain_timeout=drain_timeout))
        self.wait_until_ready(1, ["one"])

    def one_runs_and_two_wait(self):
        requests = [self.pool.submit(infer, self.gateway.port, "held") for _ in range(3)]
        self.held.wait_for(1)
        wait_until(lambda: self.metrics().sum("sluice_lane_waiting") == 2, "two wait")
        return requests

    def assert_takes_no_connection(self):
        def refused():
            try:
                Wire(self.gateway.port).close()
            except ConnectionRefusedError:
                return True
            return False
        wait_until(refused, "new connections are refused")

    def test_sigterm_answers_all_that_was_accepted(self):
        self.start("30s")
        with Wire(self.gateway.port) as idle:
            idle.send_request("GET", "/v2/health/live")
            self.assertEqual(idle.read_answer().status, 200)
            requests = self.one_runs_and_two_wait()
            self.gateway.terminate()
            self.gateway.wait_for_line("draining")
            self.assert_takes_no_connection()
            self.assertEqual(get(self.gateway.admin_port, "/readyz").status, 503)
            # A request that was on its way on an open connection is accepted too.
            idle.send_request("POST", infer_path("held"), b"{}")
            wait_until(lambda: self.metrics().sum("sluice_lane_waiting") == 3, "three wait")
            self.held.let(4)
            answer = idle.read_answer()
            self.assertEqual((answer.status, answer.headers["connection"]), (200, "close"))
            self.assertTrue(idle.closed_by_peer())
        for request in requests:
            self.assertEqual(request.result().status, 200)
        self.assertEqual(self.gateway.exit_code(), 0, self.gateway.output)

    def test_idle_connections_do_not_hold_up_the_drain(self):
        self.start("30s")
        with Wire(self.gateway.port) as silent, Wire(self.gateway.port) as served:
            served.send_request("GET", "/v2/health/live")
            served.read_answer()
            self.gateway.terminate()
            self.assertTrue(silent.closed_by_peer() and served.closed_by_peer())
        self.assertEqual(self.gateway.exit_code(), 0, self.gateway.output)

    def test_a_drain_ends_in_time_and_says_that_it_cut(self):
        self.start("300ms")
        requests = self.one_runs_and_two_wait()
        self.gateway.terminate()
        self.assertEqual(self.gateway.exit_code(), 1)
        self.assertIn("3 connections cut", self.gateway.output)
        for request in requests:
            self.assertIsInstance(request.exception(), (ConnectionError, OSError))

    def test_a_second_signal_ends_it_at_once(self):
        self.start("1min")
        self.one_runs_and_two_wait()
        self.gateway.terminate()
        self.gateway.wait_for_line("draining")
        self.gateway.terminate()
        self.assertEqual(self.gateway.exit_code(), 1)


class Start(GatewayCase):
    def test_requests_wait_for_replicas_that_are_not_known_yet(self):
        held = self.stage.enter_context(HeldReplica())
        held.let()
        self.gateway = self.stage.gateway(HELD.format(url=held.url, drain_timeout="1s"))
        self.assertEqual(infer(self.gateway.port, "held").status, 200)

    def test_what_is_wrong_is_said_with_exit_code_2(self):
        for configuration, said in (("models: []\n", "at least one item"),
                                    ("unheard-of: 1\n", "unheard-of"),
                                    ("models: [ { name: a } ]\n", "replicas: is required")):
            with self.subTest(configuration=configuration):
                with self.assertRaises(AssertionError) as raised:
                    self.stage.gateway(configuration)
                self.assertIn("exited with 2", str(raised.exception))
                self.assertIn(said, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
