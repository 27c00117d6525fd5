"""R18, R25: models come into the memory of a replica when they are asked for, and leave it."""
import concurrent.futures
import time
import unittest

from support.client import infer, request
from support.metrics import Metrics, scrape
from support.processes import Stage, wait_until

# Room for one of two models at a time.
SERVER = """
slots: 8
memory: 1GB
models:
  - {{ name: a, timed: {{ mean: 5ms, cv: 0, memory: 700MB }}, loaded: no, load_time: 300ms{a} }}
  - {{ name: b, timed: {{ mean: 5ms, cv: 0, memory: 700MB }}, loaded: no, load_time: 300ms }}
"""
GATEWAY = """
models:
  - {{ name: a, budget: 20s, memory: 700MB }}
  - {{ name: b, budget: 20s, memory: 700MB }}
replicas:
  - {{ name: box, url: "{url}", models: [a, b], slots: 8, memory: 1GB, managed: [a, b] }}
health: {{ interval: 50ms, healthy_after: 1, unhealthy_after: {unhealthy_after} }}
residency: {{ idle: 200ms, backoff: {backoff} }}
breaker: {{ consecutive_failures: 0, failure_share: none, slow_in_a_row: 0 }}
"""


def loaded_at(server):
    index = request(server.port, "POST", "/v2/repository/index", b"{}").json
    return {entry["name"] for entry in index if entry["state"] == "READY"}


def asked_of(server, verb, model):
    metrics = Metrics(request(server.port, "GET", "/metrics").body.decode())
    return metrics.sum("sluice_repository_requests_total", verb=verb, model=model)


class ModelsCase(unittest.TestCase):
    def start(self, a="", backoff="1s", unhealthy_after=2):
        stage = Stage()
        self.addCleanup(stage.close)
        self.server = stage.model_server(SERVER.format(a=a))
        self.gateway = stage.gateway(GATEWAY.format(
            url=self.server.url, backoff=backoff, unhealthy_after=unhealthy_after))
        self.stage = stage
        self.wait_for(1, "sluice_node_ready")

    def ask(self, model, **labels):
        return infer(self.gateway.port, model, **labels)

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def wait_for(self, value, metric, **labels):
        wait_until(lambda: self.metrics().sum(metric, **labels) == value,
                   f"{metric}{labels} = {value}")


class ComingAndGoing(ModelsCase):
    def test_two_models_that_do_not_fit_together_are_both_served(self):
        self.start()
        self.assertEqual(loaded_at(self.server), set())
        for model in "abab":
            answer = self.ask(model)
            self.assertEqual((answer.status, answer.headers["x-sluice-replica"]), (200, "box"))
            self.assertEqual(loaded_at(self.server), {model})
        for model in "ab":
            self.assertEqual(asked_of(self.server, "load", model), 2)
        self.assertEqual(asked_of(self.server, "unload", "a"), 2)
        self.assertEqual(asked_of(self.server, "unload", "b"), 1)

    def test_metrics_tell_of_it(self):
        self.start()
        self.ask("a")
        self.ask("b")
        metrics = self.metrics()
        self.assertEqual(metrics.by("model", "sluice_model_replicas_loaded"), {"a": 0, "b": 1})
        self.assertEqual(metrics.sum("sluice_node_memory_used_bytes", node="box"), 700e6)
        changes = "sluice_model_changes_total"
        self.assertEqual(metrics.sum(changes, model="a", to="loading", cause="cold_start"), 1)
        self.assertEqual(metrics.sum(changes, model="a", to="unloading", cause="make_room"), 1)
        self.assertEqual(metrics.sum(changes, model="a", to="cold", cause="done"), 1)
        self.assertEqual(metrics.sum(changes, model="b", to="planned", cause="cold_start"), 1)
        self.assertEqual(metrics.sum(changes, model="b", to="loaded", cause="done"), 1)

    def test_first_requests_share_one_load(self):
        self.start()
        with concurrent.futures.ThreadPoolExecutor(20) as callers:
            answers = list(callers.map(lambda _: self.ask("a"), range(20)))
        self.assertEqual({answer.status for answer in answers}, {200})
        self.assertEqual(asked_of(self.server, "load", "a"), 1)
        self.assertEqual(self.metrics().sum("sluice_model_changes_total", to="loading"), 1)

    def test_what_is_there_already_is_used(self):
        server = self.enterContext(Stage()).model_server(
            SERVER.format(a="").replace("loaded: no", "loaded: yes", 1))
        gateway = self.enterContext(Stage()).gateway(
            GATEWAY.format(url=server.url, backoff="1s", unhealthy_after=2))
        wait_until(lambda: scrape(gateway.admin_port).sum("sluice_model_replicas_loaded") == 1,
                   "a is seen")
        self.assertEqual(infer(gateway.port, "a").status, 200)
        self.assertEqual(asked_of(server, "load", "a"), 0)


class RefusedLoads(ModelsCase):
    def test_who_has_no_time_for_the_next_try_is_told_at_once(self):
        self.start(a=", load_failures: 1")
        began = time.monotonic()
        answer = self.ask("a", budget_ms=900)
        self.assertLess(time.monotonic() - began, 0.8)
        self.assertEqual((answer.status, answer.reason), (503, "load_failed"))
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        # While the replica is left alone.
        answer = self.ask("a", budget_ms=300)
        self.assertEqual((answer.status, answer.reason), (503, "no_replica"))
        self.assertEqual(answer.headers["retry-after"], "1")
        self.assertEqual(asked_of(self.server, "load", "a"), 1)
        self.assertEqual(self.metrics().sum("sluice_tasks_total", reason="load_failed"), 1)
        self.assertIn("has not loaded a: answered 400", self.gateway.output)

    def test_who_has_time_waits_for_tries_that_become_fewer(self):
        self.start(a=", load_failures: 1", backoff="100ms")
        began = time.monotonic()
        answer = self.ask("a", budget_ms=3000)
        took = time.monotonic() - began
        self.assertEqual((answer.status, answer.reason), (503, "load_failed"))
        self.assertLess(took, 3.3)
        # Each takes 0.3 s, and then 0.1, 0.2, 0.4, … pass: not hot.
        tries = asked_of(self.server, "load", "a")
        self.assertGreaterEqual(tries, 2)
        self.assertLessEqual(tries, 5)
        self.assertTrue(self.gateway.alive())
        self.assertEqual(self.ask("b").status, 200)


class Restarts(ModelsCase):
    """Too fast for health checks to find the replica down: what it says it has tells."""
    FAST = 1000

    def test_a_replica_that_comes_back_empty_is_filled_again(self):
        self.start(unhealthy_after=self.FAST)
        self.assertEqual(self.ask("a").status, 200)
        self.server.kill()
        again = self.stage.enter_context(self.server.again())
        self.assertEqual(loaded_at(again), set())
        # Before that is noticed the replica may say that it does not have the model.
        wait_until(lambda: self.ask("a").status == 200, "a is served again")
        self.assertEqual(loaded_at(again), {"a"})
        self.assertEqual(asked_of(again, "load", "a"), 1)

    def test_a_model_that_somebody_else_unloads_is_loaded_again(self):
        self.start()
        self.assertEqual(self.ask("a").status, 200)
        request(self.server.port, "POST", "/v2/repository/models/a/unload", b"{}")
        self.wait_for(1, "sluice_model_changes_total", model="a", to="cold", cause="reported")
        self.assertEqual(self.ask("a").status, 200)
        self.assertEqual(asked_of(self.server, "load", "a"), 2)

    def test_a_replica_that_dies_while_it_loads(self):
        self.start(unhealthy_after=self.FAST)
        with concurrent.futures.ThreadPoolExecutor(1) as caller:
            answer = caller.submit(self.ask, "a")
            self.wait_for(1, "sluice_model_changes_total", model="a", to="loading")
            self.server.kill()
            again = self.stage.enter_context(self.server.again())
            self.assertEqual(answer.result().status, 200)
        self.assertEqual(loaded_at(again), {"a"})

    def test_a_replica_that_is_seen_to_be_down(self):
        self.start()
        self.assertEqual(self.ask("a").status, 200)
        self.server.kill()
        self.wait_for(1, "sluice_model_changes_total", model="a", to="cold", cause="node_down")
        self.assertEqual(self.ask("a", budget_ms=500).reason, "no_replica")
        again = self.stage.enter_context(self.server.again())
        self.wait_for(1, "sluice_node_ready")
        self.assertEqual(self.ask("a").status, 200)
        self.assertEqual(loaded_at(again), {"a"})


class SetAside(unittest.TestCase):
    """Two replicas with room for two of three models each, of 400 MB."""

    def start(self, model_keys):
        stage = self.enterContext(Stage())
        models = "abc"
        self.servers = [stage.model_server("slots: 4\nmemory: 1GB\nmodels:\n" + "".join(
            f"  - {{ name: {m}, timed: {{ mean: 5ms, cv: 0, memory: 400MB }}, loaded: no }}\n"
            for m in models)) for _ in range(2)]
        self.gateway = stage.gateway(
            "models:\n" + "".join(f"  - {{ name: {m}, budget: 20s, memory: 400MB, "
                                  f"{model_keys.get(m, '')} }}\n" for m in models) +
            "replicas:\n" + "".join(f"  - {{ url: '{s.url}', models: [a, b, c], slots: 4, "
                                    "memory: 1GB, managed: [a, b, c] }\n" for s in self.servers) +
            "health: { interval: 50ms }\nresidency: { idle: 0s }\n")
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_node_ready") == 2, "ready")

    def ask(self, model, **labels):
        self.assertEqual(infer(self.gateway.port, model, **labels).status, 200)

    def replicas_with(self, model):
        return [server for server in self.servers if model in loaded_at(server)]

    def test_urgent_demand_keeps_a_model_on_so_many_replicas(self):
        self.start({"a": "warm_replicas: 2"})
        self.ask("a", priority=9)
        self.assertEqual(len(self.replicas_with("a")), 1)
        for _ in range(3):
            self.ask("a", priority=0)
        wait_until(lambda: len(self.replicas_with("a")) == 2, "it is kept on both")
        # The others take turns in what is left.
        for model in "bcbc":
            self.ask(model, priority=9)
            self.assertEqual(len(self.replicas_with("a")), 2)
        causes = scrape(self.gateway.admin_port).by("cause", "sluice_model_changes_total",
                                                    model="a", to="loading")
        self.assertEqual(causes, {"cold_start": 1, "prewarm": 1})

    def test_a_model_with_all_its_memory_reserved_stays(self):
        self.start({"a": "reserved: 400MB"})
        for model in "abcbcb":
            self.ask(model, priority=9)
            self.assertEqual(len(self.replicas_with("a")), 1)
        self.assertEqual([asked_of(server, "unload", "a") for server in self.servers], [0, 0])


class Pinned(unittest.TestCase):
    """A model that the replica serves and Sluice does not manage there."""

    def test_it_is_never_touched(self):
        stage = self.enterContext(Stage())
        server = stage.model_server("""
memory: 1GB
models:
  - { name: a, timed: { mean: 5ms, memory: 300MB } }
  - { name: b, timed: { mean: 5ms, memory: 500MB }, loaded: no }
  - { name: c, timed: { mean: 5ms, memory: 500MB }, loaded: no }
""")
        gateway = stage.gateway(f"""
models:
  - {{ name: a, memory: 300MB }}
  - {{ name: b, memory: 500MB, budget: 20s }}
  - {{ name: c, memory: 500MB, budget: 20s }}
replicas:
  - {{ url: "{server.url}", models: [a, b, c], memory: 1GB, managed: [b, c] }}
health: {{ interval: 50ms }}
residency: {{ idle: 0s }}
""")
        wait_until(lambda: scrape(gateway.admin_port).sum("sluice_node_ready") == 1, "it is ready")
        for model in "abacab":
            self.assertEqual(infer(gateway.port, model).status, 200)
            self.assertIn("a", loaded_at(server))
        for verb in ("load", "unload"):
            self.assertEqual(asked_of(server, verb, "a"), 0)
        self.assertEqual(asked_of(server, "load", "b"), 2)


if __name__ == "__main__":
    unittest.main()
